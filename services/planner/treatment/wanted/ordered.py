"""A plan with the summaries that its message orders, each as it is to be written."""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import PlanStep, QuestionStep, QuestionTopic, SessionView, TurnPlan
from services.planner.treatment.wanted.briefs import Order, brief_of


def with_order(plan: TurnPlan, order: Order | None, view: SessionView) -> TurnPlan:
    """The plan with the order of the message, and every summary that it asks for as it is to be written."""
    if order is not None:
        kept = [step for step in plan.steps if not _asks_for_summary(step)]
        return replace(plan, steps=(*kept, order.step))
    return replace(plan, steps=tuple(_briefed(step, view) for step in plan.steps))


def _asks_for_summary(step: PlanStep) -> bool:
    return isinstance(step, QuestionStep) and step.topic is QuestionTopic.SUMMARY


def _briefed(step: PlanStep, view: SessionView) -> PlanStep:
    if isinstance(step, QuestionStep) and _asks_for_summary(step) and step.brief is None:
        return replace(step, brief=brief_of(step.text, replace(view, brief=None)))
    return step
