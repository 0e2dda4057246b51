"""A pasted table under the names that rules use, with what is reckoned from it: sums, and rises between readings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lang.expressions import Row
from lang.pastes.cells import read_lsn, show_value, type_cell, type_rows
from lang.pastes.formats.hidden_rows import split_hidden
from lang.pastes.model import Table
from services.planner.rows_shown.rules import usual_names

# What only grows, and so tells a rate between two readings; what names the row in both.
_COUNTERS = ("calls", "blks_hit", "blks_read", "blks_written", "xact_commit", "confl_snapshot", "confl_lock")
_KEYS = ("queryid", "name", "datname", "table_name", "indexname", "statement")
_READ_AT = "read_at"
# A value in a statement: a text, a number or a parameter; and a row that is cut or abridged.
_VALUE = re.compile(r"'(?:[^']|'')*'?|\$\d+|(?<![\w.])\d+(?:\.\d+)?")
_LEADING = re.compile(r"\(\s*\"?([^,()\s\"]+)")
_ENTRIES = ("entry", "size")
# What rows are counted by.
_STATES = ("command", "state")


@dataclass(frozen=True)
class ShownTable:
    """A table with one cell a usual column, as printed; reckoned: values beside them by row."""

    form: str
    rows: tuple[Mapping[str, str], ...]
    reckoned: tuple[Row, ...]

    @property
    def columns(self) -> frozenset[str]:
        """Every column that a row may have."""
        return frozenset(name for row in (*self.rows, *self.reckoned) for name in row)

    def typed(self, place: int, texts: frozenset[str], names: Sequence[str]) -> Row:
        """A row as values; of a column that it lacks there is none."""
        cells = self.rows[place]
        typed = type_rows(Table(tuple(cells), (tuple(cells.values()),)), texts)[0]
        return {**dict.fromkeys(names), **typed, **self.reckoned[place]}


def shown_tables(tables: Sequence[Table], seconds: float) -> Iterator[ShownTable]:
    """The tables of a message; of two readings only the second, with what rose. seconds: between them, 0 if unknown."""
    parts = (part for table in tables for part in _seen(table))
    plain = [found for part in parts if (found := _named(part)).rows]
    skipped: set[int] = set()
    for place, table in enumerate(plain):
        if place in skipped:
            continue
        later = next((at for at in range(place + 1, len(plain)) if _is_reading_of(plain[at], table)), None)
        if later is None:
            yield table
        else:
            skipped.add(later)
            yield _compared(table, plain[later], seconds)


def _seen(table: Table) -> tuple[Table, ...]:
    """The rows of a table, and those of which the server hides values as a table of their own form."""
    shown, hidden = split_hidden(table)
    return (shown, replace(hidden, form="hidden")) if hidden.rows else (table,)


def _named(table: Table) -> ShownTable:
    if table.form == "sizes":
        entries = [dict(zip(_ENTRIES, pair, strict=True)) for pair in zip(table.columns, table.rows[0], strict=True)]
        sizes = [_number(each["size"]) for each in entries]
        whole = max(sum(sizes), 1.0)
        shares: list[Row] = [{"size_share": 100 * size / whole} for size in sizes]
        return ShownTable("sizes", tuple(entries), tuple(shares))
    names = [usual_names().get(name.lower(), name.lower()) for name in table.columns]
    rows = tuple({name: cell.strip() for name, cell in zip(names, row, strict=False)} for row in table.rows)
    return ShownTable(table.form, rows, tuple(_reckoned(row, rows) for row in rows))


def _reckoned(row: Mapping[str, str], rows: Sequence[Mapping[str, str]]) -> Row:
    """Of one row: its statement without values, the column that an index begins with, its share of all calls."""
    found: dict[str, float | str] = {}
    if statement := row.get("statement"):
        found["alike"] = " ".join(_VALUE.sub("?", statement).lower().split())
    if (definition := row.get("indexdef")) and (leading := _LEADING.search(definition.partition(" USING ")[2])):
        found["leading"] = leading[1]
    calls = sum(_number(each.get("calls", "")) for each in rows)
    if len(rows) > 1 and calls > 0:
        found["calls_share"] = 100 * _number(row.get("calls", "")) / calls
    if (received := read_lsn(row.get("receive_lsn", ""))) and (replayed := read_lsn(row.get("replay_lsn", ""))):
        found["unreplayed_mb"] = (received - replayed) / 1024**2
    found["top"] = row is rows[0]
    if "sessions" in row:
        found["sessions_total"] = sum(_number(each.get("sessions", "")) for each in rows)
        for name in _STATES:
            same = [each for each in rows if name in row and each.get(name) == row[name]]
            found[f"{name}_total"] = sum(_number(each.get("sessions", "")) for each in same)
            found[f"{name}_longest"] = max((_number(each.get("longest_time", "")) for each in same), default=0.0)
    return found


def _number(cell: str) -> float:
    value = type_cell(cell)
    return float(value) if isinstance(value, float) else 0.0


def _is_reading_of(later: ShownTable, first: ShownTable) -> bool:
    same = later.rows[0].keys() == first.rows[0].keys()
    return same and any(name in first.rows[0] for name in _COUNTERS) and _key(first) != ""


def _key(table: ShownTable) -> str:
    return next((name for name in _KEYS if name in table.rows[0]), "")


def _compared(first: ShownTable, later: ShownTable, seconds: float) -> ShownTable:
    key = _key(first)
    before = {row[key]: row for row in first.rows}
    moments = [type_cell(table.rows[0].get(_READ_AT, "")) for table in (first, later)]
    if isinstance(moments[0], float) and isinstance(moments[1], float):
        seconds = float(moments[1]) - float(moments[0])
    rises = tuple(
        {**reckoned, **_rises(before[row[key]], row, seconds)} if row[key] in before else reckoned
        for row, reckoned in zip(later.rows, later.reckoned, strict=True)
    )
    # What the first reading has in full, the second one often abridges.
    rows = tuple({**row, **_in_full(before.get(row[key], row))} for row in later.rows)
    return ShownTable(later.form, rows, rises)


def _rises(before: Mapping[str, str], row: Mapping[str, str], seconds: float) -> dict[str, float]:
    found: dict[str, float] = {}
    for name in filter(row.__contains__, _COUNTERS):
        then, now = type_cell(before.get(name, "")), type_cell(row[name])
        if isinstance(then, float) and isinstance(now, float):
            found[f"{name}_rise"] = now - then
            if seconds > 0:
                found[f"{name}_rate"] = (now - then) / seconds
    return found


def _in_full(before: Mapping[str, str]) -> Mapping[str, str]:
    return {name: before[name] for name in ("statement",) if name in before}


def plain(value: object) -> str:
    """A reckoned value as text."""
    return show_value(value) if isinstance(value, float | bool) else str(value or "")
