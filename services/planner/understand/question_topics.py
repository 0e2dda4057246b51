"""What a person under pressure wants to know of the whole case: is it sure, may I, how never again, in one sentence."""

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
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    ResetStep,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    TurnPlan,
)
from services.planner.understand.text import read

_WORDS = Path(__file__).parent / "question_topics.yaml"
# Questions that are answered in their own way, whatever else their words are.
_OWN_WAY = (QuestionKind.WHAT_IF, QuestionKind.RELATIONS, QuestionKind.DATA)
# In a longer message such words are part of a story.
_LONGEST = 120


class _Sign(NamedTuple):
    """Words of a topic; `asked` if only a question means it by them."""

    topic: QuestionTopic
    asked: bool


def give_topics(plan: TurnPlan, message: str) -> TurnPlan:
    """The plan with each question about the whole case as such; also where it was read as talk or as a new start."""
    return replace(plan, steps=tuple(_with_topic(step, plan, message) for step in plan.steps))


def topic_of(words: str, asked: bool) -> QuestionTopic | None:
    """The topic of words, the one named by the longest of its terms; `asked`: they are a question."""
    found = [each for each in _signs().find(read_text(words)) if asked or not each.payload.asked]
    return max(found, key=lambda each: each.length).payload.topic if found else None


def _with_topic(step: PlanStep, plan: TurnPlan, message: str) -> PlanStep:
    asks = "?" in read(message).normal
    match step:
        case QuestionStep(kind=kind, text=text) if kind not in _OWN_WAY and not text.startswith("/"):
            alone = len(plan.steps) == 1 and len(message) <= _LONGEST
            topic = topic_of(text, asked=True) or (topic_of(message, asked=True) if alone else None)
            words = text
        case SmalltalkStep(kind=SmalltalkKind.OUT_OF_SCOPE) | SuggestionStep() if len(plan.steps) == 1:
            topic, words = topic_of(message, asks), message
        case ClarifyStep(kind=ClarifyKind.VAGUE | ClarifyKind.AMBIGUOUS_FEEDBACK) if len(plan.steps) == 1:
            topic, words = topic_of(message, asked=True), message
        case ResetStep() if len(plan.steps) == 1:
            topic, words = topic_of(message, asked=False), message
            topic = topic if topic is QuestionTopic.CLOSING else None
        case _:
            return step
    if topic is None or len(words) > _LONGEST:
        return step
    return QuestionStep(QuestionKind.HELP, text=words, topic=topic)


@cache
def _signs() -> Terms[_Sign]:
    terms: Terms[_Sign] = Terms()
    for topic, ways in yaml.safe_load(_WORDS.read_text("utf-8")).items():
        for way, languages in ways.items():
            sign = _Sign(QuestionTopic(topic), way == "asked")
            for word in (word for words in languages.values() for word in words):
                terms.add(str(word), sign)
    return terms
