"""What a source declared about the tables that came out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.analyst.sources.inventory import ForeignKey, Note


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
