"""How something is to be explained, where nothing but that was taken for an order for a summary."""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import PlanStep, QuestionStep, QuestionTopic, TurnPlan
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

_PLAIN_WORDS = listed("answerable.plain_words")
# What explains something, and how long words are that only tell how: "in one sentence".
_EXPLAINING = (QuestionTopic.MEANING, QuestionTopic.MECHANISM, QuestionTopic.OF_CAUSE, QuestionTopic.RELATED)
_MANNER = 16
# What has to be said where a model hears that a summary, or a way to show the case, is asked for.
_SAID = {QuestionTopic.SUMMARY: listed("briefs.writes"), QuestionTopic.SHARING: listed("briefs.shares")}
_OF_ONE_THING = listed("briefs.of_one_thing")


def without_unsaid(plan: TurnPlan) -> TurnPlan:
    """The plan without what would sum the case up, or show it to somebody, where no word asks for this."""
    return replace(plan, steps=tuple(filter(_is_said, plan.steps)))


def _is_said(step: PlanStep) -> bool:
    if not isinstance(step, QuestionStep) or step.topic not in _SAID:
        return True
    said = step.text.lower()
    return _SAID[step.topic].search(said) is not None and not _OF_ONE_THING.search(said)


def without_manner(plan: TurnPlan) -> TurnPlan:
    """The plan without a summary in plain words or so many, where only the explanation beside it is to be so."""
    explains = any(isinstance(step, QuestionStep) and step.topic in _EXPLAINING for step in plan.steps)
    return replace(plan, steps=tuple(step for step in plan.steps if not (explains and _is_manner(step))))


def _is_manner(step: PlanStep) -> bool:
    if not isinstance(step, QuestionStep) or step.topic is not QuestionTopic.SUMMARY:
        return False
    counted = step.brief is not None and bool(step.brief.sentences) and len(step.text.strip()) <= _MANNER
    return counted or _PLAIN_WORDS.fullmatch(read(step.text).normal) is not None
