"""What ending a session does for the others: whether it holds them up, heads their queue, or only waits itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from lang import deferred_re as re
from lang.cues import cue_terms
from lang.objects import PID, Role, Seen
from lang.objects.kinds_and_roles import SERVERS
from services.planner.model import TurnResults
from services.planner.speak.case.action_facts import asks_leave
from services.planner.speak.follow_ups.source import is_shown_in_the_way
from services.planner.speak.objects import (
    cost_known,
    is_idle,
    name_object,
    none_behind,
    objects_known,
    only_reads,
    rows_changed,
)
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import mentions_in, names_ddl, read_actions
from services.planner.treatment.bearing import BEARING, OWNER_KNOWN
from services.planner.treatment.going_on import asks_order, weighs_ends
from services.planner.treatment.shown_actions import SESSION

_ENDING = ("terminate", "cancel")
_MOST = 2
# Where a rollback takes back each row, and from how many on that takes long; PostgreSQL only marks them.
_UNDOES, _MUCH = "mysql", 100_000
_THREAD = re.compile(
    r"(?<!\d)(\d{1,3})\s*号|\b(?:thread|session|pid|id)\s*#?(\d{1,3})\b|(?:线程|会话|进程)\s*(\d{1,3})(?!\d)"
)
_WAITING = (Role.WAITS, Role.HEAD, Role.LAST)


class Place(NamedTuple):
    """What is known of the sessions asked about. settles: it is the whole ruling, and no yes goes before it.

    holds: all of them hold the others up.
    """

    told: list[str]
    settles: bool = False
    holds: bool = False


def tell_place(action: str, asked: str, results: TurnResults, voice: Voice) -> Place:
    """What ending the sessions asked about does for the others: by number, as the DDL, or as the only culprit."""
    if action not in _ENDING:
        return Place([])
    sessions = [each for each in objects_known(results) if each.kind == PID]
    words = _ended_by(asked)
    numbers = tuple(dict.fromkeys((*SESSION.findall(words), *_threads_in(words, sessions))))[:_MOST]
    named = [_named(number, sessions) for number in numbers]
    if not numbers and names_ddl(words):
        named = [each for each in sessions if each.role is Role.DDL][:1]
        if not named:
            return Place([voice.say("leave_ddl_open")])
    elif not numbers:
        held = [each for each in sessions if each.culprit and not is_ended(each, results)]
        named = held if len(held) == 1 else []
    standing = bool(named) and all(each.culprit and not is_ended(each, results) for each in named)
    if standing and any(each.role is Role.DDL and is_ended(each, results) for each in sessions):
        return Place([voice.say("leave_still_holds", name=each.name) for each in named], True, True)
    told = [said for each in named if (said := _of_session(each, sessions, results, voice))]
    if told and all(_is_another(each, sessions) for each in named):
        roots = voice.listed(name_object(each, voice) for each in sessions if each.role is Role.ROOT)
        return Place([*told, voice.say("object_held", names=roots)], True)
    holds = bool(told) and all(each.culprit for each in named)
    return Place(told, bool(named) and all(map(_settles, named)), holds)


def tell_cost(action: str, asked: str, known: Sequence[Seen], voice: Voice) -> str:
    """What is lost by ending a session; empty for other actions, and for one in the way: more is told of that."""
    numbers = SESSION.findall(_ended_by(asked))
    if action not in _ENDING or any(each.culprit and each.name in numbers for each in known):
        return ""
    ddl = next((each.name for each in known if each.role is Role.DDL and each.name in numbers), "")
    return voice.say("cost_ddl", name=ddl) if ddl else voice.say(f"cost_{action}")


def tell_supposed(action: str, asked: str, results: TurnResults, voice: Voice) -> str:
    """What becomes of a DDL if it is cancelled, and of what it waits for; empty where neither is asked."""
    supposes = any(each.payload == "supposition" for each in cue_terms().find(read_actions(asked)))
    if action not in _ENDING or not supposes or asks_leave(asked):
        return ""
    known = [each for each in objects_known(results) if each.kind == PID]
    ddl = next((each.name for each in sessions_asked(action, asked, known) if each.role is Role.DDL), "")
    if not ddl and names_ddl(asked) and not SESSION.search(asked):
        ddl = next((each.name for each in known if each.role is Role.DDL), "")
    stays = voice.listed(each.name for each in known if each.culprit and each.name != ddl)
    lines = [voice.say("supposed_ddl", name=ddl), *([voice.say("supposed_stays", names=stays)] if stays else [])]
    return "\n".join(lines) if ddl else ""


def with_named(action: str, asked: str, known: Sequence[Seen], voice: Voice) -> Voice:
    """The voice with the one session that is asked about in the blank of a step; one that waits is none to end."""
    numbers = {*SESSION.findall(_ended_by(asked.split("\n", 1)[0]))} if action in _ENDING else set()
    named = [_named(number, [each for each in known if each.kind == PID]) for number in numbers]
    if len(named) != 1 or named[0].role in (Role.DDL, *_WAITING, *SERVERS):
        return voice
    return replace(voice, objects={**voice.objects, PID: named[0].name})


def sessions_asked(action: str, asked: str, known: Sequence[Seen]) -> list[Seen]:
    """The sessions whose end is asked about by number, with what is known of them."""
    numbers = SESSION.findall(_ended_by(asked)) if action in _ENDING else ()
    return [_named(number, [each for each in known if each.kind == PID]) for number in dict.fromkeys(numbers)]


def _ended_by(asked: str) -> str:
    """The words after the verb that ends something, where they name what: "what is 4410, and can I kill the ALTER"."""
    text = read_actions(asked)
    ends = [each for each in mentions_in(text) if each.action in _ENDING]
    after = asked[text.span(ends[-1].first, ends[-1].last)[1] :] if ends else ""
    return after if SESSION.search(after) or names_ddl(after) else asked


def _threads_in(words: str, sessions: Sequence[Seen]) -> list[str]:
    """The sessions with a short number that words call a thread or session: "6 号线程", "thread 6"."""
    called = {number for found in _THREAD.findall(words) for number in found if number}
    return [each.name for each in sessions if each.name in called]


def _named(number: str, sessions: Sequence[Seen]) -> Seen:
    return next((each for each in sessions if each.name == number), Seen(PID, number))


def _is_another(each: Seen, sessions: Sequence[Seen]) -> bool:
    """Whether nothing is known of a session, and another is what the queue waits for."""
    return each not in sessions and any(other.role is Role.ROOT for other in sessions)


def _settles(each: Seen) -> bool:
    return not each.culprit and each.role in (*_WAITING, Role.APPLIER)


def _of_session(each: Seen, sessions: Sequence[Seen], results: TurnResults, voice: Voice) -> str:
    if none_behind(each.name, results):
        return voice.say("id_nobody", name=each.name)
    if each.culprit:
        shown = is_shown_in_the_way(each.name, results)
        told = voice.say("leave_holds" if shown else "leave_holds_likely", name=each.name)
        return voice.stop.join([told, *cost_known(each.name, results, voice)])
    roots = [other.name for other in sessions if other.culprit]
    heads = [other.name for other in sessions if other.role in (Role.DDL, Role.HEAD)]
    held = voice.say("leave_bracket", names=voice.listed(roots)) if roots else ""
    match each.role:
        case Role.DDL:
            return voice.say("leave_ddl", name=each.name)
        case Role.BACKUP | Role.AUTOVACUUM | Role.SENDER | Role.APPLIER:
            return voice.say(f"leave_{each.role}", name=each.name)
        case Role.HEAD:
            return voice.say("leave_head", name=each.name, held=held)
        case Role.LAST:
            first = voice.say("leave_bracket", names=voice.listed(heads or roots)) if heads or roots else ""
            return voice.say("leave_last", name=each.name, held=first)
        case Role.WAITS:
            return voice.say("leave_waits", name=each.name)
    queued = any(other.culprit or other.role in (Role.DDL, *_WAITING) for other in sessions)
    return voice.say("leave_session_open", name=each.name) if queued else ""


def rule_on_known(action: str, asked: str, results: TurnResults, voice: Voice) -> str:
    """The ruling on ending sessions that are seen to hold others up; empty where something has to hold first."""
    named = [each.name for each in sessions_asked(action, asked, objects_known(results))]
    if named and all(rows_changed(name, results) == "0" for name in named):
        return voice.say("leave_yes")
    if action == "terminate" and _undoes_much(named or [voice.objects.get(PID, "")], results, voice):
        return voice.say("leave_rollback_first")
    if action != "terminate" or OWNER_KNOWN not in voice.choices.get(BEARING, ()):
        return ""
    reads = bool(named) and all(only_reads(name, results) for name in named)
    return voice.say("leave_reads_known" if reads else "leave_terminate_known")


def _undoes_much(named: Sequence[str], results: TurnResults, voice: Voice) -> bool:
    """Whether ending one of these sessions undoes so many rows, one by one, that it takes long."""
    told = (rows_changed(name, results).replace(",", "") for name in named)
    return voice.engine == _UNDOES and any(each.isdecimal() and int(each) >= _MUCH for each in told)


def tell_order(asked: str, results: TurnResults, voice: Voice) -> str:
    """What to end first of a DDL and the session that it waits for, and what the other one costs; else empty."""
    if not asks_order(asked):
        return ""
    numbers = {*SESSION.findall(asked)}
    known = [each for each in objects_known(results) if each.kind == PID]
    named = [each for each in known if each.name in numbers] if numbers else known
    ddl = next((each for each in (known if names_ddl(asked) else named) if each.role is Role.DDL), None)
    root = next((each for each in named if each.culprit or each.role is Role.AUTOVACUUM), None)
    if root is not None and ddl is None and weighs_ends(asked):
        return voice.say("either_idle" if is_idle(root.name, results) else "either_runs", name=root.name)
    if ddl is None or root is None:
        return ""
    first = "order_done" if is_ended(ddl, results) else "order_ddl"
    return "\n".join([voice.say(first, name=ddl.name), _of_root(root, results, voice)])


def is_ended(each: Seen, results: TurnResults) -> bool:
    """Whether somebody ended this session."""
    return any(done.action in _ENDING and each.name in done.objects for done in results.treatments)


def _of_root(root: Seen, results: TurnResults, voice: Voice) -> str:
    """Whether to end the session in the way as well, and what that costs."""
    if root.role is Role.AUTOVACUUM:
        return voice.say("order_autovacuum", name=root.name)
    cost = voice.say("cost_reads" if only_reads(root.name, results) else "cost_terminate")
    own = "order_idle" if is_idle(root.name, results) else "order_root"
    return voice.stop.join([voice.say(own, name=root.name), cost])
