"""The amount that a statement gives a quantity, in the unit that a limit compares."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from lang.numbers.model import TIMES, Value
from lang.numbers.numerals import Range
from lang.statements import Statement
from lang.vocabulary import Limit, Quantity, Unit

Amounts = Mapping[str, float]
_LEAST = 1e-12


class Missing(StrEnum):
    """What a number lacks before it can be compared: its unit, or what it is a part or a multiple of."""

    UNIT = "unit"
    BASE = "base"


def amount_of(statement: Statement, subject: Quantity, limit: Limit, amounts: Amounts) -> Range | Missing | None:
    """The least and the most that a statement gives, in the base of the limit's unit.

    amounts: other quantities in their base units. None where the value is in another dimension.
    """
    value = statement.value
    if limit.usual and statement.trend == "flat":
        return 1.0, 1.0
    if value is None:
        plain = not limit.usual and limit.whole is None and statement.amount is not None
        return (statement.amount, statement.amount) if plain and statement.amount is not None else None
    if limit.usual:
        return _multiple(value)
    if limit.whole is not None:
        return _ratio(value, subject, amounts.get(limit.whole), limit)
    if limit.unit is Unit.PERCENT:
        # "The disk grew by 20 %" leaves open how full it is.
        return Missing.UNIT if value.grew else _percent(statement, value, subject, amounts)
    if limit.unit in value.readings:
        return value.readings[limit.unit]
    return _in_other_unit(value, subject, limit)


def _multiple(value: Value) -> Range | Missing | None:
    if TIMES in value.readings:
        return value.readings[TIMES]
    for unit, (low, high) in (value.before or {}).items():
        if unit in value.readings and low > 0 and high > 0:
            return value.readings[unit][0] / high, value.readings[unit][1] / low
    return Missing.BASE if value.before is None else None


def _ratio(value: Value, subject: Quantity, whole: float | None, limit: Limit) -> Range | Missing | None:
    count = value.readings.get(Unit.COUNT) or value.readings.get(subject.unit)
    if count is None:
        return None
    if value.bare and subject.unit is Unit.BYTES:
        return Missing.UNIT  # "max_wal_size is 16 GB, and it is at 410" is not of so many bytes.
    if whole:
        return count[0] / whole, count[1] / whole
    # Beyond the limit of the most that the whole ever is, it is beyond that of any whole.
    most = subject.whole_most
    if most is None or limit.sign not in (">", ">=") or not limit.holds(count[0] / most):
        return Missing.BASE
    return count[0] / most, count[1] / most


def _percent(statement: Statement, value: Value, subject: Quantity, amounts: Amounts) -> Range | Missing | None:
    share = _share(statement, value, subject, amounts)
    if share is None or isinstance(share, Missing) or not statement.rest:
        return share
    return max(100 - share[1], 0), 100 - share[0]


def _share(statement: Statement, value: Value, subject: Quantity, amounts: Amounts) -> Range | Missing | None:
    if Unit.PERCENT in value.readings:
        return value.readings[Unit.PERCENT]
    whole = value.whole or (statement.whole.readings if statement.whole else None)
    if whole is not None:
        return _part(value, whole)
    if subject.whole is None:
        return _bare_percent(value)
    if subject.whole in amounts:
        unit = next((unit for unit in (Unit.COUNT, Unit.BYTES) if unit in value.readings), None)
        return _part(value, {unit: (amounts[subject.whole],) * 2}) if unit else None
    return Missing.BASE


def _bare_percent(value: Value) -> Range | None:
    """97 of a percentage is 97 %; 0.97 may be that too, or under one percent."""
    if not value.bare or value.readings[Unit.COUNT][1] > 100:
        return None
    low, high = value.readings[Unit.COUNT]
    return (low, 100 * high) if high < 1 else (low, high)


def _part(value: Value, whole: Mapping[str, Range]) -> Range | None:
    for unit, (low, high) in whole.items():
        if unit in value.readings and low > 0:
            least, most = value.readings[unit]
            # 1.8 TB of 2 TB are 90 %, not a little less.
            return round(100 * least / max(high, _LEAST), 6), round(100 * most / low, 6)
    return None


def _in_other_unit(value: Value, subject: Quantity, limit: Limit) -> Range | Missing | None:
    """A bare number of a rate is one a second; of a time or size it lacks its unit; an amount lacks its period."""
    if limit.unit is Unit.PER_SECOND and subject.unit is Unit.PER_SECOND and Unit.COUNT in value.readings:
        # "2k commits" are two thousand: no rate is in bytes.
        bare = value.bare or Unit.BYTES in value.readings
        return value.readings[Unit.COUNT] if bare else Missing.BASE
    if value.is_zero:
        return 0.0, 0.0
    if limit.unit is Unit.BYTES_PER_SECOND and Unit.BYTES in value.readings:
        return Missing.BASE
    if value.bare and limit.unit in (Unit.SECONDS, Unit.BYTES, Unit.BYTES_PER_SECOND):
        return Missing.UNIT
    return None
