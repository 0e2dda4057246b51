"""The words beside a number (its units, what makes it a limit, base, name or time), and sums: "281+16 in use"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lang.cues import NumberWord, number_words, word_set
from lang.numbers.model import Value
from lang.numbers.numerals import read_numeral
from lang.terms import Found
from lang.tokens import Kind, Text, Token
from lang.vocabulary import Unit

_REACH = 3
_FILLERS = word_set("value_fillers")
_SIGNS = {sign: "at_least" for sign in (">", ">=", "≥")} | {sign: "at_most" for sign in ("<", "<=", "≤")}
Span = tuple[int, int]


@dataclass
class NumberWords:
    """The number words of a text by their first and by their last token."""

    first: Mapping[int, list[Found[NumberWord]]] = field(default_factory=dict)
    last: Mapping[int, list[Found[NumberWord]]] = field(default_factory=dict)

    def at(self, first: int, *tables: str) -> list[Found[NumberWord]]:
        """The longest words of these tables that begin here."""
        found = [word for word in self.first.get(first, ()) if word.payload.table in tables]
        longest = max((word.last for word in found), default=0)
        return [word for word in found if word.last == longest]


def find_words(text: Text) -> NumberWords:
    """The number words of a text."""
    first: dict[int, list[Found[NumberWord]]] = defaultdict(list)
    last: dict[int, list[Found[NumberWord]]] = defaultdict(list)
    for found in number_words().find(text):
        first[found.first].append(found)
        last[found.last].append(found)
    return NumberWords(first, last)


def words_before(tokens: Sequence[Token], first: int, words: NumberWords) -> dict[str, Span]:
    """The lists of the words before a number, over fillers such as 是 and of, and where each word stands."""
    found: dict[str, Span] = {}
    at = first
    for _ in range(_REACH + 1):
        if at and tokens[at - 1].text in _SIGNS:
            found[_SIGNS[tokens[at - 1].text]] = (at - 1, at)
        before = [word for word in words.last.get(at, ()) if word.payload.table == "before"]
        if before:
            longest = min(word.first for word in before)
            found |= {word.payload.name: (longest, word.last) for word in before if word.first == longest}
            if found.keys() != {"reach"}:
                return found
        if not at or tokens[at - 1].text not in _FILLERS:
            return found
        at -= 1
    return found


def words_after(tokens: Sequence[Token], last: int, words: NumberWords) -> dict[str, Span]:
    """The lists of the words right after a number, and where each stands."""
    after = words.at(last, "after")
    # "80M 平时 10M": the word belongs to the number that follows.
    return {word.payload.name: (word.first, word.last) for word in after if read_numeral(tokens, word.last) is None}


def is_numbered_name(tokens: Sequence[Token], first: int) -> bool:
    """ "pg-02", "node_3" and the "zero" of "always-zero" are names."""
    if first < 1 or tokens[first].space:
        return False
    if tokens[first].kind is tokens[first - 1].kind is Kind.WORD:
        return True
    if first < 2:
        return False
    return tokens[first - 1].text == "-" and tokens[first - 2].kind is Kind.WORD and not tokens[first - 1].space


def is_change(tokens: Sequence[Token], at: int) -> bool:
    """True if the words before a number say that it is where a change begins."""
    return any(
        token.text in ("从", "由", "from", "went", "go", "grew", "涨", "升", "降", "跌", "变")
        for token in tokens[max(at - _REACH, 0) : at]
    )


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
