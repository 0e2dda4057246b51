"""What a stretch of a question tells about time."""

from __future__ import annotations

from dataclasses import dataclass

from services.analyst.questions.periods import Period


@dataclass(frozen=True)
class TimeMark:
    """What normal[start:end] tells about time. kind: period, granularity, comparison, part, or running."""

    kind: str
    start: int
    end: int
    period: Period | None = None
    name: str = ""
    values: tuple[int, ...] = ()


def longest_marks(marks: list[TimeMark]) -> list[TimeMark]:
    """Of overlapping marks the longest, in order."""
    kept: list[TimeMark] = []
    for mark in sorted(marks, key=lambda one: (one.start - one.end, one.start)):
        if all(mark.end <= other.start or other.end <= mark.start for other in kept):
            kept.append(mark)
    return sorted(kept, key=lambda one: one.start)
