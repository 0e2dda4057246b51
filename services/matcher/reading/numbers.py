"""Numbers with units in a text, and whether a stated one lies on the present side of a described threshold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lang import deferred_re as re
from services.matcher.model import Verdict

PERCENT, SECONDS, BYTES, COUNT = "percent", "seconds", "bytes", "count"
_SCALE = {
    "k": 1e3,
    "千": 1e3,
    "万": 1e4,
    "m": 1e6,
    "百万": 1e6,
    "千万": 1e7,
    "亿": 1e8,
    "million": 1e6,
    "billion": 1e9,
    "thousand": 1e3,
}
_UNITS: dict[str, tuple[str, float]] = {
    "%": (PERCENT, 1), "percent": (PERCENT, 1), "pct": (PERCENT, 1), "成": (PERCENT, 10), "个点": (PERCENT, 1),
    "微秒": (SECONDS, 1e-6), "us": (SECONDS, 1e-6), "毫秒": (SECONDS, 1e-3), "ms": (SECONDS, 1e-3),
    "milliseconds": (SECONDS, 1e-3), "秒": (SECONDS, 1), "seconds": (SECONDS, 1), "second": (SECONDS, 1),
    "secs": (SECONDS, 1), "sec": (SECONDS, 1), "s": (SECONDS, 1), "分钟": (SECONDS, 60), "分": (SECONDS, 60),
    "minutes": (SECONDS, 60), "minute": (SECONDS, 60), "mins": (SECONDS, 60), "min": (SECONDS, 60),
    "个小时": (SECONDS, 3600), "小时": (SECONDS, 3600), "个钟头": (SECONDS, 3600), "钟头": (SECONDS, 3600),
    "hours": (SECONDS, 3600), "hour": (SECONDS, 3600), "hrs": (SECONDS, 3600), "h": (SECONDS, 3600),
    "刻钟": (SECONDS, 900), "天": (SECONDS, 86400), "days": (SECONDS, 86400), "day": (SECONDS, 86400),
    "周": (SECONDS, 604800),
    "weeks": (SECONDS, 604800), "week": (SECONDS, 604800), "个月": (SECONDS, 2592000), "months": (SECONDS, 2592000),
    "kb": (BYTES, 2**10), "mb": (BYTES, 2**20), "gb": (BYTES, 2**30), "tb": (BYTES, 2**40), "gigs": (BYTES, 2**30),
    "mib": (BYTES, 2**20), "gib": (BYTES, 2**30), "个g": (BYTES, 2**30), "g": (BYTES, 2**30), "t": (BYTES, 2**40),
}  # fmt: skip
_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CHINESE = r"[零〇一二两三四五六七八九十百千半]+"
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_SPOKEN_VALUES: dict[str, float] = {
    "half an": 0.5, "half a": 0.5, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "ninety": 90,
}  # fmt: skip
_SPOKEN = "|".join(_SPOKEN_VALUES)
_PARTS: dict[str, float] = {
    "三分之二": 67, "two thirds": 67, "四分之三": 75, "three quarters": 75, "三分之一": 33,
    "a third": 33, "one third": 33, "a quarter": 25, "one quarter": 25,
}  # fmt: skip
_IDLE = re.compile(
    r"\bcpu\b.{0,10}?(?P<part>(?:idle|空闲|\bid\b).{0,12}?(?P<idle>\d+(?:\.\d+)?)\s*%)", re.IGNORECASE | re.ASCII
)
_FREE = re.compile(
    r"(?:只剩|还剩|剩下?|only\s)?\s*(?<![\d.])(?P<left>\d{1,9}(?:\.\d+)?)\s*(?P<left_unit>[mgt]b|[mg]ib|[gt])\b\s*(?:free|left|available|剩余|可用|空闲|了?[，,]?\s*(?=总共|一共|共))"
    r".{0,14}?(?<![\d.])(?P<whole>\d{1,9}(?:\.\d+)?)\s*(?P<whole_unit>[mgt]b|[mg]ib|[gt])\b",
    re.IGNORECASE | re.ASCII,
)
_LEFT_SHARE = re.compile(
    r"(?:剩余|只剩|还剩|剩下|仅剩|剩)(?:空间|磁盘|容量|可用)*(?P<less>不足|不到|少于|低于)?了?\s*(?P<before>\d{1,2}(?:\.\d+)?)\s*%"
    r"|(?<![\d.])(?P<after>\d{1,2}(?:\.\d+)?)\s*(?:%|percent)\s*"
    r"(?:of (?:the )?)?(?:free )?(?:disk |space |disk space )?(?:left|free|remaining|剩余)",
    re.IGNORECASE | re.ASCII,
)
# The processor line of `top`: what is not idle is used.
_TOP = re.compile(r"%?cpu\(?s?\)?\s*:(?P<part>.*?(?P<idle>\d+(?:\.\d+)?)\s*%?\s*id\b.*)", re.IGNORECASE | re.ASCII)
_SCALES = "|".join(sorted(_SCALE, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?P<fraction>百分之(?P<hundredth>{_CHINESE}|\d+(?:\.\d+)?))"
    rf"|(?P<part>\d+)\s*(?:/|of|out of)\s*(?P<whole>\d+)(?![\d/:])"
    rf"|\b(?P<spoken>{_SPOKEN})[\s-]+(?P<spoken_unit>{_UNIT})(?![a-z])"
    rf"|(?P<share>三分之二|四分之三|三分之一|two thirds|three quarters|a third|a quarter|one third|one quarter)"
    r"|(?P<clock>(?<![\d:-])(?:(?P<days>\d+) days? )?(?P<hh>\d{1,3}):(?P<mm>[0-5]\d):(?P<ss>[0-5]\d)(?:\.\d+)?)"
    rf"|(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?|{_CHINESE})(?P<more>[多几来+]?)\s*(?:(?P<scale>{_SCALES})(?![a-z]))?(?:\s*(?P<unit>{_UNIT})(?![a-z]))?",
    re.IGNORECASE | re.ASCII,
)
_ABOVE = (
    r"超过|大于|高于|多于|超出|长于|早于|至少|不低于|above|over|more than|greater than|longer than|at least"
    r"|exceed(?:s|ing)?|older than|>=?|≥"
)
_BELOW = (
    r"低于|小于|少于|不到|不足|没到|没超过|不超过|未超过|没有超过|below|under|less than|fewer than|at most|not above"
    r"|not over|no more than|not more than|smaller than|<=?|≤"
)
_NEAR = r"接近|逼近|near(?:ly)?|close to|almost|将近"
_BEFORE = re.compile(
    rf"(?:(?P<below>{_BELOW})|(?P<near>{_NEAR})|(?P<above>{_ABOVE}))\s*(?:了|到|为|是|the)?\s*$", re.IGNORECASE
)
_AFTER = re.compile(
    r"^\s*(?:(?P<above>以上|以前|or more|or higher|or above|\+)|(?P<below>以下|以内|or less|or lower|or below))",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?:从|由|from)\s*(?:的)?\s*$", re.IGNORECASE)
_CHANGE = re.compile(r"(?:涨了|降了|增加了|减少了|多了|少了|\bby|up|down)\s*$", re.IGNORECASE)
_LIMIT = re.compile(
    r"(?:上限|最大|最多|总共|limit|max(?:imum)?|max_connections|cap)\s*(?:是|为|of|is|=|:|at)?\s*$", re.IGNORECASE
)
_CLOCK_TIME = re.compile(r"(?:\bat|\bfrom|\bsince|在|从|\d{4}-\d\d-\d\d)[\sT]*$", re.IGNORECASE)
_RATIO_WORDS = re.compile(
    r"利用率|使用率|命中率|占比|%?\butil|\bcpu\b|hit r|utili[sz]ation|负载率", re.IGNORECASE | re.ASCII
)
_SOFT = 0.9
# Words that bear on a number stand this near before it.
_REACH = 40


@dataclass(frozen=True, slots=True)
class Quantity:
    """A stated number in base units (percent, seconds, bytes, count) with `>`, `<`, `~` or `=` before it."""

    value: float
    dimension: str
    comparator: str
    words: str
    start: int


def quantities(text: str) -> tuple[Quantity, ...]:
    """The numbers of a normal form, in order. `490/500` and `490, limit 500` count as percentages."""
    used = _used(text)
    if used is not None:
        return (used,)
    found: list[Quantity] = []
    ratio = _RATIO_WORDS.search(text) is not None
    for match in _NUMBER.finditer(text):
        quantity = _quantity(text, match, ratio)
        if quantity is None:
            continue
        if (
            found
            and _LIMIT.search(_before(text, match.start()))
            and found[-1].dimension == COUNT
            and quantity.value > 0
        ):
            share = Quantity(100 * found[-1].value / quantity.value, PERCENT, "=", found[-1].words, found[-1].start)
            found[-1] = share
            continue
        if found and _FROM.search(_before(text, found[-1].start)) and found[-1].dimension == quantity.dimension:
            found.pop()
        found.append(quantity)
    return tuple(found)


def _used(text: str) -> Quantity | None:
    """How much is in use where a text says what is not: an idle processor, free space of a whole."""
    idle = _TOP.search(text) or _IDLE.search(text)
    if idle:
        return Quantity(100 - float(idle["idle"]), PERCENT, "=", idle["part"], idle.start("part"))
    share = _LEFT_SHARE.search(text)
    if share:
        left_share, comparator = share["before"] or share["after"], ">" if share["less"] else "="
        return Quantity(100 - float(left_share), PERCENT, comparator, share.group(), share.start())
    free = _FREE.search(text)
    if free is None:
        return None
    left, whole = (float(free[f"{name}"]) * _UNITS[free[f"{name}_unit"].lower()][1] for name in ("left", "whole"))
    return Quantity(100 * (1 - left / whole), PERCENT, "=", free.group(), free.start()) if 0 < left <= whole else None


def _quantity(text: str, match: re.Match[str], ratio: bool) -> Quantity | None:
    """The quantity of a number; `ratio` says whether the text speaks of one, where a bare number is a percentage."""
    start = match.start()
    if start and ((text[start - 1].isalnum() and text[start - 1].isascii()) or text[start - 1] in "_.-#:"):
        return None
    if _CHANGE.search(_before(text, start)) or (match["clock"] and _CLOCK_TIME.search(_before(text, start))):
        return None
    found = _phrase(match) or _number(match, ratio)
    return Quantity(*found, _comparator(text, match), match.group().strip(), start) if found else None


def _phrase(match: re.Match[str]) -> tuple[float, str] | None:
    """Value and dimension of what is no plain number: shares, durations as h:mm:ss, numbers in words."""
    if match["fraction"]:
        return _plain(match["hundredth"]), PERCENT
    if match["part"]:
        part, whole = float(match["part"]), float(match["whole"])
        return (100 * part / whole, PERCENT) if 0 < part <= whole else None
    if match["clock"]:
        seconds = int(match["days"] or 0) * 86400 + int(match["hh"]) * 3600 + int(match["mm"]) * 60 + int(match["ss"])
        return float(seconds), SECONDS
    if match["share"]:
        return _PARTS[match["share"].lower()], PERCENT
    if match["spoken"]:
        dimension, factor = _UNITS[match["spoken_unit"].lower()]
        return _SPOKEN_VALUES[match["spoken"].lower()] * factor, dimension
    return None


def _number(match: re.Match[str], ratio: bool) -> tuple[float, str] | None:
    if not match["number"]:
        return None
    value = _plain(match["number"]) * (_SCALE[match["scale"].lower()] if match["scale"] else 1)
    if match["unit"]:
        dimension, factor = _UNITS[match["unit"].lower()]
        return value * factor, dimension
    if match["number"][0].isdigit():
        bare = ratio and 0 < value <= 100 and not match["scale"]
        return value, PERCENT if bare else COUNT
    return None


def _before(text: str, start: int) -> str:
    return text[max(0, start - _REACH) : start]


def _comparator(text: str, match: re.Match[str]) -> str:
    after, before = _AFTER.match(text[match.end() : match.end() + _REACH]), _BEFORE.search(_before(text, match.start()))
    if after:
        return ">" if after["above"] else "<"
    if before:
        return "<" if before["below"] else "~" if before["near"] else ">"
    return "="


def _plain(number: str) -> float:
    if number[0].isdigit():
        return float(number.replace(",", ""))
    if number == "半":
        return 0.5
    total, current = 0, 0
    for character in number:
        scale = {"十": 10, "百": 100, "千": 1000}.get(character)
        if scale:
            total, current = total + (current or 1) * scale, 0
        else:
            current = _DIGITS.get(character, 0)
    return float(total + current)


def thresholds(texts: Iterable[str]) -> tuple[Quantity, ...]:
    """What a description compares with, one a dimension: the first text that states one of it decides.

    A dimension whose first text states several different ones is left out.
    """
    found: dict[str, Quantity | None] = {}
    for text in texts:
        stated: dict[str, set[Quantity]] = {}
        for quantity in quantities(text):
            if quantity.comparator != "=" and quantity.dimension != COUNT:
                plain = Quantity(quantity.value, quantity.dimension, quantity.comparator, "", 0)
                stated.setdefault(quantity.dimension, set()).add(plain)
        for dimension, several in stated.items():
            found.setdefault(dimension, next(iter(several)) if len(several) == 1 else None)
    return tuple(quantity for _, quantity in sorted(found.items()) if quantity is not None)


def decide(stated: Sequence[Quantity], described: Sequence[Quantity]) -> tuple[Verdict | None, str]:
    """What stated numbers say about a description, with the deciding words; (None, first words) when nothing."""
    first = next((quantity.words for quantity in stated), "")
    for threshold in described:
        same = [quantity for quantity in stated if quantity.dimension == threshold.dimension]
        verdicts = {_side(quantity, threshold) for quantity in same}
        if len(verdicts) == 1 and None not in verdicts:
            return verdicts.pop(), same[0].words
    return None, first


def _side(stated: Quantity, threshold: Quantity) -> Verdict | None:
    limit = threshold.value * (_SOFT if threshold.comparator == "~" else 1)
    wants_more = threshold.comparator != "<"
    if stated.comparator in "=~":
        present = stated.value >= limit if wants_more else stated.value <= limit
        return Verdict.CONFIRMED if present else Verdict.DENIED
    if (stated.comparator == ">") == wants_more:
        beyond = stated.value >= limit if wants_more else stated.value <= limit
        return Verdict.CONFIRMED if beyond else None
    inside = stated.value <= limit if wants_more else stated.value >= limit
    return Verdict.DENIED if inside else None
