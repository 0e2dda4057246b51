"""Values that words are a part of the names of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lang.tokens import stem
from services.analyst.questions.counts.defaults import default_table
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Value
from services.analyst.semantic.schema import Dimension

_MOST = 30
_SHORTEST, _SHORTEST_HAN = 3, 2
_WORDS = re.compile(r"[a-z0-9_]+")


def rows_about(draft: Draft) -> str:
    """The table whose rows a question is about: the first that it names, else that of the default figure."""
    return next((one.id for item in draft.items for one in item.every_of("table")), "") or default_table(draft)


def named_by(draft: Draft, words: list[str]) -> Iterator[Filter]:
    """For each dimension with listed values those that have all words in one of their names."""
    shortest = _SHORTEST if words[0].isascii() else _SHORTEST_HAN
    rows = rows_about(draft)
    if len("".join(words)) < shortest or not rows:
        return
    for dimension in draft.dataset.layer.dimensions:
        owner = draft.dataset.table_of(dimension)
        if draft.dataset.reaches(rows, dimension.id) or len(draft.dataset.bridges(rows, owner)) == 1:
            values = tuple(_values(dimension, words))
            if 0 < len(values) <= _MOST:
                yield Filter(dimension.id, "in", values)


def _values(dimension: Dimension, words: list[str]) -> Iterator[Value]:
    for stored, others in dimension.values.items():
        if any(_has_all(str(name).lower(), words) for name in (stored, *others)):
            yield stored


def _has_all(name: str, words: list[str]) -> bool:
    keys = {stem(part) for part in _WORDS.findall(name)}
    return all(stem(word) in keys if word.isascii() else word in name for word in words)
