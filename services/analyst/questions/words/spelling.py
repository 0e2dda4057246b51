"""What misspelt names mean, by letters and by sound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from rapidfuzz import process
from rapidfuzz.distance import OSA

_SYLLABLES = Path(__file__).with_name("pinyin.yaml")
_SHORTEST, _LONG = 5, 8
_MERGED = (("zh", "z"), ("ch", "c"), ("sh", "s"), ("ng", "n"))


@cache
def syllables() -> dict[str, str]:
    """The syllable of a Chinese character, without tone."""
    lists: dict[str, str] = yaml.safe_load(_SYLLABLES.read_text("utf-8"))
    return {character: syllable for syllable, characters in lists.items() for character in characters}


def sound(words: str) -> str:
    """How a text sounds: syllables without tone; retroflex and velar sounds that input methods mix are one."""
    heard = []
    for character in words.lower():
        syllable = syllables().get(character, character)
        for rough, plain in _MERGED:
            syllable = syllable.replace(rough, plain)
        heard.append(syllable)
    return " ".join(heard)


class Spelling:
    """The names of a dataset by letters and by sound."""

    def __init__(self, words: Mapping[str, set[Any]]) -> None:
        self._words = words
        self._latin = [word for word in words if word.isascii() and len(word) >= _SHORTEST]
        self._sounds: dict[str, list[str]] = {}
        self._typed: dict[str, list[str]] = {}
        for word in words:
            if len(word) >= 2 and all(character in syllables() for character in word):
                self._sounds.setdefault(sound(word), []).append(word)
                self._typed.setdefault("".join(syllables()[each] for each in word), []).append(word)

    def meant(self, words: str) -> str | None:
        """The one name that misspelt words mean; None where there is none or several."""
        lowered = words.lower()
        if lowered.isascii():
            return _only(self._typed.get(lowered, [])) or self._near(lowered)
        if any(has_in_order(name, lowered) for name in self._words):
            return None  # Each character is meant as written: 磁盘满 is said of 磁盘写满, and is no 磁盘慢.
        return _only(self._sounds.get(sound(lowered), []))

    def _near(self, word: str) -> str | None:
        if len(word) < _SHORTEST:
            return None
        reach = 2 if len(word) >= _LONG else 1
        near = process.extract(word, self._latin, scorer=OSA.distance, score_cutoff=reach, limit=6)
        best = min((distance for _, distance, _ in near), default=0)
        meanings = {frozenset(self._words[name]) for name, distance, _ in near if distance == best}
        names = [name for name, distance, _ in near if distance == best and name[0] == word[0]]
        return names[0] if names and len(meanings) == 1 else None


def has_in_order(name: str, words: str) -> bool:
    """Whether a name has all characters of some words in their order, with at most two others between each two."""
    at = name.find(words[0])
    for character in words[1:]:
        at = name.find(character, at + 1, at + 4) if at >= 0 else -1
    return at >= 0


def _only(words: Sequence[str]) -> str | None:
    return words[0] if len(words) == 1 else None
