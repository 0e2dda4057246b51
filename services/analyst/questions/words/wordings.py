"""Finds what a text column shall say: "描述里带“超时”两个字", "whose description mentions timeout"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang.tokens import Text
from services.analyst.questions.words.items import Item
from services.analyst.questions.words.names import Meaning
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.schema import Dimension

_FILE = Path(__file__).with_name("wordings.yaml")
_FREE_TEXT = 12  # Mean characters of a value, from which on it is a sentence and no name.
_MOST = 4  # Words of an English text that stands without quotes.
_QUOTED = re.compile(r"""\s*(?:["“”'‘’「『《])(?P<text>[^"“”'‘’」』》]+)["“”'‘’」』》]""")
_WORD = re.compile(r"\s*([^\s,，。;；?？!！、]+)")


class _Patterns(NamedTuple):
    after: re.Pattern[str]
    before: re.Pattern[str]
    han_end: re.Pattern[str]
    no_text: re.Pattern[str]
    stops: frozenset[str]


class _Found(NamedTuple):
    """Where a wording starts and ends in the normal form, what it says, and whether it must not be there."""

    start: int
    end: int
    text: str
    denied: bool


@cache
def _patterns() -> _Patterns:
    read = yaml.safe_load(_FILE.read_text("utf-8"))
    names = ("after", "before", "han_end", "no_text")
    after, before, han_end, no_text = (re.compile("|".join(read[name])) for name in names)
    return _Patterns(after, before, han_end, no_text, frozenset(read["stops"]))


def read_wordings(items: list[Item], text: Text, dataset: Dataset) -> list[Item]:
    """The items, those of a column of text with what it shall say as one."""
    read = list(items)
    for item in items:
        columns = tuple(one for one in item.among("dimension") if _is_text(dataset, one))
        if not columns or item not in read:
            continue
        free = all(_is_free_text(dataset, dataset.layer.dimension(one.id)) for one in columns)
        found = _after(text, item, free) or _before(text, item)
        if found is not None:
            read = _replaced(read, text, found, columns)
    return read


def _is_text(dataset: Dataset, meaning: Meaning) -> bool:
    dimension = dataset.layer.dimension(meaning.id)
    return dataset.type_of(dimension.column).startswith("VARCHAR") and (bool(dimension.key) or not dimension.values)


def _is_free_text(dataset: Dataset, dimension: Dimension) -> bool:
    said = [one for one in dataset.values.get(dimension.id, ()) if isinstance(one, str)]
    return not dimension.key and bool(said) and sum(map(len, said)) / len(said) >= _FREE_TEXT


def _after(text: Text, item: Item, free: bool) -> _Found | None:
    """ "描述里带超时的", "description mentions timeout": what stands after the column."""
    start, end = text.tokens[item.first].start, text.tokens[item.last - 1].end
    lead = _patterns().after.match(text.normal, end)
    if lead is None:
        return None
    quoted = _QUOTED.match(text.normal, lead.end())
    strong, denied = lead["strong"] or lead["strong_en"], bool(lead["no"] or lead["no_en"])
    sure = bool(quoted) or bool(strong) or (free and bool(lead["within"] or lead["weak"]))
    if not sure or (lead["bare"] and not (quoted or lead["within"])):
        return None
    if quoted:
        tail = _patterns().han_end.match(text.normal, quoted.end())
        return _Found(start, tail.end() if tail else quoted.end(), quoted["text"].strip(), denied)
    said = _unquoted(text.normal, lead.end())
    return _Found(start, said[1], said[0], denied) if said else None


def _before(text: Text, item: Item) -> _Found | None:
    """ "With restart in the solution": what stands before the column."""
    until = text.tokens[item.first].start
    found = [one for one in _patterns().before.finditer(text.normal, 0, until) if one.end() == until]
    if not found:
        return None
    lead = found[-1]
    said = lead["text"].strip(" \"'“”")
    if not said or said.split()[0] in _patterns().stops:
        return None
    return _Found(lead.start(), text.tokens[item.last - 1].end, said, bool(lead["no"]))


def _unquoted(normal: str, at: int) -> tuple[str, int] | None:
    """The text that begins at a place, and where it ends; None where what stands there asks or says nothing."""
    if _patterns().no_text.match(normal, at):
        return None
    if "\u3400" <= normal[at : at + 1] <= "\u9fff":
        ending = _patterns().han_end.search(normal, at + 1)
        end = ending.start() if ending else len(normal)
        return (normal[at:end].strip(), ending.end() if ending else end) if end - at <= 30 else None
    words: list[str] = []
    end = at
    while len(words) < _MOST and (found := _WORD.match(normal, end)):
        tail = _patterns().han_end.search(found[1])
        if words and found[1] in _patterns().stops:
            break
        words.append(found[1][: tail.start()] if tail else found[1])
        end = found.start(1) + (tail.end() if tail else len(found[1]))
        if tail:
            break
        if closing := _patterns().han_end.match(normal, end):
            end = closing.end()
            break
    return (" ".join(words), end) if words and words[0] else None


def _replaced(items: list[Item], text: Text, found: _Found, columns: tuple[Meaning, ...]) -> list[Item]:
    inside = [
        at for at, item in enumerate(items)
        if text.tokens[item.first].start < found.end and text.tokens[item.last - 1].end > found.start
    ]  # fmt: skip
    kind = "no_wording" if found.denied else "wording"
    meanings = tuple(replace(one, kind=kind, value=found.text) for one in columns)
    first, last = items[inside[0]], items[inside[-1]]
    one = Item(kind, first.first, last.last, text.normal[found.start : found.end], meanings, every=meanings)
    return [*items[: inside[0]], one, *items[inside[-1] + 1 :]]
