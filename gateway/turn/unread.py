"""Whether a message says more than what the plan made of it answers and asks."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import (
    FeedbackStep,
    ItemList,
    LookStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SmalltalkKind,
    SmalltalkStep,
    TurnPlan,
)

from gateway.turn.answers.by_name import content_of
from lang.judging.amending import clauses_in
from lang.tokens import Kind, read_text

# Shorter answers are all reference and verdict ("1 yes", "P-0012 没有"): there is nothing else to read in them.
_ALL_REFERENCE = 16
# So many words of content (a Chinese one has two characters) are more than an answer with a number.
_MORE = 2
# What is said of the assistant is no fact of the system.
_TO_YOU = {"you", "you're", "your", "你", "您"}


def is_unread(message: str, plan: TurnPlan) -> bool:
    """True if a message says more than the plan's answers by reference, questions and orders to look."""
    if any(isinstance(step, FeedbackStep) and step.by_name for step in plan.steps):
        return True  # Only its words tell what it is of.
    left = message
    for step in plan.steps:
        left = left.replace(_claimed_words(step), " ", 1)
    talk = all(isinstance(step, SmalltalkStep) and step.kind is not SmalltalkKind.OUT_OF_SCOPE for step in plan.steps)
    return not (plan.steps and talk) and any(character.isalpha() for character in left)


def _claimed_words(step: PlanStep) -> str:
    """The words of a step in which there is no statement to be read; a space if there may be one."""
    match step:
        case FeedbackStep(words=words, by_name=False, reference=reference):
            return words if len(words) <= _ALL_REFERENCE or reference.list is ItemList.OPTIONS else " "
        case QuestionStep(topic=QuestionTopic.RECOVERED | QuestionTopic.TREATED | QuestionTopic.UNTREATED):
            return " "  # "Back to normal after the restart" is evidence too.
        case QuestionStep(kind=kind, text=text) if kind is not QuestionKind.WHAT_IF or _supposes_by_number(step):
            return " " if _states_beside(text) else text
        case LookStep(words=words):
            return words or " "
    return " "


def _states_beside(question: str) -> bool:
    """Whether a question tells something before what it asks: "it is invalid, is that bad"."""
    paused = any(token.kind in (Kind.COMMA, Kind.STOP) for token in read_text(question).tokens[:-1])
    told = [clause for clause in clauses_in(question)[:-1] if not _is_to_you(clause)]
    return any(_weight(clause) >= (1 if paused else _MORE) for clause in told)


def _is_to_you(clause: str) -> bool:
    return bool(_TO_YOU & {token.text.lower() for token in read_text(clause).tokens})


def _supposes_by_number(step: QuestionStep) -> bool:
    """True if the words of a supposition name its items by number or id, so that there is no statement in them."""
    said = {token.text for token in read_text(step.text).tokens}
    named = [found.reference for found in step.assumptions]
    numbered = (
        str(one.ordinal) in said or (one.id is not None and one.id.lower() in step.text.lower()) for one in named
    )
    return bool(named) and all(numbered)


def tells_more(words: str) -> bool:
    """True if words hold so much else that their numbers are amounts and no items: "we scaled from 2 to 6 pods"."""
    return _weight(words) >= _MORE


def _weight(words: str) -> float:
    """How many words of content there are; a Chinese one has two characters."""
    return sum(1.0 if token.kind is Kind.WORD else 0.5 for token in content_of(words))
