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
        days = tuple(int(day) for day in name.split(",")) if kind == "days" else ()
        for found in pattern.finditer(normal):
            yield TimeMark(kind, found.start(), found.end(), name="" if days else name, values=days)
