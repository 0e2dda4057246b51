"""Whether something may be done: what it does, what is lost, what to check first, in the light of the case."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang.objects import Role, identifiers_in
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
from services.planner.speak.case.action_facts import (
    asks_command,
    asks_leave,
    aspects_asked,
    facts_of,
    is_this,
    tell_aspects,
    tell_nothing,
    tell_statement,
)
from services.planner.speak.case.meant import meant
from services.planner.speak.case.place_in_queue import tell_place, with_named
from services.planner.speak.case.remedy_steps import Numbered, is_done, next_step, steps_left
from services.planner.speak.checks import is_unknown
from services.planner.speak.conclusion import advise_early, render_alone
from services.planner.speak.objects import objects_known
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.actions import (
    action_named,
    actions_in,
    actions_of_statements,
    actions_of_step,
    read_actions,
)
from services.planner.treatment.agreed import conditions_told, needed_beside
from services.planner.treatment.requests import READS
from services.planner.treatment.wants import tells, wants_in

_FILE = Path(__file__).with_name("leave.yaml")
_RISKS = ("none", "low", "medium", "high")
_MOST = 2
_INACTIVE = "inactive"
_SLOT = "slot"
# From this belief in the leading cause, that an action does not cure it is worth saying.
_NAMED = 0.5
# A cause that leads by less is no reason to do anything.
_LEADS = 0.15


class Ruling(NamedTuple):
    """Whether an action may be done: yes, check or no.

    fits: words of what is on record that calls for it; unless: of what makes it harmful.
    """

    leave: str
    fits: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


@cache
def _rulings() -> Mapping[str, Ruling]:
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return {
        action: Ruling(each["leave"], tuple(each.get("fits", ())), tuple(each.get("unless", ())))
        for action, each in content.items()
    }


def give_leave(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The ruling on each action that is asked about, at most two."""
    named = (answer.action,) if action_named(answer.action) is not None else ()
    found = answer.conclusion or answer.leading
    actions = tuple(meant(action, answer.text, found, voice) for action in named or actions_in(answer.text)[:_MOST])
    if answer.action == READS:
        return voice.say("leave_reads")
    if left_alone := _in_use(answer.text, actions, results, voice):
        return left_alone
    if not actions and aspects_asked(answer.text) and found is not None:
        actions = _next_actions(found, results, voice)
        name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
        going_by = [voice.say("command_leading", name=name, percent=percent)] if answer.conclusion is None else []
        told = [_told(action, answer, results, voice) for action in actions] or _nothing(answer, found, results, voice)
        return "\n".join([*going_by, *told])
    if not actions:
        return _on_dangerous_steps(answer, results, voice)
    return "\n".join(_told(action, answer, results, voice) for action in dict.fromkeys(actions))


def _nothing(answer: HelpAnswer, found: ConclusionView, results: TurnResults, voice: Voice) -> list[str]:
    """That nothing is known of what is asked of the next step."""
    following = next_step(found, results, voice)
    step = voice.name(following.step.action) if following is not None else voice.say("nothing_named")
    return [tell_nothing(aspect, step, voice) for aspect in aspects_asked(answer.text)]


def _next_actions(found: ConclusionView, results: TurnResults, voice: Voice) -> tuple[str, ...]:
    """The action of the next step of a remedy that changes something."""
    left = (each.step for each in steps_left(found, results, voice) if each.step.how and each.step.risk != "none")
    return next((tuple(sorted(named))[:1] for step in left if (named := actions_of_statements(step.how))), ())


