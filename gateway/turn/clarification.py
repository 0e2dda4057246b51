"""Clarification at the end of a turn: its options, its trace in the session, and continuing without it."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.planner.v1.planner_types import (
    Clarification,
    ClarificationOption,
    ClarifyKind,
    FeedbackStep,
    HelpAnswer,
    Item,
    ItemList,
    QuestionKind,
    QuestionStep,
    SmalltalkStep,
)

from gateway.contracts.clients import Services
from gateway.session.ledger import OpenClarification
from gateway.turn.amendments import TAKEN_BACK
from gateway.turn.context import Turn
from gateway.turn.opening.question import was_opened
from gateway.turn.tools.caveats import how_to_look

_OFFERED = 4
# Below this similarity an option would only distract from a vague complaint.
_WORTH_OFFERING = 0.5
# The subject of a missing number may be less certain: the question names it.
_WORTH_A_NUMBER = 0.3


# What words are asked back by that fit nothing.
_OF_UNKNOWN_WORDS = (ClarifyKind.VAGUE, ClarifyKind.MULTIPLE_MATCHES)
# A message that says so many times more than what lacks a number tells of more.
_ALONE = 2


async def complete(turn: Turn, services: Services) -> None:
    """Adds options to the clarification and removes those that the rest of the message answered."""
    await _offer_options(turn, services)
    turn.clarification = None if _is_one_too_many(turn) else _renew(turn)
    _show_where_value_is(turn)


def _is_one_too_many(turn: Turn) -> bool:
    """Whether words that fit nothing stand beside an answer, a conclusion or a clear story, or a guess beside both."""
    kind = turn.clarification.kind if turn.clarification is not None else None
    if kind in _OF_UNKNOWN_WORDS and turn.sounds_clear():
        return True
    answered, concluded = bool(turn.answers), turn.session.concluded()
    if kind is ClarifyKind.PROPOSED:
        return answered and concluded
    return kind is ClarifyKind.NO_SUCH_ITEM and (answered or concluded)


def _show_where_value_is(turn: Turn) -> None:
    """Shows how to look at the one thing whose number is missing, while nothing else is said or known to go on with."""
    asked = turn.clarification
    if asked is None or asked.kind is not ClarifyKind.MISSING_VALUE or turn.session.active() or turn.answers:
        return
    if len(turn.message) > _ALONE * len(asked.words):
        return
    for option in asked.options[:1]:
        turn.answers.append(HelpAnswer((how_to_look(turn, option.phenomenon_id),), text=asked.words))


def ask_again(turn: Turn) -> None:
    """Shows the open clarification again to somebody who asks what is next while nothing is on record."""
    asked = turn.session.clarification
    lost = any(isinstance(step, QuestionStep) and step.kind is QuestionKind.PROGRESS for step in turn.plan.steps)
    if asked is None or asked.contested or not lost or turn.session.active() or turn.clarification is not None:
        return
    kind = ClarifyKind.PROPOSED if asked.proposed else ClarifyKind.MULTIPLE_MATCHES
    options = tuple(
        ClarificationOption(item.ordinal, item.phenomenon_id, item.name, item.present_when) for item in asked.options
    )
    turn.clarification = Clarification(kind, asked.words, options)


def is_beside(turn: Turn) -> bool:
    """True if the message asks something, or is small talk, and tells nothing: what was asked of the person is still
    open then.

    How to check something else is a step on to that; how to check what was asked is not.
    """
    said = [step for step in turn.plan.steps if isinstance(step, SmalltalkStep | QuestionStep)]
    moves_on = any(isinstance(step, QuestionStep) and _moves_on(step) for step in said)
    told = moves_on or _answers(turn) or turn.noted or turn.corrections or turn.reset
    return bool(said) and not told


def _moves_on(step: QuestionStep) -> bool:
    of_option = step.subject is not None and step.subject.list is ItemList.OPTIONS
    return step.kind is QuestionKind.HELP and step.topic is None and not of_option


def keep_open(turn: Turn) -> OpenClarification | None:
    """The clarification that stays open after this turn; the session remembers it and never repeats it."""
    asked = turn.clarification
    if asked is None:
        return None
    turn.session.clarified += tuple(sorted(turn.asked_as))
    options = tuple(
        Item(option.ordinal, option.phenomenon_id, option.name, option.present_when) for option in asked.options
    )
    contested = turn.contested if asked.kind is ClarifyKind.CONTRADICTION else ()
    if not options and asked.question.say(turn.language) and not _answers(turn):
        return turn.session.clarification  # What was asked before can still be answered.
    proposed = asked.kind is ClarifyKind.PROPOSED
    retracts = any(option.reading == TAKEN_BACK for option in asked.options)
    return OpenClarification(asked.words, options, contested, proposed, retracts) if options else None


def _answers(turn: Turn) -> bool:
    return any(isinstance(step, FeedbackStep) for step in turn.plan.steps)


async def _offer_options(turn: Turn, services: Services) -> None:
    """Offers options for a vague complaint: similar phenomena first, then common complaints."""
    known = turn.sounds_clear() or turn.session.active()
    if turn.unmatched and not known and turn.ask_back(ClarifyKind.VAGUE, turn.unmatched[0], []):
        # Without any evidence a bare "not found" would end the conversation here.
        turn.unmatched.pop(0)
    asked = turn.clarification
    if asked is None or asked.kind not in (ClarifyKind.VAGUE, ClarifyKind.MISSING_VALUE) or asked.options:
        return
    near: list[str] = []
    limited: list[str] = []
    if asked.words.strip():
        reply = await services.matcher.search(turn.session.snapshot_id, asked.words, limit=_OFFERED)
        near = [found.phenomenon_id for found in reply.candidates if found.score >= _WORTH_OFFERING]
        named = [found.phenomenon_id for found in reply.candidates if found.score >= _WORTH_A_NUMBER]
        limited = [found for found in named if turn.has_limit(found)]
    if asked.kind is ClarifyKind.MISSING_VALUE and limited:
        turn.clarification = None
        if not turn.ask_back(asked.kind, asked.words, limited[:1]):
            turn.unclear.append(asked.words)
        return
    told = {entry.phenomenon_id for entry in turn.session.active()}
    if not (near or told) and was_opened(turn.session):
        # Beside an answer to what the message asks, nothing is missing.
        turn.clarification = None if turn.answers else Clarification(ClarifyKind.VAGUE)
        return
    # Where something is known already, what is merely common would only lead away from it.
    common = [] if told else [found for found in turn.catalog.complaints() if found not in near]
    offered = [found for found in near + common if found not in told][:_OFFERED]
    turn.clarification = None
    if not offered or not turn.ask_back(ClarifyKind.VAGUE, asked.words, offered):
        turn.unmatched.append(asked.words)
    elif not near and turn.clarification is not None:
        # A merely common complaint does not explain the words.
        turn.clarification = replace(turn.clarification, words="")


def _renew(turn: Turn) -> Clarification | None:
    """The clarification without answered options, or with the checks that are next now."""
    asked = turn.clarification
    if asked is None or asked.kind not in (ClarifyKind.NO_SUCH_ITEM, ClarifyKind.AMBIGUOUS_FEEDBACK):
        return asked
    options = asked.options
    if asked.kind is ClarifyKind.NO_SUCH_ITEM and turn.diagnosis is not None:
        options = tuple(_option(turn, item.phenomenon_id) for item in turn.session.pending)
    now = {entry.phenomenon_id for entry in turn.session.active() if entry.turn == turn.session.turn}
    left = [option for option in options if option.phenomenon_id not in now]
    return replace(asked, options=tuple(replace(option, ordinal=number) for number, option in enumerate(left, 1)))


def _option(turn: Turn, phenomenon_id: str) -> ClarificationOption:
    name = turn.catalog.phenomenon_name(phenomenon_id)
    return ClarificationOption(0, phenomenon_id, name, turn.catalog.test_of(phenomenon_id))


def leads_nowhere(turn: Turn) -> bool:
    """True if the answer would only report unknown words, or what is on record, and offer no next step."""
    new = [item for item in turn.noted if item.phenomenon_id not in turn.repeated]
    said = new or turn.corrections or turn.answers or turn.smalltalk or turn.failures or turn.reset
    told = turn.unclear or turn.unmatched or turn.noted
    return bool(told) and not (said or turn.clarification or turn.diagnosis_view)


def shows_only(turn: Turn) -> bool:
    """True for rows that changed nothing: what they show is told, and the next step belongs to it."""
    return turn.plan.pasted and not (turn.diagnosis_view or turn.clarification or turn.corrections or turn.noted)
