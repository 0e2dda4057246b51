"""The one row of a check as a person copies it: `required 1 | connected 0`, each value behind its column's name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from lang.pastes.cells import read_lsn, type_cell
from lang.pastes.durations import read_duration
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.formats.tables.grids import table_of
from lang.pastes.model import Block, Column

_PAIR = re.compile(r"[\s|,;(]*([A-Za-z_]\w*)\s*(?:=|:|：|是|\bis\b)?\s*([^\s|,;:=]+(?::[^\s|,;]+)?)[\s|,;)]*")
_LEAD = re.compile(r".{1,40}?[:：]\s*")
_LEAST = 2


def read_told_row(lines: PastedLines, at: int, expected: Sequence[Sequence[Column]]) -> Block | None:
    """The row in the lines from `at` on, of nothing but columns of one of the expected outputs with their values."""
    for columns in expected:
        known = frozenset(column.name.lower() for column in columns)
        record = _record(lines.lines[at], known) or _behind_lead(lines.lines[at], known)
        last = at + 1
        while record and last < len(lines.lines) and (more := _record(lines.lines[last], known)):
            if not record.keys().isdisjoint(more):
                break
            record |= more
            last += 1
        if len(record) >= _LEAST:
            return Block("table", at, last, table_of([record]))
    return None


def _behind_lead(line: str, known: Collection[str]) -> dict[str, str]:
    """The pairs behind words that end in a colon: "ran it: required 1, connected 0"."""
    lead = _LEAD.match(line)
    return _record(line[lead.end() :], known) if lead else {}


def _record(line: str, known: Collection[str]) -> dict[str, str]:
    """The columns of a line with their values; empty for a line that has anything else."""
    found: dict[str, str] = {}
    place = 0
    while place < len(line.rstrip()):
        pair = _PAIR.match(line, place)
        name = pair[1].lower() if pair else ""
        if pair is None or name not in known or name in found or not _is_value(pair[2]):
            return {}
        found[name] = pair[2]
        place = pair.end()
    return found


def _is_value(cell: str) -> bool:
    """True for a number, a yes or no, a time or a place in the WAL: another word may be any of a sentence."""
    typed = isinstance(type_cell(cell), float | bool)
    return typed or read_duration(cell, None) is not None or read_lsn(cell) is not None
