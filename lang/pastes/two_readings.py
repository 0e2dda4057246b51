"""How far apart two outputs of one check are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lang.expressions import Row, Value
from lang.pastes.model import RowRule

# The columns in which checks print the time of a reading.
_AT = ("read_at", "at", "checkpoint_time")
_DISTANCE = re.compile(
    r"(?:(\d+(?:\.\d+)?)|(half an?)|\b(an?|one)|(一|半|两|五|十)|every )\s*个?(\d*)\s*"
    r"(ms|s\b|secs?|seconds?|秒|min\b|minutes?|mins\b|分钟?|h\b|hours?|小时)",
    re.IGNORECASE,
)
_SCALES = {"ms": 0.001, "s": 1.0, "秒": 1.0, "m": 60.0, "分": 60.0, "h": 3600.0, "小": 3600.0}
_CHINESE = {"一": 1.0, "半": 0.5, "两": 2.0, "五": 5.0, "十": 10.0}


def readings_in(rule: RowRule, rows: tuple[Row, ...]) -> list[tuple[Row, ...]]:
    """The readings in one table: a key that comes again begins the next one, where a rule compares readings."""
    readings: list[list[Row]] = [[]]
    seen: dict[tuple[Value, ...], int] = {}
    for row in rows:
        key = tuple(row.get(name) for name in rule.key)
        at = seen.get(key, 0) if rule.compares_readings and key and None not in key else 0
        seen[key] = at + 1
        readings += [[]] if at == len(readings) else []
        readings[at].append(row)
    return [tuple(each) for each in readings]


def seconds_between(first: Sequence[Row], last: Sequence[Row], prose: str, how: Sequence[str]) -> float:
    """Seconds between two readings: as they print it, as the person says, as the check asks; 0 unknown."""
    for name in _AT:
        times = [rows[0].get(name) if rows else None for rows in (first, last)]
        if isinstance(times[0], float) and isinstance(times[1], float) and times[1] > times[0]:
            return times[1] - times[0]
    asked = next((line for text in how for line in text.split("\n") if line.startswith("--") and "apart" in line), "")
    return distance_in(prose) or distance_in(asked)


def distance_in(words: str) -> float:
    """The length of time that words name, in seconds; 0 where they name none."""
    found = _DISTANCE.search(words)
    if found is None:
        return 0.0
    number, half, one, chinese, more, unit = found.groups()
    count = float(number or more or 0) or (0.5 if half else _CHINESE[chinese] if chinese else 1.0 if one else 0.0)
    unit = unit.lower()
    return count * (_SCALES["ms"] if unit == "ms" else _SCALES[unit[0]])
