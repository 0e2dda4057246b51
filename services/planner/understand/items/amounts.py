"""Stated amounts against the limits of items: "1 is 40 %" denies "CPU above 90 %", "189/200" passes "used / max > 0.9".

The amounts and limits are read by `lang.numbers`, the one reader of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from lang.cues import load_lexicon, plain_words
from lang.numbers.model import BOUNDLESS, TIMES, Readings, Role, Value
from lang.numbers.values import read_values
from lang.terms import Terms
from lang.tokens import Kind, read_text
from lang.tokens import Text as Words
from lang.vocabulary import Unit
from services.planner.model import Item, Text, Verdict

# "Near 100 %" is reached a little below.
_NEAR_SHARE = 0.95
_NEAR = ("接近", "near")
_AT_MOST = ("不超过", "至多", "以下", "以内", "at most", "<=", "≤", "or less", "or lower", "or fewer", "or under")
_USED = ("使用率", "占用", "满", "full", "usage", "used")
_NOTHING = frozenset("没不无") | {"no", "not", "nothing", "zero"}
_WHOLE = 100.0


@dataclass(frozen=True)
class Limit:
    """The limit of an item. readings: its amount in each unit; strict: the limit itself is not enough."""

    readings: Readings
    above: bool
    strict: bool
    near: bool = False


def verdict_on(clause: str, item: Item) -> Verdict | None:
    """What an amount in a clause says of an item, by the limit in its name, else in its test; None if neither compares."""
    said = read_text(clause.replace("limit ", "max "))
    for text in (item.name.zh, item.name.en, item.present_when.zh, item.present_when.en):
        limit = limit_in(text)
        stated = _stated(said, limit, item.name) if limit is not None else None
        if limit is not None and stated is not None:
            return _compare(*stated, limit)
    return None


@lru_cache(maxsize=1024)
def limit_in(wording: str) -> Limit | None:
    """The one limit that a name or a test of presence states."""
    text = read_text(wording)
    values = [value for value in read_values(text) if _bounds(text, value)]
    if len(values) != 1:
        return None
    value = values[0]
    before, after = _around(text, value)
    readings, above = dict(value.readings), not any(low == 0 for low, _ in value.readings.values())
    if "/" in before and Unit.COUNT in readings and readings[Unit.COUNT][0] <= 1:
        # A part divided by its whole.
        readings = {Unit.PERCENT: (readings[Unit.COUNT][0] * _WHOLE, BOUNDLESS)}
    beside = f"{before[-10:]}#{after[:10]}"
    strict = ">" in before and ">=" not in before if above else not any(word in beside for word in _AT_MOST)
    return Limit(readings, above, strict, near=before.endswith(_NEAR))


def _bounds(text: Words, value: Value) -> bool:
    before, after = _around(text, value)
    return value.bound is not None or TIMES in value.readings or after.startswith("or higher") or before.endswith(_NEAR)


def _around(text: Words, value: Value) -> tuple[str, str]:
    """What stands before the number of a value, and what after its unit."""
    before = text.normal[: text.tokens[value.first].start]
    return before.rstrip(), text.normal[text.tokens[value.last - 1].end :].lstrip()


def _compare(amount: float, unit: str, limit: Limit) -> Verdict:
    low, high = limit.readings[unit]
    bound = (low if limit.above else high) * (_NEAR_SHARE if limit.near else 1.0)
    beyond = amount > bound if limit.above else amount < bound
    return Verdict.CONFIRMED if beyond or (amount == bound and not limit.strict) else Verdict.DENIED


def _stated(said: Words, limit: Limit, name: Text) -> tuple[float, str] | None:
    """The amount that measures what the limit does, in its unit; what is left is turned into what is used."""
    values = [value for value in read_values(said) if not _counts_something(said, value, limit)]
    found = _measured(values, limit)
    is_rest = Unit.PERCENT in limit.readings and bool(_rest_words().find(said))
    if not is_rest or (found is not None and found[1] != Unit.PERCENT):
        return found
    if not any(word in f"{name.zh} {name.en}".lower() for word in _USED):
        return None
    if found is None:
        none_left = any(token.text in _NOTHING for token in said.tokens)
        return (_WHOLE, Unit.PERCENT) if none_left else None
    return _WHOLE - found[0], Unit.PERCENT


def _counts_something(said: Words, value: Value, limit: Limit) -> bool:
    """True for a number of things, which says nothing of a percentage: "40 sessions"."""
    after = said.tokens[value.last : value.last + 1]
    counts = bool(after) and after[0].kind is Kind.WORD and after[0].key not in plain_words() and len(after[0].text) > 2
    return value.bare and counts and Unit.COUNT not in limit.readings


def _measured(values: list[Value], limit: Limit) -> tuple[float, str] | None:
    """The first amount with a unit, else the last bare one, that has the dimension of the limit."""
    wholes = [value for value in values if value.role is Role.WHOLE]
    parts = [value for value in values if value.role is not Role.WHOLE]
    ordered = [value for value in parts if not value.bare] + [value for value in reversed(parts) if value.bare]
    for unit in limit.readings:
        for value in ordered:
            amount = _in_unit(value, unit, wholes)
            if amount is not None:
                return amount, unit
    return None


def _in_unit(value: Value, unit: str, wholes: list[Value]) -> float | None:
    if unit in value.readings and (unit != Unit.COUNT or value.whole is None):
        return value.readings[unit][0]
    whole = value.whole or (wholes[0].readings if len(wholes) == 1 else None)
    if whole is not None and unit in (Unit.PERCENT, TIMES):
        shared = next((each for each in whole if each in value.readings and whole[each][0] > 0), None)
        scale = _WHOLE if unit == Unit.PERCENT else 1.0
        return None if shared is None else value.readings[shared][0] / whole[shared][0] * scale
    if unit == Unit.PERCENT and value.bare and value.readings[Unit.COUNT][0] <= _WHOLE:
        return value.readings[Unit.COUNT][0]
    return None


@lru_cache(maxsize=1)
def _rest_words() -> Terms[str]:
    terms: Terms[str] = Terms()
    for words in load_lexicon("derivation")["rest_of_high"].values():
        for word in words:
            terms.add(str(word), "rest")
    return terms
