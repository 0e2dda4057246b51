"""Where the plan and the reading of a message disagree about the same words: which of the two holds.

The planner names what a message does, the matcher what it says. A reading that counts shows that its words are a
statement, whatever else the planner took them for. An answer by name is only as good as the reading of the same words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading, Standing
from dbdiag.planner.v1.planner_types import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    ItemList,
    LookStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    TurnPlan,
)
from dbdiag.vocabulary import Verdict

from gateway.session.references import NoSuchItem, resolve
from gateway.turn.context import ToolResult, Turn
from gateway.turn.proposed_readings import propose
from lang.modality import is_negated
from lang.tokens import read_text

# Shorter answers are all reference and verdict ("1 yes", "P-0012 没有"): there is nothing else to read in them.
_ALL_REFERENCE = 16


def is_unread(message: str, plan: TurnPlan) -> bool:
    """True if a message says more than the plan's answers by reference, questions and orders to look."""
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
        case QuestionStep(topic=QuestionTopic.RECOVERED):
            return " "  # "Back to normal after the restart" is evidence too.
        case QuestionStep(kind=kind, text=text) if kind is not QuestionKind.WHAT_IF or _supposes_by_number(step):
            return text or " "
        case LookStep(words=words):
            return words or " "
    return " "


def _supposes_by_number(step: QuestionStep) -> bool:
    """True if the words of a supposition name its items by number or id, so that there is no statement in them."""
    said = {token.text for token in read_text(step.text).tokens}
    named = [found.reference for found in step.assumptions]
    numbered = (
        str(one.ordinal) in said or (one.id is not None and one.id.lower() in step.text.lower()) for one in named
    )
    return bool(named) and all(numbered)


def reconcile(turn: Turn, result: ToolResult) -> ToolResult:
    """Drops from the plan what the readings disprove, and from the readings what the person answered by reference."""
    readings = [*result.readings, *(reading for words in result.words for reading in words.meaning.readings)]
    answered = {found for step in turn.plan.steps for found in _answered(turn, step)}
    turn.plan = replace(turn.plan, steps=tuple(step for step in turn.plan.steps if _holds(turn, step, readings)))
    words = tuple(
        replace(item, meaning=replace(item.meaning, readings=_without(item.meaning.readings, answered)))
        for item in result.words
    )
    return replace(result, words=words, readings=_without(result.readings, answered))


def _without(readings: Iterable[Reading], answered: set[str]) -> tuple[Reading, ...]:
    return tuple(reading for reading in readings if reading.phenomenon_id not in answered)


def _answered(turn: Turn, step: PlanStep) -> tuple[str, ...]:
    """The phenomena that a step answers by number, id or a word for the whole list."""
    if not isinstance(step, FeedbackStep) or step.by_name:
        return ()
    try:
        return resolve(turn.session, step.reference, turn.plan, turn.catalog.phenomena)
    except NoSuchItem:
        return ()


def _holds(turn: Turn, step: PlanStep, readings: list[Reading]) -> bool:
    counted = [reading for reading in readings if reading.standing is Standing.COUNTS and not reading.pasted]
    match step:
        case FeedbackStep(by_name=True):
            asked = turn.session.clarification
            # A reading that waits for a yes is settled by one, not by words that it shares with the message.
            if asked is not None and not asked.proposed and not readings and step.verdict is Verdict.CONFIRMED:
                return True
            _hear_by_name(turn, step, readings)
            return False
        case (
            ClarifyStep(kind=ClarifyKind.VAGUE | ClarifyKind.MISSING_VALUE | None)
            | SmalltalkStep(kind=SmalltalkKind.OUT_OF_SCOPE)
        ):
            return not readings
        case QuestionStep(kind=QuestionKind.WHAT_IF, text=text) | SuggestionStep(text=text):
            return not any(reading.words and reading.words in text for reading in counted)
    return True


def _hear_by_name(turn: Turn, step: FeedbackStep, readings: list[Reading]) -> None:
    """An answer by name is proposed where nothing was read about its item; else its words are a note."""
    verdict = step.verdict or Verdict.UNKNOWN
    unread = [found for found in _named(turn, step) if found not in {reading.phenomenon_id for reading in readings}]
    if verdict is Verdict.DENIED and not is_negated(step.words):
        unread = []  # Without a word that denies, a name with other words around it denies nothing.
    for phenomenon_id in unread:
        propose(turn, Reading(phenomenon_id, verdict=verdict, words=step.words, probability=0.7, kind="named_item"))
    if not unread and not readings:
        turn.unmatched.append(step.words)


def _named(turn: Turn, step: FeedbackStep) -> tuple[str, ...]:
    """The single items that an answer by name names."""
    try:
        found = resolve(turn.session, step.reference, turn.plan, turn.catalog.phenomena)
    except NoSuchItem:
        return ()
    return found if step.reference.group is None else ()
