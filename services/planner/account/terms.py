"""The closed vocabulary of a record: what words of either language name, and how it is called in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from lang import deferred_re as re
from services.planner.model import Language

_FILE = Path(__file__).with_name("terms.yaml")
_HAN = re.compile(r"[\u4e00-\u9fff]")


class Term(NamedTuple):
    """A thing of the vocabulary, as it is called, and what else is known of it."""

    name: str
    en: str
    zh: str
    known: Mapping[str, Any]

    def say(self, language: Language) -> str:
        """Its name in a language."""
        return self.zh if language is Language.ZH else self.en


class Found(NamedTuple):
    """A term that words name, from a place up to another."""

    term: Term
    first: int
    last: int


@cache
def _content() -> Mapping[str, Any]:
    content: Mapping[str, Any] = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return content


@cache
def terms(group: str) -> Mapping[str, Term]:
    """The terms of a group by their names."""
    return {name: Term(name, each["en"], each["zh"], each) for name, each in _content()[group].items()}


def listed(name: str) -> Any:
    """What else the vocabulary has by this name."""
    return _content()[name]


@cache
def _pattern(group: str) -> re.Pattern[str]:
    """Every term of a group, the longest words first."""
    words = [(word, name) for name in terms(group) for word in _content()[group][name]["words"]]
    ordered = sorted(words, key=lambda each: -len(each[0]))
    return re.compile("|".join(f"(?P<{name}_{at}>{_whole(word)})" for at, (word, name) in enumerate(ordered)))


@cache
def _marks(name: str) -> re.Pattern[str]:
    return re.compile("|".join(_whole(word) for word in _content()[name]["words"]))


def _whole(word: str) -> str:
    """A pattern; of letters it stands as a whole word."""
    return word if _HAN.search(word) else rf"(?<![a-z0-9_])(?:{word})(?![a-z0-9_])"


def find_terms(group: str, words: str) -> Iterator[Found]:
    """The terms of a group that words name, in their order."""
    for found in _pattern(group).finditer(words.lower()):
        name = (found.lastgroup or "").rpartition("_")[0]
        yield Found(terms(group)[name], found.start(), found.end())


def has_mark(name: str, words: str) -> bool:
    """Whether words hold a mark of the vocabulary: that something is only thought of, usual, planned."""
    return _marks(name).search(words.lower()) is not None


def mark_before(name: str, words: str, at: int) -> bool:
    """Whether such a mark stands right before a place, with a few letters between."""
    return has_mark(name, words[max(at - 12, 0) : at])
