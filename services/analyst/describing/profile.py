"""What the data of each column looks like: how full, how varied, between which bounds, with which values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import Runner
from services.analyst.semantic.dataset import write_column
from services.analyst.sources.inventory import Catalog, TableFacts, quote
from services.analyst.sources.source import Cell

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
FRACTIONS = ("FLOAT", "DOUBLE", "DECIMAL")
TIMES = ("DATE", "TIMESTAMP")
MOST_LISTED = 40
_COLUMNS_A_QUERY = 40
# Tables beyond this are counted by an estimate.
_EXACT_ROWS = 2_000_000
_LIMITS = Limits(max_rows=MOST_LISTED + 1, seconds=120.0)


@dataclass(frozen=True)
class ColumnProfile:
    """filled: rows with a value. distinct: different values. values: the commonest first, where there are few."""

    table: str
    name: str
    type: str
    rows: int
    filled: int
    distinct: int
    least: Cell
    most: Cell
    length: float
    values: tuple[Cell, ...] = ()

    @property
    def is_number(self) -> bool:
        """True for whole numbers and fractions."""
        return self.type.startswith((*NUMBERS, *FRACTIONS))

    @property
    def is_whole(self) -> bool:
        """True for whole numbers."""
        return self.type.startswith(NUMBERS)

    @property
    def is_text(self) -> bool:
        """True for texts."""
        return self.type.startswith(("VARCHAR", "ENUM", "UUID"))

    @property
    def is_time(self) -> bool:
        """True for dates and times."""
        return self.type.startswith(TIMES)

    @property
    def is_unique(self) -> bool:
        """True if no two rows have the same value, and all have one."""
        return self.rows > 0 and self.filled == self.rows == self.distinct

    @property
    def written(self) -> str:
        """`table.column` as a layer has it."""
        return write_column(self.table, self.name)


@dataclass(frozen=True)
class TableProfile:
    """A table with its columns in order."""

    facts: TableFacts
    columns: Mapping[str, ColumnProfile]

    @property
    def name(self) -> str:
        """The table's name."""
        return self.facts.name


async def profile_tables(runner: Runner, catalog: Catalog) -> dict[str, TableProfile]:
    """The profile of each table."""
    return {name: TableProfile(facts, await _profile(runner, facts)) for name, facts in catalog.tables.items()}


async def _profile(runner: Runner, facts: TableFacts) -> dict[str, ColumnProfile]:
    profiles: dict[str, ColumnProfile] = {}
    waiting = iter(facts.columns.items())
    while some := list(islice(waiting, _COLUMNS_A_QUERY)):
        counted = await runner.run_own(_query(facts, some), _LIMITS)
        cells = iter(counted.rows[0])
        for name, kind in some:
            filled, distinct, least, most, length = islice(cells, 5)
            profiles[name] = ColumnProfile(
                facts.name,
                name,
                kind,
                facts.row_count,
                int(filled or 0),
                int(distinct or 0),
                least,
                most,
                float(length or 0),
            )
    return {name: await _with_values(runner, one) for name, one in profiles.items()}


def _query(facts: TableFacts, columns: Sequence[tuple[str, str]]) -> str:
    parts = []
    for name, kind in columns:
        column = quote(name)
        plain = kind.startswith((*NUMBERS, *FRACTIONS, *TIMES, "VARCHAR", "BOOLEAN", "ENUM", "UUID"))
        count = f"count(DISTINCT {column})" if facts.row_count <= _EXACT_ROWS else f"approx_count_distinct({column})"
        parts += [f"count({column})", count if plain else "0"]
        parts += [f"min({column})", f"max({column})"] if plain else ["NULL", "NULL"]
        parts.append(f"avg(length({column}))" if kind.startswith("VARCHAR") else "0")
    return f"SELECT {', '.join(parts)} FROM {quote(facts.name)}"


async def _with_values(runner: Runner, column: ColumnProfile) -> ColumnProfile:
    if not 0 < column.distinct <= MOST_LISTED or column.is_time or column.type.startswith(FRACTIONS):
        return column
    found = await runner.run_own(
        f"SELECT {quote(column.name)} FROM {quote(column.table)} WHERE {quote(column.name)} IS NOT NULL"
        " GROUP BY 1 ORDER BY count(*) DESC, 1",
        _LIMITS,
    )
    return ColumnProfile(
        column.table, column.name, column.type, column.rows, column.filled, column.distinct, column.least, column.most,
        column.length, tuple(row[0] for row in found.rows),
    )  # fmt: skip
