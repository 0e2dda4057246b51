"""A record on one line, as programs log it: `pid=4471 state='idle in transaction' xact_age=0:52:10`."""

from __future__ import annotations

import re

from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.formats.tables.delimited import KnownColumns
from lang.pastes.formats.tables.grids import table_of
from lang.pastes.model import Block

_PAIR = re.compile(r"\s*[({,]*\s*['\"]?([A-Za-z_]\w*)['\"]?\s?[=:]\s?('[^']*'|\"[^\"]*\"|[^\s,;)}]+)[,;)}]*")
_LEAST = 3
_ASSIGNED = "='"


def read_assignments(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """The records in the lines from `at` on, each of nothing but pairs whose names make it a row of a view."""
    records: list[dict[str, str]] = []
    last = at
    while last < len(lines.lines) and (record := _record(lines.lines[last])):
        # Where no view is known, a line of nothing but assignments is taken for output.
        if len(record) < _LEAST or not (known.has_view_with(record) if known.views else _ASSIGNED in lines.lines[last]):
            break
        records.append(record)
        last += 1
    return Block("table", at, last, table_of(records)) if records else None


def _record(line: str) -> dict[str, str]:
    """The pairs of a line; empty for a line that has anything else."""
    found: dict[str, str] = {}
    place = 0
    while place < len(line.rstrip()):
        pair = _PAIR.match(line, place)
        if pair is None:
            return {}
        found[pair[1]] = pair[2].strip("'\"")
        place = pair.end()
    return found
