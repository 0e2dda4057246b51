"""Quantities told by their factors, written out ("60 pods x 20 = 1,200"), or that follow from told settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lang import deferred_re as re
from lang.expressions import Reads, Scope, parse
from lang.listed import lists_beside
from lang.modality import Meaning
from lang.numbers.model import Value
from lang.numbers.numerals import Range
from lang.objects.servers_and_clients import clients_counted
from lang.objects.settings_said import MEMORY, amount_of, setting_of, values_told
from lang.says import Says
from lang.statements import Reading, Statement
from lang.vocabulary import Quantity, Unit

_LISTED = lists_beside(__file__)

_UNITS = r"%|[kmgt]i?b?\b|ms\b|s\b|sec|min|hours?\b|秒|毫秒|分钟|小时|天|核|倍|个?小时|days?\b|cores?\b|vcpus?\b"
_NUMBER = re.compile(rf"(?:(?<![\w.:-])|(?<=[\u4e00-\u9fff])|(?<=\dx))\d[\d,]*(?![\d.:_-]*\d)(?!\s*(?:{_UNITS}))", re.I)
_TIMES = re.compile(r"(?:^|[\s\d)])x(?=[\s\d(])|×|\*|乘|\btimes\b|\bmultiplied by\b", re.I)
_LIMITS = _LISTED.pattern("limits", re.I)
_FARTHEST = 40
# How a reading is called that follows from figures: no likeness of words is for it or against it.
RECKONED = "reckoned"


def with_products(reading: Reading, quantities: Iterable[Quantity]) -> Reading:
    """The reading with a statement for each quantity of which it states both factors and no value."""
    told = list(reading.statements)
    for quantity in quantities:
        if any(each.subject == quantity.id and each.says is Says.VALUE for each in told):
            continue
        numbers = numbers_of(reading)
        found = _written_out(quantity, numbers, told) or _stated(quantity, numbers, told)
        told += [found] if found else []
    return replace(reading, statements=tuple(told))


def _written_out(quantity: Quantity, numbers: Sequence[Number], told: Sequence[Statement]) -> Statement | None:
    """The product that a text multiplies itself, where it speaks of a factor."""
    found = sum_of(numbers)
    if found is None or not _is_of(quantity, found, told):
        return None
    last = found.factors[1]
    value = Value(0, 0, {Unit.COUNT: (found.total, found.total)}, bare=True, number=found.total)
    made = Statement(quantity.id, Says.VALUE, last.meaning, last.words, last.span, value)
    return _compared(made, quantity, numbers, told, (*(each.number for each in found.factors), found.total))


def _stated(quantity: Quantity, numbers: Sequence[Number], told: Sequence[Statement]) -> Statement | None:
    """The product of both factors, each told by its name."""
    counts = [found for factor in quantity.factors if (found := _last_count(told, factor)) is not None]
    if len(counts) != 2:
        return None
    made = _product(quantity.id, *counts)
    assert made.value is not None
    factors = [each.value.number for each in counts if each.value is not None]
    return _compared(made, quantity, numbers, told, (*factors, made.value.number))


def _is_of(quantity: Quantity, found: Sum, told: Sequence[Statement]) -> bool:
    """True where a factor is named, or the whole beside a result that is told; the whole itself is no factor."""
    named = {each.subject for each in told}
    whole = _last_count(told, quantity.whole) if quantity.whole else None
    limit = whole.value.number if whole and whole.value else None
    if any(each.number == limit for each in found.factors):
        return False
    return bool(named & set(quantity.factors)) or (found.stated and quantity.whole in named)


def _compared(
    made: Statement, quantity: Quantity, numbers: Sequence[Number], told: Sequence[Statement], own: Sequence[float]
) -> Statement:
    """The statement with what its text compares the product with, unless that is told by its name."""
    if quantity.whole and _last_count(told, quantity.whole):
        return made
    limit = limit_of(numbers, own)
    whole = Value(0, 0, {Unit.COUNT: (limit, limit)}, bare=True, number=limit) if limit else None
    return replace(made, whole=whole)


def _last_count(statements: Sequence[Statement], subject: str) -> Statement | None:
    counted = (each for each in reversed(statements) if each.subject == subject and each.meaning.is_fact)
    return next((each for each in counted if _count_of(each) is not None), None)


def _count_of(statement: Statement) -> Range | None:
    value = statement.value
    return value.readings.get(Unit.COUNT) if value is not None and not value.whole else None


def _product(subject: str, first: Statement, second: Statement) -> Statement:
    """Both statements as one, with the words of the later one."""
    later = max(first, second, key=lambda each: each.span)
    one, other = _count_of(first) or (0.0, 0.0), _count_of(second) or (0.0, 0.0)
    assert later.value is not None
    product = one[0] * other[0]
    value = replace(later.value, readings={Unit.COUNT: (product, one[1] * other[1])}, before=None, number=product)
    return replace(later, subject=subject, says=Says.VALUE, value=value, whole=None, trend=None, leftover=())


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


def reckoned(quantities: Iterable[Quantity], settings: Sequence[str], said: str) -> Iterator[Statement]:
    """A statement for each quantity that the settings give, where the words tell one of those that it takes."""
    expressions = [(quantity, parse(quantity.reckoned)) for quantity in quantities if quantity.reckoned]
    told = {each.name: each.span for each in values_told(said) if each.value} if expressions else {}
    counted = dict(clients_counted(said)) if expressions else {}
    told |= {name: _place_of(count, said) for name, count in counted.items()}
    now = [f"{each.name}={each.value}" for each in values_told(said) if each.value] if expressions else []
    now += [f"{name}={count}" for name, count in counted.items()]
    amounts = {setting_of(each): amount_of(each.partition("=")[2]) for each in (*settings, *now)}
    for quantity, expression in expressions:
        spans = [told[name] for name in expression.names if name in told and name != MEMORY]
        spans = spans or [told[name] for name in expression.names if name in told]
        amount = expression.value(Scope(Reads(()), amounts, None))
        if spans and isinstance(amount, float):
            span = min(first for first, _ in spans), max(last for _, last in spans)
            value = Value(0, 0, {quantity.unit: (amount, amount)}, number=amount)
            yield Statement(quantity.id, Says.VALUE, Meaning(), said[slice(*span)], span, value)


def _place_of(count: str, said: str) -> tuple[int, int]:
    """The clause of a text in which a count stands."""
    at = re.compile(rf"[^\s.。!?！？,，;；:][^.。!?！？,，;；:\n]*?(?<!\d){count}(?!\d)[^.。!?！？,，;；:\n]*").search(
        said
    )
    return at.span() if at is not None else (0, len(said))
