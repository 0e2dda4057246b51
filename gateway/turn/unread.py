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
from gateway.turn.context import Turn
from gateway.turn.transitions import Standing
from lang import deferred_re as re
from lang.judging.amending import clauses_in, corrected_figures, orders_it_off
from lang.judging.pointing import figures_told, points_out
from lang.judging.protesting import clauses_of, protests_in
from lang.tokens import Kind, read_text

# Shorter answers are all reference and verdict ("1 yes", "P-0012 没有"): there is nothing else to read in them.
_ALL_REFERENCE = 16
# So many words of content (a Chinese one has two characters) are more than an answer with a number.
_MORE = 2
# What is said of the assistant is no fact of the system.
_TO_YOU = {"you", "you're", "your", "你", "您"}


# Numbers, each with a yes or no: whoever sends these says nothing else.
_SHEET = re.compile(r"(?i)(?:\W*\d+\W*(?:yes|no|yep|nope|y|n|不是|没有|[有没无是否])(?![a-z\d]))+\W*")


def is_answer_sheet(message: str) -> bool:
    """Whether a message is nothing but numbers with a yes or no each: there is nothing else to find in it."""
    return _SHEET.fullmatch(message) is not None


def standing_of(turn: Turn) -> Standing:
    """Where the session stands, and whether the message says more than the plan takes from it."""
    session, message = turn.session, turn.message
    told = bool(session.active())
    unread = turn.plan.pasted or is_unread(message, turn.plan) or _is_value_asked(turn)
    unread = unread or (told and not is_answer_sheet(message) and _objects(message))
    return Standing(told, bool(session.beliefs()), session.concluded(), unread)


def _objects(message: str) -> bool:
    """Whether a message says that something was taken wrongly, or orders it off."""
    return (
        bool(protests_in(message) or figures_told(message) or corrected_figures(message))
        or points_out(message)
        or any(map(orders_it_off, clauses_of(message)))
    )


def _is_value_asked(turn: Turn) -> bool:
    """Whether a message is a number, or a sum, for the one thing whose value was asked for, and nobody took it so."""
    asked = turn.session.clarification
    alone = asked is not None and len(asked.options) == 1 and not asked.proposed
    bare = any(map(str.isdigit, turn.message)) and not any(map(str.isalpha, turn.message))
    return alone and bare and not any(isinstance(step, FeedbackStep) for step in turn.plan.steps)


def is_unread(message: str, plan: TurnPlan) -> bool:
    """True if a message says more than the plan's answers by reference, questions and orders to look."""
    if any(isinstance(step, FeedbackStep) and step.by_name for step in plan.steps):
        return True  # Only its words tell what it is of.
    talk = all(isinstance(step, SmalltalkStep) and step.kind is not SmalltalkKind.OUT_OF_SCOPE for step in plan.steps)
    return not (plan.steps and talk) and any(map(str.isalpha, unclaimed_words(message, plan)))


def unclaimed_words(message: str, plan: TurnPlan) -> str:
    """A message without what the plan's answers by reference, questions and orders to look say."""
    for step in plan.steps:
        message = message.replace(_claimed_words(step), " ", 1)
    return message


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
