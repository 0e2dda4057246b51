"""A stated value against the test of an item's presence, where the limit is not in its name: "189/200" passes "used / max > 0.9"."""

from __future__ import annotations

from dataclasses import dataclass

from lang import deferred_re as re
from services.planner.model import Item, Verdict
from services.planner.understand.text import read
from services.planner.understand.thresholds import in_digits, verdict_by_value

# Everything is counted in the first unit of its kind.
_UNITS = {
    "time": (
        (1.0, r"ms|msecs?|milliseconds?|毫秒"),
        (1e3, r"s|secs?|seconds?|秒钟?"),
        (6e4, r"m|min|mins|minutes?|分钟?"),
        (3.6e6, r"h|hrs?|hours?|个?小时|个?钟头"),
        (8.64e7, r"d|days?|天"),
        (6.048e8, r"weeks?|wks?|个?星期|周"),
        (2.592e9, r"months?|个月"),
        (3.1536e10, r"years?|yrs?|年"),
    ),
    "size": (
        (1.0, r"kb|kib|k"),
        (1e3, r"mb|mib|m(?=\b)|兆|个?m"),
        (1e6, r"gb|gib|个?g"),
        (1e9, r"tb|tib|个?t"),
    ),
    "share": ((0.01, r"%|percent|pct"),),
    "times": ((1.0, r"x|倍|times(?= (?:as|the|its|their|more|bigger|larger|what|usual|normal|[a-z]+_)|$)|fold"),),
}
_ALL_UNITS = "|".join(f"(?:{unit})" for kind in _UNITS.values() for _, unit in kind)
_NUMBER = r"(?<![\w.])(?P<number>\d+(?:\.\d+)?|an?(?= )|one(?= )|half an?(?= ))"
_VALUE = re.compile(rf"{_NUMBER}\s*(?:几|多|来|\+|odd )?\s*(?P<unit>(?:{_ALL_UNITS})(?![a-z0-9_]))?", re.ASCII)
_ABOVE = r">=?|≥|超过|多于|大于|高于|至少|达到|早于|above|over|more than|greater than|older than|longer than|exceed(?:s|ing)?|at least"
_BELOW = r"<=?|≤|低于|少于|小于|不到|below|under|less than|fewer than"
_LIMIT = re.compile(
    rf"(?P<sign>{_ABOVE}|{_BELOW})\s*(?:[a-z_]+ ?的? ?)?{_NUMBER}\s*(?P<unit>(?:{_ALL_UNITS})(?![a-z0-9_]))?|"
    rf"(?P<number2>\d+(?:\.\d+)?)\s*(?P<unit2>(?:{_ALL_UNITS})(?![a-z0-9_]))?\s*(?:or more|以上|及以上)",
    re.ASCII,
)
_INCLUSIVE = re.compile(r">=|≥|至少|达到|以上|at least|or more")
_BELOW_SIGN = re.compile(_BELOW)
# A test that divides: a part of a whole.
_DIVIDES = re.compile(r"[a-z_数\])]\s*/\s*[a-z_(]")
_PART_OF = re.compile(r"(?<![\w./])(\d+)\s*(?:/|of|out of|outta|from|on)\s*(?:the |a |total |max )*(\d+)(?![\w./%])")
_WHOLE = r"(?:max\w*|limit|cap|上限|最大|总共?|total|ceiling)"
_WHOLE_FIRST = re.compile(rf"{_WHOLE}\s*(?:是|为|=|:|of|is|was|at)?\s*(\d+)")
_WHOLE_LAST = re.compile(rf"(?<![\w.])(\d+)\s*(?:是|的)?\s*{_WHOLE}")
_EACH = r"(?:(?:per|an|a|every|each|每个?|/)\s*|(?<!\d)1\s*)(?P<one>hour|小时|min(?:ute)?|分钟|day|天|h)(?![a-z])"
_SPAN = r"(?P<number>\d+)\s*(?P<many>min(?:ute)?s?|hours?|分钟|小时)"
_RATE = re.compile(rf"{_EACH}|{_SPAN}")
# A test of a rate: "more than 5 an hour", "by more than 1 GB in 10 minutes".
_RATED = re.compile(
    rf"(?:\d|个|次) ?{_EACH}|每小时.*|{_SPAN.replace('number', 'n').replace('many', 'm')}(?:内|里)|in \d+ (?:minutes|hours)"
)
_ENGLISH_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_SPELLED = re.compile(rf"(?<![a-z])(?:{'|'.join(_ENGLISH_NUMBERS)})(?![a-z])")
_ZH_ONES = {digit: value for value, digit in enumerate("一二三四五六七八九", 1)} | {"两": 2, "俩": 2, "半": 0.5}
_ZH_ONE = re.compile(
    rf"(?<![第几十百]){'[' + ''.join(_ZH_ONES) + ']'}(?=\s*(?:个?(?:多)?(?:小时|钟头|星期|月)|[天周年倍]|分钟|秒))"
)
_TWICE = re.compile(r"doubled|twice|翻倍|翻了?一番")


