"""A stated value against the limit in an item's name: "1 is 40 %" denies "CPU above 90 %"."""

from __future__ import annotations

import re

from services.planner.model import Text, Verdict
from services.planner.understand.text import read

_UNITS = r"%|ms|gb|mb|kb|tb|g|毫秒|秒|分钟|分|小时|天|次|个|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|s|h|m|d"
_VALUE = re.compile(rf"(?<![\w.])(\d+(?:\.\d+)?)\s*(?:[几多来]|左右)?\s*({_UNITS})?(?![a-z0-9])", re.ASCII)
_COUNTED = "个|条|次|起|处|张|台|笔|回|of them|of those|sessions?|rows?|times?|hits?|entries|lines?|files?"
_ZH_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2}
_ZH_NUMBER = re.compile("(?<![第几])[一二两三四五六七八九]*[十百千][零一二三四五六七八九十百]*|零(?=[个条次起处])")
_ZH_POWERS = {"十": 10, "百": 100, "千": 1000}
_ABOVE = re.compile(
    rf"(?:超过|高于|大于|多于|超出|接近|达到|above|over|more than|exceeds?|near|at least|>=?)\s*(?:one\s)?(\d+(?:\.\d+)?)\s*({_UNITS})?"
)
_BELOW = re.compile(rf"(?:低于|小于|少于|不足|below|under|less than|<=?)\s*(\d+(?:\.\d+)?)\s*({_UNITS})?")
_NEAR = re.compile(r"接近|near")
_NEAR_SHARE = 0.95
_SAME = {
    "秒": "s",
    "second": "s",
    "sec": "s",
    "分钟": "min",
    "分": "min",
    "minute": "min",
    "小时": "h",
    "hour": "h",
    "hr": "h",
}
_SAME |= {"天": "d", "day": "d", "毫秒": "ms", "m": "min", "g": "gb"}
# How many of the smallest unit of its kind each one is.
_SCALE = {"ms": (1.0, "time"), "s": (1e3, "time"), "min": (6e4, "time"), "h": (3.6e6, "time"), "d": (8.64e7, "time")}
_SCALE |= {"kb": (1.0, "size"), "mb": (1e3, "size"), "gb": (1e6, "size"), "tb": (1e9, "size")}


_COUNT = re.compile(
    rf"(?:有|共|一共|总共|大概|约|差不多|已经|there (?:are|were) |about |some |around |\s)*(\d+)\s*(?:多|几|\+)?\s*(?:{_COUNTED})?"
)


def verdict_by_count(clause: str) -> Verdict | None:
    """What a bare count says of what was asked: some are a yes, none is a no; None when more than a count is said."""
    found = _COUNT.fullmatch(_in_digits(clause).strip(" ,.了"))
    if found is None:
        return None
    return Verdict.CONFIRMED if int(found[1]) > 0 else Verdict.DENIED


def verdict_by_value(clause: str, name: Text) -> Verdict | None:
    """What the value in `clause` says of an item of this name; None when the two cannot be compared."""
    clause = _in_digits(clause)
    values = list(_VALUE.finditer(clause))
    if not values:
        return None
    stated = next((value for value in values if value[2]), values[-1])
    for wording in (name.zh, name.en):
        verdict = _compare(float(stated[1]), _unit(stated[2]), read(wording).normal)
        if verdict is not None:
            return verdict
    return None


def _in_digits(clause: str) -> str:
    """The clause with Chinese numerals of ten and more as digits: "七十几" as "70"."""
    return _ZH_NUMBER.sub(_digits, clause)


def _digits(found: re.Match[str]) -> str:
    total, digit = 0, 0
    for character in found.group():
        power = _ZH_POWERS.get(character)
        total += (digit or 1) * power if power else 0
        digit = 0 if power else _ZH_DIGITS[character]
    return str(total + digit)


def _compare(value: float, unit: str, name: str) -> Verdict | None:
    for limit, above in ((_ABOVE.search(name), True), (_BELOW.search(name), False)):
        if limit is None:
            continue
        times = _times(unit, _unit(limit[2]))
        if times is None and not unit and limit[2] == "%" and value <= 100.0:
            times = 1.0
        if times is not None:
            bound = float(limit[1]) * (_NEAR_SHARE if above and _NEAR.match(limit[0]) else 1.0)
            stated = value * times
            return Verdict.CONFIRMED if (stated >= bound if above else stated < bound) else Verdict.DENIED
    return None


def _times(unit: str, other: str) -> float | None:
    """How many of the other unit one of a unit is; None when they do not measure the same."""
    if unit == other:
        return 1.0
    scale, reference = _SCALE.get(unit), _SCALE.get(other)
    if scale is None or reference is None or scale[1] != reference[1]:
        return None
    return scale[0] / reference[0]


def _unit(written: str | None) -> str:
    unit = (written or "").rstrip("s") or (written or "")
    return _SAME.get(unit, unit)
