"""Rows of Python values on their way into DuckDB (a CSV file tells NULL from an empty text); what was declared."""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from services.analyst.sources.column_types import make_typed_table
from services.analyst.sources.inventory import ForeignKey, Note, literal, usable_names

STAGING = "dbdiag_staging"
NULL = "\\N"


def insert_rows(
    database: duckdb.DuckDBPyConnection,
    table: str,
    header: Sequence[object],
    rows: Iterable[Sequence[Any]],
    declared: Mapping[str, str],
) -> list[Note]:
    """Makes a table. declared: DuckDB types by column name; of other columns the type is found in their values."""
    names = usable_names(header)
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8", newline="") as file:
        for row in rows:
            cells = [_text(cell) for cell in row[: len(names)]]
            file.write(",".join(map(_written, [*cells, *[None] * (len(names) - len(cells))])) + "\n")
        file.flush()
        return load_rows(database, Path(file.name), table, names, declared)


def _written(text: str | None) -> str:
    """Texts are quoted and NULL is not: a text that looks like it stays one."""
    return NULL if text is None else '"' + text.replace('"', '""') + '"'


def _text(cell: object) -> str | None:
    match cell:
        case None:
            return None
        case bytes():
            return cell.hex()
        case bool():
            return "true" if cell else "false"
        case float():
            return repr(cell) if cell == cell and abs(cell) != float("inf") else None
        case dt.datetime():
            return cell.isoformat(" ")
    return str(cell).replace("\0", "")


def load_rows(
    database: duckdb.DuckDBPyConnection, file: Path, table: str, header: list[str], declared: Mapping[str, str]
) -> list[Note]:
    """Makes a table of a CSV file without header, in which every text is quoted and NULL is not."""
    columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in header)
    database.execute(
        f"CREATE TABLE {STAGING} AS FROM read_csv({literal(str(file))}, header = false, delim = ',', quote = '\"',"
        f" escape = '\"', nullstr = {literal(NULL)}, allow_quoted_nulls = false, auto_detect = false,"
        f" columns = {{{columns}}}, max_line_size = 33554432)"
    )
    return make_typed_table(database, STAGING, table, declared)


@dataclass
class Loaded:
    """keys: table -> columns of its primary key. A foreign key with an empty column means the key of its table."""

    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    foreign_keys: list[ForeignKey] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def add(self, other: Loaded) -> None:
        """Takes in what another source declared."""
        self.keys |= other.keys
        self.foreign_keys += other.foreign_keys
        self.notes += other.notes


def from_plain(data: Mapping[str, Any]) -> Loaded:
    """The value of `dataclasses.asdict`, read from JSON."""
    return Loaded(
        {table: tuple(columns) for table, columns in data["keys"].items()},
        [ForeignKey(**each) for each in data["foreign_keys"]],
        [Note(**each) for each in data["notes"]],
    )
