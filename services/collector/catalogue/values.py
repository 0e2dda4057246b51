"""Database values as the catalogue's expressions compare them."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal

from lang.expressions import Value


def plain(value: object) -> Value:
    """A database value as a number, a boolean or a text; intervals in seconds, timestamps in ISO form."""
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
