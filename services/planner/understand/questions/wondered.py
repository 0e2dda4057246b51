"""What somebody tells and wonders about: "we moved it over on the weekend, if that matters"."""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import QuestionStep, QuestionTopic, SuggestionStep, TurnPlan
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.text.word_lists import listed

_WONDERS = listed("of_the_cause.wonders")


def with_wondered(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan with what a message wonders about beside what it tells, where nothing in the plan asks it."""
    asked = [
        each.text
        for each in plan.steps
        if isinstance(each, SuggestionStep) or (isinstance(each, QuestionStep) and each.topic is QuestionTopic.RELATED)
    ]
    found = [told for each in sentences_of(said) if (told := _told(each))]
    new = [told for told in found if not any(told in words or words in told for words in asked)]
    return replace(plan, steps=(*plan.steps, *map(SuggestionStep, new))) if new else plan


def _told(sentence: str) -> str:
    """What a sentence tells before it wonders; "" if it wonders about nothing."""
    wonders = _WONDERS.search(sentence.lower())
    told = sentence[: wonders.start()].strip(" ,，、") if wonders is not None else ""
    return told.replace("，", ",").rpartition(",")[2].strip()
