"""The same figures in an earlier period: the period before, or the same one a year ago."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from sqlglot import exp

from services.analyst.queries.facts import Facts
from services.analyst.queries.identifiers import Column, column, named
from services.analyst.queries.time_columns import moved_bucket
from services.analyst.questions.intent import DAY, Period, Time, add_months, containing

_YEAR = (1, "YEAR")
_STEPS = {
    "year": _YEAR, "half": (6, "MONTH"), "quarter": (3, "MONTH"), "month": (1, "MONTH"), "week": (7, "DAY"),
    "day": (1, "DAY"),
}  # fmt: skip
# A year of whole weeks, so that weeks are compared with weeks.
_WEEKS_OF_A_YEAR = (364, "DAY")


@dataclass(frozen=True)
class Compared:
    """Two sets of periods, and how far the buckets of the earlier one are moved to meet those of the later one."""

    current: tuple[Period, ...]
    previous: tuple[Period, ...]
    step: tuple[int, str]


def compared_periods(time: Time, today: dt.date) -> Compared:
    """What a comparison compares. A running period is compared with the same days; without any it is this year."""
    periods = time.periods or (() if time.granularity else (containing(today, "year"),))
    current = tuple(_until_today(period, today) for period in periods)
    if time.comparison == "yoy":
        if time.granularity == "week":
            return Compared(current, tuple(_moved(each, *_WEEKS_OF_A_YEAR) for each in current), _WEEKS_OF_A_YEAR)
        return Compared(current, tuple(each.back(12) for each in current), _YEAR)
    if not time.granularity:
        return Compared(current, tuple(each.before() for each in current), _YEAR)
    step = _STEPS[time.granularity]
    return Compared(current, tuple(_moved(each, *step) for each in current), step)


def _until_today(period: Period, today: dt.date) -> Period:
    """Of a period that is open or not over yet the part up to today."""
    if period.start is not None and period.start <= today and (period.end is None or period.end > today + DAY):
        return replace(period, end=today + DAY, running=True)
    return period


def _moved(period: Period, count: int, unit: str) -> Period:
    """A period some days or months earlier; open ends stay open."""
    if unit != "DAY":
        months = count * (12 if unit == "YEAR" else 1)
        if period.start is not None and period.end is not None:
            return period.back(months)
        return replace(
            period,
            start=add_months(period.start, -months) if period.start else None,
            end=add_months(period.end, -months) if period.end else None,
        )
    days = count * DAY
    return replace(
        period,
        start=period.start - days if period.start else None,
        end=period.end - days if period.end else None,
    )


def compare(facts: Facts, current: exp.Select, previous: exp.Select, step: tuple[int, str]) -> exp.Select:
    """Both figures and the growth, as a fraction of the earlier figure, for each group."""
    granularity = facts.intent.time.granularity
    names = [key.name for key in facts.keys]
    if granularity:
        cells = [
            named(moved_bucket(column(name), granularity, *step), name) if name == granularity else column(name)
            for name in [*names, *(figure.name for figure in facts.figures)]
        ]
        previous = exp.select(*cells).from_(previous.subquery("earlier"))
    select = exp.select(
        *(
            named(exp.func("coalesce", column(name, "current_period"), column(name, "previous_period")), name)
            for name in names
        )
    )
    for figure in facts.figures:
        now, before = column(figure.name, "current_period"), column(figure.name, "previous_period")
        select = select.select(
            named(now, figure.name),
            named(before, f"{figure.name}_previous"),
            named(_growth(now, before), f"{figure.name}_growth"),
        )
    select = select.from_("current_period")
    if names:
        same = [
            exp.NullSafeEQ(this=column(name, "current_period"), expression=column(name, "previous_period"))
            for name in names
        ]
        # A group that is new or gone is shown; a period before the first one asked for is not.
        select = select.join("previous_period", on=exp.and_(*same), join_type="left" if granularity else "full")
    else:
        select = select.join("previous_period", join_type="cross")
    return select.with_("current_period", as_=current).with_("previous_period", as_=previous)


def comparison_columns(facts: Facts) -> list[Column]:
    """The columns of the figures, each with what it was and its growth."""
    columns: list[Column] = []
    for figure in facts.figures:
        columns += [
            Column(figure.name, "measure", measure=figure.measure),
            Column(f"{figure.name}_previous", "previous", measure=figure.measure),
            Column(f"{figure.name}_growth", "growth", measure=figure.measure),
        ]
    return columns


def _growth(now: exp.Expr, before: exp.Expr) -> exp.Expr:
    """(now - before) / |before|."""
    change = exp.Paren(this=exp.Sub(this=now.copy(), expression=before.copy()))
    base = exp.Nullif(this=exp.Abs(this=before.copy()), expression=exp.convert(0))
    return exp.Div(this=exp.cast(change, "DOUBLE"), expression=base, typed=False)
