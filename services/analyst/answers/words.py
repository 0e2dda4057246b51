"""The words of answers in both languages, and numbers as people write them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from services.analyst.sources.source import Cell

_TEXTS = Path(__file__).parent / "texts.yaml"
_JOINED = {"zh": "、", "en": ", "}


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = yaml.load(_TEXTS.read_text("utf-8"), yaml.CSafeLoader)
    return {str(key): value for key, value in table.items()}


class Words:
    """Texts in one language."""

    def __init__(self, language: str) -> None:
        self.language = "en" if language == "en" else "zh"

    def say(self, key: str, /, **values: object) -> str:
        """One text, filled in."""
        return _table()[key][self.language].format(**values)

    def join(self, parts: list[str]) -> str:
        """Parts in a row."""
        return _JOINED[self.language].join(parts)

    def cell(self, value: Cell) -> str:
        """A cell as a person reads it."""
        if value is None:
            return self.say("nothing")
        if isinstance(value, bool | str):
            return str(value)
        return number(value)


def number(value: float) -> str:
    """A number with separators; fractions to two places, small ones to four significant digits."""
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.4g}"


def percent(fraction: float) -> str:
    """A fraction as a percentage."""
    return f"{fraction * 100:,.1f}%"
