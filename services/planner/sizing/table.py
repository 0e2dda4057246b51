"""The table of settings: where each is set, what puts it into effect, and the rules for its value."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path

import yaml

from lang.expressions import Reads, Scope, parse
from lang.objects.settings_said import amount_of, as_written, unit_of
from lang.vocabulary import Unit
from services.planner.sizing.known import ON

_FILE = Path(__file__).with_name("settings.yaml")
_GIB, _MIB, _MINUTE, _HOUR = 2.0**30, 2.0**20, 60.0, 3600.0
# So many minutes a time is rounded up to.
_MINUTES = (1, 2, 5, 10, 15, 20, 30, 40, 50)
Numbers = Mapping[str, float]


class Fit(StrEnum):
    """Whether a value is right by what was told. LEAP: it keeps to its bound, and is too much at once."""

    FITS = "fits"
    MUCH = "much"
    LEAP = "leap"
    LITTLE = "little"
    OPEN = "open"


@dataclass(frozen=True)
class Setting:
    """A setting. most, least, take: expressions for the bounds of its value and for the one that fits.

    wants: names that have to be told for them; sum: base, count and part of a sum that stays below the whole;
    defaults: the value that it has from a version of the server on; in_steps: more than half of the most is a leap;
    rises: steps make it larger, never smaller; of: the only server that the bounds hold for.
    """

    where: str = ""
    takes: str = "open"
    most: str = ""
    least: str = ""
    take: str = ""
    wants: str = ""
    sum: tuple[str, ...] = ()
    whole: str = ""
    in_steps: bool = False
    rises: bool = False
    of: str = ""
    defaults: Mapping[int, str] = field(default_factory=dict)

    @property
    def is_sized(self) -> bool:
        """Whether there is a rule for its value."""
        return bool(self.most or self.least)


@cache
def settings_known() -> Mapping[str, Setting]:
    """All settings of the table by their names."""
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return {name: Setting(**{**each, "sum": tuple(each.get("sum", ()))}) for name, each in content.items()}


def setting_named(name: str) -> Setting:
    """A setting of the table; one without facts where it has none of that name."""
    return settings_known().get(name, Setting())


def bounds_hold(rule: Setting, numbers: Numbers) -> bool:
    """Whether the bounds of a setting are of the server that was told; of one that nobody named they are."""
    servers = [name for name in numbers if name.startswith(ON)]
    return not rule.of or not servers or f"{ON}{rule.of}" in servers


def reckon(expression: str, numbers: Numbers) -> float | None:
    """The value of an expression of the table; None where what it takes was not told."""
    if not expression:
        return None
    found = parse(expression).value(Scope(Reads(()), dict(numbers), None))
    return float(found) if isinstance(found, int | float) else None


def lacking(name: str, numbers: Numbers) -> tuple[str, ...]:
    """What has to be told before the value of a setting can be reckoned."""
    rule = setting_named(name)
    if reckon(rule.most or rule.least, numbers) is not None or not bounds_hold(rule, numbers):
        return ()
    names = parse(rule.wants or rule.most or rule.least).names if rule.is_sized else ()
    return tuple(each for each in names if each not in numbers)[: 1 if rule.wants else None]


def fit(name: str, value: str, numbers: Numbers) -> Fit:
    """Whether a value of a setting stays within its bounds, as far as these can be reckoned."""
    rule, amount = setting_named(name), amount_of(value)
    most, least = reckon(rule.most, numbers), reckon(rule.least, numbers)
    if amount is None or (most is None and least is None) or not bounds_hold(rule, numbers):
        return Fit.OPEN
    if most is not None and amount > most:
        return Fit.MUCH
    if most is not None and rule.in_steps and amount > most / 2:
        return Fit.LEAP
    return Fit.LITTLE if least is not None and amount < least else Fit.FITS


def worked_out(name: str, numbers: Numbers) -> str:
    """The value that fits what was told, rounded to what a person would set; empty where too little was told."""
    rule = setting_named(name)
    amount = reckon(rule.take or rule.most or rule.least, numbers) if bounds_hold(rule, numbers) else None
    return _rounded(amount, unit_of(name)) if amount else ""


def _rounded(amount: float, unit: str) -> str:
    """A time is rounded up, and all else down."""
    if unit == Unit.SECONDS:
        minutes = amount / _MINUTE
        whole = next((each for each in _MINUTES if each >= minutes), math.ceil(amount / _HOUR) * 60)
        return as_written(whole * _MINUTE, unit)
    if unit != Unit.BYTES:
        return str(math.floor(amount))
    if amount >= _GIB:
        return as_written(math.floor(amount / _GIB) * _GIB, "B")
    return as_written(2.0 ** math.floor(math.log2(max(amount / _MIB, 1.0))) * _MIB, "B")


def default_of(name: str, version: int) -> str:
    """The value that a setting has by itself in a version of the server; empty where that is not known."""
    since = [each for each in setting_named(name).defaults if each <= version]
    return setting_named(name).defaults[max(since)] if since else ""
