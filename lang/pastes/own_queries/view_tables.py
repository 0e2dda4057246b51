"""A table as rows of a view: its columns renamed and typed, where it is recognisably of that view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from lang.expressions import Moment, Row, Value
from lang.pastes.cells import read_duration, read_lsn, read_size, type_cell
from lang.pastes.model import Table
from lang.pastes.own_queries.views import WEIGHT, ColumnType, View, ViewColumn
from lang.pastes.select_list import list_items, name_item, split_statements

# What a heading may end with: the unit of bare numbers below it, as a factor to bytes or seconds.
_ENDINGS = {
    "duration": {
        **dict.fromkeys(("ms", "millis"), 1e-3),
        **dict.fromkeys(("s", "sec", "secs", "seconds"), 1.0),
        **dict.fromkeys(("min", "mins", "minutes"), 60.0),
        **dict.fromkeys(("h", "hours"), 3600.0),
    },
    "bytes": {"bytes": 1.0, "kb": 1024.0, "mb": 1024.0**2, "gb": 1024.0**3},
    "percent": {"pct": 1.0, "percent": 1.0},
}
# What a name may leave out before its unit: `xact_minutes` is `xact_age`, `replay_lag_mb` is `replay_lag_bytes`.
_KINDS_OF_NAME = ("", "_age", "_bytes", "_size", "_pct")
_AMOUNTS = ("number", "bytes", "duration", "percent")
_UNITS = {"ms": 1e-3, "s": 1.0}
_TRUTHS = {"yes": True, "on": True, "no": False, "off": False}
# Words of an expression whose value is a bare number of seconds, or of bytes.
_PLAIN = frozenset(("epoch", "pg_wal_lsn_diff", "pg_xlog_location_diff", "pg_relation_size", "pg_total_relation_size"))
# What servers call a column that an expression makes.
_UNNAMED = "?column?"
# Functions and forms whose value is another thing than their argument.
_COUNTS = frozenset(("count", "cardinality", "array_length", "length", "sum", "avg", "case", "filter"))


@dataclass(frozen=True)
class ViewIndex:
    """A view with its columns by everything that they are called."""

    view: View

    @cached_property
    def columns(self) -> Mapping[str, ViewColumn]:
        """The columns by name and alias, in lower case."""
        return {name.lower(): column for column in self.view.columns for name in (column.name, *column.aliases)}

    @property
    def measures(self) -> frozenset[str]:
        """The columns that hold an amount, and no name, truth or time."""
        return frozenset(column.name for column in self.view.columns if column.type in _AMOUNTS)

    def read(self, table: Table, query: str) -> tuple[Row, ...] | None:
        """The rows by the view's own names, each with its weight; None for another view's table.

        query: the text above the table, empty if there is none.
        """
        cells = self._cells(table, query) if self.is_of(table, query) else {}
        fixed = fixed_by(query, self.view) if cells else {}
        cells |= {name: (None, [value] * len(table.rows)) for name, value in fixed.items() if name not in cells}
        if not any(all(name in cells for name in one) for one in self.view.known_by):
            return None
        if not all(_allows(column, cells[column.name][1]) for column in self.view.columns if column.name in cells):
            return None
        typed = {
            column.name: [_value(column, cell, cells[column.name][0]) for cell in cells[column.name][1]]
            for column in self.view.columns
            if column.name in cells
        }
        rows = [{name: values[place] for name, values in typed.items()} for place in range(len(table.rows))]
        return tuple(self._weighted(rows, table.left_out))

    def latest(self, rows: Iterable[Row]) -> float:
        """The latest point in time in the rows, which is no later than when they were printed; 0 without any."""
        times = [column.name for column in self.view.columns if column.type == "time"]
        found = [value for row in rows for name in times if isinstance(value := row.get(name), float)]
        return max(found, default=0.0)

    def is_of(self, table: Table, query: str) -> bool:
        """True unless the table's form or the query above it is of another view."""
        words = query.lower()
        if table.form != self.view.form:
            return False
        return " from " not in f" {' '.join(words.split())} " or any(name in words for name in self.view.relations)

    def _cells(self, table: Table, query: str) -> dict[str, tuple[float | None, list[str]]]:
        """The cells of each known column, with the factor of bare numbers.

        What the query's expression makes goes before the usual name, and that before an alias. Two headings that may
        equally mean one column mean neither.
        """
        made = sources_of(query, table.columns, self.view)
        found: dict[str, list[tuple[int, int, float | None]]] = {}
        for place, heading in enumerate(table.columns):
            name = "_".join(heading.replace("%", "pct").strip().strip('"`').lower().split())
            if told := self._told(name, made.get(place)):
                column, factor = told
                rank = 0 if place in made else 1 if name == column.name else 2
                found.setdefault(column.name, []).append((rank, place, factor))
        cells: dict[str, tuple[float | None, list[str]]] = {}
        for name, claims in found.items():
            best = [claim for claim in claims if claim[0] == min(claims)[0]]
            if len(best) == 1:
                _, place, factor = best[0]
                cells[name] = factor, [row[place] if place < len(row) else "" for row in table.rows]
        return {self._by_values(name, cells): told for name, told in cells.items()}

    def _by_values(self, name: str, cells: Mapping[str, tuple[float | None, list[str]]]) -> str:
        """The column that cells are of where they are values of just one other: a `wait` of Lock is its type."""
        present = {cell.strip() for cell in cells[name][1]} - {""}
        fits = [each.name for each in self.view.columns if present and present.issubset(each.values)]
        known = next(each for each in self.view.columns if each.name == name)
        return fits[0] if len(fits) == 1 and not known.values and fits[0] not in cells else name

    def _told(self, name: str, made: Source | None) -> tuple[ViewColumn, float | None] | None:
        """The column behind a heading; the unit in the heading counts where the expression has none."""
        if made is None:
            return self._column(name)
        return made.column, _factor_in(name, made.column.type) if made.factor is None else made.factor

    def _column(self, name: str) -> tuple[ViewColumn, float | None] | None:
        if name in self.columns:
            column = self.columns[name]
            return column, _UNITS.get(column.unit or "", 1.0 if column.type == "bytes" else None)
        core = name.rpartition("_")[0]
        for ending in _KINDS_OF_NAME if core else ():
            fuller = self.columns.get(core + ending)
            factor = _factor_in(name, fuller.type) if fuller else None
            if fuller is not None and factor is not None:
                return fuller, factor
        return None

    def _weighted(self, rows: Sequence[dict[str, Value]], left_out: int) -> Iterable[Row]:
        """The rows with their weights; those that a paste leaves out are like the last one that it shows."""
        seen: set[tuple[Value, ...]] = set()
        for place, row in enumerate(rows, 1):
            key = tuple(row.get(name) for name in self.view.key)
            named = bool(key) and None not in key
            weight: Value = (0.0 if named and key in seen else 1.0) + (left_out if place == len(rows) else 0)
            if self.view.weight in row:
                weight = row[self.view.weight]
            seen.add(key)
            yield row | {WEIGHT: weight}


