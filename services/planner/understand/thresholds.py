"""A stated value against the limit in an item's name: "1 is 40 %" denies "CPU above 90 %"."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import Text, Verdict
from services.planner.understand.text import read

_UNITS = r"%|ms|gb|mb|kb|tb|g|毫秒|秒|分钟|分|小时|天|次|个|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|s|h|m|d"
_VALUE = re.compile(rf"(?<![\w.])(\d+(?:\.\d+)?)\s*(?:[几多来]|左右)?\s*({_UNITS})?(?![a-z0-9])", re.ASCII)
# What a number counts when no unit follows it: "40 sessions" is no percentage.
_NOUN = re.compile(r"\s*(?!of |now|today|again|or |and |at )[a-z]{3,}")
_COUNTED = "个|条|次|起|处|张|台|笔|回|of them|of those|sessions?|rows?|times?|hits?|entries|lines?|files?"
_ZH_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2}
_ZH_NUMBER = re.compile("(?<![第几])[一二两三四五六七八九]*[十百千][零一二三四五六七八九十百]*|零(?=[个条次起处])")
_ZH_POWERS = {"十": 10, "百": 100, "千": 1000}
_MORE = r"超过|高于|大于|多于|超出|接近|达到|达|不低于|不少于|至少|above|over|more than|greater than|exceed(?:s|ing)?|near|at least|>=?|≥"
_LESS = r"低于|小于|少于|不足|不到|不超过|至多|below|under|less than|fewer than|at most|<=?|≤"
_MORE_AFTER = (
    r"或?(?:以上|更[多高久大长])|及以上|or (?:more|higher|above|longer|greater|over|better)|and (?:more|above|over)|\+"
)
_LESS_AFTER = r"或?(?:以下|更[少低短小])|及以下|以内|or (?:less|lower|below|fewer|under|shorter)|and below"
_LIMIT = rf"(\d+(?:\.\d+)?|an?(?= )|one(?= ))\s*({_UNITS})?(?![a-z])"
_ABOVE = re.compile(rf"(?:{_MORE})\s*(?:了|过)?\s*{_LIMIT}|(?<![\w.]){_LIMIT}\s*(?:{_MORE_AFTER})")
_BELOW = re.compile(rf"(?:{_LESS})\s*(?:了|过)?\s*{_LIMIT}|(?<![\w.]){_LIMIT}\s*(?:{_LESS_AFTER})")
# A limit that counts as kept by the very value: "at most 5".
_INCLUSIVE = re.compile(r"不超过|至多|at most|<=|≤|以下|以内|or (?:less|lower|below|fewer|under|shorter)|and below")
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
    found = _COUNT.fullmatch(in_digits(clause).strip(" ,.了"))
    if found is None:
        return None
    return Verdict.CONFIRMED if int(found[1]) > 0 else Verdict.DENIED


def verdict_by_value(clause: str, name: Text) -> Verdict | None:
    """What the value in `clause` says of an item of this name; None when the two cannot be compared."""
    clause = in_digits(clause)
    values = list(_VALUE.finditer(clause))
    if not values:
        return None
    stated = next((value for value in values if value[2]), values[-1])
    counts = not stated[2] and _NOUN.match(clause, stated.end()) is not None
    for wording in (name.zh, name.en):
        verdict = _compare(float(stated[1]), _unit(stated[2]), read(wording).normal, counts)
        if verdict is not None:
            return verdict
    return None


def in_digits(clause: str) -> str:
    """The clause with Chinese numerals of ten and more as digits: "七十几" as "70"."""
    return _ZH_NUMBER.sub(_digits, clause)


def _digits(found: re.Match[str]) -> str:
    total, digit = 0, 0
    for character in found.group():
        power = _ZH_POWERS.get(character)
        total += (digit or 1) * power if power else 0
        digit = 0 if power else _ZH_DIGITS[character]
    return str(total + digit)


def _compare(value: float, unit: str, name: str, counts: bool) -> Verdict | None:
    """What a value says of the first limit in a name that measures the same; `counts`: it is a number of something."""
    found = [(limit, above) for pattern, above in ((_ABOVE, True), (_BELOW, False)) for limit in pattern.finditer(name)]
    for limit, above in sorted(found, key=lambda pair: pair[0].start()):
        written, limit_unit = (limit[1], limit[2]) if limit[1] else (limit[3], limit[4])
        times = _times(unit, _unit(limit_unit))
        if times is None and not unit and limit_unit == "%" and value <= 100.0 and not counts:
            times = 1.0
        if times is None or not (written[0].isdigit() or limit_unit):
            continue
        bound = float(written) if written[0].isdigit() else 1.0
        stated = value * times
        return Verdict.CONFIRMED if _is_beyond(stated, bound, above, limit[0]) else Verdict.DENIED
    return None


def _is_beyond(stated: float, bound: float, above: bool, wording: str) -> bool:
    """Whether a value lies where the limit says, the limit itself counting as its wording has it."""
    if above:
        return stated >= bound * (_NEAR_SHARE if _NEAR.match(wording) else 1.0)
    return stated <= bound if _INCLUSIVE.search(wording) else stated < bound


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
