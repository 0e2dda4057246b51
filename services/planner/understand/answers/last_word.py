"""Of several answers to one item the last word counts: "1 yes, wait no, 1 no"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from services.planner.model import FeedbackStep, Group, PlanStep, Reference, SessionView, Verdict
from services.planner.understand.items.references import Asked, open_list


def last_word(steps: Sequence[PlanStep], view: SessionView) -> tuple[PlanStep, ...]:
    """The steps with one answer an item: groups are spelled out where single answers stand beside them, the last word counts."""
    asked = open_list(view)
    singles = [step for step in steps if isinstance(step, FeedbackStep) and step.reference.group is None]
    spelled: list[PlanStep] = []
    for step in steps:
        grouped = isinstance(step, FeedbackStep) and step.reference.group is Group.ALL
        if isinstance(step, FeedbackStep) and grouped and singles and step.reference.list is asked.list:
            spelled += [replace(step, reference=asked.at(ordinal)) for ordinal in asked.ordinals]
        else:
            spelled.append(step)
    kept: list[PlanStep] = []
    for step in spelled:
        before = [other for other in kept if isinstance(step, FeedbackStep) and _same_target(step, other, asked)]
        if any(isinstance(other, FeedbackStep) and other.verdict is _verdict_of(step) for other in before):
            continue  # "Yes obviously, since hours": the first words said it.
        kept = [*(other for other in kept if other not in before), step]
    return tuple(kept)


def _same_target(step: FeedbackStep, other: PlanStep, asked: Asked) -> bool:
    return isinstance(other, FeedbackStep) and _target(other.reference, asked) == _target(step.reference, asked)


def _verdict_of(step: PlanStep) -> Verdict | None:
    return step.verdict if isinstance(step, FeedbackStep) else None


def _target(reference: Reference, asked: Asked) -> object:
    """What a reference comes to, so that an id and its ordinal are the same."""
    if reference.ordinal is not None and reference.list is asked.list:
        item = asked.find(reference.ordinal)
        return item.phenomenon_id or reference if item else reference
    return reference.id or reference