def _factor_in(name: str, kind: ColumnType) -> float | None:
    """The factor of the unit that a heading ends in; None if it ends in none of its kind."""
    return _ENDINGS.get(kind, {}).get(name.rpartition("_")[2])


def _allows(column: ViewColumn, cells: Iterable[str]) -> bool:
    """Whether the view can print these cells in a column."""
    present = [cell.strip() for cell in cells if type_cell(cell) is not None]
    if column.type == "bool":
        return all(isinstance(_truth(cell), bool) for cell in present)
    return not column.values or all(cell in column.values for cell in present)


def _value(column: ViewColumn, cell: str, factor: float | None) -> Value:
    plain = type_cell(cell)
    if plain is None:
        return None
    match column.type:
        case "text":
            return cell.strip()
        case "bool":
            return _truth(cell.strip())
        case "duration":
            return read_duration(cell.strip(), factor)
        case "bytes":
            return read_size(cell.strip(), factor)
        case "lsn":
            return read_lsn(cell.strip())
        case "number" | "percent":
            return plain if isinstance(plain, float) and not isinstance(plain, Moment) else None
        case "time":
            return plain if isinstance(plain, float) else None


def _truth(cell: str) -> Value:
    found = type_cell(cell)
    return found if isinstance(found, bool) else _TRUTHS.get(cell.lower())


