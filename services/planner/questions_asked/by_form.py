"""The plan of a turn by the form of its questions: no answer stands that is to a question of another form."""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import (
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    ResetStep,
    SessionView,
    SuggestionStep,
    TurnPlan,
)
from services.planner.questions_asked.answer_forms import misses
from services.planner.questions_asked.in_message import REPORTS
from services.planner.questions_asked.of_field import LIKELY, likeliest_question
from services.planner.questions_asked.parts import asking_in
from services.planner.questions_asked.steps_of_words import is_of
from services.planner.treatment.folding import in_order


def with_fitting_answers(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan without questions that their words do not ask, by their form, and with what they ask instead."""
    asked = asking_in(said)
    if said.startswith("/") or not asked or any(isinstance(step, ResetStep) for step in plan.steps):
        return plan
    kept = [step for step in plan.steps if not _is_misread(step, asked, view)]
    if len(kept) == len(plan.steps):
        return replace(plan, steps=tuple(in_order(kept, said)))
    left = [words for words in asked if not any(_asks(step) and is_of(step, words) for step in kept)]
    found = [(words, likeliest_question(words, plan, view)) for words in left]
    instead = [_of_field(words, each.key) for words, each in found if each is not None and each.probability >= LIKELY]
    return replace(plan, steps=tuple(in_order((*kept, *instead), said)))


def _is_misread(step: PlanStep, asked: list[str], view: SessionView) -> bool:
    if not isinstance(step, QuestionStep) or step.topic in REPORTS or step.brief is not None:
        return False
    words = [each for each in asked if is_of(step, each)]
    return bool(words) and all(misses(step, each, view) for each in words)


def _asks(step: PlanStep) -> bool:
    return isinstance(step, SuggestionStep) or (isinstance(step, QuestionStep) and step.topic not in REPORTS)


def _of_field(words: str, key: str) -> QuestionStep:
    return QuestionStep(QuestionKind.HELP, None, words, topic=QuestionTopic.COMMON, common_question=key)
