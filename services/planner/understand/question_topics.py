"""What a person under pressure wants to know or says of the whole case: is it sure, may I, never again, it is over."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang.terms import Terms
from lang.tokens import read_text
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    ResetStep,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Status,
    SuggestionStep,
    TurnPlan,
    Verdict,
)
from services.planner.understand.text import read

_WORDS = Path(__file__).parent / "question_topics.yaml"
# Questions that are answered in their own way, unless the case is to be closed or handed on.
_OWN_WAY = (QuestionKind.WHAT_IF, QuestionKind.RELATIONS, QuestionKind.DATA)
_OF_CASE = ("closing", "sharing")
# What an action leads to is asked of its risk.
_OF_ACTION = ("risk",)
# In a longer message such words are part of a story.
_LONGEST = 120


class _Sign(NamedTuple):
    """Words that tell what is wanted. way: `asked` in a question only, `request` always, `told` after a conclusion."""

    wanted: str
    way: str


def give_topics(plan: TurnPlan, message: str, view: SessionView) -> TurnPlan:
    """The plan with what is asked or told of the whole case as such, also where it was read as talk or a new start."""
    if len(message) > _LONGEST:
        return plan
    outcome = wanted_by(message, ("told",)) if view.status is Status.CONCLUDED else None
    if outcome is not None and all(_may_be_outcome(step) for step in plan.steps):
        return replace(plan, steps=(_step_of(outcome, message),))
    steps = dict.fromkeys(_with_topic(step, plan, message) for step in plan.steps)
    return replace(plan, steps=tuple(_without_echoes(tuple(steps))))


def wanted_by(words: str, ways: tuple[str, ...]) -> str | None:
    """What the longest term in the words tells that is wanted; None without one."""
    found = [each for each in _signs().find(read_text(words)) if each.payload.way in ways]
    return max(found, key=lambda each: each.length).payload.wanted if found else None


def _without_echoes(steps: tuple[PlanStep, ...]) -> tuple[PlanStep, ...]:
    """The steps of a question in several clauses as one: that with a topic tells what the others only lead in to."""
    if not all(isinstance(step, QuestionStep) for step in steps):
        return steps
    return tuple(step for step in steps if isinstance(step, QuestionStep) and step.topic)[:1] or steps


def _may_be_outcome(step: PlanStep) -> bool:
    """Whether a step can be the misread report of an outcome: no answer to an item, no question."""
    return isinstance(step, ObservationStep | ClarifyStep | SmalltalkStep | SuggestionStep)


def _with_topic(step: PlanStep, plan: TurnPlan, message: str) -> PlanStep:
    alone = len(plan.steps) == 1
    if isinstance(step, QuestionStep):
        asked = wanted_by(step.text, ("asked", "request"))
        wanted = asked or (wanted_by(message, ("asked", "request")) if alone else None)
        allowed = (*_OF_CASE, *(_OF_ACTION if step.kind is QuestionKind.RELATIONS else ()))
        if step.text.startswith("/") or (step.kind in _OWN_WAY and wanted not in allowed):
            return step
        return _step_of(wanted, step.text) if wanted else step
    if not alone or not _may_be_misread(step):
        return step
    asks = "?" in read(message).normal or not isinstance(step, SuggestionStep)
    wanted = wanted_by(message, ("asked", "request") if asks else ("request",))
    if isinstance(step, ResetStep) or _is_politeness(step):
        wanted = wanted if wanted in _OF_CASE else None
    return _step_of(wanted, message) if wanted else step


def _is_politeness(step: PlanStep) -> bool:
    return isinstance(step, SmalltalkStep) and step.kind in (SmalltalkKind.THANKS, SmalltalkKind.FAREWELL)


def _may_be_misread(step: PlanStep) -> bool:
    """Whether words of a topic outweigh the reading of the whole message as this step."""
    match step:
        case SmalltalkStep(kind=kind):
            return kind is SmalltalkKind.OUT_OF_SCOPE or _is_politeness(step)
        case ClarifyStep(kind=kind):
            return kind in (ClarifyKind.VAGUE, ClarifyKind.AMBIGUOUS_FEEDBACK)
        case FeedbackStep(reference=Reference(group=Group.ALL), verdict=Verdict.UNKNOWN):
            return True
        case ObservationStep() | SuggestionStep() | ResetStep():
            return True
    return False


def _step_of(wanted: str, words: str) -> QuestionStep:
    match wanted:
        case "next":
            return QuestionStep(QuestionKind.PROGRESS, text=words)
        case "reasons":
            return QuestionStep(QuestionKind.REASONING, Reference(group=Group.JUST_MENTIONED), words)
        case "statement":
            return QuestionStep(QuestionKind.HELP, Reference(words=words), words)
    return QuestionStep(QuestionKind.HELP, text=words, topic=QuestionTopic(wanted))


@cache
def _signs() -> Terms[_Sign]:
    terms: Terms[_Sign] = Terms()
    for wanted, ways in yaml.safe_load(_WORDS.read_text("utf-8")).items():
        for way, languages in ways.items():
            for word in (word for words in languages.values() for word in words):
                terms.add(str(word), _Sign(str(wanted), str(way)))
    return terms
