"""The times of an intent as JSON."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.analyst.questions.intent import Band, Granularity, Period, Time, Unit, add_months, months_from

_LENGTHS: tuple[Unit, ...] = ("year", "half", "quarter", "month")


class Part(BaseModel):
    """The base of what a model fills in: what it adds is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class PeriodPart(Part):
    """Days from `from` up to and without `to`; null is open."""

    start: dt.date | None = Field(default=None, alias="from")
    end: dt.date | None = Field(default=None, alias="to")


class TimePart(Part):
    """year with quarter or month is one period; `periods` are others. column: a dimension of dates."""

    granularity: Granularity | None = None
    year: int | None = Field(default=None, ge=1, le=9998)
    quarter: int | None = Field(default=None, ge=1, le=4)
    month: int | None = Field(default=None, ge=1, le=12)
    periods: tuple[PeriodPart, ...] = ()
    comparison: Literal["", "yoy", "qoq", "ytd"] | None = None
    column: str = ""
    part: Literal["", "hour", "weekday", "band"] = ""
    weekdays: tuple[int, ...] = ()
    hours: tuple[int, ...] = ()
    bands: tuple[Band, ...] = ()


def time_to_json(time: Time) -> dict[str, Any]:
    """A time as JSON data, without what is empty."""
    body: dict[str, Any] = {
        "granularity": time.granularity, "comparison": time.comparison, "column": time.column, "part": time.part,
        "weekdays": list(time.weekdays), "hours": list(time.hours), "bands": [_band(band) for band in time.bands],
        "periods": periods_to_json(time.periods),
    }  # fmt: skip
    if len(time.periods) == 1 and (start := time.periods[0].start) is not None:
        unit = time.periods[0].unit
        if unit in _LENGTHS:
            body["year"] = start.year
        if unit == "quarter":
            body["quarter"] = (start.month + 2) // 3
        if unit == "month":
            body["month"] = start.month
    return {name: value for name, value in body.items() if value}


def periods_to_json(periods: Iterable[Period]) -> list[dict[str, str | None]]:
    """Periods as JSON data."""
    return [{"from": _day(one.start), "to": _day(one.end)} for one in periods]


def periods_from(parts: Iterable[PeriodPart]) -> tuple[Period, ...]:
    """The periods of JSON data."""
    return tuple(Period(each.start, each.end, _unit(each.start, each.end)) for each in parts)


def _band(band: Band) -> dict[str, Any]:
    return asdict(band) | {"start": _day(band.start), "end": _day(band.end)}


def _day(day: dt.date | None) -> str | None:
    return day.isoformat() if day else None


def time_from(part: TimePart, today: dt.date) -> Time:
    """The time of JSON data."""
    comparison = part.comparison or ""
    periods = list(_periods(part))
    if comparison == "ytd":
        periods = periods or [Period(dt.date(today.year, 1, 1), dt.date(today.year + 1, 1, 1), "year").cut(today)]
    return Time(
        tuple(period.cut(today) for period in periods),
        part.granularity or "",
        part.column,
        part.part,
        part.weekdays,
        "" if comparison == "ytd" else comparison,
        part.hours,
        part.bands,
    )


def _periods(part: TimePart) -> Iterator[Period]:
    if part.periods:
        yield from periods_from(part.periods)
    elif part.year:
        if part.month:
            yield months_from(part.year, part.month, "month")
        elif part.quarter:
            yield months_from(part.year, part.quarter * 3 - 2, "quarter")
        else:
            yield months_from(part.year, 1, "year")


def _unit(start: dt.date | None, end: dt.date | None) -> Unit:
    """The unit of a period that is one of the calendar."""
    if start is None or end is None or start.day != 1:
        return "range"
    for unit, months in zip(_LENGTHS, (12, 6, 3, 1), strict=True):
        if add_months(start, months) == end and (start.month - 1) % months == 0:
            return unit
    return "range"
