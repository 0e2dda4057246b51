"""What a look brought back: one or several reads of rows, and the seconds between the first and the last."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

Value = float | bool | str | None
Row = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Reads:
    """All reads of one look. key: the columns that name a row, so that it is found again in another read."""

    reads: tuple[tuple[Row, ...], ...]
    elapsed: float = 0.0
    key: tuple[str, ...] = ()
    truncated: bool = False

    @property
    def last(self) -> tuple[Row, ...]:
        """The rows of the newest read."""
        return self.reads[-1] if self.reads else ()

    def before(self, row: Row) -> Row | None:
        """The same row in the first read; None where it was not there or nothing was read twice."""
        if len(self.reads) < 2:
            return None
        first = self.reads[0]
        if not self.key:
            return first[0] if first else None
        name = tuple(row.get(column) for column in self.key)
        return next((other for other in first if tuple(other.get(column) for column in self.key) == name), None)


def plain(value: object) -> Value:
    """A database's value as a number, a truth or a text; intervals in seconds, moments in ISO form."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float | Decimal):
        return float(value)
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(bytes(value))} bytes>"
    if isinstance(value, Sequence):
        return ", ".join(str(plain(item)) for item in value)
    return str(value)
