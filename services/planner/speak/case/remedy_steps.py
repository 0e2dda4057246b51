"""Which steps of a remedy are done, and which are left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from textwrap import shorten
from typing import NamedTuple

from lang.objects import PID, bind, blanks_in
from lang.objects.settings_said import SETTING
from services.planner.model import (
    Aftermath,
    ConclusionView,
    Reach,
    ReliefStep,
    SolutionStep,
    Text,
    Treatment,
    TurnResults,
    Verdict,
)
from services.planner.speak.case.wishes import goes_against, is_set_aside, spared_by
from services.planner.speak.objects import is_idle, objects_known
from services.planner.speak.settings_now import is_in_place
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import action_named, actions_of_statements, actions_of_step
from services.planner.treatment.sentences import is_clear
from services.planner.treatment.shown_actions import SESSION, settings_of

ENDING = frozenset(("terminate", "cancel"))  # A session that is ended has its statement cancelled as well.
# Kinds of object that hold others up or are abandoned.
HELD = (PID, "slot", "gid")
_BARE = frozenset(("drop", "stop"))  # Verbs that stand for several actions.
# What a verb means where its first meaning is no step: "roll it back".
_LIKEWISE = {"roll_back_release": "rollback_prepared"}
# Words in the names of what keeps an old snapshot, so that no vacuum gets past it.
_HOLDERS = ("prepared transaction", "xmin", "idle in transaction", "transaction open")
_ENDS_HOLDER = ENDING | {"rollback_prepared", "drop_slot"}
# What is run against a database and not on its host.
_STATEMENTS = ("select", "show", "explain", "with", "--", "alter", "set")
_VACUUMING = frozenset(("vacuum", "vacuum_freeze", "vacuum_full"))
_ANY = frozenset(("set_parameter", "switch_setting", "drop", "stop"))  # Settings and objects of any kind.
_WORDS = 80  # So many characters of what was done are told in the person's own words.
# A cause that leads by so much is what a general step was against.
_LEADS = 0.5


class Numbered(NamedTuple):
    """A step with its number in the whole remedy."""

    number: int
    step: SolutionStep


def steps_left(found: ConclusionView, results: TurnResults, voice: Voice) -> list[Numbered]:
    """The steps that are not done. What looks, before a step that is done, is over; once well, prevention is left."""
    numbered = [Numbered(number, step) for number, step in enumerate(found.solution, 1)]
    done = {each.number for each in numbered if is_done(each.step, results, voice)}
    # Nothing is over by a step that nobody told of, and none spared by one that was in vain.
    well = results.aftermath is Aftermath.WELL and bool(results.treatments)
    last = 0 if results.aftermath is Aftermath.UNCHANGED else max(done, default=0)
    left = [
        each
        for each in numbered
        if each.number not in done
        and not spared_by(each.step, voice)
        and not is_set_aside(each.step, voice)
        and not _is_beyond(each.step, results)
        and not is_of_no_use(each.step, results, voice)
        and (
            each.step.prevents
            or (not well and (each.number > last or each.step.risk != "none"))
            or (well and acts_on_culprit(each.step, results, voice))
        )
    ]
    # Where all is in place, other values are what helps.
    left = [each for each in left if not is_in_place(each.step.how, voice)] or left
    begun = [(each.number, _open_part(each.step, results, voice)) for each in numbered if each.number in done]
    left += [Numbered(number, rest) for number, rest in begun if rest is not None]
    # What goes against the person's wishes stands behind all that does not.
    return sorted(left, key=lambda each: (goes_against(each.step, voice), each.number))


def _open_part(step: SolutionStep, results: TurnResults, voice: Voice) -> SolutionStep | None:
    """What a step does after it has ended a session, where nobody did that yet: its VACUUM."""
    parts = [part.strip() for part in step.how.split(";")]
    done = {each.action for each in results.treatments}
    rest = [part for part in parts if (named := actions_of_statements(part)) and not named & (ENDING | done)]
    if not rest or not actions_of_statements(step.how) & ENDING:
        return None
    name = voice.say(f"name_{min(actions_of_statements(rest[0]))}")
    return replace(step, action=Text(name, name), how=f"{'; '.join(rest)};", risk="low", undo=Text("", ""))


def _is_beyond(step: SolutionStep, results: TurnResults) -> bool:
    """Whether a step only looks, and at the host, which the person cannot reach."""
    no_host = any(each.reach is Reach.HOST and not each.lifted for each in results.limits)
    return no_host and step.risk == "none" and bool(step.how) and not step.how.lower().startswith(_STATEMENTS)


def is_of_no_use(step: SolutionStep | ReliefStep, results: TurnResults, voice: Voice) -> bool:
    """Whether a step only sets what is set so, or cancels the statement of a session that runs none."""
    if "".join(step.how.split()) in voice.choices.get(SETTING, ()):
        return True
    how = bind(step.how, voice.objects)
    sessions = SESSION.findall(how)
    only_cancels = actions_of_statements(how) == {"cancel"}
    return only_cancels and bool(sessions) and all(is_idle(name, results) for name in sessions)


def is_in_vain(relief: ReliefStep, found: ConclusionView, results: TurnResults, voice: Voice) -> bool:
    """Whether relief does nothing, or vacuums while what holds an old snapshot stands: on record, or a step ends it."""
    if is_of_no_use(relief, results, voice) or is_in_place(relief.how, voice):
        return True
    if not actions_of_step("", relief.how) & _VACUUMING:
        return False
    confirmed = [view.name.en.lower() for view in results.seen if view.verdict is Verdict.CONFIRMED]
    on_record = any(word in name for name in confirmed for word in _HOLDERS)
    return on_record or any(acts_on_culprit(step, results, voice) for step in found.solution)


def _blockers_first(steps: list[Numbered], results: TurnResults, voice: Voice) -> list[Numbered]:
    """The steps with what ends the holder of an old snapshot before what vacuums: that gets nowhere until then."""
    ending = [each for each in steps if acts_on_culprit(each.step, results, voice)]
    vacuums = [at for at, each in enumerate(steps) if actions_of_step("", each.step.how) & _VACUUMING]
    if not ending or not vacuums or steps.index(ending[0]) < vacuums[0]:
        return steps
    return [*ending, *(each for each in steps if each not in ending)]


def acts_on_culprit(step: SolutionStep, results: TurnResults, voice: Voice) -> bool:
    """Whether a step ends the one session, slot or transaction that holds others up: that is left when all is well."""
    held = {(each.kind, each.name) for each in objects_known(results) if each.culprit and each.kind in HELD}
    ends = [done for done in results.treatments if done.action in ENDING]
    ended = {name for done in ends for name in done.objects}
    terminated = any(done.action == "terminate" for done in ends)
    if ends:
        stays = {name for kind, name in held if kind == PID and not terminated and is_idle(name, results)}
        held = {each for each in held if each[0] != PID or each[1] in stays or (ended and each[1] not in ended)}
    return any((kind, voice.objects.get(kind)) in held for kind in blanks_in(step.how))


def acting_on_named(
    found: ConclusionView, left: Iterable[SolutionStep], voice: Voice, results: TurnResults
) -> SolutionStep | None:
    """The step that ends what holds others up or is abandoned, where no relief does so: that is for other cases."""
    if any(blanks_in(relief.how) for relief in found.relief):
        return None
    return next((step for step in left if acts_on_culprit(step, results, voice)), None)


def next_step(found: ConclusionView, results: TurnResults, voice: Voice) -> Numbered | None:
    """The step to do next, treatment before prevention, after what was done unless in vain; None if all is done."""
    left = _blockers_first(steps_left(found, results, voice), results, voice)
    treating = [each for each in left if not each.step.prevents]
    last = 0 if results.aftermath is Aftermath.UNCHANGED else _last_done(found, results, voice)
    # Of the last step that was done, only what is open of it is left.
    after = [each for each in treating if each.number >= last or acts_on_culprit(each.step, results, voice)]
    if last and not after:
        return next((each for each in left if each.step.prevents), None)
    return next(iter(after or treating or left), None)


def next_change(found: ConclusionView, results: TurnResults, voice: Voice) -> Numbered | None:
    """The first step left that changes something, helps now and does not go against the person's wishes."""
    left = (each for each in steps_left(found, results, voice) if each.step.risk != "none" and not each.step.prevents)
    return next((each for each in left if not goes_against(each.step, voice)), None)


