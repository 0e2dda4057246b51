"""What a database holds: its tables with columns, row counts and declared keys; and how its names are quoted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class TableFacts:
    """columns: name -> DuckDB type, in order. key: the columns of the declared primary key."""

    name: str
    columns: Mapping[str, str]
    row_count: int
    key: tuple[str, ...] = ()


@dataclass(frozen=True)
class ForeignKey:
    """A declared reference of one column."""

    table: str
    column: str
    to_table: str
    to_column: str


@dataclass(frozen=True)
class Note:
    """What was changed on the way in: a key of the messages and its details."""

    key: str
    details: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class Catalog:
    """All tables by name, in name order."""

    tables: Mapping[str, TableFacts]
    foreign_keys: tuple[ForeignKey, ...] = ()
    notes: tuple[Note, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "tables": [asdict(table) for table in self.tables.values()],
            "foreign_keys": [asdict(key) for key in self.foreign_keys],
            "notes": [asdict(note) for note in self.notes],
        }


def from_plain(data: Mapping[str, Any]) -> Catalog:
    """The catalog of `to_plain`."""
    tables = (TableFacts(**{**each, "key": tuple(each["key"])}) for each in data["tables"])
    return Catalog(
        {table.name: table for table in sorted(tables, key=lambda one: one.name)},
        tuple(ForeignKey(**each) for each in data["foreign_keys"]),
        tuple(Note(**each) for each in data["notes"]),
    )


def quote(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as a string of SQL."""
    return "'" + text.replace("'", "''") + "'"


def usable_names(header: Iterable[object]) -> list[str]:
    """Column names on one line: empty ones become `column_N`, of equal ones the later get a number."""
    seen: set[str] = set()
    names = []
    for at, cell in enumerate(header, 1):
        name = wanted = " ".join(str(cell if cell is not None else "").replace("\ufeff", "").split()) or f"column_{at}"
        count = 1
        while name.lower() in seen:
            count += 1
            name = f"{wanted}_{count}"
        seen.add(name.lower())
        names.append(name)
    return names
