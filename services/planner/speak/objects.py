"""The objects of the person's own system that evidence and messages name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lang.objects import PID, Role, Seen, blanks_in, candidates, object_of, objects_in
from lang.objects.kinds_and_roles import ROLE, merged
from lang.objects.lock_queue import WAITS_FOR, Wait, wait_of
from lang.objects.named_objects import objects_named
from lang.objects.settings_said import settings_named
from lang.objects.whose_session import WHOSE, Whose, whose_of
from services.planner.model import EvidenceView, TurnResults, Verdict
from services.planner.sizing.for_role import OPEN, role_of
from services.planner.speak.voice import Voice
from services.planner.treatment.bearing import BEARING, KEEP_QUERY, RELEASE, REPLACED, SPARED
from services.planner.treatment.shown_actions import SESSION

# Most names that fit one blank.
_CHOICE = 4
# Words in the names of what is on record, and what they bear on: a report that replay cancels is one to keep.
_BEARS = ((KEEP_QUERY, "cancelled by recovery conflict"), (RELEASE, "after a release"))
_BLANK_KINDS = frozenset(("slot", "table", "index", "gid", "seq", "subscription"))
# The name of a setting that was asked about.
SETTING = "setting"
_NAMED_KINDS = frozenset(("pid", "slot", "table", "index", "app", "standby", "gid", "database"))


def objects_seen(seen: Iterable[EvidenceView]) -> tuple[Seen, ...]:
    """What evidence that is not denied names, each once: those that hold others up first, then as they were seen."""
    open_ = (view for view in seen if view.verdict is not Verdict.DENIED and view.verdict is not Verdict.UNKNOWN)
    return _culprits_first(each for view in open_ for words in (view.value, view.words) for each in objects_in(words))


def objects_known(results: TurnResults) -> tuple[Seen, ...]:
    """What confirmed evidence and the messages of the case name; what evidence rests on counts as said."""
    confirmed = (view for view in results.seen if view.verdict is Verdict.CONFIRMED)
    evidence = (
        each._replace(said=True)
        for view in confirmed
        for words in (view.value, view.words)
        for each in objects_in(words)
    )
    told = (object_of(each.kind, each.name, each.role, each.said) for each in results.objects)
    return _as_replaced(_culprits_first((*evidence, *told)), results)


def _as_replaced(seen: tuple[Seen, ...], results: TurnResults) -> tuple[Seen, ...]:
    """The objects with the sessions that stand in place of others: each has the role of the one that it replaces."""
    for told in (each.name.split(" ", 1)[1] for each in results.objects if each.kind == REPLACED):
        old, new = told.split(">", 1)
        gone = [each for each in seen if each.kind == PID and old in (each.name, each.role) and each.name != new]
        if gone:
            rest = tuple(each for each in seen if each not in gone and (each.kind, each.name) != (PID, new))
            seen = (gone[0]._replace(name=new, said=True), *rest)
    return seen


def named_in_question(words: str) -> dict[str, str]:
    """What fills the blanks of an answer by what its question names: of each kind the one name, where there is one."""
    named: dict[str, set[str]] = {PID: set(SESSION.findall(words)), SETTING: set(settings_named(words))}
    for each in objects_named(words):
        if each.kind in _BLANK_KINDS:
            named.setdefault(each.kind, set()).add(each.name)
    named[ROLE] = {role_of(words)} - {"", OPEN}
    return {kind: names.pop() for kind, names in named.items() if len(names) == 1}


def waits_shown(results: TurnResults) -> tuple[Wait, ...]:
    """Who waits for whom, by rows of the case that name the session in the way."""
    return tuple(wait for wait in _waits(results) if wait.waiter)


def none_behind(name: str, results: TurnResults) -> bool:
    """Whether a query for those that wait for this session had no rows."""
    return any(wait.blocker == name and not wait.waiter for wait in _waits(results))


def _waits(results: TurnResults) -> tuple[Wait, ...]:
    return tuple(wait_of(each.name) for each in results.objects if each.kind == WAITS_FOR)


def shown_behind(name: str, results: TurnResults) -> tuple[str, ...]:
    """The sessions whose rows name this one as in the way, where no row shows that it waits itself."""
    waits = waits_shown(results)
    if any(each.waiter == name for each in waits):
        return ()
    return tuple(each.waiter for each in waits if each.blocker == name)


def _culprits_first(seen: Iterable[Seen]) -> tuple[Seen, ...]:
    found = tuple(seen)
    return tuple(sorted(merged(found), key=lambda each: not each.culprit)) if found else ()


def name_object(each: Seen, voice: Voice) -> str:
    """An object with its kind in words: session `4711`."""
    kind = voice.say(f"object_kind_{each.kind}") if each.kind in _NAMED_KINDS else each.kind
    return voice.say("object_named", kind=kind, name=each.name)


def say_choices(text: str, seen: Mapping[str, tuple[str, ...]], voice: Voice) -> str:
    """What the blanks that stay open in a step's text may be filled with; empty if nothing fits or all is filled."""
    said = [
        voice.say("remedy_choice", blank=_blank(kind, voice), names=voice.listed(names[:_CHOICE]))
        for kind in blanks_in(text)
        if len(names := seen.get(kind, ())) > 1
    ]
    return "".join(said)


