"""The words of questions that are no names of a dataset, by lists."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

_FILE = Path(__file__).parent / "grammar.yaml"
_COUNTED = ("多少", "有多少", "几", "有几")


@cache
def grammar_lists() -> Mapping[str, tuple[str, ...]]:
    """The words of each list in both languages. Words that count rows are fillers, and with 多少 or 几 ask how many."""
    read = yaml.safe_load(_FILE.read_text("utf-8"))
    lists = {
        name: tuple(str(word) for words in languages.values() for word in words) for name, languages in read.items()
    }
    counted = lists.pop("classifiers")
    lists["fillers"] += tuple(word for word in counted if word not in lists["fillers"])
    asking = (f"{start}{word}" for word in counted for start in _COUNTED)
    lists["how_many"] = tuple(dict.fromkeys([*lists["how_many"], *asking]))
    each = (f"各{word}" for word in lists["how_many"] if word.startswith(("几", "有几", "多少", "有多少")))
    lists["each_value"] = tuple(dict.fromkeys([*lists["each_value"], *each]))
    return lists


@cache
def classifiers() -> tuple[str, ...]:
    """Words that count rows."""
    return tuple(yaml.safe_load(_FILE.read_text("utf-8"))["classifiers"]["zh"])


@cache
def grammar_words() -> frozenset[str]:
    """All words of questions."""
    return frozenset(word for words in grammar_lists().values() for word in words)


@cache
def grammar_kinds() -> frozenset[str]:
    """The lists of the grammar."""
    return frozenset(grammar_lists())


@cache
def ending_words(is_defined: bool) -> frozenset[str]:
    """Words that say nothing at the end of a name; of a figure that the layer defines only those for events."""
    names = ("event",) if is_defined else ("event", "fillers")
    return frozenset(word for name in names for word in grammar_lists()[name])


def asks_to_draw(question: str) -> bool:
    """True if a question has a word for a picture."""
    said = question.lower()
    parts = set(said.replace(",", " ").split())
    return any(word in said if not word.isascii() else word in parts for word in grammar_lists()["drawing"])