def _last_done(found: ConclusionView, results: TurnResults, voice: Voice) -> int:
    """The number of the last step of treatment that was done; 0 if none was."""
    treating = ((number, step) for number, step in enumerate(found.solution, 1) if not step.prevents)
    return max((number for number, step in treating if is_done(step, results, voice)), default=0)


def numbers_beside(
    found: ConclusionView, left: list[Numbered], results: TurnResults, voice: Voice
) -> tuple[list[str], list[str]]:
    """What stands before a list of steps, as which to begin with, and below it: the steps that it leaves out."""
    numbers = {each.number for each in (*left, *steps_left(found, results, voice))}
    spared = {number: name for number, step in enumerate(found.solution, 1) if (name := spared_by(step, voice))}
    over = [str(number) for number in range(1, len(found.solution) + 1) if number not in {*numbers, *spared}]
    lines = [voice.say("steps_spared", number=each, name=name) for each, name in spared.items()]
    against = [str(each.number) for each in left if goes_against(each.step, voice)]
    lines += [voice.say("steps_against", numbers=voice.listed(against))] if against else []
    ahead = _blockers_first(left, results, voice)[:1]
    lines += [voice.say("steps_start", number=each.number) for each in ahead if ahead != left[:1]]
    return lines, [voice.say("steps_over", numbers=voice.listed(over))] if over and left else []


