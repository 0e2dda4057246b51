"""What tells two actions apart: what each does, costs and frees, and which one is better in the case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lang.objects import PID, Role, Seen
from services.planner.model import ConclusionView, HelpAnswer, ReliefStep, SolutionStep, TurnResults
from services.planner.speak.case.action_facts import is_this
from services.planner.speak.case.place_in_queue import tell_place
from services.planner.speak.case.wishes import goes_against
from services.planner.speak.follow_ups.options import ENDING, Option, next_options, options_in
from services.planner.speak.objects import objects_known
from services.planner.speak.rights.named_actions import weight_of
from services.planner.speak.rights.who_may import lacking
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import actions_of_step
from services.planner.treatment.going_on import END_TRANSACTION

RISKS = ("none", "low", "medium", "high")
_TWO = 2
_NEVER = 4
_BEHIND = (Role.WAITS, Role.LAST)


class _Better(NamedTuple):
    """The better of the two, and why."""

    option: Option
    why: str


class _Case(NamedTuple):
    """What a ruling between two goes by."""

    found: ConclusionView | None
    sessions: Sequence[Seen]
    voice: Voice


def compare(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """A line for each of the two, then which one is better here; that nothing tells them apart, else."""
    if answer.action == END_TRANSACTION:
        return voice.say("compare_end_transaction")
    found = answer.conclusion or answer.leading
    options = options_in(answer.action, answer.text, next_options(found, results, voice), results, voice)
    if len(options) < _TWO:
        name = _named(options[0], voice) if options else ""
        return voice.say("compare_one", name=name) if name else voice.say("compare_none")
    known = objects_known(results)
    lines = [_line(each, results, voice, options) for each in options]
    if len({each.action for each in options}) == 1:
        lines.append(_both(options[0].action, voice))
    pair = "pair_" + "_".join(sorted({each.action for each in options}))
    case = _Case(found, [each for each in known if each.kind == PID], voice)
    better = _better(options[0], options[1], case)
    lines += [voice.say(pair)] if pair in voice.phrases else []
    if better is None:
        return "\n".join([*lines, *([] if pair in voice.phrases else [voice.say("compare_even")])])
    told = voice.say("compare_better", name=_named(better.option, voice), why=better.why)
    return "\n".join([*lines, told, *_by_whom(better, voice)])


def _both(action: str, voice: Voice) -> str:
    """What an action does to whichever of two sessions."""
    return voice.say("compare_both", name=voice.say(f"name_{action}"), does=voice.say(f"versus_{action}"))


def _by_whom(better: _Better, voice: Voice) -> list[str]:
    """Who has to take the better one, where the person has no right to."""
    group = lacking((better.option.action,), voice)
    return [voice.say("rights_command", who=voice.say(f"rights_by_{group}"))] if group else []


def _named(option: Option, voice: Voice) -> str:
    objects = voice.say("leave_bracket", names=option.name) if option.name else ""
    return voice.say("treated_item", name=voice.say(f"name_{option.action}"), objects=objects)


def _line(option: Option, results: TurnResults, voice: Voice, options: Sequence[Option]) -> str:
    """What an option does; of one action on two sessions, what that does for the others."""
    same = len({each.action for each in options}) == 1
    place = tell_place(option.action, option.name, results, voice).told[:1] if option.name and same else []
    does = voice.stop.join(place) if place else voice.say(f"versus_{option.action}")
    return voice.say("compare_line", name=_named(option, voice), does=does)


def _better(one: Option, other: Option, case: _Case) -> _Better | None:
    """The better of two: by the queue for two sessions, else by the remedy, else by what is at stake."""
    if one.action in ENDING and other.action in ENDING and one.name != other.name:
        return _of_sessions(one, other, case) or _of_sessions(other, one, case)
    if {one.action, other.action} == {*ENDING}:
        return _of_ending(one, other, case)
    if one.action == other.action:
        return None
    first, second = sorted((one, other), key=lambda each: weight_of(each.action))
    if weight_of(second.action) == _NEVER and weight_of(first.action) < _NEVER:
        return _Better(first, case.voice.say("compare_never"))
    return _by_remedy(first, second, case)


def _of_sessions(one: Option, other: Option, case: _Case) -> _Better | None:
    """Why to end this session and not the other one, by their places in the queue."""
    mine, theirs = (next((seen for seen in case.sessions if seen.name == each.name), None) for each in (one, other))
    if mine is None:
        return None
    say = case.voice.say
    if mine.role is Role.DDL:
        return _Better(Option("cancel", one.name), say("compare_ddl", other=other.name))
    if theirs is not None and theirs.role in (Role.DDL, Role.HEAD):
        heads = mine.culprit and theirs.role is Role.HEAD
        return _Better(one, say("compare_behind", other=other.name)) if heads else None
    if mine.culprit and (theirs is None or theirs.role in _BEHIND):
        why = "compare_root" if theirs is not None else "compare_holds"
        return _Better(one, say(why, other=other.name))
    if mine.role is Role.HEAD and theirs is not None and theirs.role is Role.LAST:
        return _Better(one, say("compare_head", other=other.name))
    return None


def _of_ending(one: Option, other: Option, case: _Case) -> _Better | None:
    """Whether one session is to be cancelled or ended: by whether it runs a statement."""
    seen = next((each for each in case.sessions if each.name == one.name), None)
    options = {each.action: each for each in (one, other)}
    if seen is not None and seen.role in (Role.IDLE, Role.ROOT) and seen.culprit:
        return _Better(options["terminate"], case.voice.say("compare_idle"))
    if seen is not None and seen.role is Role.DDL:
        return _by_remedy(options["cancel"], options["terminate"], case)
    return None


def _by_remedy(first: Option, second: Option, case: _Case) -> _Better | None:
    """The one that is a step against the cause, the less risky of two; where none is, the one with less at stake."""
    found, say = case.found, case.voice.say
    steps = [_step(each, found, case.voice) for each in (first, second)]
    cause = case.voice.name(found.name, found.root_cause_id) if found is not None else ""
    against = [step is not None and goes_against(step, case.voice) for step in steps]
    if against[0] is not against[1]:
        return _Better((first, second)[against[0]], say("compare_wish"))
    if (steps[0] is None) is not (steps[1] is None):
        return _Better(first if steps[0] is not None else second, say("compare_only", cause=cause))
    if steps[0] is None or steps[1] is None:
        lighter = weight_of(first.action) < weight_of(second.action)
        return _Better(first, say("compare_light")) if lighter else None
    risks = [RISKS.index(step.risk) if step is not None and step.risk in RISKS else len(RISKS) for step in steps]
    if risks[0] == risks[1]:
        places = [_all_steps(found).index(step) for step in steps if step is not None]
        return _Better((first, second)[places[0] > places[1]], say("compare_first", cause=cause))
    return _Better((first, second)[risks[0] > risks[1]], say("compare_risk", cause=cause))


def _step(option: Option, found: ConclusionView | None, voice: Voice) -> SolutionStep | ReliefStep | None:
    """The step of a remedy that is this action; of relief and cure the cure, which says more of its risk."""
    steps = [*_all_steps(found)]
    fitting = (each for each in steps if option.action in actions_of_step(voice.name(each.action, each.how), each.how))
    return next((each for each in fitting if is_this(option.action, each.how, voice.engine)), None)


def _all_steps(found: ConclusionView | None) -> tuple[SolutionStep | ReliefStep, ...]:
    return (*found.solution, *found.relief) if found is not None else ()
