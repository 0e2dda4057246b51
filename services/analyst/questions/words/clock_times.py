"""Reads spans of the clock: "between 10pm and 6am", "after 22:00", 晚上十点到早上六点."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DAY, _NOON = 24, 12
_NUMERALS = {"两": 2, **{numeral: value for value, numeral in enumerate("零一二三四五六七八九")}}
_NUMBERED = frozenset("0123456789零一二两三四五六七八九十")
# Parts of the day whose hours are counted from noon on.
_LATE = ("中午", "下午", "傍晚", "晚上", "晚间", "夜里", "夜间", "晚")
_EN = r"(?<![\d.:])(?:\d{1,2}:\d\d(?: ?[ap]\.?m)?|\d{1,2} ?[ap]\.?m|midnight|noon)(?![a-z\d])\.?"
_PART = "(?:凌晨|清晨|早上|早晨|上午|半夜|" + "|".join(_LATE) + ")?"
_ZH = rf"{_PART}(?:\d{{1,2}}(?::\d\d)?点?|[零一二两三四五六七八九十]{{1,3}}点)(?:钟|整)?"
_AFTER, _BEFORE = "(?:以后|之后|后)?", "(?:以前|之前|前)?"
_SPANS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![a-z])(?:between|from) ({_EN}) (?:and|to|till|until) ({_EN})",
        rf"({_EN}) ?(?:-|–|to|till|until) ?({_EN})",
        rf"从?({_ZH.replace('点?', '点')}){_AFTER}(?:到|至|-|~)({_ZH}){_BEFORE}(?:之间)?",
    )
)
_FROM = tuple(
    re.compile(each) for each in (rf"(?<![a-z])after ({_EN})", rf"({_ZH.replace('点?', '点')})(?:以后|之后|后)")
)
_UNTIL = tuple(
    re.compile(each) for each in (rf"(?<![a-z])before ({_EN})", rf"({_ZH.replace('点?', '点')})(?:以前|之前|前)")
)


def find_clock_times(normal: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Where each span begins and ends in a normalised question, and its hours, in [0, 23]; the last is not in it."""
    for pattern in _SPANS:
        for found in pattern.finditer(normal):
            first, last = _hour(found[1]), _hour(found[2])
            if found[1].startswith(_LATE) and found[2][0] in _NUMBERED and first < last + _NOON < _DAY:
                last += _NOON  # 下午2点到4点
            yield found.start(), found.end(), _between(first, last)
    for pattern in _FROM:
        for found in pattern.finditer(normal):
            yield found.start(), found.end(), _between(_hour(found[1]), 0)
    for pattern in _UNTIL:
        for found in pattern.finditer(normal):
            yield found.start(), found.end(), _between(0, _hour(found[1]))


def _between(first: int, last: int) -> tuple[int, ...]:
    """The hours from the first one up to, without, the last one, over midnight too."""
    return tuple(hour % _DAY for hour in range(first, last if last > first else last + _DAY))


def _hour(words: str) -> int:
    """The hour of the day that words name."""
    if words.startswith(("midnight", "noon")):
        return 0 if words.startswith("midnight") else _NOON
    digits = re.search(r"\d{1,2}", words)
    hour = int(digits[0]) if digits else _numeral(words)
    late = "pm" in words.replace(".", "") or words.startswith(_LATE)
    early = "am" in words.replace(".", "")
    if late and hour < _NOON:
        hour += _NOON
    return 0 if hour == _NOON and early else hour % _DAY


def _numeral(words: str) -> int:
    """The value of 六, 十, 十一 or 二十二 among other words."""
    said = "".join(each for each in words if each in _NUMERALS or each == "十")
    if "十" not in said:
        return _NUMERALS[said[0]]
    tens, _, ones = said.partition("十")
    return (_NUMERALS[tens] if tens else 1) * 10 + (_NUMERALS[ones] if ones else 0)
