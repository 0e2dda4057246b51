"""An honest line for who points out that two answers did not fit together: what was said before, and what holds now."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.planner.v1.planner_types import AppliedCorrection, HypothesisView, QuestionStep, QuestionTopic
from dbdiag.vocabulary import LocalizedText

from gateway.turn.context import Turn
from lang.judging.pointing import figures_told, points_out


def own_up(turn: Turn) -> None:
    """Says how a belief that the message quotes moved since, or that two answers did not fit together."""
    moved = _moved(turn)
    if moved is None and not points_out(turn.message):
        return
    turn.corrections.insert(0, moved or AppliedCorrection(LocalizedText(), misheard=True))
    steps = (step for step in turn.plan.steps if not _asks_which(step))
    turn.plan = replace(turn.plan, steps=tuple(steps))


def _asks_which(step: object) -> bool:
    """Whether a step is what "which is it" was taken for."""
    return isinstance(step, QuestionStep) and step.topic is QuestionTopic.OBJECT


def _moved(turn: Turn) -> AppliedCorrection | None:
    """The belief that was told with a figure of the message, the latest first, with what it is now."""
    points = turn.session.case_points()
    told = set(figures_told(turn.message))
    for point in reversed(points[:-1]):
        for before in point.beliefs:
            now = _percent(_belief_in(points[-1].beliefs, before.root_cause_id))
            if _percent(before.confidence) in told and now != _percent(before.confidence):
                figures = (f"{_percent(before.confidence)} %", f"{now} %")
                return AppliedCorrection(before.name, *figures, misheard=True)
    return None


def _belief_in(beliefs: tuple[HypothesisView, ...], root_cause_id: str) -> float:
    return next((each.confidence for each in beliefs if each.root_cause_id == root_cause_id), 0.0)


def _percent(confidence: float) -> int:
    return round(confidence * 100)
