"""The reader's word lists, as data in `lexicon/marks.yaml`."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import yaml

from lang.terms import Found, Terms
from lang.tokens import read_text

_FILE = Path(__file__).parents[1] / "lexicon" / "marks.yaml"


@cache
def _terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for name, languages in yaml.load(_FILE.read_text("utf-8"), yaml.CSafeLoader).items():
        for words in languages.values():
            for word in words:
                terms.add(str(word), name)
    return terms


@lru_cache(maxsize=1024)
def marks_in(normal: str) -> tuple[Found[str], ...]:
    """The words of the lists in a normalised text; the payload is the name of the list, the places are tokens."""
    return tuple(_terms().find(read_text(normal)))


def has_mark(normal: str, *names: str) -> bool:
    """True if a normalised text has a word of these lists."""
    return any(found.payload in names for found in marks_in(normal))


def without_marks(normal: str, name: str) -> str:
    """The text with blanks in the place of the words of a list."""
    text = read_text(normal)
    for found in marks_in(normal):
        if found.payload == name:
            start, end = text.tokens[found.first].start, text.tokens[found.last - 1].end
            normal = normal[:start] + " " * (end - start) + normal[end:]
    return normal


def opening_of(normal: str, *names: str) -> int:
    """Where a normalised text goes on after the words of these lists that it opens with."""
    text = read_text(normal)
    at = 0
    while ends := [found.last for found in marks_in(normal) if found.payload in names and found.first == at]:
        at = max(ends)
    following = text.tokens[at:]
    return following[0].start if at and following else 0


def is_only(normal: str, name: str) -> bool:
    """True if a normalised text is nothing but words of a list."""
    return has_mark(normal, name) and not without_marks(normal, name).strip(" ,.!?~")
