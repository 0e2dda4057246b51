"""What a database holds: its tables with columns, row counts, and the keys that its source declared."""

from __future__ import annotations

from collections.abc import Mapping
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
