"""The example phrases with the labels of the reader."""

from __future__ import annotations

from functools import cache

from services.planner.reader.labels import Label
from services.planner.training.phrases import count_words, load_examples


@cache
def load_phrases() -> tuple[tuple[str, Label], ...]:
    """All example phrases, normalised, with their labels."""
    return tuple((phrase, Label(act.value)) for phrase, act in load_examples())


def words_of_examples() -> frozenset[str]:
    """Every word and Chinese character of the example phrases."""
    return frozenset(count_words(load_examples()))
