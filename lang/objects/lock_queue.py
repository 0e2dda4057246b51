"""Who waits for whom, by the rows of an output, and what else stands out in them: the oldest, the busiest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from lang.objects.kinds_and_roles import Role
from lang.pastes.cells import read_number

Row = Mapping[str, str]
_NUMBERS = re.compile(r"\d+", re.ASCII)
# Parts of the names of columns that tell of the session in the way, not of the row's own.
_BLOCKER = ("blocked_by", "blocking", "blocker", "holder", "root_pid", "waits_for")
# Columns of the sessions in the way in the queries that answers show.
BLOCKED_BY = ("blocked_by", "waits_for", "pg_blocking_pids")
_OWN = ("pid", "blocked_pid", "waiting_pid", "waiter_pid", "waiting", "waiter", "ddl_pid")
# An object of this kind is a wait that a row shows, "20411>18733": the first waits for the second.
WAITS_FOR = "waits_for"
_FOR = ">"
_MOST_WAITS = 12
# What waits where a row has no number for it, told by its first words.
_WAITING_QUERY, _WORDS = "waiting_query", 3
_AGE = ("xact_age", "transaction_age", "age", "running", "duration", "xact_duration", "elapsed")
_SPAN = re.compile(r"(?:(?P<days>\d+) days?,? ?)?(?P<hours>\d{1,3}):(?P<minutes>\d\d):(?P<seconds>\d\d)", re.ASCII)
_COUNT = ("count", "connections", "sessions", "idle", "idle_over_1h", "conns", "n", "cnt", "num")
_IDLE = "idle"
_TOTALS = ("total_exec_time", "total_time", "total_ms", "total_s", "pct", "total")
_CALLS, _MEANS = ("calls",), ("mean_exec_time", "mean_time", "mean_ms", "avg_ms", "mean")
# An application stands out with so many times the connections of the next one, from this number on.
_TIMES, _LEAST = 3, 20
_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60


class Wait(NamedTuple):
    """A session that waits for another one, by a row that names the one in the way."""

    waiter: str
    blocker: str


class LockQueue(NamedTuple):
    """waiting: sessions that wait for a lock; blocking: those others wait for; told: whether the rows have that."""

    waiting: frozenset[str]
    blocking: frozenset[str]
    told: bool


def is_blockers(column: str) -> bool:
    """Whether a column tells of the session in the way."""
    return any(part in column for part in _BLOCKER)


def blockers_in(row: Row) -> Iterator[str]:
    """The sessions that a row's session waits for."""
    for column, cell in row.items():
        if is_blockers(column) and ("pid" in column or column in _BLOCKER or column.endswith("blocked_by")):
            yield from (number for number in _NUMBERS.findall(cell) if int(number) > 1)


def role_in_the_way(row: Row) -> Role:
    """The role of the sessions that a row names as in the way: a column may call them the root.

    Who holds the lock of a tuple waits itself: it is held while waiting for the transaction that changed the row.
    """
    if row.get("locktype", "").lower() == "tuple":
        return Role.HEAD
    return Role.ROOT if any("root" in column and is_blockers(column) for column in row) else Role.UNKNOWN


def session_of(row: Row) -> str:
    """The session that a row is about; empty if it names none."""
    return next((row[column] for column in _OWN if row.get(column, "").isdecimal()), "")


def lock_queue(rows: Sequence[Row]) -> LockQueue:
    """The queue that the rows of one output show."""
    waiting = {session_of(row) for row in rows if waits(row)}
    blocking = {blocker for row in rows for blocker in blockers_in(row)}
    return LockQueue(frozenset(waiting - {""}), frozenset(blocking), any(map(is_blockers, rows[0] if rows else ())))


def waits_told(rows: Sequence[Row], queue: LockQueue) -> list[str]:
    """Who waits for whom by the rows, as names of objects: who waits for a session that waits for nobody first."""
    told = [
        (own, blocker)
        for row in rows
        if (own := session_of(row) or _statement_waiting(row))
        for blocker in blockers_in(row)
    ]
    ordered = sorted(told, key=lambda each: each[1] in queue.waiting)
    return [wait_named(*each) for each in ordered if each[0] != each[1]][:_MOST_WAITS]


def wait_named(waiter: str, blocker: str) -> str:
    """The name of a wait as an object; without a waiter nobody waits for the session."""
    return _FOR.join((waiter, blocker))


def wait_of(name: str) -> Wait:
    """The wait that such a name stands for; its waiter is empty where nobody waits."""
    waiter, _, blocker = name.rpartition(_FOR)
    return Wait(waiter, blocker)


def _statement_waiting(row: Row) -> str:
    """How the statement begins that waits, in a row that names no session for it; empty where it shows none."""
    return " ".join(row.get(_WAITING_QUERY, "").split()[:_WORDS])


def waits(row: Row) -> bool:
    """Whether a row's session waits for a lock."""
    refused = row.get("granted", "").lower() in ("f", "false", "no")
    return refused or row.get("wait_event_type", "").lower() == "lock" or any(blockers_in(row))


def oldest_free(rows: Sequence[Row]) -> str:
    """The one session that waits for no lock and is older than all that do; empty where there is none or another."""
    waiting = [age for row in rows if waits(row) and (age := _age(row)) is not None]
    if not waiting:
        return ""
    free = [row for row in rows if not waits(row) and session_of(row) and (_age(row) or 0) > max(waiting)]
    return session_of(free[0]) if len(free) == 1 else ""


def busiest(rows: Sequence[Row], named: str, left_out: int = 0) -> str:
    """The application or user whose connections far outnumber those of the others; empty where none does.

    named: the column that names it. Rows without a count are one connection each, and those left out are like the last.
    """
    found: Counter[str] = Counter()
    for place, row in enumerate(rows, 1):
        counts = [int(row[name]) for name in _COUNT if row.get(name, "").isdecimal()]
        one = 1 + left_out * (place == len(rows)) if row.get("state") == _IDLE else 0
        if row.get(named):
            found[row[named]] += counts[0] if counts else one
    first, second = (*found.most_common(2), ("", 0), ("", 0))[:2]
    return first[0] if first[1] >= max(_LEAST, _TIMES * second[1]) else ""


def time_taken(row: Row) -> float:
    """How much time the calls of the statement in a row took, in any unit; 1 for a row that does not tell."""
    total, calls, mean = (_number(row, names) for names in (_TOTALS, _CALLS, _MEANS))
    if total is None and calls is not None and mean is not None:
        return calls * mean
    return 1.0 if total is None else total


def _number(row: Row, names: Sequence[str]) -> float | None:
    return next((number for name in names if (number := read_number(row.get(name, ""))) is not None), None)


def _age(row: Row) -> int | None:
    """How long a row's transaction or statement is open, in seconds."""
    found = next((span for name in _AGE if (span := _SPAN.search(row.get(name, "")))), None)
    if found is None:
        return None
    clock = int(found["hours"]) * _HOUR + int(found["minutes"]) * _MINUTE + int(found["seconds"])
    return int(found["days"] or 0) * _DAY + clock
