"""The time of rows: one column of dates or times, or numbers of year, quarter and month in columns of their own."""

from __future__ import annotations

import datetime as dt
from typing import Protocol

from sqlglot import exp

from services.analyst.queries.identifiers import Impossible, call, column, day
from services.analyst.queries.joins import JoinTree
from services.analyst.questions.intent import DAY, Band, Period, Time, add_months
from services.analyst.semantic.dataset import split_column
from services.analyst.semantic.schema import TimeParts

_MONTHS = {"year": 12, "half": 6, "quarter": 3, "month": 1}
_DIGITS = r"(\d+)"


class TimeColumn(Protocol):
    """What a query asks of the time of its rows."""

    def during(self, period: Period) -> exp.Expr:
        """True for rows of a period."""
        ...

    def bucket(self, granularity: str, week_start: str) -> exp.Expr:
        """The first day of the calendar period that a row lies in; for years the number."""
        ...

    def part(self, name: str) -> exp.Expr:
        """The hour, 0 to 23, or the weekday, 1 for Monday."""
        ...

    def moment(self) -> exp.Expr:
        """What rows are sorted by in time."""
        ...


class DateColumn:
    """A column of dates or times; texts are read as such. hour: the column that has the hour of the day."""

    def __init__(self, expression: exp.Expr, kind: str, hour: exp.Expr | None = None) -> None:
        self._expression = exp.cast(expression, "TIMESTAMP") if kind.startswith("VARCHAR") else expression
        self._is_date, self._hour = kind == "DATE", hour

    def during(self, period: Period) -> exp.Expr:
        """Half open, so that the last day counts whole."""
        sides: list[exp.Expr] = []
        if period.start is not None:
            sides.append(exp.GTE(this=self.moment(), expression=day(period.start)))
        if period.end is not None:
            sides.append(exp.LT(this=self.moment(), expression=day(period.end)))
        return exp.and_(*sides) if sides else exp.true()

    def bucket(self, granularity: str, week_start: str) -> exp.Expr:
        """Weeks begin on the day that the calendar names."""
        if granularity == "year":
            return call("year", self.moment())
        if granularity == "half":
            first = exp.If(
                this=exp.LTE(this=call("month", self.moment()), expression=exp.convert(6)), true=exp.convert(1)
            )
            month = exp.Case(ifs=[first], default=exp.convert(7))
            return call("make_date", call("year", self.moment()), month, 1)
        if granularity == "week" and week_start == "sunday":
            return exp.cast(_moved(call("date_trunc", "week", _moved(self.moment(), 1, "DAY")), -1, "DAY"), "DATE")
        if granularity == "day" and self._is_date:
            return self.moment()
        return exp.cast(call("date_trunc", granularity, self.moment()), "DATE")

    def part(self, name: str) -> exp.Expr:
        """Dates have no hours."""
        if name == "hour" and self._hour is not None:
            return self._hour.copy()
        if name == "hour" and self._is_date:
            raise Impossible("query_impossible.no_hours")
        return call("isodow" if name == "weekday" else name, self.moment())

    def moment(self) -> exp.Expr:
        """The column."""
        return self._expression.copy()


