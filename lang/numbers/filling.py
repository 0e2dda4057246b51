"""How a disk fills, as it is told: how large it is, how much of it is used or free, and how fast that grows."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.numbers.model import Role, Value
from lang.numbers.values import read_values
from lang.objects.settings_said import MEMORY, amount_of, values_told
from lang.tokens import Text, read_text
from lang.vocabulary import Unit

_LISTED = lists_beside(__file__)


class Measure(StrEnum):
    """What a figure is: bytes, a share in per cent, or for the growth bytes a second."""

    SIZE = "size"
    USED = "used"
    FREE = "free"
    SHARE = "share"
    FREE_SHARE = "free_share"
    GROWTH = "growth"


class Figure(NamedTuple):
    """What is measured, and how much it is."""

    measure: Measure
    amount: float


GIB = float(2**30)
_RATE, _BYTES, _PER_CENT = "B/s", "B", "%"
_HALF_FULL, _FULL = 50, 100
_SENTENCE = re.compile(r"[?!。？！；;\n]+|\.(?=\s|$)")
_DENIED = re.compile(r"(?:\bnot|n't|\binstead of|\brather than|不是|并非)\s*(?:the\s+)?$", re.IGNORECASE)
# By the second it is throughput, and no growth.
_PERIOD = re.compile(r"hour|hr|h\b|day|\bd\b|min|小时|钟头|天|日|分", re.IGNORECASE)
_OF_A_DISK = _LISTED.pattern("of_a_disk", re.IGNORECASE)
_OF_MEMORY = _LISTED.pattern("of_memory", re.IGNORECASE)
_OF_ELSE = _LISTED.pattern("of_else", re.IGNORECASE)
_OF_A_PART = _LISTED.pattern("of_a_part", re.IGNORECASE)
_REACH = 12
# The whole that a part is given with, in the unit of the part: "310 gigs of 500".
_BARE_WHOLE = re.compile(r"\s*(?:out\s+)?of\s+(?P<whole>\d+(?:\.\d+)?)\b(?!\s*(?:%|[kmgt]i?b?\b|gigs?))")
_ON_A_DISK = re.compile(r"\b(?:disk|volume|drive|partition|mount)\b|盘|卷|分区", re.IGNORECASE)
_FREE_AFTER = _LISTED.pattern("free_after")
_FREE_BEFORE = _LISTED.pattern("free_before")
# An amount with the word that it is free: that word tells nothing of the next amount.
_FREE_OF_ONE = re.compile(r"\d\s*(?:%|[kmgt]i?b?|gigs?)?\s*(?:disk |space )?(?:free|left|available|可用|空闲)(?=\W)")
_SIZE_AFTER = re.compile(r"\s*(?:in\s+)?(?:total|disk|volume|drive|altogether|的?(?:数据)?盘|总)")
_SIZE_BEFORE = _LISTED.pattern("size_before")
_USED_AFTER = re.compile(r"\s*(?:(?:is|are|of it)\s+)*(?:used|in use|gone|of\s+\d)|\s*(?:已用|用掉)")
_USED_BEFORE = re.compile(r"(?:\bused|用了|已用|用掉了?|占了)\s*(?:is|:|：)?\s*$")
_BARE_TOTAL = re.compile(r"\s*(?:in\s+)?total\b")
_BARE_SHARE = re.compile(r"\bat\s*$")


def figures_in(said: str) -> tuple[Figure, ...]:
    """The figures of a disk that a message tells, in their order; how much memory there is is none."""
    memory = [amount_of(each.value) for each in values_told(said) if each.name == MEMORY]
    sentences = [each for each in _SENTENCE.split(said.lower().replace("’", "'")) if each.strip()]
    texts = [read_text(each) for each in sentences]
    filling = any(set(value.readings) & {_RATE} for text in texts for value in read_values(text))
    return tuple(
        figure
        for before, text in zip(("", *sentences), texts, strict=False)
        for value in read_values(text)
        for figure in _figures(value, text, filling=filling)
        if not (figure.measure is Measure.SIZE and figure.amount in memory)
        if figure.measure is not Measure.USED or not _goes_on_about_a_part(before, text.normal)
    )


def _goes_on_about_a_part(before: str, sentence: str) -> bool:
    """Whether a sentence tells how large the thing is that the one before named: "pg_wal is huge! 310 gigs of 500"."""
    return _OF_A_PART.search(before) is not None and not any(map(_OF_A_DISK.search, (before, sentence)))


def _is_of_a_part(before: str) -> bool:
    """Whether an amount is that of a table, a folder and the like, which stands right before it."""
    found = _OF_A_PART.search(before)
    return found is not None and len(found["rest"]) <= _REACH and not _ON_A_DISK.search(found["rest"])


def _figures(value: Value, text: Text, *, filling: bool) -> Iterator[Figure]:
    start, end = text.span(value.first, value.last)
    before, after = text.normal[:start], text.normal[end:]
    before = _own_words(before)
    measure = None if _DENIED.search(before) else _measure(value, before, after, filling=filling)
    if measure is None or (measure is Measure.GROWTH and not _PERIOD.search(text.quote(value.first, value.last))):
        return
    dimension = _RATE if measure is Measure.GROWTH else _PER_CENT if "share" in measure else _BYTES
    given = value.readings.get(dimension)
    side = 0 if measure is Measure.FREE and given is not None and given[0] > 0 else 1  # Of what is free the least.
    amount = given[side] if given is not None else value.number * (GIB if dimension == _BYTES else 1.0)
    if amount > 0 and not (measure is Measure.USED and _is_of_a_part(before)):
        yield Figure(measure, amount)
    if measure is Measure.USED:
        yield from _whole(value, amount, after)


def _own_words(before: str) -> str:
    """The words before a figure without those that are of the one before it: "with 187G free is 16GB ok"."""
    free = [each for each in _FREE_OF_ONE.finditer(before)]
    return before[free[-1].end() :] if free else before


def _whole(value: Value, amount: float, after: str) -> Iterator[Figure]:
    """The size that stands after what is used of it."""
    bare = _BARE_WHOLE.match(after)
    if value.whole is not None and _BYTES in value.whole:
        yield Figure(Measure.SIZE, value.whole[_BYTES][1])
    elif bare is not None and float(bare["whole"]) >= value.number > 0:
        yield Figure(Measure.SIZE, amount / value.number * float(bare["whole"]))


def _measure(value: Value, before: str, after: str, *, filling: bool) -> Measure | None:
    whole = before + after
    if _RATE in value.readings:
        return None if _is_of_a_part(before) else Measure.GROWTH
    if _BYTES in value.readings:
        return _of_bytes(value, before, after)
    if _PER_CENT in value.readings:
        if _FREE_AFTER.match(after) or _FREE_BEFORE.search(before):
            return Measure.FREE_SHARE if _OF_A_DISK.search(whole) and not _OF_ELSE.search(whole) else None
        of_disk = (_OF_A_DISK.search(whole) or filling) and not _OF_ELSE.search(whole)
        return Measure.SHARE if of_disk and not value.grew else None
    if filling and Unit.COUNT in value.readings:
        if _BARE_TOTAL.match(after):
            return Measure.SIZE
        if value.bare and _FREE_AFTER.match(after):
            return Measure.FREE
        return Measure.SHARE if _BARE_SHARE.search(before) and _HALF_FULL <= value.number <= _FULL else None
    return None


def _of_bytes(value: Value, before: str, after: str) -> Measure | None:
    if value.grew or _OF_MEMORY.match(after):
        return None
    if _FREE_AFTER.match(after) or _FREE_BEFORE.search(before):
        return Measure.FREE  # Of a part nothing is free: it is the disk that the part lies on.
    if _is_of_a_part(before) and not _BARE_WHOLE.match(after):
        return None
    if _USED_AFTER.match(after) or _USED_BEFORE.search(before):
        return Measure.USED
    whole = value.role is Role.WHOLE or _SIZE_AFTER.match(after) or _SIZE_BEFORE.search(before)
    return Measure.SIZE if whole else None
