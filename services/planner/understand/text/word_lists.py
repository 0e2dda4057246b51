"""Patterns from the word lists of `lexicon/*.yaml`: the one place where listed words become patterns."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import cast

from lang.listed import Listed, joined, read_yaml

_FOLDER = Path(__file__).parents[1] / "lexicon"


def words(*alternatives: str) -> str:
    """Alternatives that stand as whole words, for English; a Chinese character ends a word."""
    return r"(?<![a-z0-9_])(?<![a-z]')(?:" + "|".join(alternatives) + r")(?![a-z0-9_]|'[a-z])"


def listed_pattern(file: str, entry: str) -> str:
    """The pattern of an entry whose words are fragments of patterns (zh, en) and whole English words (words)."""
    listed = read_lists(file)[entry]
    return "|".join(
        [*listed.get("zh", ()), *listed.get("en", ()), *([words(*listed["words"])] if "words" in listed else [])]
    )


def compile_words(name: str, *fragments: str) -> re.Pattern[str]:
    """The pattern of a list, `<file>.<entry>`: any of its words, or of further fragments. Raises KeyError at its first use."""
    return cast("re.Pattern[str]", Listed(lambda: _pattern_of(name, fragments)))


def names(name: str, said: str) -> bool:
    """Whether a word of a list, `<file>.<entry>`, stands in what is said, in any case of letters."""
    return _of_list(name).search(said.lower()) is not None


@cache
def _of_list(name: str) -> re.Pattern[str]:
    return compile_words(name)


def listed(name: str) -> re.Pattern[str]:
    """The pattern that stands in a list, `<file>.<entry>`, as such. Raises KeyError at its first use."""
    return cast("re.Pattern[str]", Listed(lambda: expression(*name.split("."))))


def expression(file: str, entry: str) -> str:
    """A pattern that stands in a list: alternatives, in which «name» stands for another entry of the file."""
    return joined(read_lists(file), entry)


def _pattern_of(name: str, fragments: tuple[str, ...]) -> str:
    """English words match whole, Chinese ones anywhere; the longest of each language is tried first."""
    file, entry = name.split(".")
    listed = read_lists(file)[entry]
    chinese = map(re.escape, sorted(listed.get("zh", ()), key=len, reverse=True))
    english = [_english(word) for word in sorted(listed.get("en", ()), key=len, reverse=True)]
    return "|".join([*fragments, *chinese, *([words(*english)] if english else ())])


def _english(word: str) -> str:
    """An English word as a pattern; "likel*" stands for every word that begins so."""
    return re.escape(word.removesuffix("*")) + (r"\w*" if word.endswith("*") else "")


def read_lists(file: str) -> dict[str, dict[str, list[str]]]:
    """The word lists of one file, by their names and languages."""
    return read_yaml(_FOLDER / f"{file}.yaml")


def read_words(name: str) -> tuple[str, ...]:
    """The words of a list, `<file>.<entry>`, in both languages."""
    file, entry = name.split(".")
    return tuple(word for words_of in read_lists(file)[entry].values() for word in words_of)
