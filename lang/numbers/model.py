"""A value as read from a text: an amount in every dimension that it may be in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from lang.numbers.numerals import Range
from lang.vocabulary import Unit

TIMES = "times"
Readings = Mapping[str, Range]
BOUNDLESS = 1e300


class Role(StrEnum):
    """What a number is in its clause. Names, clock times and thresholds are no values.

    An AGO is a value of what is counted from a time on ("started 3 hours ago"), and of nothing else.
    """

    VALUE = "value"
    BASE = "base"
    WHOLE = "whole"
    THRESHOLD = "threshold"
    PERIOD = "period"
    AGO = "ago"


class Bound(NamedTuple):
    """The word that makes an amount the least (at_least) or the most (at_most), or what is reached (reach)."""

    side: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Value:
    """An amount at the tokens from `first` up to `last`.

    readings: for each dimension it may be in (Unit, or times) the least and the most, in the base unit.
    bare: no unit stands with it. whole: what it is a part of. before: what it was before, or usually is.
    grew: an amount by which something grew. number: the number as it was said, without its unit.
    period: the seconds of a rate that stood before the amount. bound: the word that opens it up or down.
    told: estimated or actual, where a word says so.
    """

    first: int
    last: int
    readings: Readings
    role: Role = Role.VALUE
    bare: bool = False
    whole: Readings | None = None
    before: Readings | None = None
    grew: bool = False
    number: float = 0.0
    period: float = 0.0
    told: str = ""
    bound: Bound | None = None

    @property
    def is_zero(self) -> bool:
        """True if the amount is nothing in every reading."""
        return all(high == 0 for _, high in self.readings.values())

    @property
    def covered(self) -> frozenset[int]:
        """The tokens of the amount and of its bound."""
        bound = range(self.bound.first, self.bound.last) if self.bound else ()
        return frozenset(range(self.first, self.last)).union(bound)

    def opened(self, side: str) -> Value:
        """This value as the least or the most."""
        at_least = side == "at_least"
        spans = {unit: (low, BOUNDLESS) if at_least else (0.0, high) for unit, (low, high) in self.readings.items()}
        return replace(self, readings=spans)

    def turned(self) -> Value:
        """What is left where the bound is denied: not over 90 is at most 90."""
        if self.bound is None or self.bound.side != "at_most":
            return replace(self, readings={unit: (0.0, low) for unit, (low, _) in self.readings.items()})
        return replace(self, readings={unit: (high, BOUNDLESS) for unit, (_, high) in self.readings.items()})


def rates(readings: Readings, period: float) -> dict[str, Range]:
    """The readings of an amount in so many seconds, as rates; those that are no amounts as they are."""
    units = {Unit.BYTES: Unit.BYTES_PER_SECOND, Unit.COUNT: Unit.PER_SECOND}
    made = {units[Unit(unit)]: scale(span, 1 / period) for unit, span in readings.items() if unit in units}
    return {str(unit): span for unit, span in made.items()} if made else dict(readings)


def scale(span: Range, factor: float) -> Range:
    """A range in another unit."""
    return span[0] * factor, span[1] * factor
