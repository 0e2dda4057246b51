"""What a question asks for, in ids of a semantic layer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from services.analyst.questions.periods import Period

Value: TypeAlias = "str | int | float | bool"
Aggregate: TypeAlias = Literal["", "sum", "avg", "median", "min", "max", "count", "count_distinct", "quantile"]
Operator: TypeAlias = Literal["in", "not in", ">", ">=", "<", "<=", "=", "!=", "between", "null", "not null"]
Part: TypeAlias = Literal["", "hour", "weekday", "band"]
Comparison: TypeAlias = Literal["", "yoy", "qoq"]
Granularity: TypeAlias = Literal["", "year", "half", "quarter", "month", "week", "day"]
Over: TypeAlias = Literal["measure", "dimension", "time", "growth", "share"]


@dataclass(frozen=True)
class Measure:
    """A metric, also with another aggregate; or an aggregate over a dimension; or the rows of a table counted.

    fraction: for quantile, in (0, 1).
    """

    metric: str = ""
    dimension: str = ""
    table: str = ""
    aggregate: Aggregate = ""
    fraction: float = 0.0


@dataclass(frozen=True)
class Filter:
    """A condition on a dimension; `between` has two values."""

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

    Filters on the dimensions of such a table, other than those of a measure, are conditions of these rows.
    """

    table: str
    absent: bool = False


@dataclass(frozen=True)
class Band:
    """Hours of the day or days of the week that rows are grouped by, as they were called: "at night", "weekends"."""

    name: str
    hours: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()


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
