"""The values that a shown text names, in the unit of a predicate's limit: to see whether the text and it agree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lang.vocabulary import Limit, Unit

_NUMBER = re.compile(r"(?<![\w.-])(\d+(?:[ ,]\d{3})*(?:\.\d+)?)\s*(%|[a-zA-Z]+|[\u4e00-\u9fff]{1,3})?")
_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "twice": 2, "doubled": 2, "twofold": 2,
    "threefold": 3, "fourfold": 4, "fivefold": 5, "tenfold": 10, "twenty": 20,
    "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "十": 10,
}  # fmt: skip
_WORD = re.compile(r"([a-z]+|[两二三四五十](?=[倍个]))\s*(?=([a-z]+)?)")
_SCALES: dict[Unit, dict[str, float]] = {
    Unit.PERCENT: {"%": 1, "percent": 1},
    Unit.BYTES: {"B": 1, "kB": 2**10, "KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40},
    Unit.SECONDS: {
        **{"ms": 0.001, "s": 1, "second": 1, "seconds": 1, "minute": 60, "minutes": 60, "hour": 3600, "hours": 3600},
        **{"day": 86400, "days": 86400, "毫秒": 0.001, "秒": 1, "分钟": 60, "小时": 3600, "天": 86400},
    },
}
_LOOKS = frozenset({"read", "reads", "readings", "samples", "line", "lines", "row", "rows", "次", "行", "轮"})
_OTHER_UNITS = frozenset(unit for scales in _SCALES.values() for unit in scales)
_TENS = {"万": 1e4, "亿": 1e8, "million": 1e6, "billion": 1e9}


def contradicts(text: str, limits: list[Limit]) -> bool:
    """Whether a text names values in the unit of some limit, and none of these is one of the limits in that unit."""
    for unit in {limit.unit for limit in limits}:
        named = {round(limit.limit, 6) for limit in limits if limit.unit is unit}
        every = {round(value, 6) for value in values_in(text, unit, looks=True)}
        if any(values_in(text, unit)) and not every & named:
            return True
    return False


def values_in(text: str, unit: Unit, looks: bool = False) -> Iterator[float]:
    """The values in the base of `unit` (bytes, seconds, percent, a number); rates are not read.

    looks: also numbers of rows and reads, which may be the limit ("3 rows or more") or not ("in 3 of 5 reads").
    """
    if unit is Unit.COUNT:
        for word, after in _WORD.findall(text.lower()):
            if word in _WORDS and (looks or after not in _LOOKS):
                yield _WORDS[word]
    for number, after in _NUMBER.findall(text):
        value = float(number.replace(" ", "").replace(",", ""))
        scales = _SCALES.get(unit, {})
        named = next((name for name in scales if after == name or (after.startswith(name) and not name.isascii())), "")
        if named:
            yield value * scales[named]
        elif (
            unit is Unit.COUNT and not _begins_with(after, _OTHER_UNITS) and (looks or not _begins_with(after, _LOOKS))
        ):
            yield value * next((scale for word, scale in _TENS.items() if after.startswith(word)), 1)


def _begins_with(after: str, words: frozenset[str]) -> bool:
    return after in words or any(after.startswith(word) for word in words if not word.isascii())
