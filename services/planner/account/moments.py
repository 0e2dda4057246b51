"""Times as they are told: a day, a time of it, and whether that is only about so; said again in either language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lang import deferred_re as re
from services.planner.account.terms import mark_before
from services.planner.model import Language

_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
_WEEK_ZH = "一二三四五六日"
_NUMERAL = "[一二三四五六七八九十两]{1,3}"
# A day by its name, the words for it in either language, and how it is told in English, before a time and alone.
_DAYS = {
    "before_yesterday": (r"前天|the day before yesterday", "the day before yesterday", "前天"),
    "last_night": (r"昨晚|昨天晚上|昨夜|last night", "last night", "昨晚"),
    "yesterday_afternoon": (r"昨天下午|yesterday afternoon", "yesterday afternoon", "昨天下午"),
    "yesterday": (r"昨天|昨日|yesterday", "yesterday", "昨天"),
    "small_hours": (r"凌晨|半夜|今天凌晨|small hours", "early this morning", "凌晨"),
    "morning": (r"今早|今天早上|今天上午|早上|上午|this morning", "this morning", "早上"),
    "noon": (r"今天中午|中午|noon", "noon", "中午"),
    "afternoon": (r"今天下午|下午|this afternoon", "this afternoon", "下午"),
    "evening": (r"今晚|今天晚上|晚上|tonight|this evening", "this evening", "晚上"),
}
_WEEKDAY = (
    rf"(?P<week>\b(?:{'|'.join((*_WEEK, *_SHORT))})\b)(?P<part> (?:morning|afternoon|evening|night))?"
    r"|(?:周|星期|礼拜)(?P<zh_week>[一二三四五六日天])(?P<zh_part>早上|上午|中午|下午|晚上)?"
)
_AGO = rf"(?P<ago>\d+|{_NUMERAL}|two|three|four|five|six|seven)\s*(?:天(?:之?前|以前)|days ago)"
_DAY = "|".join(rf"(?P<{name}>{words})" for name, (words, _, _) in _DAYS.items())
_CLOCK = (
    r"(?<![\d:.\-/])(?P<hour>[01]?\d|2[0-4])\s*[:：]\s*(?P<minute>[0-5]\d)(?::\d\d)?(?![\d:])(?P<half>\s?[ap]m\b)?"
    r"|\b(?P<hour_m>1?\d)\s?(?P<half_m>[ap]m)\b"
    rf"|(?<!\d)(?P<hour_zh>[01]?\d|2[0-4]|{_NUMERAL})\s*点(?!击|开[关门]|了|儿|数)"
    r"(?P<minute_zh>半|一刻|\d{1,2}分?)?(?P<more>多|刚过|左右)?"
    r"|\b(?:at|around|since|about|by)\s+"
    r"(?P<hour_en>two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?! (?!this)\w+s\b)"
)
_MOMENT = re.compile(f"(?:{_WEEKDAY}|{_AGO}|{_DAY})|{_CLOCK}", re.IGNORECASE)
_NUMBERS = {
    name: at
    for at, name in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 2
    )
}
_DIGITS = "零一二三四五六七八九"
_PARTS = {
    "早上": "morning",
    "上午": "morning",
    "中午": "noon",
    "下午": "afternoon",
    "晚上": "evening",
    "night": "evening",
}
_LATE = ("afternoon", "evening", "last_night", "yesterday_afternoon")
_ABOUT_AFTER = re.compile(r"^\s*(?:左右|多|前后|ish\b|or so\b)")
_HALF_DAY, _HOURS, _EARLY, _NEAR = 12, 24, 5, 8


class Moment(NamedTuple):
    """A time. day: by its name; clock: HH:MM; either may be empty. about: only about so."""

    day: str = ""
    clock: str = ""
    about: bool = False

    def say(self, language: Language) -> str:
        """The time in a language, without a preposition."""
        day = _day_in_words(self.day, language)
        if language is Language.ZH:
            return " ".join(
                part for part in (day, self.clock + (" 左右" if self.about and self.clock else "")) if part.strip()
            )
        clock = ("about " if self.about else "") + self.clock if self.clock else ""
        return f"{clock} {day}" if clock and day else clock or day

    def after_words(self) -> str:
        """The time behind English words that it dates: " at 17:00 yesterday", " on Monday"."""
        before = "at " if self.clock else "on " if self.day.startswith("week_") else ""
        return f" {before}{self.say(Language.EN)}"


def moments_in(words: str) -> Iterator[tuple[int, int, Moment]]:
    """The times that words tell, each with its place; a day and the time right after it are one."""
    found = [*_MOMENT.finditer(words.lower())]
    at = 0
    while at < len(found):
        day, clock = _day(found[at]), _is_clock(found[at])
        first, last = found[at].start(), found[at].end()
        follows = at + 1 < len(found) and 0 <= found[at + 1].start() - last <= _NEAR
        time = found[at] if clock else None
        if follows and not clock and (_is_clock(found[at + 1]) or not day):
            time, at = found[at + 1], at + 1
        elif (
            follows and not clock and _day(found[at + 1]) in _LATE and at + 2 < len(found) and _is_clock(found[at + 2])
        ):
            time, at = found[at + 2], at + 2
        elif follows and clock and not _is_clock(found[at + 1]):
            day, at = _day(found[at + 1]), at + 1
        last = found[at].end()
        about = mark_before("around", words, first) or (time is not None and _is_about(time, words))
        yield first, last, Moment(day, _time(time, day) if time is not None else "", about)
        at += 1


def moment_in(words: str) -> Moment | None:
    """The first time that words tell, with the time of the day where one of them has it."""
    told = [moment for _, _, moment in moments_in(words)]
    clocked = next((each for each in told if each.clock), None)
    if clocked is not None and not clocked.day:
        return clocked._replace(day=next((each.day for each in told if each.day), ""))
    return clocked or next(iter(told), None)


def _is_clock(found: re.Match[str]) -> bool:
    return any(found[name] for name in ("hour", "hour_m", "hour_zh", "hour_en"))


def _is_about(found: re.Match[str], words: str) -> bool:
    behind = _ABOUT_AFTER.match(words[found.end() :].lower()) is not None
    return bool(found["more"]) or behind or mark_before("around", words, found.start())


def _day(found: re.Match[str]) -> str:
    if week := found["week"]:
        number = _SHORT[week] if week in _SHORT else _WEEK.index(week)
        part = (found["part"] or "").strip()
        return " ".join(each for each in (f"week_{number}", _PARTS.get(part, part)) if each)
    if week := found["zh_week"]:
        part = _PARTS.get(found["zh_part"] or "", "")
        return " ".join(each for each in (f"week_{_WEEK_ZH.index(week.replace('天', '日'))}", part) if each)
    if ago := found["ago"]:
        return f"ago_{_number(ago)}"
    return next((name for name in _DAYS if found[name]), "")


def _time(found: re.Match[str], day: str) -> str:
    """A time as HH:MM; empty where there is none such."""
    told = found["hour"] or found["hour_m"] or found["hour_zh"] or found["hour_en"]
    hour = _number(told)
    minutes = (found["minute"] or found["minute_zh"] or "0").removesuffix("分")
    minute = {"半": 30, "一刻": 15}.get(minutes) or (int(minutes) if minutes.isdigit() else 0)
    half = (found["half"] or found["half_m"] or "").strip()
    late = half == "pm" or day.rpartition(" ")[2] in _LATE
    night = day == "last_night" and hour <= _EARLY
    if late and not night and half != "am" and hour < _HALF_DAY:
        hour += _HALF_DAY
    if half == "am" and hour == _HALF_DAY:
        hour = 0
    return f"{hour % _HOURS:02}:{minute:02}" if hour <= _HOURS else ""


def _number(words: str) -> int:
    """A number up to 99 in digits or in words of either language."""
    if words.isdigit() or words in _NUMBERS:
        return _NUMBERS.get(words) or int(words)
    tens, ten, ones = words.replace("两", "二").rpartition("十")
    return (_DIGITS.find(tens) if tens else 1) * 10 * bool(ten) + (_DIGITS.find(ones) if ones else 0)


def _day_in_words(day: str, language: Language) -> str:
    kind, _, part = day.partition(" ")
    zh = language is Language.ZH
    if kind.startswith("week_"):
        number = int(kind.removeprefix("week_"))
        parts = {"morning": "上午", "noon": "中午", "afternoon": "下午", "evening": "晚上"}
        if zh:
            return f"周{_WEEK_ZH[number]}{parts.get(part, '')}"
        return f"{_WEEK[number].capitalize()}{f' {part}' if part else ''}"
    if kind.startswith("ago_"):
        number_told = kind.removeprefix("ago_")
        return f"{number_told} 天前" if zh else f"{number_told} days ago"
    _, en_name, zh_name = _DAYS.get(day, ("", "", ""))
    return zh_name if zh else en_name
