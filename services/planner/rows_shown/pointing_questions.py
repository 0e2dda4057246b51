"""Whether words ask what an output shows, and nothing else."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from lang import deferred_re as re

_FILE = Path(__file__).with_name("asking.yaml")


def asks_what_it_shows(words: str) -> bool:
    """True for "what does this mean?": beyond how it is asked there is nothing in it but what points at the output."""
    said = " ".join(words.casefold().split())
    return _pattern("asks").search(said) is not None and not _LEFT.search(_pattern("fillers").sub(" ", _bare(said)))


def asks_meaning(words: str) -> bool:
    """Whether words ask, among other things, what something shows or whether it is normal."""
    said = " ".join(words.casefold().split())
    return _pattern("judged").search(said) is not None


_LEFT = re.compile(r"\w")


def _bare(said: str) -> str:
    return _pattern("asks").sub(" ", said)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    entries = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)[name]
    words = sorted(map(str, entries), key=len, reverse=True)
    latin = "|".join(re.escape(word) for word in words if word.isascii())
    return re.compile(rf"(?<![a-z])(?:{latin})(?![a-z])|" + "|".join(word for word in words if not word.isascii()))
