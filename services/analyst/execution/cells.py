"""Values of DuckDB as JSON has them."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Sequence
from typing import Any

_LONGEST = 2_000


def within_limits(rows: Sequence[Sequence[Any]], max_rows: int, max_bytes: int) -> tuple[list[list[Any]], bool]:
    """The first rows that fit both limits, and whether there were more."""
    kept: list[list[Any]] = []
    size = 0
    for row in rows[:max_rows]:
        cells = [to_json(value) for value in row]
        size += sum(len(each) if isinstance(each, str) else 8 for each in cells)
        if size > max_bytes:
            return kept, True
        kept.append(cells)
    return kept, len(rows) > max_rows


def to_json(value: Any) -> Any:
    """Numbers, truth and NULL as they are; times as ISO 8601, intervals in seconds, anything else as text, cut."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case decimal.Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case dt.datetime():
            return value.isoformat(" ")
        case dt.date() | dt.time():
            return value.isoformat()
        case dt.timedelta():
            return value.total_seconds()
        case bytes():
            return f"{len(value)} bytes"
    return str(value)[:_LONGEST]