class PartsColumn:
    """Numbers of months, counted from year 0, out of columns of year, quarter and month."""

    def __init__(self, tree: JoinTree, table: str, parts: TimeParts) -> None:
        self._table, self._parts = table, parts
        alias = tree.alias(table)
        types = tree.dataset.columns.get(table, {})
        self._numbers = {
            name: _number(column(place, alias), types.get(place, ""))
            for name, place in (("year", parts.year), ("quarter", parts.quarter), ("month", parts.month))
            if place
        }
        if "month" in self._numbers and "year" not in self._numbers:
            whole = self._numbers["month"]
            self._numbers["year"] = exp.IntDiv(this=whole.copy(), expression=exp.convert(100))
            self._numbers["month"] = exp.Mod(this=whole.copy(), expression=exp.convert(100))
        self._step = 1 if "month" in self._numbers else 3 if "quarter" in self._numbers else 12

    def during(self, period: Period) -> exp.Expr:
        """Whole months, quarters or years; a running period counts the one that is not over."""
        sides: list[exp.Expr] = []
        first = self._index(period.start, False, period) if period.start else None
        last = self._index(period.end, True, period) if period.end else None
        if first is not None and first % 12 == 0 and last is not None and last - first == 12:
            return exp.EQ(this=self._of("year"), expression=exp.convert(first // 12))
        if first is not None and last is not None and last - first == self._step and self._step < 12:
            return exp.and_(*self._exactly(first))
        if first is not None:
            sides.append(exp.GTE(this=self._count(), expression=exp.convert(first // self._step)))
        if last is not None:
            sides.append(exp.LT(this=self._count(), expression=exp.convert(last // self._step)))
        return exp.and_(*sides) if sides else exp.true()

    def bucket(self, granularity: str, week_start: str) -> exp.Expr:
        """Raises Impossible for periods finer than the columns tell."""
        if _MONTHS.get(granularity, 0) < self._step:
            raise self._too_fine()
        if granularity == "year":
            return self._of("year")
        return call("make_date", self._of("year"), self._first_month(_MONTHS[granularity]), 1)

    def part(self, name: str) -> exp.Expr:
        """There are none."""
        raise self._too_fine()

    def moment(self) -> exp.Expr:
        """The number of the month, quarter or year."""
        return self._count()

    def _of(self, name: str) -> exp.Expr:
        if name not in self._numbers:
            raise self._too_fine()
        return self._numbers[name].copy()

    def _count(self) -> exp.Expr:
        """Steps since year 0."""
        if self._step == 12:
            return self._of("year")
        name = "month" if self._step == 1 else "quarter"
        years = exp.Mul(this=self._of("year"), expression=exp.convert(12 // self._step))
        return exp.Sub(this=exp.Add(this=years, expression=self._of(name)), expression=exp.convert(1))

    def _exactly(self, first: int) -> list[exp.Expr]:
        name = "month" if self._step == 1 else "quarter"
        return [
            exp.EQ(this=self._of("year"), expression=exp.convert(first // 12)),
            exp.EQ(this=self._of(name), expression=exp.convert(first % 12 // self._step + 1)),
        ]

    def _index(self, at: dt.date, is_end: bool, period: Period) -> int:
        """Months since year 0. Raises Impossible where a period begins or ends inside a step."""
        if is_end and at.day != 1 and (period.running or (at - DAY).month != at.month):
            at = add_months(at.replace(day=1), 1)
        index = at.year * 12 + at.month - 1
        if is_end and period.running:
            index = -(-index // self._step) * self._step
        if at.day != 1 or index % self._step:
            raise self._too_fine()
        return index

    def _first_month(self, length: int) -> exp.Expr:
        if self._step == 3:
            month: exp.Expr = _paren(exp.Mul(this=self._of("quarter"), expression=exp.convert(3))) - 2
        else:
            month = self._of("month")
        if length <= self._step:
            return month
        steps = exp.IntDiv(this=_paren(exp.Sub(this=month, expression=exp.convert(1))), expression=exp.convert(length))
        return exp.Add(this=exp.Mul(this=steps, expression=exp.convert(length)), expression=exp.convert(1))

    def _too_fine(self) -> Impossible:
        return Impossible("query_impossible.too_fine", table=self._table)


def _paren(expression: exp.Expr) -> exp.Paren:
    return exp.Paren(this=expression)


def _number(expression: exp.Expr, kind: str) -> exp.Expr:
    if not kind.startswith(("VARCHAR", "ENUM")):
        return expression
    digits = call("regexp_extract", expression, _DIGITS)
    return exp.TryCast(this=digits, to=exp.DataType.build("INTEGER"))


def _moved(expression: exp.Expr, count: int, unit: str) -> exp.Expr:
    interval = exp.Interval(this=exp.Literal.string(str(abs(count))), unit=exp.Var(this=unit))
    return (exp.Add if count > 0 else exp.Sub)(this=expression, expression=interval)


def moved_bucket(bucket: exp.Expr, granularity: str, count: int, unit: str) -> exp.Expr:
    """A bucket some units later. unit: YEAR, MONTH or DAY; years are numbers."""
    if granularity == "year":
        return exp.Add(this=bucket, expression=exp.convert(count))
    return exp.cast(_moved(bucket, count, unit), "DATE")


def part_of(time: Time, rows: TimeColumn) -> exp.Expr:
    """What rows are grouped by: the hour, the weekday, or the band of hours, days or a period; NULL outside all."""
    if time.part != "band":
        return rows.part(time.part)
    return exp.Case(ifs=[exp.If(this=_within(band, rows), true=exp.convert(band.name)) for band in time.bands])


def _within(band: Band, rows: TimeColumn) -> exp.Expr:
    values = [exp.convert(each) for each in band.hours or band.weekdays]
    if not values:
        return rows.during(Period(band.start, band.end))
    return exp.In(this=rows.part("hour" if band.hours else "weekday"), expressions=values)


def time_column(tree: JoinTree, time: Time, source: object) -> TimeColumn:
    """The time of a query's rows. source: `table.column`, or the parts of the base table; None without any."""
    if time.column:
        dimension = tree.dataset.layer.dimension(time.column)
        return DateColumn(
            tree.dimension(dimension), tree.dataset.type_of(dimension.column), _hour(tree, dimension.column)
        )
    if isinstance(source, TimeParts):
        return PartsColumn(tree, tree.base, source)
    if isinstance(source, str) and source:
        return DateColumn(tree.at(source), tree.dataset.type_of(source), _hour(tree, source))
    raise Impossible("query_impossible.no_time", table=tree.base)


def _hour(tree: JoinTree, time: str) -> exp.Expr | None:
    """The column that has the hours of a column of times; None where that itself tells them."""
    hour = tree.dataset.hour_of(time)
    return tree.at(f"{split_column(time)[0]}.{hour}") if hour else None
