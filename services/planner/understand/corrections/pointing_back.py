"""Corrections that point: "scratch that, 1 is yes". An ordinal counts in the list that it was answered in last."""

from __future__ import annotations

from services.planner.model import ItemList, Reference, SessionView, Speaker, Verdict
from services.planner.understand.items.references import Asked, earlier_list, open_list
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import segments_of
from services.planner.understand.text.tokens import Kind


def pointed_at(text: str, view: SessionView, past: bool) -> tuple[Reference | None, bool]:
    """An item that a normalised text points at, and whether it was answered: the latest one that was, else one asked."""
    shown = _lists(view, past)
    for token in (token for segment in segments_of(text) for token in segment.refs):
        if token.kind is Kind.ID:
            return Reference(id=canonical_id(token.text)), True
        if token.kind is Kind.ORDINALS:
            answered = _answered(token.numbers[0], shown, view)
            if answered is not None:
                return answered[0], True
            for listed in shown:
                if listed.find(token.numbers[0]):
                    return listed.at(token.numbers[0]), False
    return None, False


def answered_at(ordinal: int, view: SessionView) -> tuple[str, Reference] | None:
    """The answered item of this ordinal in the latest list that has one: its id, and a reference to it."""
    for listed in _lists(view, past=True):
        item = listed.find(ordinal)
        if item is not None and any(evidence.phenomenon_id == item.phenomenon_id for evidence in view.evidence):
            return item.phenomenon_id, listed.at(ordinal)
    return None


def _answered(ordinal: int, lists: list[Asked], view: SessionView) -> tuple[Reference, Verdict | None] | None:
    """The item of this ordinal that was answered in the latest of the lists that has one, with its verdict."""
    recorded = {evidence.phenomenon_id: evidence.verdict for evidence in view.evidence}
    for listed in lists:
        item = listed.find(ordinal)
        if item is not None and item.phenomenon_id in recorded:
            return listed.at(ordinal), recorded[item.phenomenon_id]
    return None


def _lists(view: SessionView, past: bool) -> list[Asked]:
    """What was shown, the latest first; `past`: what is asked now comes after what was asked before it."""
    asked, earlier = open_list(view), earlier_list(view)
    now = {item.phenomenon_id for item in asked.items}
    older = [
        Asked(ItemList.EARLIER, said.items, by_id=True)
        for said in reversed(view.history)
        if said.speaker is Speaker.ASSISTANT
        and said.items
        and {item.phenomenon_id for item in said.items} != now
        and (earlier is None or said.items != earlier.items)
    ]
    before = [earlier, *older] if earlier else older
    return [*before, asked] if past else [asked, *before]
