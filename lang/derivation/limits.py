"""The limits that a phenomenon's texts state: "more than 90 %", "不到 5 个"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lang.cues import number_words
from lang.numbers.model import Value
from lang.numbers.values import read_values
from lang.tokens import Text, read_text
from lang.vocabulary import Unit

_UNITS: dict[Unit, tuple[str, float]] = {
    Unit.PERCENT: ("%", 1.0),
    Unit.BYTES: ("B", 1.0),
    Unit.SECONDS: ("s", 1.0),
    Unit.BYTES_PER_SECOND: ("MB/s", 1024.0**2),
    Unit.PER_SECOND: ("/s", 1.0),
    Unit.COUNT: ("", 1.0),
}
_BOUNDS = frozenset({"at_least", "at_most", "capacity", "threshold"})
# What the reader of values gives for "and more".
_BOUNDLESS = 1e200


@dataclass(frozen=True)
class Limit:
    """A limit in the base of its unit, with the direction that makes the phenomenon present."""

    unit: Unit
    sign: str
    amount: float

    @property
    def test(self) -> str:
        """The limit as a predicate states it."""
        word, scale = _UNITS[self.unit]
        number = f"{self.amount / scale:.6f}".rstrip("0").rstrip(".")
        return f"{self.sign} {number} {word}".strip()


def limit_of(texts: Iterable[str]) -> Limit | None:
    """The first limit that a text states, where it states one only."""
    for each in texts:
        text = read_text(each)
        found = {limit for value in read_values(text) if (limit := _limit(value)) is not None}
        if len(found) == 1:
            return found.pop()
    return None


def _limit(value: Value) -> Limit | None:
    for unit in _UNITS:
        low, high = value.readings.get(unit, (0.0, 0.0))
        if high >= _BOUNDLESS and low > 0:
            return Limit(unit, ">=", low)
        if low == 0 < high:
            return Limit(unit, "<=", high)
    return None


def without_limit(text: Text) -> tuple[int, int]:
    """The tokens before the first number and the words that bound it; those after it if none stand before."""
    limits = [value for value in read_values(text) if _limit(value) is not None]
    if not limits:
        return 0, len(text.tokens)
    value = limits[0]
    end = min([value.first, *(first for first, _ in bounding_words(text) if first <= value.first)])
    return (0, end) if end else (value.last, len(text.tokens))


def bounding_words(text: Text) -> list[tuple[int, int]]:
    """The tokens of words that bound a number: over, 超过, at most."""
    return [(found.first, found.last) for found in number_words().find(text) if found.payload.name in _BOUNDS]
