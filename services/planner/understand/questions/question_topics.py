"""What a person under pressure wants to know or says of the whole case: is it sure, may I, never again, it is over."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from lang.modality import tells_misheard
from lang.outcomes import names_action, speaks_against_recovery, tells_recovery
from lang.tokens import read_text
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    ItemList,
    LookStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    Reference,
    ResetStep,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Speaker,
    Status,
    SuggestionStep,
    TurnPlan,
    Verdict,
)
from services.planner.understand.acts import safety
from services.planner.understand.acts.case_topics import OTHER, likely_topic
from services.planner.understand.questions import questions
from services.planner.understand.questions.asked_beside import asked_beside
from services.planner.understand.questions.of_the_cause import asks_why_check
from services.planner.understand.questions.question_contents import SURE, asks_for_nothing, asks_what_an_action_does
from services.planner.understand.questions.topic_steps import asks_what_to_do, cry_for_help, step_of
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import is_bare
from services.planner.understand.text.word_lists import listed

# Questions that are answered in their own way, unless what they ask is told for sure.
_OWN_WAY = (QuestionKind.WHAT_IF, QuestionKind.RELATIONS, QuestionKind.DATA)
_OF_CASE = ("closing", "sharing")
_OVERRIDING = (*_OF_CASE, "risk", "running", "object")
# What is told, not asked.
_OUTCOMES = ("recovered", "not_helped")
# What asks for no topic but for a kind of answer.
_KINDS = {"next": QuestionKind.PROGRESS, "reasons": QuestionKind.REASONING}
_POSSIBLE = 0.4
# A look at the live system is no small matter, and in a case "are you listening?" does not ask how dbdiag is used.
_TO_LOOK, _OF_US = 0.75, 0.9
# In a longer message such words are part of a story.
_LONGEST = 120
# More words than these tell a story with a recovery in it.
_SHORT = 60
# How something is seen, in so many characters, names nothing else: "怎么看", "how do I check?".
_HOW, _HOW_SHOWN = 8, 20
_ASKS_BACK = listed("asking.asks_back")
_SENTENCE_END = listed("asking.sentence_end")


def give_topics(plan: TurnPlan, message: str, view: SessionView) -> TurnPlan:
    """The plan with what is asked or told of the whole case as such, also where it was read as talk or a new start."""
    plan = replace(plan, steps=tuple(_with_object(step, message, view) for step in plan.steps))
    if len(message) <= _LONGEST:
        plan = _with_topics(plan, message, view)
    plan = replace(plan, steps=tuple(cry_for_help(step, plan) for step in plan.steps))
    told = {step.topic for step in plan.steps if isinstance(step, QuestionStep)}
    also = [step for step in asked_beside(message) if step.topic not in told]
    asked = {step.text for step in also}
    kept = (step for step in plan.steps if not (_is_idle(step) or (_has_no_topic(step) and step.text in asked)))
    return replace(plan, steps=(*kept, *also))


def _has_no_topic(step: PlanStep) -> TypeGuard[QuestionStep]:
    return isinstance(step, QuestionStep) and step.topic is None and not _points_at_item(step.subject)


def _is_idle(step: PlanStep) -> bool:
    """Whether a supposition supposes nothing: "what?", "I was asking if I should create it"."""
    if not isinstance(step, QuestionStep) or step.kind is not QuestionKind.WHAT_IF:
        return False
    words = read(step.text).normal
    return tells_misheard(words) or (len(words) <= _HOW and questions.has_wh(words) and not is_technical(words))


def _with_topics(plan: TurnPlan, message: str, view: SessionView) -> TurnPlan:
    wanted, share = likely_topic(message)
    after = _asked_after_recovery(message) if view.evidence or view.history else ""
    if after:
        # Why it happened is told with the good news as long as nothing is concluded.
        with_it = () if view.status is Status.CONCLUDED else (QuestionKind.REASONING,)
        following = [step for step in plan.steps if isinstance(step, QuestionStep) and step.kind not in with_it][-1:]
        asked = [_with_topic(step, plan, after, view) for step in following]
        return replace(plan, steps=(step_of("recovered", message), *asked))
    if view.status is not Status.CONCLUDED and _is_over(message, plan, view):
        return replace(plan, steps=(step_of("recovered", message),))
    if wanted in _OUTCOMES:
        contrary = wanted == "recovered" and speaks_against_recovery(read_text(message))
        heard = view.status is Status.CONCLUDED and share >= _POSSIBLE and not contrary
        told = heard and all(map(_may_be_outcome, plan.steps))
        return replace(plan, steps=(step_of(wanted, message),)) if told else plan
    if wanted == "look" and share >= _TO_LOOK and all(map(_asks_in_general, plan.steps)):
        return replace(plan, steps=(LookStep(False, message.strip()),))
    steps = dict.fromkeys(_with_topic(step, plan, message, view) for step in plan.steps)
    return replace(plan, steps=_without_echoes(tuple(steps)))


def _asks_in_general(step: PlanStep) -> bool:
    """Whether a step asks or says nothing of its own, so that the whole message can be a wish that dbdiag looks."""
    if isinstance(step, QuestionStep):
        return step.topic is None and not step.text.startswith("/") and not _points_at_item(step.subject)
    return isinstance(step, ClarifyStep | SmalltalkStep | ObservationStep)


def _points_at_item(subject: Reference | None) -> bool:
    return subject is not None and (subject.ordinal is not None or subject.id is not None)


def _with_object(step: PlanStep, message: str, view: SessionView) -> PlanStep:
    """A question with what it leaves out: the thing that is asked about, or what the rest of the message tells.

    One that supposes nothing asks where things stand.
    """
    if not isinstance(step, QuestionStep):
        return step
    if asks_what_to_do(step):
        concluded = view.status is Status.CONCLUDED
        return QuestionStep(QuestionKind.HELP, text=step.text) if concluded else step_of("relief", step.text)
    asked = questions.last_asked(view)
    if step.kind is QuestionKind.REASONING and asked is not None and asks_why_check(step.text):
        return step if _points_at_item(step.subject) else replace(step, subject=asked)
    short = step.kind is QuestionKind.HELP and step.subject is None and len(step.text.strip()) <= _HOW_SHOWN
    if short and asked is not None and questions.asks_to_see(read(step.text).normal):
        return replace(step, subject=asked)
    if len(view.options) == 1 and not view.evidence and not _points_at_item(step.subject):
        # What to look at next is what is open, as long as nothing else is known.
        return QuestionStep(
            QuestionKind.HELP, Reference(ordinal=view.options[0].ordinal, list=ItemList.OPTIONS), step.text
        )
    if step.kind is QuestionKind.HELP and safety.asks_permission(step.text):
        return replace(step, text=_with_what_it_points_at(step.text, message, view))
    supposed = [each.reference.words for each in step.assumptions]
    if (
        step.kind is QuestionKind.WHAT_IF
        and supposed
        and all(words is not None and len(words) < 2 for words in supposed)
    ):
        return QuestionStep(QuestionKind.PROGRESS, text=step.text)
    return step


def _with_what_it_points_at(asked: str, message: str, view: SessionView) -> str:
    """A question for leave, with the words before it where only they tell that it is the WAL that would be removed."""
    last = next((said.text for said in reversed(view.history) if said.speaker is Speaker.USER), "")
    before = last if safety.points_back(asked) else ""
    for told in (asked, message, f"{before}\n{asked}"):
        if safety.touches_wal_files(told):
            return told
    return asked


def _asked_after_recovery(message: str) -> str:
    """What a message goes on to ask after it told that the trouble is over; empty where it does not do both."""
    for end in _SENTENCE_END.finditer(message):
        told, asked = message[: end.end()], message[end.end() :].strip()
        if asked and tells_recovery(read_text(told)) and _asks(asked):
            return asked
    return ""


def _asks(words: str) -> bool:
    return questions.has_wh(read(words).normal) or likely_topic(words)[0] not in (OTHER, *_OUTCOMES)


def _is_over(message: str, plan: TurnPlan, view: SessionView) -> bool:
    """Whether a message tells of a case without a conclusion that it recovered."""
    text = read_text(message)
    wanted, share = likely_topic(message)
    sounds_so = wanted == "recovered" and share >= SURE and names_action(text) and not speaks_against_recovery(text)
    if not view.evidence or len(message) > _SHORT or not (tells_recovery(text) or sounds_so):
        return False
    return all(_may_be_outcome(step) or _is_read_anyway(step) or _asks_in_no_word(step) for step in plan.steps)


def _asks_in_no_word(step: PlanStep) -> bool:
    """Whether a step asks for what was done by its sound alone, and nothing in its words asks."""
    if not isinstance(step, QuestionStep) or step.kind is not QuestionKind.HISTORY:
        return False
    return not questions.has_wh(read(step.text).normal)


def _is_read_anyway(step: PlanStep) -> bool:
    """Whether a step is an answer in words without a number, which are read for what they say as well."""
    numbered = isinstance(step, FeedbackStep) and any(character.isdigit() for character in step.words)
    return isinstance(step, FeedbackStep) and not numbered and (step.by_name or step.verdict is not Verdict.CONFIRMED)


def _without_echoes(steps: tuple[PlanStep, ...]) -> tuple[PlanStep, ...]:
    """The steps of a question in several clauses as one: that with a topic tells what the others only lead in to.

    What is said beside it of nothing in the field is no guess at a cause: "I'm no DBA, ...".
    """
    if any(isinstance(step, QuestionStep) and step.topic for step in steps):
        steps = tuple(step for step in steps if not _is_beside_question(step))
    if not all(isinstance(step, QuestionStep) for step in steps):
        return steps
    return tuple(step for step in steps if isinstance(step, QuestionStep) and step.topic)[:1] or steps


def _is_beside_question(step: PlanStep) -> bool:
    """Whether a step says nothing of its own beside a question: a guess at nothing, or an answer that itself asks."""
    match step:
        case SuggestionStep(text=text):
            return not is_technical(read(text).normal)
        case FeedbackStep(words=words):
            return _ASKS_BACK.search(read(words).normal) is not None and not any(map(str.isdigit, words))
    return False


def _may_be_outcome(step: PlanStep) -> bool:
    """Whether a step can be the misread report of an outcome: no answer to an item, no question."""
    return isinstance(step, ObservationStep | ClarifyStep | SmalltalkStep | SuggestionStep)


def _with_topic(step: PlanStep, plan: TurnPlan, message: str, view: SessionView) -> PlanStep:
    alone = len(plan.steps) == 1
    if isinstance(step, QuestionStep):
        empty = asks_for_nothing(step)
        of_one = step.subject is not None and (step.subject.list is ItemList.OPTIONS or step.subject.id is not None)
        pointed = _points_at_item(step.subject)
        of_item = pointed and (step.kind is QuestionKind.REASONING or is_bare(read(step.text).normal))
        if step.text.startswith("/") or of_one or of_item:
            return step
        if step.assumptions and not empty:
            return step_of("risk", step.text) if asks_what_an_action_does(step.text) else step
        if safety.asks_permission(step.text) and step.kind in (QuestionKind.HELP, QuestionKind.RELATIONS):
            return step_of("risk", step.text)
        wanted, share = _topic_asked(message, step) if alone else likely_topic(step.text)
        if empty and share < SURE:
            return step
        doubtful = step.kind in _OWN_WAY and view.status is not Status.CONCLUDED and not empty
        fits = share >= (SURE if doubtful else _POSSIBLE) and wanted not in (OTHER, *_OUTCOMES)
        if step.kind is _KINDS.get(wanted):
            return step
        to_look = questions.asks_to_see(read(step.text).normal) and (wanted == "object" or len(step.text) <= _HOW)
        if wanted == "assistant" and (is_technical(read(step.text).normal) or (view.evidence and share < _OF_US)):
            return step
        allowed = (step.kind not in _OWN_WAY or empty or wanted in _OVERRIDING) and not to_look
        told = message if wanted == "object" and alone else step.text
        return step_of(wanted, told) if fits and allowed else step
    if isinstance(step, ObservationStep | SuggestionStep | ClarifyStep) and safety.asks_permission(message):
        return step_of("risk", message)
    wanted, share = likely_topic(message)
    # An answer that there is no answer is the least to lose.
    least = _POSSIBLE if isinstance(step, SmalltalkStep | ClarifyStep) else SURE
    if not alone or share < least or wanted in (OTHER, *_OUTCOMES) or not _may_be_misread(step, message):
        return step
    of_case_only = isinstance(step, ResetStep) or _is_politeness(step)
    return step if of_case_only and wanted not in _OF_CASE else step_of(wanted, message)


def _topic_asked(message: str, step: QuestionStep) -> tuple[str, float]:
    """The topic of a message that only asks: by all its words, or surer by those of the question after a lament."""
    return max(likely_topic(message), likely_topic(step.text), key=lambda found: (found[0] != OTHER) * found[1])


def _is_politeness(step: PlanStep) -> bool:
    return isinstance(step, SmalltalkStep) and step.kind in (SmalltalkKind.THANKS, SmalltalkKind.FAREWELL)


def _may_be_misread(step: PlanStep, message: str) -> bool:
    """Whether words of a topic outweigh the reading of the whole message as this step."""
    match step:
        case SmalltalkStep(kind=kind):
            return kind is SmalltalkKind.OUT_OF_SCOPE or _is_politeness(step)
        case ClarifyStep(references=(_,)):
            return False  # "2 i guess?"
        case ClarifyStep(kind=kind):
            return kind in (ClarifyKind.VAGUE, ClarifyKind.AMBIGUOUS_FEEDBACK)
        case FeedbackStep(reference=Reference(group=Group.ALL), verdict=Verdict.UNKNOWN):
            return True
        case FeedbackStep():
            # What ends with a question mark and has no number answers no item.
            said = read(message).normal.strip()
            return said.endswith("?") and not any(character.isdigit() for character in said)
        case SuggestionStep(text=text):
            # A guess that names something of the field stays one: "could it be stale statistics?"
            return not is_technical(read(text).normal)
        case ObservationStep() | ResetStep():
            return True
    return False
