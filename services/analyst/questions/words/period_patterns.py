"""The patterns of periods, and which reading of a TimeReader each has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from services.analyst.questions.intent import Period, Unit, add_months

if TYPE_CHECKING:
    from services.analyst.questions.words.times import TimeReader

_ZH = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}


_EN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


_ORDINAL = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}


_MONTH_NAMES = (
    "january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul", "august|aug",
    "september|sept|sep", "october|oct", "november|nov", "december|dec",
)  # fmt: skip


_WEEKDAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")


_N = rf"(?P<n>\d{{1,4}}|[一二两三四五六七八九十]{{1,3}}|(?:{'|'.join(_EN)})(?![a-z]))"


_D = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"


_MON = rf"(?P<mon>{'|'.join(_MONTH_NAMES)})(?![a-z])\.?"


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
    (r"年度?|years?|yrs?", "year"),
)


_ANY_UNIT = "|".join(words for words, _ in _UNITS)


_W = r"(?<![a-z])"


_THIS = r"本|这个?|当前?|(?:(?:this|current|the current)(?: calendar)? )"


_LAST = rf"上一?个?|前一个|(?:(?:the )?(?:{_LAST_WORDS})(?: calendar)? )"


_NEXT = r"下一?个?|(?:(?:the )?next )"


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


def unit_of(words: str) -> Unit:
    """The unit that words name; days where they name none."""
    for pattern, unit in _UNITS:
        if re.fullmatch(pattern, words.strip()):
            return unit
    return "day"


def _month_number(name: str) -> int:
    return next(at for at, names in enumerate(_MONTH_NAMES, 1) if name in names.split("|"))


def _ordinal(words: str) -> int:
    return _ORDINAL.get(words) or number_of(words)


def _month_range(reader: TimeReader, found: re.Match[str]) -> Period | None:
    first = reader.month(found, "month", number_of(found["m"]))
    last = reader.month(found, "month", number_of(found["m2"]))
    if first is None or last is None or first.start is None or last.start is None:
        return None
    begins = first.start
    if not last.has_year and begins > last.start:
        begins = add_months(begins, -12)
    return Period(begins, last.end, "range", has_year=first.has_year) if begins < last.start else None


def _day_range(reader: TimeReader, found: re.Match[str], month: int) -> Period | None:
    first, last = (reader.date(found, month, number_of(found[name])) for name in ("d", "d2"))
    if first is None or last is None or first.start is None or last.start is None or first.start >= last.start:
        return None
    return Period(first.start, last.end, "range", has_year=first.has_year)


def _named_month(reader: TimeReader, found: re.Match[str]) -> Period | None:
    """ "May" is a month only beside a preposition or a year."""
    if found["mon"] == "may" and found[0].strip() == "may":
        before = found.string[: found.start()]
        if not re.search(
            r"(?:^|[^a-z])(?:in|of|since|from|to|and|until|through|during|for|last|this|by month|april|vs)\s*$", before
        ):
            return None
    return reader.month(found, "month", _month_number(found["mon"]))


PERIOD_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[TimeReader, re.Match[str]], Period | None]], ...] = (
    (re.compile(r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
     lambda self, found: self.date(found, int(found["m"]), int(found["d"]))),
    (re.compile(rf"(?:{_YEAR})?(?P<m>{_D})月(?:份的?)?(?P<d>{_D})[日号]"),
     lambda self, found: self.date(found, number_of(found["m"]), number_of(found["d"]))),
    (re.compile(rf"(?:{_YEAR})?(?P<m>{_D})月(?:份的?)?(?P<d>{_D})[日号]?\s*(?:-|到|至|~|—)\s*(?P<d2>{_D})[日号]"),
     lambda self, found: _day_range(self, found, number_of(found["m"]))),
    (re.compile(rf"{_W}{_MON}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:-|–|to|through|until)\s*(?P<d2>\d{{1,2}})"
                rf"(?:st|nd|rd|th)?(?![\d:])(?:{_OF_YEAR})?"),
     lambda self, found: _day_range(self, found, _month_number(found["mon"]))),
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
     lambda self, found: self.month(found, "half", 7 if found["h"] == "下" or found["h2"] == "2" else 1)),
    (re.compile(rf"{_W}(?:the )?(?P<h>first|second|1st|2nd) half(?: of)?(?: the year)?(?:{_OF_YEAR})?"),
     lambda self, found: self.month(found, "half", 6 * _ordinal(found["h"]) - 5)),
    (re.compile(r"(?:(?P<y>(?<!\d)(?:19|20)\d\d)\s*(?:年度?|财年)|(?P<yy>(?<!\d)\d\d)(?:年度?|财年)|(?P<rel>今年|本年度?|去年|上年|前年|明年))(?:全年|整年|一整年)?"),
     lambda self, found: self.whole_year(found)),
    (re.compile(rf"{_W}(?:fiscal(?: year)?|fy)\s*'?(?:(?P<y>(?:19|20)\d\d)|(?P<yy>\d\d))(?!\d)"),
     lambda self, found: self.whole_year(found)),
    (re.compile(r"(?<![\d.$-])(?<!\d,)(?P<y>(?:19|20)\d\d)(?![\d.,]\d|\d|%|\s*(?:个|元|万))"),
     lambda self, found: self.whole_year(found)),
    (re.compile(rf"(?:{_W}(?:the )?)?(?:(?P<this>{_THIS})|(?P<next>{_NEXT})|(?P<last>上上个?|{_LAST}))"
                rf"(?P<unit>(?:财|fiscal )?(?:年度?|year|yr)(?:s|(?![a-z]))|季度|月份?|周|星期|礼拜"
                r"|(?:quarter|month|week)(?:s|(?![a-z])))"
                r"(?: before last)?(?!内)"),
     lambda self, found: self.relative(found)),
    (re.compile(r"(?P<week>上上个?|上一?个?|本|这个?)(?:周|星期|礼拜)(?P<day>[一二三四五六日天])"),
     lambda self, found: self.day_of_week(found, "一二三四五六日".index(found["day"].replace("天", "日")))),
    (re.compile(rf"{_W}(?P<week>last|this) (?P<day>{'|'.join(_WEEKDAYS)})day(?![a-z])"),
     lambda self, found: self.day_of_week(found, _WEEKDAYS.index(found["day"]))),
    (re.compile(r"大前天|前天|昨[天日]|今[天日]|当[天日]|the day before yesterday|yesterday|today"),
     lambda self, found: self.day(found)),
    (re.compile(rf"(?:最近|过去|近|之前|前|这)的?(?:这)?\s*{_N}\s*(?:整)?(?P<unit>{_ANY_UNIT})(?![a-z])(?:里|内|以来|之内|的?时间)?"),
     lambda self, found: self.last(found)),
    (re.compile(r"(?:最近|过去|近)的?(?P<unit>半年)(?:里|内|以来)?"), lambda self, found: self.last(found)),
    (re.compile(rf"{_N}\s*(?P<unit>天|周|个星期|个月|个季度|年)(?:内|以来|之内)"),
     lambda self, found: self.last(found)),
    (re.compile(rf"{_W}(?:in |over |during |within )?(?:the )?(?:{_LAST_WORDS}|trailing|recent)"
                rf"(?: full| complete)? {_N}[\s-]*(?P<unit>{_ANY_UNIT})(?![a-z])"),
     lambda self, found: self.last(found)),
    (re.compile(rf"{_W}(?:in |over |during |within )(?:the )past (?P<unit>day|week|month|quarter|year)(?![a-z])"),
     lambda self, found: self.last(found)),
    (re.compile(rf"(?:今年以来|年初(?:到|至)(?:今|现在|目前)|本年迄今|今年(?:迄今|到目前|截至目前|到现在|至今)(?:为止)?"
                rf"|月初(?:到|至)(?:今|现在)|季度?初至今|周初至今|"
                rf"{_W}(?:ytd|year[- ]to[- ]date|qtd|quarter[- ]to[- ]date|mtd"
                r"|month[- ]to[- ]date|so far this year|this year so far)(?![a-z]))"),
     lambda self, found: self.to_date(found)),
)  # fmt: skip
