"""Puts names in the place of misspelt words of a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from services.analyst.questions.intent import Guess
from services.analyst.questions.words.items import Item, Number
from services.analyst.questions.words.names import Meaning, Names

_LONGEST_WORDS = 4
_NEGATIONS = ("un", "non")
_NUMBERED = re.compile(r"([a-z]+)(\d+(?:\.\d+)?)", re.IGNORECASE)


def mend_items(items: list[Item], names: Names) -> tuple[list[Item], list[Guess]]:
    """The items with misspelt names as names, and what was taken for what."""
    mended: list[Item] = []
    guesses: list[Guess] = []
    at = 0
    while at < len(items):
        negated = _negated(items[at], names) or _numbered(items[at], names)
        if negated:
            mended += negated
            at += 1
            continue
        for last, words in _runs(items, at):
            part = names.part_of(words)
            if part:
                meanings = {one for each in part for one in names.words[each]}
                mended.append(_as_name(items[at], items[last - 1], words, meanings))
                guesses.append(Guess(words, part[0]))
                at = last
                break
            name = names.spelling.meant(words)
            if name is not None:
                mended.append(_as_name(items[at], items[last - 1], words, names.words[name]))
                guesses.append(Guess(words, name))
                at = last
                break
        else:
            mended += _parts(items[at], names, guesses)
            at += 1
    return mended, guesses


def _negated(item: Item, names: Names) -> list[Item]:
    """ "Unresolved" is a word for "without" and the name "resolved"."""
    words = item.words.lower()
    for start in _NEGATIONS:
        rest = words.removeprefix(start).lstrip("-")
        if item.kind == "word" and words.startswith(start) and rest in names.words:
            lacking = replace(item, kind="lacking", words=start, meanings=(Meaning("lacking"),))
            return [lacking, _as_name(item, item, rest, names.words[rest])]
    return []


def _numbered(item: Item, names: Names) -> list[Item]:
    """ "pg16" is the name "pg" and a number, "v16" the number."""
    found = _NUMBERED.fullmatch(item.words) if item.kind == "word" else None
    if found is None or not (found[1].lower() in names.words or found[1].lower() == "v"):
        return []
    number = replace(item, kind="number", words=found[2], number=Number(float(found[2])))
    return (
        [number] if found[1].lower() == "v" else [_as_name(item, item, found[1], names.words[found[1].lower()]), number]
    )


def _runs(items: list[Item], at: int) -> Iterator[tuple[int, str]]:
    """Words in a row that nothing covers, the longest first."""
    last = at
    while last < len(items) and last - at < _LONGEST_WORDS and items[last].kind == "word":
        last += 1
    for end in range(last, at, -1):
        han = not items[at].words.isascii()
        yield end, ("" if han else " ").join(item.words for item in items[at:end])


def _parts(item: Item, names: Names, guesses: list[Guess]) -> list[Item]:
    """A run of Chinese characters with a misspelt name in it, taken apart."""
    if item.kind != "word" or item.words.isascii() or len(item.words) < 3:
        return [item]
    for length in range(len(item.words) - 1, 1, -1):
        for start in range(len(item.words) - length + 1):
            words = item.words[start : start + length]
            name = names.spelling.meant(words)
            if name is not None:
                guesses.append(Guess(words, name))
                around = (item.words[:start], item.words[start + length :])
                middle = _as_name(item, item, words, names.words[name])
                first = [replace(item, words=around[0])] if around[0] else []
                return [*first, middle, *([replace(item, words=around[1])] if around[1] else [])]
    return [item]


def _as_name(first: Item, last: Item, words: str, meanings: set[Meaning]) -> Item:
    ordered = tuple(sorted(meanings, key=lambda one: (one.kind, one.id, str(one.value))))
    return Item(ordered[0].kind, first.first, last.last, words, ordered, every=ordered)
