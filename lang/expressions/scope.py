"""Where an expression finds its names: signals, and the columns of the rows that were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lang.expressions.reads import Reads, Row, Value


@dataclass(frozen=True, slots=True)
class Scope:
    """Where names are looked up."""

    reads: Reads
    signals: Mapping[str, Value]
    row: Row | None

    @classmethod
    def of(cls, reads: Reads, signals: Mapping[str, Value]) -> Scope:
        """The scope of all reads: its row is the first of the last read."""
        return cls(reads, signals, reads.last[0] if reads.last else None)

    def at(self, row: Row | None) -> Scope:
        """The same for one row."""
        return Scope(self.reads, self.signals, row)

    def value(self, name: str) -> Value:
        """The value of a name; None for a column if there is no row."""
        if self.row is not None and name in self.row:
            return self.row[name]
        return self.signals.get(name)
