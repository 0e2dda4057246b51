"""Multiplications that people write out: "40 pods x 20 = 800", "40个pod 每个池最大20 总共800 pg只有300"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lang import deferred_re as re
from lang.modality import Meaning
from lang.statements import Reading

_UNITS = r"%|[kmgt]i?b?\b|ms\b|s\b|sec|min|hours?\b|秒|毫秒|分钟|小时|天|核|倍|个?小时|days?\b|cores?\b|vcpus?\b"
_NUMBER = re.compile(rf"(?:(?<![\w.:-])|(?<=[\u4e00-\u9fff])|(?<=\dx))\d[\d,]*(?![\d.:_-]*\d)(?!\s*(?:{_UNITS}))", re.I)
_TIMES = re.compile(r"(?:^|[\s\d)])x(?=[\s\d(])|×|\*|乘|\btimes\b|\bmultiplied by\b", re.I)
_LIMITS = re.compile(
    r">|<|比|只有|才|就|上限|最多|最大|允许|超|小于|低于|不到|有|配|设"
    r"|\b(?:only|just|allows?|accepts?|limit|max|cap|has|exceeds?|over|above|more than|against|vs|of"
    r"|under|below|less than)\b",
    re.I,
)
_FARTHEST = 40


@dataclass(frozen=True)
class Number:
    """A plain number: the words between it and the one before it, and the clause it stands in."""

    number: float
    lead: str
    span: tuple[int, int]
    words: str
    meaning: Meaning


@dataclass(frozen=True)
class Sum:
    """Two numbers of which a text says, or shows by a third, that they are multiplied. stated: the result is told."""

    factors: tuple[Number, Number]
    total: float
    stated: bool


def numbers_of(reading: Reading) -> list[Number]:
    """The plain numbers of a reading that are told as facts, in order."""
    clauses = {each.span: (each.words, each.meaning) for each in reading.statements}
    clauses |= {each.span: (each.words, each.meaning) for each in reading.notes}
    found: list[Number] = []
    told = -1
    for span in sorted(clauses, key=lambda each: (each[0], -each[1])):
        words, meaning = clauses[span]
        if span[1] <= told:
            continue  # A wider clause has its numbers.
        told, at = span[1], 0
        for match in _NUMBER.finditer(words) if meaning.is_fact else ():
            number = float(match.group().replace(",", ""))
            found.append(Number(number, words[at : match.start()], span, words, meaning))
            at = match.end()
    return found


def sum_of(numbers: Sequence[Number]) -> Sum | None:
    """The first multiplication that the numbers are told in; of those without a sign, one whose result is told."""
    for one, other in pairwise(numbers):
        total = one.number * other.number
        stated = total > max(one.number, other.number) and any(each.number == total for each in numbers)
        if stated or (_TIMES.search(f" {other.lead} ") and len(other.lead) <= _FARTHEST and one.span == other.span):
            return Sum((one, other), total, stated)
    return None


def limit_of(numbers: Sequence[Number], told: Sequence[float]) -> float | None:
    """The one number beside those of the product that the words before it make a limit."""
    others = [each for each in numbers if each.number not in told and _LIMITS.search(each.lead)]
    return others[0].number if len(others) == 1 else None
