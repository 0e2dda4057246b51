"""Drops corrections that nobody marked as such, and finds what those that point are of: "scratch that, 1 is yes"."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import yaml

from lang import deferred_re as re
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    ItemList,
    ObservationStep,
    PlanStep,
    Reference,
    SessionView,
    Speaker,
    SuggestionStep,
    TurnPlan,
    Verdict,
)
from services.planner.understand.items.references import Asked, earlier_list, open_list
from services.planner.understand.text.messages import read
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import segments_of
from services.planner.understand.text.tokens import Kind

# What the assistant did not say takes nothing back: "u didnt say which pid".
_OF_THE_ASSISTANT = re.compile(
    r"\b(?:you|u|ya)\s+(?:didn'?t|did not|never|don'?t)\s+(?:even )?sa(?:y|id)\b|你(?:也|又|都|还)?(?:没说|没有说)"
)
_MARKS = Path(__file__).parent / "corrections.yaml"


def keep_marked_corrections(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan without corrections that the message does not mark, or refuses ("don't take that back").

    A correction that puts nothing in the place of what it takes back needs a word that takes back.
    """
    text = _OF_THE_ASSISTANT.sub(" ", read(said).normal)
    if has_words("disagreeing", text):
        return replace(plan, steps=tuple(_as_guess(step, said) for step in plan.steps))
    if not any(isinstance(step, CorrectionStep) for step in plan.steps):
        return plan
    refused, retracts = has_words("refusing", text), has_words("retracting", text)
    replaces = retracts or has_words("replacing", text)

    def holds(step: PlanStep) -> bool:
        if not isinstance(step, CorrectionStep):
            return True
        return step.retract is False or (not refused and (retracts if step.retract else replaces))

    return replace(plan, steps=tuple(step for step in plan.steps if holds(step)))


def _as_guess(step: PlanStep, said: str) -> PlanStep:
    """What corrects the assistant is what the person thinks, not something seen."""
    _, _, rest = said.replace("，", ",").partition(",")
    match step:
        case CorrectionStep(words=str(words)) if words:
            return SuggestionStep(words)
        case ObservationStep(text=text):
            return SuggestionStep(text)
        case ClarifyStep(kind=ClarifyKind.VAGUE) if rest.strip():
            return SuggestionStep(rest.strip())
    return step


def has_words(marks: str, text: str) -> bool:
    """True if a normalised text has one of the words of a list."""
    return any(mark in text for mark in _marks()[marks])


@cache
def _marks() -> dict[str, tuple[str, ...]]:
    loaded = yaml.load(_MARKS.read_text("utf-8"), yaml.CSafeLoader)
    return {name: tuple(map(str, words)) for name, words in loaded.items()}


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
