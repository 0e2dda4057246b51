"""Reads the times of a question: periods, granularity, comparison, and parts of the day or week."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import yaml

from services.analyst.questions.intent import DAY, Period, Unit, add_months, containing, months_from, shifted
from services.analyst.questions.words.clock_times import find_clock_times
from services.analyst.questions.words.period_patterns import PERIOD_PATTERNS, number_of, unit_of
from services.analyst.semantic.schema import Calendar

_MOST_YEARS = 100
_PHRASES = Path(__file__).parent / "time_phrases.yaml"


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Kind and name of what each pattern finds."""
    phrases = yaml.load(_PHRASES.read_text("utf-8"), yaml.CSafeLoader)
    return tuple(
        (kind, str(name), re.compile("|".join(alternatives)))
        for kind, names in phrases.items()
        for name, alternatives in names.items()
    )


def find_phrases(normal: str) -> Iterator[TimeMark]:
    """All marks that are no periods, overlapping ones too."""
    for kind, name, pattern in _patterns():
        values = _numbers(kind, name)
        for found in pattern.finditer(normal):
            yield TimeMark(kind, found.start(), found.end(), name="" if values else name, values=values)
    for start, end, hours in find_clock_times(normal):
        yield TimeMark("hours", start, end, values=hours)


def _numbers(kind: str, name: str) -> tuple[int, ...]:
    """The days of the week "6,7", or the hours "18-5" from the first to the last, over midnight too."""
    if kind == "days":
        return tuple(int(day) for day in name.split(","))
    if kind != "hours":
        return ()
    first, last = (int(hour) for hour in name.split("-"))
    return tuple(hour % 24 for hour in range(first, last + 1 + (24 if last < first else 0)))


