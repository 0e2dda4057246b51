"""Rows of a query that an answer showed, and questions that they answer: whether a session holds the others up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.objects import PID, Role
from lang.objects.lock_queue import WAITS_FOR
from lang.objects.rows_asked import RowsAsked, rows_asked
from services.planner.model import (
    ClarifyStep,
    NamedObject,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SmalltalkStep,
    Speaker,
    TurnPlan,
)
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.shown_actions import POINTS, SESSION, said_last
from services.planner.understand.text.word_lists import names

_LISTED = lists_beside(__file__)

# The action of an answer that acknowledges the rows of a query.
ROWS = "rows"
_ASKS = _LISTED.pattern("asks", re.IGNORECASE)
_GUESSES = (QuestionTopic.RELATED, QuestionTopic.IDENTIFICATION)
_BELIEFS = (QuestionTopic.CERTAINTY, QuestionTopic.RELATED)
_CELL = "|"
_OF_ACTIONS = (QuestionTopic.RISK, QuestionTopic.COMMAND)


def with_rows_shown(plan: TurnPlan, said: str, message: str, view: SessionView) -> TurnPlan:
    """The plan with what the rows of a query shown before tell, and with what asks whether a session holds others."""
    shown = [each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT]
    if (found := rows_asked(shown, message)) is not None:
        steps = [step for step in plan.steps if not _is_guess(step)]
        told = QuestionStep(QuestionKind.HELP, text=found.blocker, topic=QuestionTopic.IDENTIFICATION, action=ROWS)
        return replace(plan, steps=(told, *steps), objects=(*plan.objects, *_objects(found)))
    if any(isinstance(step, QuestionStep) and step.topic in _OF_ACTIONS for step in plan.steps):
        return plan
    plan = replace(plan, steps=tuple(_of_its_row(step, message, view) for step in plan.steps))
    asked = next((each for each in sentences_of(said) if _asks_of_holder(each)), "")
    if not asked:
        return plan
    kept = [step for step in plan.steps if not _is_guess(step) and not _is_of(step, asked)]
    question = QuestionStep(QuestionKind.HELP, text=asked, topic=QuestionTopic.IDENTIFICATION)
    return replace(plan, steps=(*kept, question))


def _of_its_row(step: PlanStep, message: str, view: SessionView) -> PlanStep:
    """Whether "it" is proved by a row that is pasted, as asked of the session that was asked about before, with the row."""
    points = isinstance(step, QuestionStep) and step.topic in _BELIEFS and POINTS.search(step.text)
    if not isinstance(step, QuestionStep) or not points or SESSION.search(step.text):
        return step
    rows = [line.strip() for line in message.splitlines() if _CELL in line]
    meant = (
        (number, row) for number in SESSION.findall(said_last(view)) for row in rows if number in SESSION.findall(row)
    )
    number, row = next(meant, ("", ""))
    asked = f"{number}: {step.text}\n{row}"
    return QuestionStep(QuestionKind.HELP, text=asked, topic=QuestionTopic.IDENTIFICATION) if number else step


def _objects(found: RowsAsked) -> Iterable[NamedObject]:
    """The waits, and the sessions in the order of their places."""
    yield from (NamedObject(WAITS_FOR, each) for each in found.names())
    yield from (NamedObject(PID, each, str(Role.WAITS)) for each in found.waiters)


def _asks_of_holder(sentence: str) -> bool:
    named = SESSION.search(sentence) and names("named.holding", sentence) and _ASKS.search(sentence)
    return bool(named) and not names("named.why_or_may", sentence)


def _is_guess(step: PlanStep) -> bool:
    """Whether a step takes the words for what they are not: a matter of the cause, a riddle."""
    return isinstance(step, ClarifyStep) or (isinstance(step, QuestionStep) and step.topic in _GUESSES)


def _is_of(step: PlanStep, sentence: str) -> bool:
    """Whether a step is another reading of a sentence."""
    match step:
        case QuestionStep(text=words) | ObservationStep(text=words):
            return bool(words.strip()) and (words.strip() in sentence or sentence.strip() in words)
        case SmalltalkStep():
            return True
    return False
