"""Quantities that are said by their factors: "60 pods with a pool of 20 each" are 1,200 connections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lang.judging.sums import Number, Sum, limit_of, numbers_of, sum_of
from lang.numbers.model import Value
from lang.numbers.numerals import Range
from lang.says import Says
from lang.statements import Reading, Statement
from lang.vocabulary import Quantity, Unit


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
