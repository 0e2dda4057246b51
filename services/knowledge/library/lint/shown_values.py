"""The values that a shown text names, in the unit of a predicate's limit: to see whether the text and it agree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lang.vocabulary import Limit, Unit

_NUMBER = re.compile(r"(?<![\w.-])(\d+(?:[ ,]\d{3})*(?:\.\d+)?)\s*(%|[a-zA-Z]+|[\u4e00-\u9fff]{1,3})?")
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "twice": 2, "doubled": 2, "twofold": 2,
    "threefold": 3, "fourfold": 4, "fivefold": 5, "tenfold": 10, "twenty": 20,
}  # fmt: skip
_SCALES: dict[Unit, dict[str, float]] = {
    Unit.PERCENT: {"%": 1, "percent": 1},
    Unit.BYTES: {"B": 1, "kB": 2**10, "KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40},
    Unit.SECONDS: {
        **{"ms": 0.001, "s": 1, "second": 1, "seconds": 1, "minute": 60, "minutes": 60, "hour": 3600, "hours": 3600},
        **{"day": 86400, "days": 86400, "毫秒": 0.001, "秒": 1, "分钟": 60, "小时": 3600, "天": 86400},
    },
}
_OTHER_UNITS = {unit for scales in _SCALES.values() for unit in scales}
_TENS = {"万": 1e4, "亿": 1e8, "million": 1e6, "billion": 1e9}


def contradicts(text: str, limits: list[Limit]) -> bool:
    """Whether a text names values in the unit of some limit, and none of these is one of the limits in that unit."""
    for unit in {limit.unit for limit in limits}:
        shown = {round(value, 6) for value in values_in(text, unit)}
        if shown and not shown & {round(limit.limit, 6) for limit in limits if limit.unit is unit}:
            return True
    return False


def values_in(text: str, unit: Unit) -> Iterator[float]:
    """The values in the base of `unit` (bytes, seconds, percent, a number); rates are not read."""
    if unit is Unit.COUNT:
        yield from (_WORDS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _WORDS)
    for number, after in _NUMBER.findall(text):
        value = float(number.replace(" ", "").replace(",", ""))
        scales = _SCALES.get(unit, {})
        named = next((name for name in scales if after == name or (after.startswith(name) and not name.isascii())), "")
        if named:
            yield value * scales[named]
        elif unit is Unit.COUNT and not _has_other_unit(after):
            yield value * next((scale for word, scale in _TENS.items() if after.startswith(word)), 1)


def _has_other_unit(after: str) -> bool:
    return after in _OTHER_UNITS or any(after.startswith(unit) for unit in _OTHER_UNITS if not unit.isascii())
