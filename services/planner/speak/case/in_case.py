"""What an action is in the case: a step against the cause, something that fits what is on record, or neither."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang import deferred_re as re
from lang.objects import Role, bind, blanks_in, identifiers_in
from lang.objects.kinds_and_roles import DDL_PID
from services.planner.model import (
    Answer,
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    QuestionTopic,
    ReliefStep,
    SolutionStep,
    Treatment,
    TurnResults,
    Verdict,
)
from services.planner.speak.case.action_facts import is_this
from services.planner.speak.case.remedy_steps import (
    ENDING,
    Numbered,
    ends_holder_before,
    is_done,
    is_of_no_use,
    next_change,
    next_step,
)
from services.planner.speak.checks import is_unknown
from services.planner.speak.objects import objects_known
from services.planner.speak.steps.render import render_alone, render_relief
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import action_named, actions_of_step
from services.planner.treatment.agreed import conditions_told, needed_beside
from services.planner.treatment.shown_actions import SESSION
from services.planner.understand.text.word_lists import names

_FILE = Path(__file__).with_name("leave.yaml")
_RISKS = ("none", "low", "medium", "high")
# From this belief in the leading cause, that an action does not cure it is worth saying.
_NAMED = 0.5
# From this one on an action that does not cure it is not called for.
_LIKELY = 0.8
# A cause that leads by less is no reason to do anything.
_LEADS = 0.15
# A feature that is switched off, in a question and in the words of a step that has no statement.
_SWITCH = "switch_setting"
_OFF = re.compile(
    r"\boff\b.{0,24}\bfeature\b|\bfeature\b.{0,8}\boff\b|(?:关|停|下线|限流).{0,12}功能|功能.{0,6}(?:关|停)",
    re.IGNORECASE,
)
_SLOT = "slot"
_INACTIVE, _JOB, _RESTART = "inactive", "stop_job", "restart"


class InCase(NamedTuple):
    """What is told of an action in the case. known: it is a step against the cause, and what it acts on was seen.

    another: a likely cause is treated by another step, so that this one is not called for.
    """

    told: list[str]
    known: bool = False
    another: bool = False


class Ruling(NamedTuple):
    """Whether an action may be done: yes, check or no.

    fits: words of what is on record that calls for it; unless: of what makes it harmful; plain: of what makes it safe.
    """

    leave: str
    fits: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()


@cache
def rulings() -> Mapping[str, Ruling]:
    """The rulings by their actions."""
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return {
        action: Ruling(
            each["leave"], tuple(each.get("fits", ())), tuple(each.get("unless", ())), tuple(each.get("plain", ()))
        )
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
    steps = [
        each for each in steps_that(action, answer.text, found, voice) if not is_of_no_use(each.step, results, voice)
    ]
    if not steps and (relief := relief_that(action, answer.text, found, voice)):
        lead = "leave_relief" if answer.conclusion is not None else "leave_relief_open"
        told = render_relief(relief, voice)
        again = [] if voice.was_told(told) else [told]
        return InCase([voice.say(lead, name=name, percent=percent), *again], known=True)
    if not steps and action == _JOB and DDL_PID in blanks_in(" ".join(_statements(found))):
        return InCase([voice.say("leave_job_ddl")], known=True)
    if not steps:
        fitting = on_record(rulings()[action].fits, results)
        if fitting is not None:
            return InCase([voice.say("leave_fits", name=voice.name(fitting.name, fitting.phenomenon_id))])
        silent = found.confidence < _NAMED or rulings()[action].leave == "no"
        instead = [] if silent else _no_step(action, found, results, voice)
        return InCase(instead, another=bool(instead) and _is_uncalled_for(action, found))
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


def _statements(found: ConclusionView) -> list[str]:
    return [*(step.how for step in found.relief), *(step.how for step in found.solution)]


def steps_that(action: str, asked: str, found: ConclusionView, voice: Voice) -> list[Numbered]:
    """The steps of the cure that do this; of ends, those of the sessions that are named, if any is."""
    numbered = [Numbered(number, step) for number, step in enumerate(found.solution, 1)]
    fitting = [each for each in numbered if _does(action, asked, each.step, voice)]
    own = [each for each in fitting if action in actions_of_step(voice.name(each.step.action), each.step.how)]
    return fitting if SESSION.search(asked) else own or fitting


def relief_that(action: str, asked: str, found: ConclusionView, voice: Voice) -> ReliefStep | None:
    """The relief that does this."""
    return next((each for each in found.relief if _does(action, asked, each, voice)), None)


def _does(action: str, asked: str, step: SolutionStep | ReliefStep, voice: Voice) -> bool:
    """Whether a step is this action; to cancel and to terminate are one, on the session that both name."""
    of_step = actions_of_step(voice.name(step.action, step.how), step.how)
    if not of_step and action == _SWITCH:
        return bool(names("named.feature", asked) and _OFF.search(voice.name(step.action, step.how)))
    if action in ENDING and of_step & ENDING:
        how = bind(step.how, voice.objects)
        bound, named = {*SESSION.findall(how)}, {*SESSION.findall(asked)}
        if named and DDL_PID in blanks_in(how):
            return False  # That is the step for the DDL, whose number nobody told.
        return bool(bound & named) or not bound or not named
    return action in of_step and is_this(action, step.how, voice.engine)


def _no_step(action: str, found: ConclusionView, results: TurnResults, voice: Voice) -> list[str]:
    """That what treats the cause is another step; of an end, that what ends comes again until then."""
    following = next_change(found, results, voice)
    if following is None:
        return []
    name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    other = "leave_not_called_for" if _is_uncalled_for(action, found) else "leave_no_step"
    said = "leave_no_step_end" if action in ENDING else other
    step = voice.name(following.step.action, following.step.how)
    return [voice.say(said, name=name, percent=percent, action=step)]


def _is_uncalled_for(action: str, found: ConclusionView) -> bool:
    """Whether an action that is no step against a likely cause is out of place; what takes load away may help."""
    known = action_named(action)
    special = known is not None and (not known.general or action == _RESTART)
    return special and found.confidence >= _LIKELY and rulings()[action].leave == "check"


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
    """What has to be ended before a vacuum, else the less risky step before the one asked about, if it is not done."""
    if left and (holding := ends_holder_before(left[0], found, results, voice)):
        return [voice.say("leave_after", number=holding.number, action=voice.name(holding.step.action))]
    following = next_step(found, results, voice)
    if not left or following is None or following.number >= left[0].number or following.step.risk == "none":
        return []
    if _weight(following.step) >= _weight(left[0].step):
        return []
    return [voice.say("leave_milder", action=voice.name(following.step.action, following.step.how))]


def _weight(step: SolutionStep) -> int:
    return _RISKS.index(step.risk) if step.risk in _RISKS else len(_RISKS)


def leaves_alone(action: str, asked: str, results: TurnResults, voice: Voice) -> list[str]:
    """That the action leaves alone what a question names beside what it acts on."""
    named = action_named(action)
    kind = named.kind if named is not None else ""
    other = voice.objects.get(kind, "")
    beside = [each for each in objects_known(results) if each.kind == kind and each.name != other]
    in_use = [each.name for each in beside if each.role is Role.FINE and each.name in asked]
    if in_use or kind != _SLOT:
        return [voice.say("leave_beside", name=name, other=other) for name in in_use if other]
    named_here = [name for name in identifiers_in(asked) if name != other]
    return [voice.say("leave_beside_open", name=name, other=other) for name in named_here[:1] if other]


def done_before(action: str, results: TurnResults, voice: Voice) -> Treatment | None:
    """What was done already of an action, to what is asked about: one more session is another."""
    known = action_named(action)
    standing = {each.name for each in objects_known(results) if each.culprit and known and each.kind == known.kind}
    before = (each for each in results.treatments if each.action == action and each.turn < results.turn)
    return next((each for each in before if not each.objects or standing <= {*each.objects}), None)


def conditions(action: str, said: str, results: TurnResults) -> tuple[list[str], list[str]]:
    """What has to hold before an action: what of it was said or seen, and what is left."""
    told = conditions_told(said)
    held = {*told, *([_INACTIVE] if _is_inactive(action, results) else [])}
    needed = needed_beside(action, held)
    return [each for each in needed if each in held], [each for each in needed if each not in held]


def _is_inactive(action: str, results: TurnResults) -> bool:
    """Whether the slot is known to be inactive, by what was confirmed or by rows that were pasted."""
    abandoned = any(each.kind == "slot" and each.culprit for each in objects_known(results))
    return abandoned or on_record(rulings()[action].fits, results) is not None
