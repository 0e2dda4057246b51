"""Amounts that people add up as they write: "281+16 in use" is 297."""

from __future__ import annotations

from collections.abc import Sequence

from lang.numbers.model import Value
from lang.tokens import Kind, Token
from lang.vocabulary import Unit


def add_up(tokens: Sequence[Token], values: Sequence[Value]) -> list[Value]:
    """The values, with two counts that a plus joins as one."""
    joined: list[Value] = []
    for value in values:
        if joined and _are_added(tokens, joined[-1], value):
            before = joined.pop()
            total = before.number + value.number
            value = Value(before.first, value.last, {Unit.COUNT: (total, total)}, value.role, bare=True, number=total)
        joined.append(value)
    return joined


def _are_added(tokens: Sequence[Token], one: Value, other: Value) -> bool:
    """True for two plain numbers with a plus between, spaced alike; "20+ 16 connections" is more than 20."""
    if not (one.bare and other.bare and tokens[other.first].kind is Kind.NUMBER):
        return False
    plus = tokens[other.first - 1]
    alike = plus.space == tokens[other.first].space
    return plus.text == "+" and alike and other.first - 1 in (one.last, one.last - 1)
