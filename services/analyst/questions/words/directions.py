"""Which of several columns of places is meant by a word for a direction: "to France", "从德国"."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import yaml

from services.analyst.questions.counts.counting import has_word
from services.analyst.semantic.schema import Dimension

_FILE = Path(__file__).parent / "directions.yaml"


@cache
def _directions() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    read = yaml.safe_load(_FILE.read_text("utf-8"))
    return tuple((tuple(one["before"]), tuple(one["names"])) for one in read.values())


def choose_by_direction(before: str, dimensions: Iterable[Dimension]) -> str:
    """The id of the one dimension that the words before a place point at; empty where there is none or several.

    before: the question up to the place, normalised.
    """
    found: set[str] = set()
    for words, names in _directions():
        if any(_ends_with(before.rstrip(), word) for word in words):
            found |= {one.id for one in dimensions if _is_named(one, names)}
    return found.pop() if len(found) == 1 else ""


def _is_named(dimension: Dimension, parts: tuple[str, ...]) -> bool:
    return any(has_word(name, part) for name in (*dimension.name.words, *dimension.synonyms) for part in parts)


def _ends_with(text: str, word: str) -> bool:
    return text.endswith(f" {word}" if word.isascii() else word)
