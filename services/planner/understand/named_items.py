"""Marks the answers that name their item by words: only the reading of the same words can tell what they say."""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import FeedbackStep, PlanStep, TurnPlan
from services.planner.understand.answers import is_bare, segments_of
from services.planner.understand.text import read

# In more words than those of a short answer, the answer stands at their beginning or is none.
_ANSWER, _POINTING = 30, 12


def mark_by_name(plan: TurnPlan) -> TurnPlan:
    """The plan with `by_name` set on each answer whose words neither point at the list nor are a verdict alone."""
    return replace(plan, steps=tuple(_marked(step) for step in plan.steps))


def _marked(step: PlanStep) -> PlanStep:
    if not isinstance(step, FeedbackStep) or step.reference.id is not None:
        return step
    words = read(step.words).normal
    pointed = any(segment.pointed for segment in segments_of(words[:_POINTING] if len(words) > _ANSWER else words))
    return step if pointed or is_bare(words) else replace(step, by_name=True)