# What is left is told in the place of what is used.
_REMAINING = re.compile(r"剩|空闲(?=\s*\d)|(?<![a-z])(?:left|remaining|remain|free|available)(?![a-z])")
# "Not a byte to spare", "一点都不剩".
_NONE_LEFT = re.compile(
    r"(?:not (?:a|an|one|a single)(?: \w+)?|no|zero|nothing)(?: \w+)? (?:to spare|left|remaining|free)(?![a-z])|一[点丝滴]?(?:空间)?(?:都|也)(?:不|没)剩"
)
_LEFT = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent|pct|个?点|个百分点)")
_FULL = re.compile(r"使用率|占用|满|full|usage|used")


@dataclass(frozen=True)
class _Amount:
    value: float
    kind: str


def verdict_on(clause: str, item: Item) -> Verdict | None:
    """What a value in a normalised clause says of an item, by its name's limit, else by its test; None when neither compares."""
    said = _NONE_LEFT.sub(" 0% left ", _plain(clause))
    if _REMAINING.search(said):
        said = _filled(said) if _FULL.search(read(f"{item.name.zh} {item.name.en}").normal) else ""
        clause = said
    by_name = verdict_by_value(clause, item.name)
    if by_name is not None:
        return by_name
    for wording in (item.present_when.zh, item.present_when.en):
        verdict = _by_test(said, _plain(read(wording).normal)) if wording else None
        if verdict is not None:
            return verdict
    return None


def _filled(said: str) -> str:
    """What is used where a text says what is left: "3% left" as "97%"; empty when it tells no share."""
    left = _LEFT.search(said)
    return f"{100 - float(left[1]):g}%" if left and float(left[1]) <= 100 else ""


def _plain(text: str) -> str:
    """The text with its numerals as digits."""
    text = _SPELLED.sub(lambda found: str(_ENGLISH_NUMBERS[found.group()]), in_digits(text))
    text = _TWICE.sub("2 times", text)
    return _ZH_ONE.sub(lambda found: str(_ZH_ONES[found.group()]), text)


def _by_test(said: str, test: str) -> Verdict | None:
    limit = _LIMIT.search(test)
    rated = _RATED.search(test)
    beside = [found for found in _VALUE.finditer(_RATED.sub(" ", test)) if found["unit"]]
    if limit is None or len(beside) > (1 if limit["unit"] or limit["unit2"] else 0):
        return None
    bound = _amount(limit["number"] or limit["number2"], limit["unit"] or limit["unit2"])
    above = not (limit["sign"] and _BELOW_SIGN.fullmatch(limit["sign"]))
    stated = _stated(said, test, bound, rated)
    if stated is None:
        return None
    if above:
        beyond = stated > bound.value or (stated == bound.value and _INCLUSIVE.search(limit.group()) is not None)
    else:
        beyond = stated < bound.value
    return Verdict.CONFIRMED if beyond else Verdict.DENIED


def _stated(said: str, test: str, bound: _Amount, rated: re.Match[str] | None) -> float | None:
    """The value in `said` that measures what the test limits, in the unit of the limit."""
    if _DIVIDES.search(test) and bound.value <= 1.0:
        return _share(said)
    found_values = [found for found in _VALUE.finditer(said) if found["unit"] or found["number"][0].isdigit()]
    amounts = [_amount(found["number"], found["unit"]) for found in found_values]
    if bound.kind == "times":
        return _ratio(said, test, amounts)
    found = [amount.value for amount in amounts if amount.kind == bound.kind]
    if "%" in test:
        found = found or [amount.value * 100 for amount in amounts if amount.kind == "share"]
    if len(found) != 1:
        return None
    if rated is None:
        return found[0]
    rate, told = _RATE.search(rated.group()), _RATE.search(said)
    return found[0] * _period(rate) / _period(told) if rate and told else None


def _share(said: str) -> float | None:
    part = _PART_OF.search(said)
    if part:
        return _divided(float(part[1]), float(part[2]))
    shares = [found for found in _VALUE.finditer(said) if found["unit"] in ("%", "percent", "pct")]
    if shares:
        return float(shares[0]["number"]) / 100
    whole = _WHOLE_FIRST.search(said) or _WHOLE_LAST.search(said)
    numbers = [found for found in re.findall(r"(?<![\w.])\d+(?![\w.%])", said) if whole and found != whole[1]]
    return _divided(float(numbers[0]), float(whole[1])) if whole and len(numbers) == 1 else None


def _divided(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 and part <= whole else None


def _ratio(said: str, test: str, amounts: list[_Amount]) -> float | None:
    """How many times as much: stated so, or as two sizes of which one is what the test measures by."""
    stated = [amount.value for amount in amounts if amount.kind == "times"]
    if len(stated) == 1:
        return stated[0]
    sizes = [amount.value for amount in amounts if amount.kind == "size"]
    measured = re.findall("[a-z]+_[a-z_]+", test)
    told = re.search(_WHOLE, said) or any(name in said for name in measured)
    return max(sizes) / min(sizes) if measured and told and len(sizes) == 2 and min(sizes) > 0 else None


def _period(found: re.Match[str]) -> float:
    unit = found["one"] or found["many"]
    return float(found["number"] or 1) * _amount("1", unit).value


def _amount(number: str, unit: str | None) -> _Amount:
    value = 0.5 if number.startswith("half") else float(number) if number[0].isdigit() else 1.0
    for kind, scales in _UNITS.items():
        for scale, pattern in scales:
            if unit and re.fullmatch(pattern, unit):
                return _Amount(value * scale, kind)
    return _Amount(value, "")
