"""What an action is in the case: a step against the cause, something that fits what is on record, or neither."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang.objects import blanks_in
from services.planner.model import (
    Answer,
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    QuestionTopic,
    SolutionStep,
    TurnResults,
    Verdict,
)
from services.planner.speak.case.action_facts import is_this
from services.planner.speak.case.remedy_steps import Numbered, is_done, next_step
from services.planner.speak.checks import is_unknown
from services.planner.speak.conclusion import render_alone
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import actions_of_step

_FILE = Path(__file__).with_name("leave.yaml")
_RISKS = ("none", "low", "medium", "high")
# From this belief in the leading cause, that an action does not cure it is worth saying.
_NAMED = 0.5
# A cause that leads by less is no reason to do anything.
_LEADS = 0.15


class InCase(NamedTuple):
    """What is told of an action in the case. known: it is a step against the cause, and what it acts on was seen."""

    told: list[str]
    known: bool = False


class Ruling(NamedTuple):
    """Whether an action may be done: yes, check or no.

    fits: words of what is on record that calls for it; unless: of what makes it harmful.
    """

    leave: str
    fits: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


@cache
def rulings() -> Mapping[str, Ruling]:
    """The rulings by their actions."""
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return {
        action: Ruling(each["leave"], tuple(each.get("fits", ())), tuple(each.get("unless", ())))
        for action, each in content.items()
    }


def in_the_case(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> InCase:
    """Whether the action is a step against the cause, and the step; else what is to be done instead."""
    found = answer.conclusion or answer.leading
    open_case = results.diagnosis
    if found is None or (answer.conclusion is None and open_case is not None and is_unknown(open_case)):
        return InCase([])
    if answer.conclusion is None and found.confidence < _LEADS:
        return InCase([])
    name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    numbered = [Numbered(number, step) for number, step in enumerate(found.solution, 1)]
    steps = [each for each in numbered if action in _actions(each.step, voice) and is_this(action, each.step.how)]
    if not steps:
        fitting = on_record(rulings()[action].fits, results)
        if fitting is not None:
            return InCase([voice.say("leave_fits", name=voice.name(fitting.name, fitting.phenomenon_id))])
        silent = found.confidence < _NAMED or rulings()[action].leave == "no"
        return InCase([] if silent else [voice.say("leave_no_step", name=name, percent=percent)])
    left = [each for each in steps if not is_done(each.step, results, voice)][:1]
    kinds = blanks_in(left[0].step.how) if left and answer.conclusion is not None else ()
    known = bool(kinds) and all(kind in voice.objects for kind in kinds)
    if left and any(_tells_steps(each) for each in results.answers):
        return InCase([voice.say("leave_step_number", name=name, number=left[0].number)], known=known)
    lead = "leave_step" if answer.conclusion is not None else "leave_step_open"
    lines = (
        [voice.say(lead, name=name, percent=percent), *(render_alone(*each, voice) for each in left)] if left else []
    )
    return InCase([*lines, *_milder(left, found, results, voice)], known=known)


def _tells_steps(answer: Answer) -> bool:
    """Whether an answer of the same turn has the steps of the remedy."""
    if not isinstance(answer, HelpAnswer) or answer.conclusion is None:
        return False
    return answer.topic in (None, QuestionTopic.TREATED, QuestionTopic.REMAINING, QuestionTopic.RELIEF)


def on_record(words: tuple[str, ...], results: TurnResults) -> EvidenceView | None:
    """What was confirmed and has one of these words in its name, such as a release that calls for going back."""
    confirmed = (view for view in results.seen if view.verdict is Verdict.CONFIRMED)
    return next((view for view in confirmed if any(word in view.name.en.lower() for word in words)), None)


def _milder(left: list[Numbered], found: ConclusionView, results: TurnResults, voice: Voice) -> list[str]:
    """The less risky step that comes before the one asked about, if it is not done."""
    following = next_step(found, results, voice)
    if not left or following is None or following.number >= left[0].number or following.step.risk == "none":
        return []
    if _weight(following.step) >= _weight(left[0].step):
        return []
    return [voice.say("leave_milder", action=voice.name(following.step.action, following.step.how))]


def _weight(step: SolutionStep) -> int:
    return _RISKS.index(step.risk) if step.risk in _RISKS else len(_RISKS)


def _actions(step: SolutionStep, voice: Voice) -> frozenset[str]:
    return actions_of_step(voice.name(step.action, step.how), step.how)
