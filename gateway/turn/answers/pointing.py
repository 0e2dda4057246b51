"""Answers that point back at what the message itself said: "the table keeps growing, that one counts as yes"."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.planner.v1.planner_types import FeedbackStep, ObservationStep, PlanStep

from gateway.turn.context import Turn
from lang import deferred_re as re
from lang.cues import telling_keys

_POINTS = re.compile(r"(?i)^\s*(?:[这那]一?[条个项点]|(?:that|this)(?: one)?\b)")


def without_pointing_back(turn: Turn) -> None:
    """Leaves out answers to what is asked whose words point at a statement just before them, and not at the list."""
    steps = turn.plan.steps
    kept = (step for at, step in enumerate(steps) if not (at and _is_of(turn, step, steps[at - 1])))
    turn.plan = replace(turn.plan, steps=tuple(kept))


def _is_of(turn: Turn, step: PlanStep, before: PlanStep) -> bool:
    if not isinstance(step, FeedbackStep) or not isinstance(before, ObservationStep) or not _POINTS.search(step.words):
        return False
    _, _, between = turn.message.partition(before.text)
    between = between.partition(step.words)[0]
    name = turn.catalog.phenomenon_name(step.reference.id or "")
    told = telling_keys(before.text)
    named = told & (telling_keys(name.zh) | telling_keys(name.en))
    return bool(step.reference.id) and not any(map(str.isalnum, between)) and len(named) < len(told) / 2
