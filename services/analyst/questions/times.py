"""Reads the times of a question: periods, granularity, comparison, and parts of the day or week."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from services.analyst.questions.periods import DAY, Period, Unit, add_months, containing, months_from, shifted
from services.analyst.semantic.schema import Calendar

_ZH = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_EN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINAL = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}
_MONTH_NAMES = (
    "january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul", "august|aug",
    "september|sept|sep", "october|oct", "november|nov", "december|dec",
)  # fmt: skip
_N = rf"(?P<n>\d{{1,4}}|[一二两三四五六七八九十]{{1,3}}|(?:{'|'.join(_EN)})(?![a-z]))"
_D = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_MON = rf"(?P<mon>{'|'.join(_MONTH_NAMES)})(?![a-z])\.?"
_MOST_YEARS = 100
_LAST_WORDS = r"last|past|previous|prior|prev"
_YEAR = (
    r"(?:(?P<y>(?:19|20)\d\d)\s*(?:年度?)?|(?P<yy>(?<!\d)\d\d)年|(?P<rel>今年|本年度?|当年|去年|上年|前年|明年))的?\s*"
)
_OF_YEAR = (
    r"(?:(?:\s*,?\s*(?:of|in)?\s*'?|[-/])(?P<y2>(?:19|20)\d\d)(?!\d)"
    rf"|\s+(?:of\s+)?(?P<rel2>this|(?:the )?(?:{_LAST_WORDS})) year)"
)
_UNITS: tuple[tuple[str, Unit], ...] = (
    (r"天|日|days?", "day"),
    (r"周|个?星期|个?礼拜|weeks?", "week"),
    (r"个?季度|quarters?", "quarter"),
    (r"个?月份?|months?", "month"),
    (r"半年|half[- ]?years?", "half"),
    (r"年度?|years?", "year"),
)
_ANY_UNIT = "|".join(words for words, _ in _UNITS)
_W = r"(?<![a-z])"
_THIS = r"本|这个?|当前?|(?:(?:this|current|the current)(?: calendar)? )"
_LAST = rf"上一?个?|前一个|(?:(?:the )?(?:{_LAST_WORDS})(?: calendar)? )"
_NEXT = r"下一?个?|(?:(?:the )?next )"
_WEEKDAYS = {
    "monday|mondays|mon": 1, "tuesday|tuesdays|tue": 2, "wednesday|wednesdays|wed": 3, "thursday|thursdays|thu": 4,
    "friday|fridays|fri": 5, "saturday|saturdays": 6, "sunday|sundays": 7,
}  # fmt: skip


@dataclass(frozen=True)
class TimeMark:
    """What normal[start:end] tells about time. kind: period, granularity, comparison, part, or running."""

    kind: str
    start: int
    end: int
    period: Period | None = None
    name: str = ""
    values: tuple[int, ...] = ()


def number_of(words: str) -> int:
    """The number that digits, Chinese numerals up to 99 or English words to twelve state."""
    if words.isdigit():
        return int(words)
    if words in _EN:
        return _EN.index(words) + 1
    if "十" in words:
        tens, _, ones = words.partition("十")
        return _ZH.get(tens, 1) * 10 + _ZH.get(ones, 0)
    return _ZH.get(words[:1], 0)


class TimeReader:
    """Reads times as seen from a day."""

    def __init__(self, today: dt.date, calendar: Calendar) -> None:
        self._today, self._calendar = today, calendar

    def read(self, normal: str) -> list[TimeMark]:
        """All marks of a normalised question in order; of overlapping ones the longest."""
        periods = _longest([mark for mark in self._periods(normal)])
        joined = self._open(normal, self._join(normal, periods))
        return _longest([*joined, *_others(normal)])

    # Periods

    def _periods(self, normal: str) -> Iterator[TimeMark]:
        for pattern, build in _PATTERNS:
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
        unit = _unit_of(found["unit"])
        count = (
            0 if found["this"] else 1 if found["next"] else -1 - found[0].count("上上") - found[0].count("before last")
        )
        return shifted(containing(self._today, unit, self._calendar.week_start), count)

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
        unit = _unit_of(found["unit"])
        if unit == "year" and count > _MOST_YEARS:
            return None
        tomorrow = self._today + DAY
        if unit in ("day", "week"):
            end = self._today if self._calendar.last_n_days == "ends_yesterday" else tomorrow
            return Period(end - count * (7 if unit == "week" else 1) * DAY, end, "range")
        if "整" in found[0] or "full" in found[0] or "complete" in found[0]:
            end = containing(self._today, unit).start
            assert end is not None
            return Period(add_months(end, -count * _months(unit)), end, "range")
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
        assert first is not None and last is not None
        if first.start is None or last.start is None:
            return first, last
        if first.has_year and not last.has_year:
            last = shifted_to(last, first.start.year)
            if last.start is not None and last.start < first.start:
                last = shifted_to(last, first.start.year + 1)
        elif last.has_year and not first.has_year:
            first = shifted_to(first, last.start.year)
        elif not last.has_year and first.start > last.start:
            first = shifted_to(first, first.start.year - 1)
        return first, last

    def _open(self, normal: str, marks: list[TimeMark]) -> list[TimeMark]:
        """ "Since March", "before 2024": periods open to one side."""
        opened = []
        for mark in marks:
            period = mark.period
            assert period is not None
            if period.unit == "range" and (opening := _FROM.search(normal[: mark.start])):
                opened.append(replace(mark, start=opening.start()))
                continue
            if after := _AFTERWARDS.match(normal, mark.end):
                kind, start, end = str(after.lastgroup), mark.start, after.end()
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


def _unit_of(words: str) -> Unit:
    for pattern, unit in _UNITS:
        if re.fullmatch(pattern, words.strip()):
            return unit
    return "day"


def _month_number(name: str) -> int:
    return next(at for at, names in enumerate(_MONTH_NAMES, 1) if name in names.split("|"))


def _ordinal(words: str) -> int:
    return _ORDINAL.get(words) or number_of(words)


_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[TimeReader, re.Match[str]], Period | None]], ...] = (
    (re.compile(r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
     lambda self, found: self.date(found, int(found["m"]), int(found["d"]))),
    (re.compile(rf"(?:{_YEAR})?(?P<m>{_D})月(?:份的?)?(?P<d>{_D})[日号]"),
     lambda self, found: self.date(found, number_of(found["m"]), number_of(found["d"]))),
    (re.compile(rf"{_W}{_MON}\s+(?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:{_OF_YEAR})?"),
     lambda self, found: self.date(found, _month_number(found["mon"]), int(found["d"]))),
    (re.compile(rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?\s+{_MON}(?:{_OF_YEAR})?"),
     lambda self, found: self.date(found, _month_number(found["mon"]), int(found["d"]))),
    (re.compile(r"(?<![\d-])(?P<y>(?:19|20)\d\d)[-/](?P<m>0[1-9]|1[0-2])(?![-/\d])"),
     lambda self, found: self.month(found, "month", int(found["m"]))),
    (re.compile(rf"(?:{_YEAR})?(?P<m>{_D})月(?:份|底|初)?(?!{_D}[日号])"),
     lambda self, found: self.month(found, "month", number_of(found["m"]))),
    (re.compile(rf"(?:{_YEAR})?(?P<m>{_D})月?(?:份)?\s*(?:-|到|至|~|—)\s*(?P<m2>{_D})月份?(?!{_D}[日号])"),
     lambda self, found: _month_range(self, found)),
    (re.compile(rf"{_W}{_MON}(?:{_OF_YEAR})?"), lambda self, found: _named_month(self, found)),
    (re.compile(rf"(?:{_YEAR})?(?:第?(?P<q>[一二三四1-4])个?季度?(?![节])|q(?P<q2>[1-4])(?!\d)|(?P<q3>[1-4])q(?![a-z]))(?:{_OF_YEAR})?"),
     lambda self, found: self.month(found, "quarter", 3 * number_of(found["q"] or found["q2"] or found["q3"]) - 2)),
    (re.compile(rf"{_W}(?:the )?(?P<q>first|1st|second|2nd|third|3rd|fourth|4th) quarter(?:{_OF_YEAR})?"),
     lambda self, found: self.month(found, "quarter", 3 * _ordinal(found["q"]) - 2)),
    (re.compile(rf"(?:{_YEAR})?(?:(?P<h>上|下)半年|h(?P<h2>[12])(?!\d))(?:{_OF_YEAR})?"),
     lambda self, found: self.month(found, "half", 7 if "下" == found["h"] or found["h2"] == "2" else 1)),
    (re.compile(rf"{_W}(?:the )?(?P<h>first|second|1st|2nd) half(?: of)?(?: the year)?(?:{_OF_YEAR})?"),
     lambda self, found: self.month(found, "half", 6 * _ordinal(found["h"]) - 5)),
    (re.compile(r"(?:(?P<y>(?<!\d)(?:19|20)\d\d)\s*(?:年度?|财年)|(?P<yy>(?<!\d)\d\d)(?:年度?|财年)|(?P<rel>今年|本年度?|去年|上年|前年|明年))(?:全年|整年|一整年)?"),
     lambda self, found: self.whole_year(found)),
    (re.compile(rf"{_W}(?:fiscal(?: year)?|fy)\s*'?(?:(?P<y>(?:19|20)\d\d)|(?P<yy>\d\d))(?!\d)"),
     lambda self, found: self.whole_year(found)),
    (re.compile(r"(?<![\d.$-])(?<!\d,)(?P<y>(?:19|20)\d\d)(?![\d.,]\d|\d|%|\s*(?:个|元|万|tickets|orders|rows))"),
     lambda self, found: self.whole_year(found)),
    (re.compile(rf"(?:{_W}(?:the )?)?(?:(?P<this>{_THIS})|(?P<next>{_NEXT})|(?P<last>上上个?|{_LAST}))(?P<unit>季度|月份?|周|星期|礼拜|年度?|(?:quarter|month|week|year)(?:s|(?![a-z])))(?: before last)?(?!内)"),
     lambda self, found: self.relative(found)),
    (re.compile(r"大前天|前天|昨[天日]|今[天日]|当[天日]|the day before yesterday|yesterday|today"),
     lambda self, found: self.day(found)),
    (re.compile(rf"(?:最近|过去|近|之前|前)的?(?:这)?\s*{_N}\s*(?:整)?(?P<unit>{_ANY_UNIT})(?![a-z])(?:里|内|以来|之内|的?时间)?"),
     lambda self, found: self.last(found)),
    (re.compile(r"(?:最近|过去|近)的?(?P<unit>半年)(?:里|内|以来)?"), lambda self, found: self.last(found)),
    (re.compile(rf"{_N}\s*(?P<unit>天|周|个星期|个月|个季度|年)(?:内|以来|之内)"), lambda self, found: self.last(found)),
    (re.compile(rf"{_W}(?:in |over |during |within )?(?:the )?(?:{_LAST_WORDS}|trailing|recent)(?: full| complete)? {_N}[\s-]*(?P<unit>{_ANY_UNIT})(?![a-z])"),
     lambda self, found: self.last(found)),
    (re.compile(rf"{_W}(?:in |over |during |within )(?:the )past (?P<unit>day|week|month|quarter|year)(?![a-z])"),
     lambda self, found: self.last(found)),
    (re.compile(rf"(?:今年以来|年初(?:到|至)(?:今|现在|目前)|本年迄今|今年(?:迄今|到目前|截至目前|到现在|至今)(?:为止)?|月初(?:到|至)(?:今|现在)|季度?初至今|周初至今|{_W}(?:ytd|year[- ]to[- ]date|qtd|quarter[- ]to[- ]date|mtd|month[- ]to[- ]date|so far this year|this year so far)(?![a-z]))"),
     lambda self, found: self.to_date(found)),
)  # fmt: skip


def _month_range(reader: TimeReader, found: re.Match[str]) -> Period | None:
    first = reader.month(found, "month", number_of(found["m"]))
    last = reader.month(found, "month", number_of(found["m2"]))
    if first is None or last is None or first.start is None or last.start is None:
        return None
    if not last.has_year and first.start > last.start:
        first = first.back(12)
    return Period(first.start, last.end, "range", has_year=first.has_year) if first.start < last.start else None


def _named_month(reader: TimeReader, found: re.Match[str]) -> Period | None:
    """ "May" is a month only beside a preposition or a year."""
    if found["mon"] == "may" and found[0].strip() == "may":
        before = found.string[: found.start()]
        if not re.search(
            r"(?:^|[^a-z])(?:in|of|since|from|to|and|until|through|during|for|last|this|by month|april|vs)\s*$", before
        ):
            return None
    return reader.month(found, "month", _month_number(found["mon"]))


_FROM = re.compile(r"(?:(?<![a-z])(?:from|between)\s+(?:the )?|[从自由在]\s*)$")
_BETWEEN = re.compile(r"\s*(?:-|~|—|–|到|至|to|through|thru|until|till)\s*(?:the )?")
_BEFOREHAND = re.compile(
    r"(?:(?P<since>(?<![a-z])(?:since|starting|beginning|from)\s+(?:the )?(?:start of |beginning of |in )?|[从自]\s*)"
    r"|(?P<after>(?<![a-z])after\s+)|(?P<before>(?<![a-z])(?:before|prior to|earlier than)\s+)"
    r"|(?P<until>(?<![a-z])(?:until|till|up to|through|as of|by the end of)\s+(?:the end of )?|截[至止]到?\s*))$"
)
_AFTERWARDS = re.compile(
    r"\s*(?:(?P<since>以来|至今|到现在|到今天|起|开始|以后|onwards?|and later|or later)|(?P<after>之后|后(?!面))|(?P<before>之前|以前|前(?![\d一二三四五六七八九十]))|(?P<until>为止|(?:and|or) (?:before|earlier)))"
)


def _ranges(normal: str, first: TimeMark, last: TimeMark) -> bool:
    between = normal[first.end : last.start]
    if _BETWEEN.fullmatch(between):
        return True
    if re.fullmatch(r"\s*(?:and|和|与|及|跟)\s*(?:the )?", between):
        closing = re.match(r"\s*(?:之间|期间|间)", normal[last.end :])
        return bool(closing or re.search(r"(?<![a-z])between\s+(?:the )?$", normal[: first.start]))
    return False


_GRANULARITY = (
    (r"按年|每年|逐年|年度(?=趋势|走势|变化)|历年|各年(?:度|份)?|分年(?:度)?|(?<![a-z])(?:by|per|each|every) year|yearly|annual(?:ly)?|year by year", "year"),
    (r"按季度?|每个?季度?|逐季|季度(?=趋势|走势|变化)|各个?季度|分季度|(?<![a-z])(?:by|per|each|every) quarter|quarterly|quarter by quarter", "quarter"),
    (r"按月份?|每个?月份?|逐月|月度(?=趋势|走势|变化|的)|各个?月份?|分月份?|(?:哪|几)个?月份?(?!内)|(?<![a-z])(?:by|per|each|every|which) month|monthly|month by month|what month|by calendar month", "month"),
    (r"按周(?!几)|每周(?![一二三四五六日天几])|逐周|各周|(?<![a-z])(?:by|per|each|every|which) week(?!day|end)|weekly|week by week", "week"),
    (r"按[天日]|每[天日]|逐[日天]|各天|(?:哪|几)一?天|(?<![a-z])(?:by|per|each|every|which|what) (?:day|date)(?! of)|daily|day by day", "day"),
    (r"(?:哪|几)个?季度|(?<![a-z])(?:which|what) quarter", "quarter"),
    (r"哪一?年(?:份)?|(?<![a-z])(?:which|what) year", "year"),
)  # fmt: skip
_COMPARISON = (
    (r"同比|年同比|跟去年同期|(?:和|与|跟|比|较|相比)?去年同期(?:相比|比)?|(?<![a-z])(?:yoy|y/y|year[- ]over[- ]year|year[- ]on[- ]year)|(?:compared?|comparing) (?:to|with) (?:the )?(?:same (?:period|time|month|quarter) )?(?:of |in )?last year|(?:vs\.?|versus|than|against|from) (?:the )?(?:same (?:period|month|quarter|time) )?(?:of |in )?(?:last|the previous|the prior) year(?:\'s)?(?:,? (?:the )?same (?:period|time))?|same (?:period|time|month|quarter) (?:of )?last year|(?:比|较|跟|和|与)(?:去年|上年)(?:相比|比)?", "yoy"),
    (r"环比|(?<![a-z])(?:qoq|mom|wow|q/q|m/m|month[- ]over[- ]month|quarter[- ]over[- ]quarter|week[- ]over[- ]week|month[- ]on[- ]month|period over period)|(?:compared?|comparing) (?:to|with) the (?:previous|prior|preceding) (?:month|quarter|week|period|one)|(?:vs\.?|versus|than|from) the (?:previous|prior|preceding) (?:month|quarter|week|period)|(?:比|较|跟|和|与)上(?:一?个?)(?:月|季度|周|期)(?:相比|比)?", "qoq"),
)  # fmt: skip
_PARTS = (
    (r"按小时|每个?小时(?:段)?|各个?小时|(?:哪|几)个?(?:小时|钟点|时段)|几点|按时段|各时段|分时段|(?:(?:by|per|each|which|what|of) |(?<=busiest )|(?<=peak )|(?<=quietest ))hours?(?: of (?:the )?day)?|hour of (?:the )?day|hourly|time of day", "hour"),
    (r"星期几|周几|礼拜几|每周几|按星期(?:几)?|各星期|(?:by |per |each |which |what )?(?:day of (?:the )?week|weekday|week day)(?!s)", "weekday"),
)  # fmt: skip
_DAYS = (
    (r"周末|双休日|(?<![a-z])weekends?", (6, 7)),
    (r"工作日|(?<![a-z])(?:weekdays|working days|business days|workdays)", (1, 2, 3, 4, 5)),
)
_AVERAGED = {"日": "day", "天": "day", "周": "week", "月": "month", "季": "quarter", "年": "year"}
_CLEAN = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 7, "天": 7}


def _others(normal: str) -> Iterator[TimeMark]:
    for kind, table in (("granularity", _GRANULARITY), ("comparison", _COMPARISON), ("part", _PARTS)):
        for pattern, name in table:
            for found in re.finditer(pattern, normal):
                yield TimeMark(kind, found.start(), found.end(), name=name)
    for found in re.finditer(r"(?:平均每?|每)?([日天周月季年])均|平均每(?:一?个)?(天|日|周|月|季度?|年)", normal):
        yield TimeMark("averaged", found.start(), found.end(), name=_AVERAGED[(found[1] or found[2])[0]])
    for found in re.finditer(
        rf"(?<![a-z])the (?:{_ANY_UNIT}) (?:before|prior)(?: that)?(?! [a-z0-9])|再?(?:往前|前面?)一?个?(?:{_ANY_UNIT})",
        normal,
    ):
        yield TimeMark("prior", found.start(), found.end())
    for pattern, days in _DAYS:
        for found in re.finditer(pattern, normal):
            yield TimeMark("days", found.start(), found.end(), values=days)
    for found in re.finditer(r"(?<!本)(?<!上)(?<!这)(?:每?(?:周|星期|礼拜))([一二三四五六日天])", normal):
        yield TimeMark("days", found.start(), found.end(), values=(_CLEAN[found[1]],))
    for names, number in _WEEKDAYS.items():
        for found in re.finditer(rf"(?<![a-z])(?:on |every )?(?:{names})(?![a-z])", normal):
            yield TimeMark("days", found.start(), found.end(), values=(number,))


def _longest(marks: list[TimeMark]) -> list[TimeMark]:
    kept: list[TimeMark] = []
    for mark in sorted(marks, key=lambda one: (one.start - one.end, one.start)):
        if all(mark.end <= other.start or other.end <= mark.start for other in kept):
            kept.append(mark)
    return sorted(kept, key=lambda one: one.start)


def describe(period: Period) -> dict[str, Any]:
    """The first and last day of a period, ISO 8601."""
    return {
        "from": period.start.isoformat() if period.start else None,
        "to": (period.end - DAY).isoformat() if period.end else None,
    }
