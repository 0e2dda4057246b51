"""Finds steps, comparisons, averages and parts of the day or week in a question; its patterns are data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

from services.analyst.questions.words.time_marks import TimeMark

_PHRASES = Path(__file__).parent / "time_phrases.yaml"


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Kind and name of what each pattern finds."""
    phrases = yaml.safe_load(_PHRASES.read_text("utf-8"))
    return tuple(
        (kind, str(name), re.compile("|".join(alternatives)))
        for kind, names in phrases.items()
        for name, alternatives in names.items()
    )


def find_phrases(normal: str) -> Iterator[TimeMark]:
    """All marks that are no periods, overlapping ones too."""
    for kind, name, pattern in _patterns():
        values = _numbers(kind, name)
        for found in pattern.finditer(normal):
            yield TimeMark(kind, found.start(), found.end(), name="" if values else name, values=values)


def _numbers(kind: str, name: str) -> tuple[int, ...]:
    """The days of the week "6,7", or the hours "18-5" from the first to the last, over midnight too."""
    if kind == "days":
        return tuple(int(day) for day in name.split(","))
    if kind != "hours":
        return ()
    first, last = (int(hour) for hour in name.split("-"))
    return tuple(hour % 24 for hour in range(first, last + 1 + (24 if last < first else 0)))
