"""What a question asks for, in ids of a semantic layer and periods of the calendar; or why there is no such reading."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from services.chassis.messages import Message

Value: TypeAlias = "str | int | float | bool"
Aggregate: TypeAlias = Literal["", "sum", "avg", "median", "min", "max", "count", "count_distinct", "quantile"]
Operator: TypeAlias = Literal[
    "in", "not in", ">", ">=", "<", "<=", "=", "!=", "between", "null", "not null", "says", "says not"
]
Part: TypeAlias = Literal["", "hour", "weekday", "band"]
Comparison: TypeAlias = Literal["", "yoy", "qoq"]
Granularity: TypeAlias = Literal["", "year", "half", "quarter", "month", "week", "day"]
Over: TypeAlias = Literal["measure", "dimension", "time", "growth", "share"]
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

    def __contains__(self, day: dt.date | None) -> bool:
        return day is not None and (self.start is None or self.start <= day) and (self.end is None or day < self.end)


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


@dataclass(frozen=True)
class Measure:
    """A metric, also with another aggregate; or an aggregate over a dimension; or the rows of a table counted.

    fraction: for quantile, in (0, 1). per: the table by whose rows the figure is divided.
    """

    metric: str = ""
    dimension: str = ""
    table: str = ""
    aggregate: Aggregate = ""
    fraction: float = 0.0
    per: str = ""


@dataclass(frozen=True)
class Filter:
    """A condition on a dimension; `between` has two values, `says` a part of the text."""

    dimension: str
    operator: Operator
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Having:
    """A condition on a measure of each group, or with `each_row` on its expression in each row that is counted.

    share: it is on the share of the total. growth: it is on the growth that the comparison gives, as a fraction.
    """

    measure: Measure
    operator: Operator
    values: tuple[float, ...]
    share: bool = False
    growth: bool = False
    each_row: bool = False


@dataclass(frozen=True)
class Related:
    """A table whose rows point at those that are listed or counted: at least one must, or with `absent` none may.

    Filters on the dimensions of such a table, other than those of a measure, are conditions of these rows. by: a
    dimension of which they have the same value, in place of pointing at them. filters, periods: of these rows alone.
    metric: a count of them whose default filters hold. operator, values: how many there must be, else at least one.
    """

    table: str
    absent: bool = False
    by: str = ""
    filters: tuple[Filter, ...] = ()
    periods: tuple[Period, ...] = ()
    metric: str = ""
    operator: Operator | Literal[""] = ""
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Band:
    """Hours of the day, days of the week or a period that rows are grouped by, as called: "at night", "weekends"."""

    name: str
    hours: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()
    start: dt.date | None = None
    end: dt.date | None = None


@dataclass(frozen=True)
class Topic:
    """Rows that are about something: any of the filters holds, for them or for rows that point at them."""

    words: str
    filters: tuple[Filter, ...]


@dataclass(frozen=True)
class Time:
    """periods: disjoint, any of them. column: the dimension whose column is meant; empty for that of the metric.

    part: what of a time rows are grouped by, `band` for bands; weekdays: 1 is Monday. hours: 0 to 23.
    """

    periods: tuple[Period, ...] = ()
    granularity: Granularity = ""
    column: str = ""
    part: Part = ""
    weekdays: tuple[int, ...] = ()
    comparison: Comparison = ""
    hours: tuple[int, ...] = ()
    bands: tuple[Band, ...] = ()


@dataclass(frozen=True)
class Order:
    """over: what rows are sorted by, the first measure or what is said of it; dimension: which, where it is one."""

    over: Over
    descending: bool
    dimension: str = ""


@dataclass(frozen=True)
class Intent:
    """One question. listing: the table whose rows are listed, with the dimensions as columns.

    limit: the first so many by rank, ties included; 0 is all. counted: the groups are counted and not shown.
    share: with dimensions that of each group in all groups; without, that of the rows that the filters keep among
    the rows of the same time that meet those on the dimensions `within`.
    averaged: the mean of the measure over periods of this length ("a day on average").
    pending: in a partial intent the filters of which the person was asked to choose one.
    """

    measures: tuple[Measure, ...] = ()
    dimensions: tuple[str, ...] = ()
    time: Time = Time()
    filters: tuple[Filter, ...] = ()
    having: tuple[Having, ...] = ()
    named: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    order: Order | None = None
    limit: int = 0
    share: bool = False
    running: bool = False
    listing: str = ""
    distinct: bool = False
    counted: bool = False
    averaged: Granularity = ""
    related: tuple[Related, ...] = ()
    pending: tuple[Filter, ...] = ()
    topics: tuple[Topic, ...] = ()
    within: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """basic, trend, dimension or complex."""
        if self.running or self.exclusions or self.having or self.share or self.listing:
            return "complex"
        if self.time.comparison or self.time.granularity:
            return "trend"
        return "dimension" if self.dimensions or self.limit else "basic"

    def without(self, dimension: str) -> Intent:
        """The intent without the filters on a dimension."""
        return replace(self, filters=tuple(one for one in self.filters if one.dimension != dimension))


@dataclass(frozen=True)
class Guess:
    """Words that were taken for a name that they only resemble."""

    words: str
    name: str


@dataclass(frozen=True)
class Reading:
    """intent, or in place of it a question back with its options, or a refusal.

    ignored: words left out of it. partial: what was understood where a question is asked back; the answer to it can be
    read as the next question with `partial` as the intent before it.
    """

    intent: Intent | None = None
    question: Message | None = None
    options: tuple[str, ...] = ()
    refusal: Message | None = None
    guesses: tuple[Guess, ...] = ()
    ignored: tuple[str, ...] = ()
    partial: Intent | None = None


class Unclear(Exception):
    """Raised where only the person can tell what is meant."""

    def __init__(self, question: Message, options: tuple[str, ...] = ()) -> None:
        super().__init__(question.key)
        self.question, self.options = question, options


class Refused(Exception):
    """Raised where a question cannot be answered by data at all."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.key)
        self.reason = reason
