"""The one row of a check as a person copies it, `required 1 | connected 0`, each value behind its column's name; and
settings and counters by their names: rows that lost their heading, and `SELECT @@name`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lang import deferred_re as re
from lang.pastes.cells import read_duration, read_lsn, type_cell
from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.formats.tables.delimited import KnownColumns
from lang.pastes.formats.tables.grids import skip_footer, table_of
from lang.pastes.model import Block, Column, Table

_PAIR = re.compile(r"[\s|,;(]*([A-Za-z_]\w*)\s*(?:=|:|：|是|\bis\b)?\s*([^\s|,;:=]+(?::[^\s|,;]+)?)[\s|,;)]*")
_LEAD = re.compile(r".{1,40}?[:：]\s*")
_LEAST = 2
COLUMNS = ("Variable_name", "Value")
_LINE = re.compile(
    r"\s*\|?\s*(?:@@)?(?:global\.)?(?P<name>[A-Za-z]\w*)\s*(?:\||\t|:|：|=|->|=>|\s)\s*(?P<value>-?\d[\d.]*|ON|OFF)\s*\|?;?\s*",
    re.ASCII,
)
_SELECTED = "@@"


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
    found, end = leading_record(line, known)
    return found if end >= len(line.rstrip()) else {}


def leading_record(line: str, known: Collection[str]) -> tuple[dict[str, str], int]:
    """The columns that a line begins with, with their values, and where what follows them begins."""
    found: dict[str, str] = {}
    place = 0
    while (pair := _PAIR.match(line, place)) and (name := pair[1].lower()) in known and name not in found:
        if not _is_value(pair[2]):
            break
        found[name] = pair[2]
        place = pair.end()
    return found, place


def _is_value(cell: str) -> bool:
    """True for a number, a yes or no, a time or a place in the WAL: another word may be any of a sentence."""
    typed = isinstance(type_cell(cell), float | bool)
    return typed or read_duration(cell, None) is not None or read_lsn(cell) is not None


def read_server_values(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """The rows from line `at` on, the first of which has a name that checks ask for, with their footer."""
    first = _LINE.fullmatch(lines.lines[at])
    if first is None or first["name"].lower() not in known.variables:
        return None
    rows: list[tuple[str, str]] = []
    last = at
    while last < len(lines.lines) and not FOOTER.fullmatch(lines.lines[last]):
        found = _LINE.fullmatch(lines.lines[last])
        if found is None:
            break
        rows.append((found["name"], found["value"]))
        last += 1
    return Block("table", at, skip_footer(lines, last), Table(COLUMNS, tuple(rows)))


def as_named_values(table: Table) -> Table:
    """One row of `@@name` columns as a row for each name; any other table as it is."""
    names = [name.removeprefix(_SELECTED).removeprefix("global.") for name in table.columns]
    if len(table.rows) != 1 or not _are_variables(table.columns):
        return table
    return Table(COLUMNS, tuple(zip(names, table.rows[0], strict=False)))


def _are_variables(names: Sequence[str]) -> bool:
    return bool(names) and all(re.fullmatch(r"@@[\w.]+", name) for name in names)