class TimeReader:
    """Reads times as seen from a day."""

    def __init__(self, today: dt.date, calendar: Calendar) -> None:
        self._today, self._calendar = today, calendar

    def read(self, normal: str) -> list[TimeMark]:
        """All marks of a normalised question in order; of overlapping ones the longest."""
        periods = longest_marks([mark for mark in self._periods(normal)])
        joined = self._open(normal, self._join(normal, periods))
        return longest_marks([*joined, *find_phrases(normal)])

    # Periods

    def _periods(self, normal: str) -> Iterator[TimeMark]:
        for pattern, build in PERIOD_PATTERNS:
            for found in pattern.finditer(normal):
                period = build(self, found)
                if period is not None:
                    yield TimeMark("period", found.start(), found.end(), period)

    def year_of(self, found: re.Match[str]) -> int | None:
        """The year that stands with a period; None if none does."""
        groups = found.groupdict()
        if year := groups.get("y") or groups.get("y2"):
            return int(year)
        if groups.get("yy"):
            return 2000 + int(groups["yy"])
        words = groups.get("rel") or groups.get("rel2")
        if not words:
            return None
        if words in ("今年", "当年", "this") or words.startswith("本年"):
            return self._today.year
        return self._today.year + {"前年": -2, "明年": 1}.get(words, -1)

    def month(self, found: re.Match[str], unit: Unit, month: int) -> Period | None:
        """The month, quarter or half of the year that stands with it, else the latest that has begun."""
        if not 1 <= month <= 12:
            return None
        year = self.year_of(found)
        if year is not None:
            return months_from(year, month, unit)
        period = months_from(self._today.year, month, unit, has_year=False)
        assert period.start is not None
        return period if period.start <= self._today else shifted(period, -12 // _months(unit))

    def date(self, found: re.Match[str], month: int, day: int) -> Period | None:
        """A day of the year that stands with it, else the latest one that was."""
        year = self.year_of(found)
        try:
            start = dt.date(year or self._today.year, month, day)
            if year is None and start > self._today:
                start = dt.date(start.year - 1, month, day)
        except ValueError:
            return None
        return Period(start, start + DAY, "day", has_year=year is not None)

    def whole_year(self, found: re.Match[str]) -> Period | None:
        """The calendar year, or the fiscal one."""
        year = self.year_of(found)
        if year is None:
            return None
        if "财年" in found[0] or "fy" in found[0] or "fiscal" in found[0]:
            first = self._calendar.fiscal_year_start
            return months_from(year - (first > 1), first, "year")
        return months_from(year, 1, "year")

    def relative(self, found: re.Match[str]) -> Period:
        """This, the last or the next week, month, quarter, half or year."""
        words = found["unit"].removeprefix("财").removeprefix("fiscal ")
        unit = unit_of(words)
        count = (
            0 if found["this"] else 1 if found["next"] else -1 - found[0].count("上上") - found[0].count("before last")
        )
        if words != found["unit"]:
            first = self._calendar.fiscal_year_start
            return shifted(months_from(self._today.year - (self._today.month < first), first, "year"), count)
        return shifted(containing(self._today, unit, self._calendar.week_start), count)

    def day_of_week(self, found: re.Match[str], day: int) -> Period:
        """Monday to Sunday of this week or one before; "last Friday" is the latest one that is over."""
        back = found["week"].count("上")
        monday = self._today - self._today.weekday() * DAY
        start = monday + (day - 7 * back) * DAY
        if found["week"] == "last":
            start -= 7 * DAY if start >= self._today else 0 * DAY
        return containing(start, "day")

    def day(self, found: re.Match[str]) -> Period:
        """Today, yesterday and the day before."""
        back = {"今": 0, "当": 0, "今日": 0, "昨": 1, "前": 2, "大": 3}.get(found[0][0])
        if back is None:
            back = 0 if "today" in found[0] else 2 if "before" in found[0] else 1
        return containing(self._today - back * DAY, "day")

    def last(self, found: re.Match[str]) -> Period | None:
        """The last n units: days end as the calendar of the dataset says, longer ones today."""
        groups = found.groupdict()
        count = number_of(groups["n"]) if groups.get("n") else 1
        if not 0 < count < 4000:
            return None
        unit = unit_of(found["unit"])
        if unit == "year" and count > _MOST_YEARS:
            return None
        tomorrow = self._today + DAY
        if unit in ("day", "week"):
            end = self._today if self._calendar.last_n_days == "ends_yesterday" else tomorrow
            return Period(end - count * (7 if unit == "week" else 1) * DAY, end, "range")
        if "整" in found[0] or "full" in found[0] or "complete" in found[0]:
            begun = containing(self._today, unit).start
            assert begun is not None
            return Period(add_months(begun, -count * _months(unit)), begun, "range")
        end = self._today if self._calendar.last_n_days == "ends_yesterday" else tomorrow
        return Period(add_months(end, -count * _months(unit)), end, "range")

    def to_date(self, found: re.Match[str]) -> Period:
        """From the beginning of the year, quarter, month or week to today."""
        unit: Unit = "year"
        for words, name in (("q|季", "quarter"), ("m|月", "month"), ("w|周", "week")):
            if re.match(words, found[0]):
                unit = name  # type: ignore[assignment]
        whole = containing(self._today, unit, self._calendar.week_start)
        return replace(whole, end=self._today + DAY, running=True)

    # What stands between and around periods

    def _join(self, normal: str, marks: list[TimeMark]) -> list[TimeMark]:
        """ "March to May", "between 2024-01-01 and 2024-03-31": two periods as one."""
        joined: list[TimeMark] = []
        for mark in marks:
            before = joined[-1] if joined else None
            if before is not None and _ranges(normal, before, mark):
                first, last = self._in_one_year(before.period, mark.period)
                if first.start is not None and last.end is not None and first.start < last.end:
                    opening = _FROM.search(normal[: before.start])
                    start = opening.start() if opening else before.start
                    joined[-1] = TimeMark("period", start, mark.end, Period(first.start, last.end, "range"))
                    continue
            joined.append(mark)
        return joined

    def _in_one_year(self, first: Period | None, last: Period | None) -> tuple[Period, Period]:
        """Where only one of two ends has a year, the other lies in the same."""
        assert first is not None
        assert last is not None
        begins, follows = first.start, last.start
        if begins is None or follows is None:
            return first, last
        if first.has_year and not last.has_year:
            last = shifted_to(last, begins.year)
            if last.start is not None and last.start < begins:
                last = shifted_to(last, begins.year + 1)
        elif last.has_year and not first.has_year:
            first = shifted_to(first, follows.year)
        elif not last.has_year and begins > follows:
            first = shifted_to(first, begins.year - 1)
        return first, last

    def _open(self, normal: str, marks: list[TimeMark]) -> list[TimeMark]:
        """ "Since March", "before 2024": periods open to one side."""
        opened = []
        for mark in marks:
            period = mark.period
            assert period is not None
            opening = _FROM.search(normal[: mark.start])
            if opening and period.unit == "range":
                opened.append(replace(mark, start=opening.start()))
                continue
            if after := _AFTERWARDS.match(normal, mark.end):
                kind, start, end = str(after.lastgroup), mark.start, after.end()
                if kind == "until" and period.unit == "range" and period.start and period.end:
                    opened.append(replace(mark, end=end))  # 这个季度到今天为止 has both its ends.
                    continue
                if (opener := _BEFOREHAND.search(normal[: mark.start])) and opener.lastgroup == "since":
                    start = opener.start()
            elif before := _BEFOREHAND.search(normal[: mark.start]):
                kind, start, end = str(before.lastgroup), before.start(), mark.end
            else:
                opened.append(mark)
                continue
            opened.append(TimeMark("period", start, end, self._opened(period, kind)))
        return opened

    def _opened(self, period: Period, kind: str) -> Period:
        if kind == "since":
            return Period(period.start, None)
        if kind == "after":
            return Period(period.end, None)
        return Period(None, period.start) if kind == "before" else Period(None, period.end)


def shifted_to(period: Period, year: int) -> Period:
    """The same days of another year."""
    if period.start is None:
        return period
    return period.back(12 * (period.start.year - year))


def _months(unit: Unit) -> int:
    return {"year": 12, "half": 6, "quarter": 3, "month": 1}.get(unit, 1)


_FROM = re.compile(r"(?:(?<![a-z])(?:from|between)\s+(?:the )?|[从自由在]\s*)$")
_BETWEEN = re.compile(r"\s*(?:-|~|—|–|到|至|to|through|thru|until|till)\s*(?:the )?")
_BEFOREHAND = re.compile(
    r"(?:(?P<since>(?<![a-z])(?:since|(?:starting|beginning)(?: from)?)\s+(?:the )?"
    r"(?:start of |beginning of |in )?|[从自]\s*)"
    r"|(?P<after>(?<![a-z])after\s+)|(?P<before>(?<![a-z])(?:before|prior to|earlier than)\s+)"
    r"|(?P<until>(?<![a-z])(?:until|till|up to|through|as of|by the end of)\s+(?:the end of )?|截[至止]到?\s*))$"
)
_AFTERWARDS = re.compile(
    r"\s*(?:(?P<since>以来|至今|到现在|到今天|起|开始|以后|onwards?|and later|or later)"
    r"|(?P<after>之后|后(?!面))|(?P<before>之前|以前|前(?![\d一二三四五六七八九十]))"
    r"|(?P<until>为止|(?:and|or) (?:before|earlier)))"
)


def _ranges(normal: str, first: TimeMark, last: TimeMark) -> bool:
    between = normal[first.end : last.start]
    if _BETWEEN.fullmatch(between):
        return True
    if re.fullmatch(r"\s*(?:and|和|与|及|跟)\s*(?:the )?", between):
        closing = re.match(r"\s*(?:之间|期间|间)", normal[last.end :])
        return bool(closing or re.search(r"(?<![a-z])between\s+(?:the )?$", normal[: first.start]))
    return False


@dataclass(frozen=True)
class TimeMark:
    """What normal[start:end] tells about time. kind: period, granularity, comparison, part, or running."""

    kind: str
    start: int
    end: int
    period: Period | None = None
    name: str = ""
    values: tuple[int, ...] = ()


def longest_marks(marks: list[TimeMark]) -> list[TimeMark]:
    """Of overlapping marks the longest, in order."""
    kept: list[TimeMark] = []
    for mark in sorted(marks, key=lambda one: (one.start - one.end, one.start)):
        if all(mark.end <= other.start or other.end <= mark.start for other in kept):
            kept.append(mark)
    return sorted(kept, key=lambda one: one.start)
