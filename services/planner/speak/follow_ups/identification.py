"""How one sees that a session, slot or table is the one: what is on record of it, what is not, and what shows it."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from lang.objects import PID, Role, Seen, bind
from services.planner.model import EvidenceView, HelpAnswer, ReliefStep, SolutionStep, TurnResults, Verdict
from services.planner.speak import checks
from services.planner.speak.follow_ups.source import row_of, stands_in, tells_blocker
from services.planner.speak.objects import none_behind, objects_known, shown_behind, waits_shown
from services.planner.speak.steps.render import render_step
from services.planner.speak.voice import Voice, brief
from services.planner.treatment.shown_actions import SESSION
from services.planner.treatment.wanted.wants import kinds_asked
from services.planner.understand.answers.rows_shown import ROWS

_MOST = 2
_NAMED = 4
_ROW = 100
_SLOT = "slot"
_KINDS = (PID, _SLOT, "table", "index", "app", "gid")
_WAITING = (Role.WAITS, Role.HEAD, Role.LAST)
_IDLE = "idle in transaction"
# Between the cells of a row, the cells of one that waits for a lock, and that of a transaction that is open.
_CELL, _LOCKS, _RUNS = " | ", ("| Lock |", "| LOCK WAIT |"), "| RUNNING |"
_MEASURED = re.compile(r"retain|\d\s?[kMGT]i?B\b")
_ENDS = re.compile(r"(?:SELECT pg_(?:cancel|terminate)_backend\(|KILL (?:QUERY )?)(\d+)\)?")


def tell_identity(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What is on record of the objects asked about, and the query that shows whether they are the ones."""
    known = objects_known(results)
    kind = _kind_asked(answer.text, known, voice)
    if kind == PID:
        return _tell_sessions(answer, known, results, voice)
    names = _names_asked(kind, answer.text, known, voice)
    if kind == _SLOT:
        return "\n".join([*(_of_slot(name, known, results, voice) for name in names), *_see_slots(names, voice)])
    told = [said for name in names if (said := _of_row(name, results, voice))]
    return "\n".join([*told, *_see_cause(answer, results, voice)])


def _kind_asked(asked: str, known: Sequence[Seen], voice: Voice) -> str:
    """The kind of object that a question is about: the one it names, else the one that steps act on; else a session."""
    if SESSION.search(asked.split("\n", 1)[0]):
        return PID
    named = next((each.kind for each in known if each.kind in _KINDS and stands_in(each.name, asked)), "")
    kinds = kinds_asked(asked)
    acted_on = [kind for kind in _KINDS if kind in voice.objects]
    return next((kind for kind in (named, *(each for each in _KINDS if each in kinds), *acted_on) if kind), PID)


def _names_asked(kind: str, asked: str, known: Sequence[Seen], voice: Voice) -> tuple[str, ...]:
    """The objects that a question names; where it names none, the one to act on, else those in the way."""
    of_kind = [each for each in known if each.kind == kind]
    named = [each.name for each in of_kind if stands_in(each.name, asked)]
    if kind == PID:
        named = list(dict.fromkeys(SESSION.findall(asked.split("\n", 1)[0])))
    chosen = [voice.objects[kind]] if kind in voice.objects else [each.name for each in of_kind if each.culprit]
    return tuple((named or chosen or ([] if kind == PID else [each.name for each in of_kind]))[:_MOST])


def _tell_sessions(answer: HelpAnswer, known: Sequence[Seen], results: TurnResults, voice: Voice) -> str:
    names = _names_asked(PID, answer.text, known, voice)
    if not names:
        return "\n".join([voice.say("object_blocker"), voice.shown("blockers")])
    if answer.action == ROWS:
        return _tell_rows(names[0], results, voice)
    several = len(names) > 1
    pasted = answer.text.partition("\n")[2] if not several else ""
    told = [_of_session(name, pasted, known, results, voice) for name in names]
    into = _commands(names, answer, voice) if several else []
    shown = any(shown_behind(name, results) for name in names)
    if several and shown:
        return "\n".join([*into, *told])
    read = voice.say("id_again" if shown else "id_read_several" if several else "id_read", name=names[0])
    return "\n".join([*into, *told, read, voice.shown("waits", pids=", ".join(names))])


def _tell_rows(name: str, results: TurnResults, voice: Voice) -> str:
    """What the rows of a query say of the session that it asked about."""
    behind = [each.waiter for each in waits_shown(results) if each.blocker == name]
    if not behind:
        return voice.say("id_nobody", name=name)
    waiters = voice.listed(f"`{each}`" for each in behind[:_NAMED])
    ahead = voice.listed(dict.fromkeys(f"`{each.blocker}`" for each in waits_shown(results) if each.waiter == name))
    if ahead:
        return voice.say("id_rows_queue", name=name, waiters=waiters, blockers=ahead)
    return voice.stop.join([voice.say("id_rows", name=name, waiters=waiters), voice.say("id_rows_next")])


