"""Calendar arithmetic: periods of a unit, the one before, and the same one a year ago."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Unit: TypeAlias = Literal["year", "half", "quarter", "month", "week", "day", "range"]
DAY = dt.timedelta(days=1)
_MONTHS = {"year": 12, "half": 6, "quarter": 3, "month": 1}


@dataclass(frozen=True)
class Period:
    """Days from `start` up to, without, `end`; None is open. running: `end` was cut at today."""

    start: dt.date | None
    end: dt.date | None
    unit: Unit = "range"
    running: bool = False
    has_year: bool = True

    def cut(self, today: dt.date) -> Period:
        """The part up to and with today, where today lies inside."""
        tomorrow = today + DAY
        if self.start is not None and self.end is not None and self.start <= today and tomorrow < self.end:
            return replace(self, end=tomorrow, running=True)
        return self

    def back(self, months: int) -> Period:
        """The period so many months earlier; a running one stops at the same day."""
        if self.start is None or self.end is None:
            return self
        whole = self.end.day == 1 and self.start.day == 1
        last = add_months(self.end, -months) if whole else add_months(self.end - DAY, -months) + DAY
        return replace(self, start=add_months(self.start, -months), end=last)

    def before(self) -> Period:
        """The period of the same length just before."""
        if self.start is None or self.end is None:
            return self
        if self.unit in _MONTHS:
            return self.back(_MONTHS[self.unit])
        length = self.end - self.start
        return replace(self, start=self.start - length, end=self.start)

    def __contains__(self, day: dt.date) -> bool:
        return (self.start is None or self.start <= day) and (self.end is None or day < self.end)


def add_months(day: dt.date, months: int) -> dt.date:
    """The same day some months later, or the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9998:
        return day
    following = dt.date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    return dt.date(year, month + 1, min(day.day, (following - DAY).day))


def months_from(year: int, month: int, unit: Unit, has_year: bool = True) -> Period:
    """The year, half, quarter or month that begins with a month."""
    start = dt.date(year, month, 1)
    return Period(start, add_months(start, _MONTHS[unit]), unit, has_year=has_year)


def containing(day: dt.date, unit: Unit, week_start: str = "monday") -> Period:
    """The calendar period of a unit around a day."""
    if unit == "day":
        return Period(day, day + DAY, "day")
    if unit == "week":
        back = day.weekday() if week_start == "monday" else (day.weekday() + 1) % 7
        start = day - back * DAY
        return Period(start, start + 7 * DAY, "week")
    length = _MONTHS[unit]
    return months_from(day.year, (day.month - 1) // length * length + 1, unit)


def shifted(period: Period, count: int) -> Period:
    """The calendar period `count` units later; negative is earlier."""
    assert period.start is not None
    assert period.end is not None
    if period.unit in _MONTHS:
        months = _MONTHS[period.unit] * count
        return replace(period, start=add_months(period.start, months), end=add_months(period.end, months))
    length = (period.end - period.start) * count
    return replace(period, start=period.start + length, end=period.end + length)
