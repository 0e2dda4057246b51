"""A semantic layer beside the data it describes: types of columns, values of dimensions, paths between tables."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot.dialects.duckdb import DuckDB

from services.analyst.semantic.schema import Dimension, Join, Layer, Metric
from services.analyst.sources.inventory import quote

Cell = str | int | float | bool | None
_PLAIN = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r'(?P<table>"[^"]*"|[^"]*)\."(?P<column>(?:[^"]|"")*)"')
_NUMBERS = (
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL", "UTINYINT", "USMALLINT",
    "UINTEGER", "UBIGINT",
)  # fmt: skip


@dataclass(frozen=True)
class Edge:
    """A join from the table or alias `left` to `right`; the columns are bare."""

    left: str
    left_column: str
    right: str
    right_column: str
    table: str
    optional: bool


@dataclass(frozen=True)
class Dataset:
    """columns: table -> column -> DuckDB type. values: dimension -> its values, for those that have few."""

    layer: Layer
    columns: Mapping[str, Mapping[str, str]]
    values: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The joins that keep the rows of their left side as they are."""
        edges = []
        for join in self.layer.joins:
            forward = _edge(join)
            edges.append(forward)
            if join.type == "one_to_one" and not join.role:
                edges.append(
                    Edge(forward.right, forward.right_column, forward.left, forward.left_column, forward.left, True)
                )
        return tuple(edges)

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """The table behind each name that columns are written with."""
        return {table.name: table.name for table in self.layer.tables} | {edge.right: edge.table for edge in self.edges}

    def path(self, start: str, goal: str, via: str = "") -> tuple[Edge, ...] | None:
        """The shortest joins from one table to another without multiplying rows; None where there are none."""
        if start == goal:
            return ()
        waiting: deque[tuple[str, tuple[Edge, ...]]] = deque([(start, ())])
        seen = {start}
        while waiting:
            place, path = waiting.popleft()
            for edge in self.edges:
                if edge.left != place or (edge.right in seen and not via):
                    continue
                longer = (*path, edge)
                if edge.right == goal and (not via or via in {start, *(each.right for each in longer)}):
                    return longer
                if edge.right != goal and len(longer) < 8:
                    seen.add(edge.right)
                    waiting.append((edge.right, longer))
        return None

    def has_role(self, table: str, other: str) -> bool:
        """True if rows of a table point at those of another in a role, such as origin or destination."""
        return any(edge.table == other != edge.right and self.path(table, edge.left) is not None for edge in self.edges)

    def reaches(self, table: str, dimension_id: str) -> bool:
        """True if figures of a table can be split by a dimension."""
        dimension = self.layer.dimension(dimension_id)
        return self.path(table, split_column(dimension.column)[0], dimension.via) is not None

    def bridges(self, table: str, owner: str) -> list[str]:
        """The tables whose rows point at both: students are enrolled in courses."""
        names = [one.name for one in self.layer.tables if one.name not in (table, owner)]
        lengths = {
            one: len(first) + len(last)
            for one in names
            if (first := self.path(one, table)) and (last := self.path(one, owner))
        }
        return [one for one, length in lengths.items() if length == min(lengths.values())]

    def is_part(self, table: str, owner: str) -> bool:
        """True if rows of a table belong to one row of another, and so to its time: the checks of a session."""
        time = self.table_time(table)
        if isinstance(time, str) and split_column(time)[0] == owner:
            return True
        goals = {edge.right for edge in self.edges if edge.left == table}
        return goals == {owner} and any(edge.left == owner for edge in self.edges)

    def type_of(self, column: str) -> str:
        """The DuckDB type of `alias.column`; empty for a column that is not there."""
        alias, name = split_column(column)
        table = self.columns.get(self.aliases.get(alias, alias), {})
        return table.get(name, "") or next((kind for each, kind in table.items() if each.lower() == name.lower()), "")

    def is_time(self, dimension: Dimension) -> bool:
        """True for a dimension of dates or times."""
        return self.type_of(dimension.column).startswith(("DATE", "TIMESTAMP"))

    def is_number(self, dimension: Dimension) -> bool:
        """True for a dimension of numbers without named values."""
        return self.type_of(dimension.column).startswith(_NUMBERS) and not dimension.values

    def table_of(self, dimension: Dimension) -> str:
        """The table that a dimension is a column of."""
        alias = split_column(dimension.column)[0]
        return self.aliases.get(alias, alias)

    def is_key(self, dimension: Dimension) -> bool:
        """Whether a column names single rows of its table: it has a key beside it, or is the key itself."""
        table = self.layer.table(self.table_of(dimension))
        return bool(dimension.key) or split_column(dimension.column)[1] == table.key

    def rows_of(self, dimension: Dimension) -> str:
        """The table whose rows a dimension describes: of a column that is joined in a role, the one that joins it."""
        alias = split_column(dimension.column)[0]
        return next((edge.left for edge in self.edges if edge.right == alias != edge.table), self.table_of(dimension))

    def time_of(self, metric: Metric) -> object:
        """What gives the time of a metric's rows: `table.column`, or the parts of its table; None without any."""
        if metric.time:
            return metric.time if "." in metric.time else f"{metric.table}.{metric.time}"
        return self.table_time(metric.table)

    def table_time(self, name: str) -> object:
        """What gives the time of a table's rows."""
        time = next((table.time for table in self.layer.tables if table.name == name), None)
        if isinstance(time, str):
            return time if "." in time else f"{name}.{time}"
        return time

    def hour_of(self, time: str) -> str:
        """The column with the hour of rows whose time is `table.column`; empty where that itself tells it."""
        owner, column = split_column(time)
        for table in self.layer.tables:
            if table.name == owner and table.time in (column, time):
                return table.hour
        return ""


def _edge(join: Join) -> Edge:
    left, left_column = split_column(join.left)
    right, right_column = split_column(join.right)
    alias = f"{join.role}_{right}" if join.role else right
    return Edge(left, left_column, alias, right_column, right, join.optional)


def split_column(column: str) -> tuple[str, str]:
    """The table or alias, and the column, of `table.column`; either may be in double quotes."""
    quoted = _QUOTED.fullmatch(column)
    if quoted:
        return quoted["table"].strip('"'), quoted["column"].replace('""', '"')
    table, _, name = column.rpartition(".")
    return table.strip('"'), name.strip('"')


def write_column(table: str, column: str) -> str:
    """`table.column`, with quotes around each part that is no plain name."""
    return ".".join(part if _is_plain(part) else quote(part) for part in (table, column))


def _is_plain(name: str) -> bool:
    return _PLAIN.fullmatch(name) is not None and name.upper() not in DuckDB.Tokenizer.KEYWORDS
