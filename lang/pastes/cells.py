"""Cells as values: numbers, truths, bytes, lengths of time in seconds, times in seconds since 1970."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from lang.cues import load_lexicon
from lang.expressions import Moment, Row, Value
from lang.pastes.model import Table

_ABSENT = {"", "NULL", "[null]", "(null)", "<null>", "[NULL]", "\\N", "∅", "<none>", "N/A"}
_TRUTHS = {"t": True, "f": False, "true": True, "false": False}
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?")
_MEASURE = re.compile(r"([-+]?\d+(?:\.\d+)?) ?([a-zA-Zµ%]+)")
_CLOCK = re.compile(
    r"(?:(-?\d+) years? ?)?(?:(-?\d+) mons? ?)?(?:(-?\d+) (?:days?|天) ?)?(?:(-)?(\d+):(\d\d):(\d\d(?:\.\d+)?))?"
)
_MOMENT = re.compile(
    r"(\d{4})[-.](\d\d)[-.](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:[.,]\d+)?))?)?"
    r"(?: ?(?:([+-]\d\d):?(\d\d)?|Z|[A-Z]{3,4}))?"
)
_LSN = re.compile(r"([0-9A-Fa-f]{1,8})/([0-9A-Fa-f]{1,8})")
_SIZES = {"b": 1, "byte": 1, "bytes": 1} | {
    letters: 1024**power
    for power, prefix in enumerate("kmgtp", 1)
    for letters in (prefix, prefix + "b", prefix + "i", prefix + "ib")
}
_SPANS = {
    "us": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "sec": 1.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86400.0,
    "day": 86400.0,
    "days": 86400.0,
}
_ISO = re.compile(r"P(?:\d+[DW])?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?")


def type_rows(table: Table, texts: Collection[str] = ()) -> tuple[Row, ...]:
    """The rows of a table by lower-case column; the columns in `texts` stay as printed."""
    names = [name.lower() for name in table.columns]
    return tuple(
        {name: _text(cell) if name in texts else type_cell(cell) for name, cell in zip(names, row, strict=False)}
        for row in table.rows
    )


def told_row(table: Table, place: int, row: Row) -> Row:
    """A row with the values in the words that it is told in, where they are its cells: not what was reckoned."""
    cells = table.told[place].split(" | ") if place < len(table.told) else []
    return type_rows(replace(table, rows=(tuple(cells),)))[0] if len(cells) == len(table.columns) else row


def type_cell(cell: str) -> Value:
    """The value that a cell prints; None for an absent one, the text itself where it is nothing else."""
    text = cell.strip()
    if text in _ABSENT:
        return None
    if text in _TRUTHS:
        return _TRUTHS[text]
    if text[0] not in "+-.0123456789":
        return text
    number = read_number(text)
    if number is not None:
        return number
    return next((found for read in (_measure, read_interval, _moment) if (found := read(text)) is not None), text)


def read_number(text: str) -> float | None:
    """The number that a cell prints; None where it prints anything else."""
    return float(text.replace(",", "")) if _NUMBER.fullmatch(text) and text[-1:].isdigit() else None


def read_size(text: str, factor: float | None) -> float | None:
    """The bytes that a cell prints. factor: bytes in one of a bare number; None where it cannot be told."""
    number = read_number(text)
    if number is not None:
        return None if factor is None else number * factor
    found = _MEASURE.fullmatch(text)
    scale = _SIZES.get(found[2].lower()) if found else None
    return None if scale is None or found is None else float(found[1]) * scale


def read_lsn(text: str) -> float | None:
    """A position in the WAL (`2F3/8A000000`) in bytes."""
    found = _LSN.fullmatch(text)
    return None if found is None else float((int(found[1], 16) << 32) + int(found[2], 16))


def _text(cell: str) -> Value:
    return None if cell.strip() in _ABSENT else cell.strip()


def _measure(text: str) -> float | None:
    found = _MEASURE.fullmatch(text)
    if found is None:
        return None
    unit = found[2].lower()
    # A lone `m` is a size in every tool whose output is read here; minutes are `min`.
    scale = 1.0 if unit == "%" else _SIZES.get(unit, _SPANS.get(unit))
    return None if scale is None else float(found[1]) * scale


def read_interval(text: str) -> float | None:
    """The seconds of an interval as a server prints it: `1 day 02:03:04.5`."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None or not any(found.groups()):
        return None
    years, months, days, minus, hours, minutes, seconds = found.groups()
    clock = int(hours or 0) * 3600.0 + int(minutes or 0) * 60.0 + float(seconds or 0)
    whole = int(years or 0) * 365.25 + int(months or 0) * 30.0 + int(days or 0)
    return whole * 86400.0 + (-clock if minus else clock)


def _moment(text: str) -> Moment | None:
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, zone, part = found.groups()
    try:
        start = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), tzinfo=UTC)
    except ValueError:
        return None
    offset = int(zone or 0) * 3600.0 + (-1 if (zone or "").startswith("-") else 1) * int(part or 0) * 60.0
    zoned = zone is not None or text.endswith(("Z", "UTC", "GMT"))
    return Moment(start.timestamp() + float((second or "0").replace(",", ".")) - offset, zoned)


def find_moment(words: str) -> Moment | None:
    """The first point in time that stands in a line, as a log's lines begin with one."""
    found = _MOMENT.search(words)
    return None if found is None else _moment(found[0].strip())


def named_rows(columns: Sequence[str], rows: Sequence[Sequence[str]], form: str) -> Table:
    """A tool's table with plain column names: `%util` is `util_pct`, `r/s` is `r_s`, `Mounted on` is `mounted_on`."""
    return Table(tuple(plain_name(name) for name in columns), tuple(tuple(row) for row in rows), form)


def plain_name(name: str) -> str:
    """A tool's heading as an identifier."""
    shared = name.strip("%").lower() + ("_pct" if "%" in name else "")
    return "".join(char if char.isalnum() else "_" for char in shared)


def show_value(value: Value) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    plain = isinstance(value, float) and not isinstance(value, Moment)
    return f"{value:.10g}" if plain else str(value)


def read_duration(text: str, factor: float | None) -> float | None:
    """The seconds that a cell prints. factor: seconds in one of a bare number; None where it cannot be told."""
    number = read_number(text)
    if number is not None:
        return None if factor is None else number * factor
    if len(text) > 2 and _ISO.fullmatch(text):
        return _sum_of(text[1:].replace("T", ""))
    interval = read_interval(text)
    return _sum_of(text) if interval is None else interval


def duration_in(text: str) -> str:
    """The last number with a unit of time in a text, as it stands there; empty without one."""
    found = [each for each in _pattern().finditer(text) if not text[: each.start()][-1:].isalnum()]
    return f"{found[-1][1]} {found[-1][2]}" if found else ""


def _sum_of(text: str) -> float | None:
    """The seconds of numbers with units in a row; None for anything else."""
    place, total = 0, 0.0
    while place < len(text):
        part = _pattern().match(text, place)
        if part is None:
            return None
        total += float(part[1]) * _seconds()[part[2].lower()]
        place = part.end()
    return total if text else None


@cache
def _seconds() -> dict[str, float]:
    """The seconds in each unit of time, by its words."""
    units = load_lexicon("numbers")["units"]["s"]
    return {str(word).lower(): float(factor) for factor, words in units.items() for word in words}


@cache
def _pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in sorted(_seconds(), key=len, reverse=True))
    return re.compile(rf"(\d+(?:\.\d+)?) ?({words})(?![a-zµ])[ ,]*", re.IGNORECASE)
