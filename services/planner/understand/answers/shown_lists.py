"""Numbers while a single question is open that was asked without one: they are of the list that was shown before it."""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import FeedbackStep, Item, ItemList, PlanStep, Reference, SessionView, Speaker
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import pointers_of
from services.planner.understand.text.tokens import Kind


def shown_before(message: str, view: SessionView) -> tuple[Item, ...]:
    """The numbered list that a message answers past the one question that is open; () where it answers that."""
    if len(view.options) != 1 or view.options[0].phenomenon_id == "":
        return ()
    tokens = pointers_of(read(message).normal)
    said = {number for token in tokens if token.kind is Kind.ORDINALS for number in token.numbers}
    if not said or max(said) <= len(view.options):
        return ()
    said_by_us = (each for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT)
    lists = (each.items for each in said_by_us if each.items and each.items != view.options)
    items = next(lists, ())
    return items if said <= {item.ordinal for item in items} else ()


def in_shown(view: SessionView, items: tuple[Item, ...]) -> SessionView:
    """The view in which that list is asked, and nothing else is."""
    return replace(view, options=(), clarified_words="", pending=items)


def by_ids(steps: tuple[PlanStep, ...], items: tuple[Item, ...]) -> tuple[PlanStep, ...]:
    """The steps with the items of that list by their ids: what is asked by now may have other numbers."""
    ids = {item.ordinal: item.phenomenon_id for item in items}
    return tuple(_by_id(step, ids) for step in steps)


def _by_id(step: PlanStep, ids: dict[int, str]) -> PlanStep:
    match step:
        case FeedbackStep(reference=Reference(ordinal=int(ordinal), list=ItemList.PENDING)) if ordinal in ids:
            return replace(step, reference=Reference(id=ids[ordinal]))
    return step
