"""Keeps what the messages of a case tell of its treatment: what was done, what they name, how things are since."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Untied
from dbdiag.planner.v1.planner_types import (
    Aftermath,
    Limit,
    NamedObject,
    QuestionStep,
    Remark,
    Speaker,
    Treatment,
    TurnPlan,
)

from gateway.session.ledger import LedgerEntry, Session
from lang.objects import later_role
from lang.objects.lock_queue import WAITS_FOR, wait_of
from lang.objects.settings_said import OF_SETTINGS, setting_of

_MOST_OBJECTS = 200
# So many of the words that nothing reads are kept.
_MOST_UNTIED = 8
# For so many turns nobody is asked about what they took back.
_WAIVED_FOR = 4
# So long the rows of a look are waited for.
_LOOK_WAITS = 3


def keep_case_talk(session: Session, plan: TurnPlan) -> None:
    """Adds the treatments and objects of the plan to the session, and how a summary was asked for.

    Since when it is there counts only before anything was done, or where a text is set right: later it may be since
    when it is better.
    Bad news needs something that was done, and is open again after another step; good news stays until it is denied.
    """
    session.objects = _with_objects(session.objects, plan.objects)
    session.limits = _with_limits(session, plan.limits)
    session.treatments = _with_treatments(session, plan.treatments)
    if plan.aftermath is Aftermath.UNCHANGED:
        session.treatments = tuple(replace(each, in_vain=True) for each in session.treatments)
    asked = [step.brief for step in plan.steps if isinstance(step, QuestionStep) and step.brief is not None]
    if plan.began and (asked or not session.treatments):
        session.began = plan.began
    if asked:
        session.brief, session.briefed = asked[-1], session.turn
    done = any(not each.undone for each in plan.treatments)
    if plan.aftermath is not None or (done and session.aftermath is Aftermath.UNCHANGED):
        told = plan.aftermath is Aftermath.WELL or bool(session.treatments)
        session.aftermath = plan.aftermath if told else None


def restate(session: Session, old: LedgerEntry, words: str, value: str) -> LedgerEntry:
    """An entry as it is said again; where the words have a figure they are kept: the last one holds."""
    said = replace(old, words=words or old.words, value=value or old.value)
    if old.origin == "words" and any(map(str.isdigit, words)):
        session.ledger[old.entry_id] = said
    return said


def waived(session: Session) -> tuple[str, ...]:
    """The phenomena of which an entry was taken back lately: the person knows, and is not asked at once."""
    lately = (each for each in session.ledger if each.case == session.case and each.retracted_turn is not None)
    found = {each.phenomenon_id for each in lately if session.turn - (each.retracted_turn or 0) < _WAIVED_FOR}
    return tuple(sorted(found - {each.phenomenon_id for each in session.active()}))


def look_waits(session: Session) -> bool:
    """Whether a look was shown lately whose rows were neither pasted nor refused."""
    return session.look_shown > 0 and session.turn - session.look_shown <= _LOOK_WAITS


def keep_untied(session: Session, plan: TurnPlan, told: Iterable[Untied]) -> None:
    """Keeps what a message says and nothing reads, after that of the messages before; what it asks is not said."""
    asked = [step.text for step in plan.steps if isinstance(step, QuestionStep)]
    kept = {each.words: (turn, each) for turn, each in session.untied}
    for each in told:
        if not any(each.words in text for text in asked):
            kept.pop(each.words, None)
            kept[each.words] = session.turn, each
    session.untied = tuple(kept.values())[-_MOST_UNTIED:]


def _with_limits(session: Session, told: Iterable[Limit]) -> tuple[Limit, ...]:
    """The limits with those that are told now; one that is lifted stays as such, and one told again is not new."""
    found = {(each.reach, each.name): each for each in session.limits}
    for each in told:
        if each.lifted:
            of = [key for key, held in found.items() if each.reach in (None, held.reach) and not held.lifted]
            found |= {key: replace(found[key], lifted=True, turn=session.turn) for key in of}
        elif (before := found.get((each.reach, each.name))) is None or before.lifted:
            found[each.reach, each.name] = replace(each, turn=session.turn)
    return tuple(found.values())


def _with_treatments(session: Session, told: Iterable[Treatment]) -> tuple[Treatment, ...]:
    """The treatments with those that are told now, without those that were not done.

    One that is told again is the same, unless something else was done since: then it was done once more.
    """
    found = {each.action: each for each in session.treatments}
    last = max((each.turn for each in session.treatments), default=0)
    for each in told:
        if each.undone:
            found.pop(each.action, None)
            continue
        before = found.pop(each.action, each)
        turn = before.turn if before.turn > 0 and last <= before.turn else session.turn
        objects = tuple(dict.fromkeys((*before.objects, *each.objects)))
        vain = before.in_vain and turn == before.turn
        found[each.action] = replace(before, turn=turn, objects=objects, in_vain=vain)
    return tuple(found.values())


def _with_objects(known: Iterable[NamedObject], named: Iterable[NamedObject]) -> tuple[NamedObject, ...]:
    """The objects in the order in which they were first named; the last role that is known of one holds."""
    new = tuple(named)
    outdated = _outdated(new)
    found = {(each.kind, each.name): each for each in known if not outdated(each)}
    for each in new:
        before = found.get((each.kind, each.name), each)
        role = later_role(before.role, each.role)
        found[each.kind, each.name] = replace(each, role=role, said=each.said or before.said)
    return tuple(found.values())[-_MOST_OBJECTS:]


def _outdated(named: Iterable[NamedObject]) -> Callable[[NamedObject], bool]:
    """Whether what was named before is over: a wait by newer rows, a setting's value by a newer one."""
    named = tuple(named)
    told = {(each.kind, setting_of(each.name)) for each in named if each.kind in OF_SETTINGS}
    waits = [wait_of(each.name) for each in named if each.kind == WAITS_FOR]
    free = {each.blocker for each in waits if not each.waiter}
    held = {each.blocker for each in waits if each.waiter}

    def is_over(each: NamedObject) -> bool:
        if each.kind in OF_SETTINGS:
            return (each.kind, setting_of(each.name)) in told
        wait = wait_of(each.name)
        return each.kind == WAITS_FOR and wait.blocker in (free if wait.waiter else held)

    return is_over


def said_before(session: Session) -> tuple[str, ...]:
    """The person's messages of this case before this turn, the latest first; of a later case since its evidence."""
    turns = [entry.turn for entry in session.ledger if entry.case == session.case]
    begun = 1 if session.case == 1 else min(turns, default=session.turn)
    said = [item.text for item in session.dialogue if item.speaker is Speaker.USER]
    count = max(session.turn - begun, 0)
    return tuple(reversed(said[-count:])) if count else ()


def remarks_of(session: Session, message: str) -> tuple[Remark, ...]:
    """The person's messages of this case with their turns, oldest first, and this one."""
    before = said_before(session)
    first = session.turn - len(before)
    return tuple([Remark(turn, text) for turn, text in enumerate((*reversed(before), message), first)])
