"""What one statement may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Of one statement: rows and bytes of its result, and seconds."""

    max_rows: int = 10_000
    max_bytes: int = 4 << 20
    seconds: float = 10.0
