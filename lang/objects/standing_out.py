"""What stands out in the rows of one output: the oldest session that waits for nobody, who has most connections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lang import deferred_re as re
from lang.objects.lock_queue import session_of, waits
from lang.pastes.cells import read_number

Row = Mapping[str, str]
_AGE = ("xact_age", "transaction_age", "age", "running", "duration", "xact_duration", "elapsed")
_SPAN = re.compile(r"(?:(?P<days>\d+) days?,? ?)?(?P<hours>\d{1,3}):(?P<minutes>\d\d):(?P<seconds>\d\d)", re.ASCII)
_COUNT = ("count", "connections", "sessions", "idle", "idle_over_1h", "conns", "n", "cnt", "num")
_IDLE = "idle"
_TOTALS = ("total_exec_time", "total_time", "total_ms", "total_s", "pct", "total")
_CALLS, _MEANS = ("calls",), ("mean_exec_time", "mean_time", "mean_ms", "avg_ms", "mean")
# An application stands out with so many times the connections of the next one, from this number on.
_TIMES, _LEAST = 3, 20
_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60


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
