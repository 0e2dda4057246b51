"""The reads of a check, and the scope in which an expression finds signals and the columns of their rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self


class Moment(float):
    """A point in time, in seconds since 1970: it is compared with other points in time, and with no number but 0.

    zoned: its zone is known; else it may be off by hours.
    """

    zoned: bool

    def __new__(cls, seconds: float, zoned: bool = False) -> Self:
        """The point in time that is so many seconds after 1970 began."""
        made = super().__new__(cls, seconds)
        made.zoned = zoned
        return made

    def __str__(self) -> str:
        return datetime.fromtimestamp(self, UTC).isoformat(" ", "seconds")


Value = float | bool | str | None
Row = Mapping[str, Value]
# The rows of one read, and whether the caps cut it off.
Rows = tuple[tuple[Row, ...], bool]


@dataclass(frozen=True, slots=True)
class Reads:
    """All reads of one check. key: the columns that identify a row across reads.

    now: the time, in seconds since 1970; latest: the latest time that stands in the rows; both 0 if unknown.
    """

    reads: tuple[tuple[Row, ...], ...]
    elapsed: float = 0.0
    key: tuple[str, ...] = ()
    truncated: bool = False
    now: float = 0.0
    latest: float = 0.0
    _by_name: tuple[Mapping[tuple[Value, ...], Row], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Among rows with the same key the first counts; without a key that is the first row.
        indexes = tuple({self._name(row): row for row in reversed(rows)} for rows in self.reads)
        object.__setattr__(self, "_by_name", indexes)

    @property
    def last(self) -> tuple[Row, ...]:
        """The rows of the newest read."""
        return self.reads[-1] if self.reads else ()

    def before(self, row: Row) -> Row | None:
        """The same row in the first read; None if it was not there or there is only one read."""
        return self._same(row, 0) if len(self.reads) >= 2 else None

    def steps(self, row: Row) -> tuple[Row | None, ...]:
        """The same row in each read, from the first to the last; None where it is missing."""
        return tuple(self._same(row, number) for number in range(len(self.reads)))

    def _same(self, row: Row, number: int) -> Row | None:
        return self._by_name[number].get(self._name(row))

    def _name(self, row: Row) -> tuple[Value, ...]:
        return tuple(row.get(column) for column in self.key)


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
