"""Taking a paste apart costs steps by its length alone, whatever its lines pretend to begin."""

from __future__ import annotations

import sys

import pytest

from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.pasted_lines import split_lines
from lang.pastes.formats.tables.delimited import KnownColumns
from tests.support.cases import for_each

_KNOWN = KnownColumns.of([frozenset(["id", "pid", "state"])])
_PIECES = [
    "a", "1", "-", "--", "{", "[", "(", "a,b", "a|b", "a\tb", "pid|1", "pid|1\n", "id,state", 'id,"state',
    "a | b\n--", "a:", "-[ RECORD 1 ]", "*** 1. row ***", "+--+", "| a |", "top - ", "some avg1", "Dirty: 1",
    "Dirty: 1 2", "total:", "total: 1", "Filesystem 1 2 3 4 -", "procs", "Name:", "PID USER %CPU",
    "Device %util", "[firing", "ERROR: a", "select", "with", "show a", "2026-01-01 00:00:00 a",
    "postgres=# select", "mysql> select", "$ df", "QUERY PLAN", "Seq Scan (cost=1)", "(0 rows)", "```",
    "select (1", "-- a", "explain", "always madvise", "Node: a", "Mem: 1", "/proc/pressure",
]  # fmt: skip


@pytest.mark.slow
@for_each("piece", _PIECES)
def test_the_steps_grow_with_the_length(piece: str) -> None:
    """Twice the lines take at most about twice the steps, counted as calls."""
    short, long = (_count_calls(f"{piece}\n" * times) for times in (150, 300))
    assert long <= 2.3 * short + 1000


def _count_calls(message: str) -> int:
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1

    lines = split_lines(message)
    sys.setprofile(count)
    try:
        find_blocks(lines, _KNOWN)
    finally:
        sys.setprofile(None)
    return calls
