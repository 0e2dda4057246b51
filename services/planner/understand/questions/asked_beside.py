"""What a part of a longer message asks for beside all that it tells, and how something is to be explained."""

from __future__ import annotations

from dataclasses import replace

from services.planner.case_questions.finder import find_case_question
from services.planner.model import PlanStep, QuestionKind, QuestionStep, QuestionTopic, TurnPlan
from services.planner.understand.acts.case_topics import OTHER, likely_topic
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

# Where a part of a message ends that may ask for something of its own.
_PART_END = listed("asking.part_end")
_BESIDE_OTHERS = ("summary", "certainty", "prevention", "sharing", "closing")
# A summary, and the question of the case that orders one.
_SUMMARY, _ORDER = "summary", "case_summary"
# How sure a part has to ask so, and how long it is at least.
_TO_ADD, _LEAST_ASKED = 0.85, 4
_PLAIN_WORDS = listed("answerable.plain_words")
# What explains something, and how long words are that only tell how: "in one sentence".
_EXPLAINING = (QuestionTopic.MEANING, QuestionTopic.MECHANISM, QuestionTopic.OF_CAUSE, QuestionTopic.RELATED)
_MANNER = 16
# What has to be said where a model hears that a summary, or a way to show the case, is asked for.
_SAID = {QuestionTopic.SUMMARY: listed("briefs.writes"), QuestionTopic.SHARING: listed("briefs.shares")}
_OF_ONE_THING = listed("briefs.of_one_thing")


def asked_beside(message: str) -> list[QuestionStep]:
    """What a part of a longer message surely asks for beside all that it tells: a sentence for somebody, how sure it is."""
    parts = [part.strip() for part in _PART_END.split(message)]
    if len(parts) < 2:
        return []
    found: dict[str, QuestionStep] = {}
    for part in parts:
        wanted, share = likely_topic(part) if len(part) >= _LEAST_ASKED else (OTHER, 0.0)
        if wanted in _BESIDE_OTHERS and share >= _TO_ADD and _is_no_aside(wanted, part):
            found.setdefault(wanted, QuestionStep(QuestionKind.HELP, text=part, topic=QuestionTopic(wanted)))
    return list(found.values())


def _is_no_aside(wanted: str, part: str) -> bool:
    """Whether words for a summary order one by the model of the case's questions as well."""
    if wanted != _SUMMARY:
        return True
    found = find_case_question(part)
    return found is not None and found.key == _ORDER


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