def _commands(names: Sequence[str], answer: HelpAnswer, voice: Voice) -> list[str]:
    """Which of the sessions goes into which statement of the remedy, a line each, in the order of the remedy."""
    found = answer.conclusion or answer.leading
    if found is None:
        return []
    first: dict[str, str] = {}
    steps: tuple[ReliefStep | SolutionStep, ...] = (*found.relief, *found.solution)
    for step in steps:
        for ends in _ENDS.finditer(bind(step.how, voice.objects)):
            said = voice.say("id_goes_into", name=ends[1], how=ends[0], action=voice.name(step.action, step.how))
            first.setdefault(ends[1], said)
    if not first.keys() & set(names):
        return []
    left = [voice.say("id_goes_nowhere", name=name) for name in names if name not in first]
    return [*(said for name, said in first.items() if name in names), *left]


def _of_session(name: str, pasted: str, known: Sequence[Seen], results: TurnResults, voice: Voice) -> str:
    """What a row shows of a session: who waits for it, whom it waits for, or no more than its state.

    pasted: the row that the question is asked beside.
    """
    waits = waits_shown(results)
    for_whom = voice.listed(dict.fromkeys(f"`{each.blocker}`" for each in waits if each.waiter == name))
    if for_whom:
        queued = any(each.blocker == name for each in waits)
        return voice.say("id_waits_for_queue" if queued else "id_waits_for", name=name, blockers=for_whom)
    behind = list(dict.fromkeys(shown_behind(name, results)))
    if behind:
        waiters = voice.listed(f"`{each}`" for each in behind[:_NAMED])
        return voice.say("id_shown", name=name, waiters=waiters)
    if none_behind(name, results):
        return voice.say("id_nobody", name=name)
    row = row_of(name, results)
    if row is not None and tells_blocker(row.value, name):
        return voice.say("id_row_shows", name=name, row=_quoted(row, voice))
    seen = next((each for each in known if each.kind == PID and each.name == name), None)
    if seen is None and row is None:
        return voice.say("id_unknown", name=name)
    if seen is not None and seen.said and seen.role is Role.UNKNOWN and row is None:
        return voice.say("id_said" if seen.culprit else "id_named", name=name)
    return _of_state(name, seen, pasted or (row.words or row.value if row is not None else ""), voice)


def _of_state(name: str, seen: Seen | None, row: str, voice: Voice) -> str:
    """That no more than the state of a session is known, and how far that goes."""
    lead = voice.say("id_row", name=name, row=_in_quotes(row, voice)) if row else voice.say("id_pasted", name=name)
    role = seen.role if seen is not None else Role.UNKNOWN
    if role is Role.DDL or role in _WAITING:
        told = voice.say("id_ddl" if role is Role.DDL else "id_waiting")
        return voice.stop.join([lead, told])
    idle = role is Role.IDLE or _IDLE in row.lower()
    held = seen is not None and seen.culprit
    free = held and _CELL in row and not any(waits in row for waits in _LOCKS)
    shown = "id_idle" if idle else "id_open_transaction" if _RUNS in row else "id_free" if free else ""
    grounds = [voice.say(shown)] if shown else []
    return voice.stop.join([lead, *grounds, voice.say("id_likely" if held else "id_open")])


def _of_slot(name: str, known: Sequence[Seen], results: TurnResults, voice: Voice) -> str:
    row = row_of(name, results)
    seen = next((each for each in known if each.kind == _SLOT and each.name == name), None)
    if seen is not None and seen.role is Role.FINE:
        return voice.say("object_known_fine", name=name)
    parts = [_of_row(name, results, voice) or voice.say("id_named", name=name)]
    if row is not None and seen is not None and seen.culprit:
        parts.append(voice.say("id_slot_idle"))
    if row is None or not _MEASURED.search(f"{row.words} {row.value}"):
        parts.append(voice.say("id_slot_unmeasured"))
    return voice.stop.join(parts)


def _see_slots(names: Sequence[str], voice: Voice) -> list[str]:
    read = voice.say("id_read_slot", name=names[0]) if len(names) == 1 else voice.say("id_read_slots")
    return [read, voice.shown("slots")]


def _of_row(name: str, results: TurnResults, voice: Voice) -> str:
    row = row_of(name, results)
    return voice.say("id_row", name=name, row=_quoted(row, voice)) if row else ""


def _see_cause(answer: HelpAnswer, results: TurnResults, voice: Voice) -> list[str]:
    """The check that bears on the leading cause, else the step of its remedy that only looks."""
    open_case = results.diagnosis
    if answer.conclusion is None and open_case is not None and open_case.recommendations:
        return [voice.say("id_check"), checks.check(open_case.recommendations[0], voice)]
    found = answer.conclusion or answer.leading
    looks = [step for step in found.solution if step.risk == "none" and step.how.strip()] if found else []
    if looks:
        return [voice.say("id_check"), render_step(1, looks[0], voice, "step_alone")]
    seen = any(view.verdict is Verdict.CONFIRMED for view in results.seen)
    return [voice.say("id_no_check" if seen else "object_nobody")]


def _quoted(row: EvidenceView, voice: Voice) -> str:
    return _in_quotes(row.words or row.value, voice)


def _in_quotes(row: str, voice: Voice) -> str:
    return voice.say("quoted", words=brief(" ".join(row.split()), _ROW))