class Source(NamedTuple):
    """The view's column behind a heading. factor: of bare numbers to seconds or bytes; None where it cannot be told."""

    column: ViewColumn
    factor: float | None


def sources_of(query: str, headings: Sequence[str], view: View) -> Mapping[int, Source]:
    """The view's columns that the expressions of a query make, by their place among the headings.

    query: the text above the table; its last statement with as many items as there are headings is meant.
    """
    for statement in reversed(split_statements(query)):
        items = [item for item in list_items(statement) if item]
        if len(items) == len(headings) and all(map(_agrees, items, headings)):
            found = {place: _source(item, view) for place, item in enumerate(items)}
            return {place: source for place, source in found.items() if source is not None}
    # A client may print an expression as its own heading.
    shown = {place: split_statements(heading) for place, heading in enumerate(headings) if "(" in heading}
    found = {place: _source(statements[0], view) for place, statements in shown.items() if statements}
    return {place: source for place, source in found.items() if source is not None}


def fixed_by(query: str, view: View) -> Mapping[str, str]:
    """The columns of which a query's condition leaves just one value, such as state by `state like 'idle in t%'`."""
    values = {column.name: column.values for column in view.columns if column.values}
    found: dict[str, str] = {}
    for statement in split_statements(query)[-1:]:
        words = _condition(statement)
        for name, sign, told in zip(words, words[1:], words[2:], strict=False):
            begins, whole = told.strip("'").rstrip("%"), sign == "="
            fits = [each for each in values.get(name, ()) if (each == begins if whole else each.startswith(begins))]
            if fits and (whole or (sign == "like" and told.endswith("%'"))) and not {"or", "not"} & {*words}:
                found[name] = fits[0] if whole or len(fits) == 1 else min(fits, key=len)
    return found


def _condition(statement: Sequence[str]) -> Sequence[str]:
    """What follows the first WHERE that is not only of a column: `count(*) FILTER (WHERE ...)` counts a part."""
    wheres = (place for place, word in enumerate(statement) if word == "where")
    first = next((place for place in wheres if statement[max(place - 2, 0)] != "filter"), len(statement))
    return statement[first:]


def _agrees(item: Sequence[str], heading: str) -> bool:
    shown = heading.strip().lower()
    return shown == _UNNAMED or name_item(item) in ("", shown)


def _source(item: Sequence[str], view: View) -> Source | None:
    words = frozenset(item)
    if renamed := _renamed(item):
        column = next((column for column in view.columns if renamed in (column.name, *column.aliases)), None)
        return Source(column, None) if column else None
    counts = words & _COUNTS
    fits = [
        (len(parts), column)
        for column in view.columns
        for made in column.made_of
        if words.issuperset(parts := made.split()) and counts.issubset(parts)
    ]
    if not fits:
        return None
    column = max(fits, key=lambda fit: fit[0])[1]
    is_ratio = column.type == "number" and ("/" in words or ("*" in words and "count" not in words))
    return None if is_ratio else Source(column, _factor(item))


def _renamed(item: Sequence[str]) -> str:
    """The column that an item only gives another name (`a.state AS s`); empty for any other item."""
    words = [word.strip('"') for word in item if word != "as"]
    if words[1:2] == ["."]:
        words = words[2:]
    return words[0] if len(words) == 2 and all(word.replace("_", "a").isalnum() for word in words) else ""


def _factor(item: Sequence[str]) -> float | None:
    """What one of the bare number that an expression gives stands for: seconds of an epoch, bytes, divided or not."""
    if "*" in item or _PLAIN.isdisjoint(item):
        return None
    factor = 1.0
    for sign, number in pairwise(item):
        if sign == "/":
            divisor = _number(number)
            if divisor is None:
                return None
            factor *= divisor
    return factor


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None