def next_action(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """What is to be done first, in words: relief, else the next step of the treatment; empty if that is done."""
    fitting = (step for step in found.relief if not goes_against(step, voice))
    relief = next((step for step in fitting if not is_done(step, results, voice)), None)
    if results.aftermath is Aftermath.WELL or (relief is not None and is_in_vain(relief, found, results, voice)):
        relief = None
    if relief is not None:
        return voice.name(relief.action, relief.how)
    following = next_step(found, results, voice)
    treats = following is not None and not following.step.prevents
    return voice.name(following.step.action, following.step.how) if following is not None and treats else ""


def treatments_of(found: ConclusionView, results: TurnResults, voice: Voice) -> TurnResults:
    """The results with what was done of this remedy alone: what was done for another cause is no step of it."""
    steps: tuple[SolutionStep | ReliefStep, ...] = (*found.relief, *found.solution)
    done = [(each, replace(results, treatments=(each,))) for each in results.treatments]
    taken = tuple(each for each, alone in done if any(is_done(step, alone, voice) for step in steps))
    return replace(results, treatments=taken)


def is_done(step: SolutionStep | ReliefStep, results: TurnResults, voice: Voice) -> bool:
    """True if something that was done is this step: the same action, on the object that the step names, if it does."""
    how = bind(step.how, voice.objects)
    prevents = isinstance(step, SolutionStep) and step.prevents
    actions = actions_of_statements(how) if prevents else actions_of_step(voice.name(step.action, step.how), how)
    # What else a step does comes after it has ended a session.
    return any(_is_step(done, actions & ENDING or actions, how) for done in results.treatments)


def _is_step(done: Treatment, actions: frozenset[str], how: str) -> bool:
    if actions & ENDING and done.action in ENDING:
        bound = SESSION.findall(how)
        ended = [name for name in done.objects if name.isdecimal()]
        if done.action == "cancel" and done.action not in actions:
            return bool({*bound} & {*ended})  # The session that a step ends may be another one.
        return not bound or not ended or bool({*bound} & {*ended})
    if done.action in _ANY and done.objects and (set_here := {name for name, _ in settings_of(how)}):
        return bool(set_here & {*done.objects})
    return done.action in actions or specific(done.action, actions) in actions


def specific(action: str, of_steps: Iterable[str]) -> str:
    """The action of a remedy that a verb alone means: "drop it" is dropping the slot, where that is a step."""
    steps = tuple(of_steps)
    if action in _BARE:
        return next((each for each in steps if each.startswith(f"{action}_")), action)
    other = _LIKEWISE.get(action, action)
    return other if action not in steps and other in steps else action


def actions_of(found: ConclusionView | None, voice: Voice) -> tuple[str, ...]:
    """The actions of the steps of a remedy, in their order."""
    steps: tuple[SolutionStep | ReliefStep, ...] = (*found.relief, *found.solution) if found is not None else ()
    named = (actions_of_step(voice.name(step.action, step.how), step.how) for step in steps)
    return tuple(dict.fromkeys(action for actions in named for action in sorted(actions)))


def speaks_for(found: ConclusionView, results: TurnResults, voice: Voice) -> bool:
    """Whether what was done treats this cause and few others, so that its outcome tells something of the cause.

    Good news after a step against many causes tells so only of one that leads anyway, a change of a setting never.
    """
    done = credited(results)
    general = {each.action for each in done if (known := action_named(each.action)) and known.general}
    well = results.aftermath is Aftermath.WELL and found.confidence >= _LEADS
    telling = [each for each in done if each.action not in general or (well and each.action not in _ANY)]
    after = replace(results, treatments=tuple(telling))
    in_cure = any(is_done(step, after, voice) for step in found.solution if not step.prevents)
    return in_cure or any(is_done(step, after, voice) for step in found.relief)


def counting(found: ConclusionView, results: TurnResults, voice: Voice) -> TurnResults:
    """The results without a vacuum that came before what holds the old snapshot was ended: it removed nothing."""
    ending = {each for each in actions_of(found, voice) if each in _ENDS_HOLDER}
    if not ending or not {*actions_of(found, voice)} & _VACUUMING:
        return results
    ended = max((each.turn for each in results.treatments if specific(each.action, ending) in ending), default=None)
    early = [each for each in results.treatments if each.action in _VACUUMING and (ended is None or each.turn < ended)]
    kept = tuple(each for each in results.treatments if each not in early or each.turn == results.turn)
    return replace(results, treatments=kept)


def ends_holder_before(vacuum: Numbered, found: ConclusionView, results: TurnResults, voice: Voice) -> Numbered | None:
    """The step left before one that vacuums by which what holds the old snapshot is ended."""
    if not actions_of_step("", vacuum.step.how) & _VACUUMING:
        return None
    before = (each for each in steps_left(found, results, voice) if each.number < vacuum.number)
    return next((each for each in before if actions_of_statements(each.step.how) & _ENDS_HOLDER), None)


def credited(results: TurnResults) -> tuple[Treatment, ...]:
    """What was done; once well, without what was in vain before, if anything else was done."""
    well = results.aftermath is Aftermath.WELL
    helped = tuple(each for each in results.treatments if well and not each.in_vain)
    return helped or results.treatments


def done_in_words(results: TurnResults, voice: Voice, now: bool = False) -> str:
    """What was done, by action and object, in the order in which it was told. now: in this turn, if anything was."""
    done = [each for each in results.treatments if now and each.turn == results.turn] or credited(results)
    return voice.listed(_in_words(each, voice) for each in done if action_named(each.action) or is_clear(each.words))


def _in_words(done: Treatment, voice: Voice) -> str:
    objects = voice.say("leave_bracket", names=voice.listed(done.objects)) if done.objects else ""
    quoted = voice.say("quoted", words=shorten(done.words, _WORDS, placeholder="…"))
    name = voice.say(f"name_{done.action}") if action_named(done.action) is not None else quoted
    return voice.say("treated_item", name=name, objects=objects)
