"""Lengths of time as clients print them: intervals of a server, `1h12m3s`, ISO 8601, numbers with a unit."""

from __future__ import annotations

import re
from functools import cache

from lang.cues import load_lexicon
from lang.pastes.cells import read_interval, read_number

_ISO = re.compile(r"P(?:\d+[DW])?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?")


def read_duration(text: str, factor: float | None) -> float | None:
    """The seconds that a cell prints. factor: seconds in one of a bare number; None where it cannot be told."""
    number = read_number(text)
    if number is not None:
        return None if factor is None else number * factor
    if len(text) > 2 and _ISO.fullmatch(text):
        return _sum_of(text[1:].replace("T", ""))
    interval = read_interval(text)
    return _sum_of(text) if interval is None else interval


def duration_in(text: str) -> str:
    """The last number with a unit of time in a text, as it stands there; empty without one."""
    found = [each for each in _pattern().finditer(text) if not text[: each.start()][-1:].isalnum()]
    return f"{found[-1][1]} {found[-1][2]}" if found else ""


def _sum_of(text: str) -> float | None:
    """The seconds of numbers with units in a row; None for anything else."""
    place, total = 0, 0.0
    while place < len(text):
        part = _pattern().match(text, place)
        if part is None:
            return None
        total += float(part[1]) * _seconds()[part[2].lower()]
        place = part.end()
    return total if text else None


@cache
def _seconds() -> dict[str, float]:
    """The seconds in each unit of time, by its words."""
    units = load_lexicon("numbers")["units"]["s"]
    return {str(word).lower(): float(factor) for factor, words in units.items() for word in words}


@cache
def _pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in sorted(_seconds(), key=len, reverse=True))
    return re.compile(rf"(\d+(?:\.\d+)?) ?({words})(?![a-zµ])[ ,]*", re.IGNORECASE)