def _blank(kind: str, voice: Voice) -> str:
    return voice.say(f"object_kind_{kind}") if kind in _NAMED_KINDS else kind


def choices(results: TurnResults) -> Mapping[str, tuple[str, ...]]:
    """The names that fit each kind of blank, and what bears on the treatment, as it was said or is on record."""
    found = candidates(_standing(results))
    confirmed = [view.name.en.lower() for view in results.seen if view.verdict is Verdict.CONFIRMED]
    shown = (what for what, words in _BEARS if any(words in name for name in confirmed))
    bearing = tuple(dict.fromkeys((*found.get(BEARING, ()), *shown)))
    spared = tuple(dict.fromkeys(_spared(results, found.get(PID, ()))))
    kept = {BEARING: bearing} if bearing else {}
    return {**found, **kept, SPARED: spared} if kept or spared else found


def _standing(results: TurnResults) -> tuple[Seen, ...]:
    """The objects without sessions in the way that were ended, where another one still is."""
    known = objects_known(results)
    ended = {name for each in results.treatments if each.action == "terminate" for name in each.objects}
    left = tuple(each for each in known if not (each.kind == PID and each.culprit and each.name in ended))
    return left if any(each.kind == PID and each.culprit for each in left) else known


def _spared(results: TurnResults, held: tuple[str, ...]) -> Iterator[str]:
    """The sessions that must not be ended: by number, as their row tells whose they are, else as those in the way."""
    told = [(each.role == Role.FINE, each.name.partition(" ")) for each in results.objects if each.kind == SPARED]
    lifted = max((int(turn) for fine, (turn, _, _) in told if fine), default=-1)
    rows = [each for each in _rows_of_sessions(results) if each.role]
    for words in (words for fine, (turn, _, words) in told if not fine and int(turn) > lifted):
        named = [row.session for row in rows if row.role.lower() in words]
        yield from [words] if words.isdecimal() else named or held


def is_idle(name: str, results: TurnResults) -> bool:
    """Whether a session was idle in a transaction when it was seen last: it has no statement to cancel."""
    rows = [each for each in _rows_of_sessions(results) if each.session == name]
    if rows:
        return rows[-1].idle
    return any(each.name == name and each.role is Role.IDLE for each in objects_known(results))


def only_reads(name: str, results: TurnResults) -> bool:
    """Whether a row shows that this session runs a statement that only reads."""
    return any(each.reads for each in _rows_of_sessions(results) if each.session == name)


def rows_changed(name: str, results: TurnResults) -> str:
    """How many rows the transaction of a session has changed by its latest row; empty where none told it."""
    told = [each.changed for each in _rows_of_sessions(results) if each.session == name and each.changed]
    return told[-1] if told else ""


def cost_known(name: str, results: TurnResults, voice: Voice) -> list[str]:
    """What is lost with a session, where its rows tell it."""
    if changed := rows_changed(name, results):
        return [voice.say("cost_unchanged") if changed == "0" else voice.say("cost_changed", rows=changed)]
    return [voice.say("cost_reads")] if only_reads(name, results) else []


def whose_told(name: str, results: TurnResults, voice: Voice) -> list[str]:
    """Whose session it is, where a row tells it."""
    roles = [each.role for each in _rows_of_sessions(results) if each.session == name and each.role]
    return [voice.say("object_whose", name=name, role=roles[-1])] if roles else []


def _rows_of_sessions(results: TurnResults) -> Iterable[Whose]:
    return (whose_of(each.name) for each in results.objects if each.kind == WHOSE)
