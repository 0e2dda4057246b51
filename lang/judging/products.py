"""Quantities that are said by their factors: "60 pods with a pool of 20 each" are 1,200 connections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lang.numbers.numerals import Range
from lang.says import Says
from lang.statements import Reading, Statement
from lang.vocabulary import Quantity, Unit


def with_products(reading: Reading, quantities: Iterable[Quantity]) -> Reading:
    """The reading with a statement for each quantity of which it states both factors and no value."""
    told = list(reading.statements)
    for quantity in quantities:
        factors = [_last_count(told, factor) for factor in quantity.factors]
        counts = [found for found in factors if found is not None]
        if len(counts) == 2 and not any(each.subject == quantity.id and each.says is Says.VALUE for each in told):
            told.append(_product(quantity.id, *counts))
    return replace(reading, statements=tuple(told))


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
    value = replace(later.value, readings={Unit.COUNT: (one[0] * other[0], one[1] * other[1])}, before=None)
    return replace(later, subject=subject, says=Says.VALUE, value=value, whole=None, trend=None, leftover=())