def _told(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """All that is asked of an action: whether it may be done, what it blocks, how it is undone, and its command."""
    found, wants = answer.conclusion or answer.leading, wants_in(read_actions(answer.text))
    voice = with_named(action, answer.text, objects_known(results), voice)
    facts = tell_aspects(action, answer.text, found, results, voice)
    if "undo" in wants and facts:
        return "\n".join([*facts, *([voice.say(f"act_{action}")] if "leave" in wants else [])])
    shows = asks_command(answer.text) or _is_one(action)
    do = tell_statement(action, answer.text, found, voice) if shows else []
    if facts and not asks_leave(answer.text):
        return "\n".join([*facts, *do])
    ruled = _rule(action, answer, results, voice)
    refused = _rulings()[action].leave == "no" or _on_record(_rulings()[action].unless, results) is not None
    done = any(each.action == action and each.turn < results.turn for each in results.treatments)
    shown = refused or done or not do or do[1].strip("`\nsql ") in ruled
    return "\n".join([ruled, *facts, *([] if shown else do)])


def _is_one(action: str) -> bool:
    """Whether the statement of an action is always the same."""
    do = facts_of(action).do
    return bool(do) and "<" not in do


def _in_use(asked: str, actions: tuple[str, ...], results: TurnResults, voice: Voice) -> str:
    """That what is asked about alone is in use and to be left as it is."""
    named = [each for each in objects_known(results) if each.name in identifiers_in(asked)]
    fine = [each.name for each in named if each.role is Role.FINE]
    alone = not actions and bool(fine) and len(fine) == len(named)
    return "\n".join(voice.say("object_known_fine", name=name) for name in fine) if alone else ""


def _rule(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    done = next((each for each in results.treatments if each.action == action and each.turn < results.turn), None)
    place = tell_place(action, answer.text, objects_known(results), voice)
    if _on_record(_rulings()[action].unless, results) is not None:
        return "\n".join([*place.told, voice.say(f"unless_{action}")])
    facts = voice.say(f"act_{action}")
    known = polish(facts, voice.language) in voice.previous
    if place.settles:
        return "\n".join([*place.told, *([] if known else [facts])])
    ruling = _ruling(action, answer, results, voice)
    if others := _others(action, answer.text, results, voice):
        return "\n".join([*others, *([] if known else [facts])])
    if known and not tells(read_actions(answer.text), "affects"):
        # What it does was just told: what is known of this one, else the ruling, as it is now.
        again = polish(ruling, voice.language) in voice.previous
        return "\n".join(place.told or [voice.say("leave_again", verdict=ruling) if again else ruling])
    told = [voice.say("leave_done", words=done.words)] if done is not None and not place.told else []
    placed = [ruling, *place.told] if _rulings()[action].leave == "yes" else [*place.told, ruling]
    return "\n".join([*told, *placed, facts, *_in_the_case(action, answer, results, voice)])


def _ruling(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Yes or no; where something has to hold first, what of it nobody has said yet."""
    leave = _rulings()[action].leave
    met, left = conditions(action, answer.text, results)
    if leave != "check" or not met:
        return voice.say(f"leave_{leave}", first=voice.say(f"first_{action}"))
    if left:
        return voice.say("leave_check", first=voice.listed(voice.say(f"need_{each}") for each in left))
    return voice.say("leave_go", given=voice.listed(voice.say(f"need_{each}") for each in met))


def conditions(action: str, said: str, results: TurnResults) -> tuple[list[str], list[str]]:
    """What has to hold before an action: what of it was said or seen, and what is left."""
    told = conditions_told(said)
    held = {*told, *([_INACTIVE] if _is_inactive(action, results) else [])}
    needed = needed_beside(action, held)
    return [each for each in needed if each in held], [each for each in needed if each not in held]


def _is_inactive(action: str, results: TurnResults) -> bool:
    """Whether the slot is known to be inactive, by what was confirmed or by rows that were pasted."""
    abandoned = any(each.kind == "slot" and each.culprit for each in objects_known(results))
    return abandoned or _on_record(_rulings()[action].fits, results) is not None


def _others(action: str, asked: str, results: TurnResults, voice: Voice) -> list[str]:
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


def _in_the_case(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> list[str]:
    """Whether the action is a step against the cause, and the step; else what is to be done instead."""
    found = answer.conclusion or answer.leading
    open_case = results.diagnosis
    if found is None or (answer.conclusion is None and open_case is not None and is_unknown(open_case)):
        return []
    if answer.conclusion is None and found.confidence < _LEADS:
        return []
    name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    numbered = [Numbered(number, step) for number, step in enumerate(found.solution, 1)]
    steps = [each for each in numbered if action in _actions(each.step, voice) and is_this(action, each.step.how)]
    if not steps:
        fitting = _on_record(_rulings()[action].fits, results)
        if fitting is not None:
            return [voice.say("leave_fits", name=voice.name(fitting.name, fitting.phenomenon_id))]
        silent = found.confidence < _NAMED or _rulings()[action].leave == "no"
        return [] if silent else [_no_step(action, answer, name, percent, voice)]
    left = [each for each in steps if not is_done(each.step, results, voice)][:1]
    if left and any(_tells_steps(each) for each in results.answers):
        return [voice.say("leave_step_number", name=name, number=left[0].number)]
    lead = "leave_step" if answer.conclusion is not None else "leave_step_open"
    lines = (
        [voice.say(lead, name=name, percent=percent), *(render_alone(*each, voice) for each in left)] if left else []
    )
    return [*lines, *_milder(left, found, results, voice)]


def _tells_steps(answer: Answer) -> bool:
    """Whether an answer of the same turn has the steps of the remedy."""
    if not isinstance(answer, HelpAnswer) or answer.conclusion is None:
        return False
    return answer.topic in (None, QuestionTopic.TREATED, QuestionTopic.REMAINING, QuestionTopic.RELIEF)


def _on_record(words: tuple[str, ...], results: TurnResults) -> EvidenceView | None:
    """What was confirmed and has one of these words in its name, such as a release that calls for going back."""
    confirmed = (view for view in results.seen if view.verdict is Verdict.CONFIRMED)
    return next((view for view in confirmed if any(word in view.name.en.lower() for word in words)), None)


def _no_step(action: str, answer: HelpAnswer, name: str, percent: str, voice: Voice) -> str:
    harmless = _rulings()[action].leave == "yes"
    phrase = "risk_not_a_step" if answer.conclusion is not None and not harmless else "leave_no_step"
    return voice.say(phrase, name=name, percent=percent)


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


def _on_dangerous_steps(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Where no action is named: the risk of the steps that have one, or that none is called for yet."""
    found = answer.conclusion
    if found is None:
        leader = next(iter(results.diagnosis.hypotheses), None) if results.diagnosis else None
        early = advise_early(answer, leader, results, voice) if leader is not None else ""
        return early or voice.say("help_early")
    numbered = [Numbered(number, step) for number, step in enumerate(found.solution, 1)]
    left = [each for each in numbered if not is_done(each.step, results, voice)]
    risky = [each for each in left if each.step.risk in ("medium", "high")] or left
    name = voice.name(found.name, found.root_cause_id)
    return "\n".join([voice.say("leave_step", name=name), *(render_alone(*each, voice) for each in risky[:_MOST])])
