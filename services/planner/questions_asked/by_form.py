"""The plan of a turn by the form of its questions: no answer stands that is to a question of another form."""

from __future__ import annotations

from dataclasses import replace

from services.planner.case_questions.finder import find_case_question
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
from services.planner.questions_asked.forms import Form, forms_of, protests
from services.planner.questions_asked.in_message import REPORTS
from services.planner.questions_asked.of_field import LIKELY, likeliest_question
from services.planner.questions_asked.parts import asking_in
from services.planner.questions_asked.steps_of_words import is_of
from services.planner.treatment.actions import actions_in, asking_words
from services.planner.treatment.folding import in_order
from services.planner.treatment.wanted.requests import with_action

# The question of the case whether it is at its end.
_CLOSES = "case_close"


def with_fitting_answers(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan without questions that their words do not ask, by their form, and with what they ask instead."""
    asked = asking_in(said)
    if said.startswith("/") or not asked or any(isinstance(step, ResetStep) for step in plan.steps):
        return plan
    steps = [step for step in plan.steps if not _is_misread(step, asked, view)]
    for words in asked:
        if not any(_asks(step) and is_of(step, words) for step in steps):
            steps += _asked_instead(words, said, plan, view)
    return replace(plan, steps=tuple(in_order(steps, said)))


def _asked_instead(words: str, said: str, plan: TurnPlan, view: SessionView) -> list[QuestionStep]:
    """What words ask that are no question of the plan: of the field, else by their form of an action or of the case."""
    if not view.evidence or protests(words):
        return []
    found, forms = likeliest_question(words, plan, view), forms_of(words)
    if found is not None and found.probability >= LIKELY:
        return [QuestionStep(QuestionKind.HELP, None, words, topic=QuestionTopic.COMMON, common_question=found.key)]
    acts = bool(actions_in(asking_words(words)))
    general = find_case_question(words)
    topic: QuestionTopic | None = None
    if Form.WHETHER in forms and general is not None and general.key == _CLOSES and general.probability >= LIKELY:
        topic = QuestionTopic.REMAINING  # Whether one is done, what is left tells.
    elif forms == {Form.LONG} and (acts or view.treatments):
        topic = QuestionTopic.EFFECT
    if topic is None:
        return []
    step = with_action(QuestionStep(QuestionKind.HELP, None, words, topic=topic), said, view)
    return [step] if isinstance(step, QuestionStep) else []


def _is_misread(step: PlanStep, asked: list[str], view: SessionView) -> bool:
    if not isinstance(step, QuestionStep) or step.topic in REPORTS or step.brief is not None:
        return False
    words = [each for each in asked if is_of(step, each)]
    return bool(words) and all(misses(step, each, view) for each in words)


def _asks(step: PlanStep) -> bool:
    return isinstance(step, SuggestionStep) or (isinstance(step, QuestionStep) and step.topic not in REPORTS)
