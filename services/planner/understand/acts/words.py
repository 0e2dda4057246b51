"""The words of the example phrases, in `words.txt`: what people write, and how usual it is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from services.planner.understand.acts.ngrams import TOKEN

FILE = Path(__file__).with_name("words.txt")


@cache
def word_counts() -> dict[str, int]:
    """How many example phrases have each word or Chinese character."""
    lines = (line.split(" ") for line in FILE.read_text("utf-8").splitlines())
    return {word: int(count) for word, count in lines}


def is_heard(text: str) -> bool:
    """True if any word of a normalised text stands in an example phrase."""
    return any(word in word_counts() for word in TOKEN.findall(text))


def to_text(counts: Mapping[str, int]) -> str:
    """The content of the file for these counts."""
    return "".join(f"{word} {count}\n" for word, count in sorted(counts.items()))
