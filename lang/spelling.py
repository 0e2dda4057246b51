"""Mends slips in the tokens of a text: words one letter from a known one, and usual slips of input methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from lang.cues import cue_terms, load_lexicon, number_words, plain_words
from lang.tokens import Kind, Text, Token

_SHORTEST, _USUAL, _LONG = 5, 6, 8


class Speller:
    """Knows the words of a vocabulary and of the lexicon, and finds the one that a slip means."""

    def __init__(self, words: Callable[[], Iterable[str]]) -> None:
        """words: gives the words of the vocabulary; called when the first word needs a look."""
        self._words = words
        self._respelt = {tuple(wrong): tuple(right) for wrong, right in load_lexicon("respelt").items()}
        self._starts = {wrong[0] for wrong in self._respelt}
        self._meant = lru_cache(maxsize=4096)(self._find_meant)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._words()) | cue_terms().words | number_words().words | plain_words()

    @cached_property
    def _candidates(self) -> list[str]:
        return sorted(word for word in self._known if len(word) >= _SHORTEST - 1 and word.isascii())

    def mend(self, text: Text) -> tuple[Text, frozenset[int]]:
        """The text with mended tokens, and which of those are doubtful. Spans and quotes stay those of the original."""
        tokens = list(text.tokens)
        mended: set[int] = set()
        for at, token in enumerate(text.tokens):
            if token.kind is Kind.WORD and not token.joined and (word := self._meant(token.text, token.key)):
                tokens[at] = replace(token, key=word)
                if len(token.text) < _LONG:
                    mended.add(at)
            elif token.text in self._starts:
                mended.update(self._mend_characters(tokens, at))
        changed = any(new is not old for new, old in zip(tokens, text.tokens, strict=True))
        return replace(text, tokens=tuple(tokens)) if changed else text, frozenset(mended)

    def _mend_characters(self, tokens: list[Token], at: int) -> Iterable[int]:
        for wrong, right in self._respelt.items():
            if tuple(token.text for token in tokens[at : at + len(wrong)]) == wrong:
                for offset, character in enumerate(right):
                    tokens[at + offset] = replace(tokens[at + offset], text=character, key=character)
                return range(at, at + len(wrong))
        return ()

    def _find_meant(self, word: str, key: str) -> str | None:
        """The one known word that a slip away from this unknown one; None where there is none or several."""
        if len(word) < _SHORTEST or key in self._known or word in self._known or not word.isascii():
            return None
        # By its stem, then as it stands: an ending may belong to the word, as in "evrything".
        for form in dict.fromkeys((key, word)):
            near = process.extract(form, self._candidates, scorer=OSA.distance, score_cutoff=1, limit=5)
            meant = [other for other, _, _ in near if _is_slip(form, other)]
            if meant:
                return meant[0] if len(meant) == 1 else None
        return None


def _is_slip(word: str, meant: str) -> bool:
    """A letter too few or too many, two changed round, or another letter in a long word; the first letter stands."""
    if word[0] != meant[0]:
        return False
    if len(word) < _USUAL:
        return sorted(word) == sorted(meant) or _doubles(word, meant)
    return len(word) != len(meant) or sorted(word) == sorted(meant) or len(word) >= _LONG


def _doubles(word: str, meant: str) -> bool:
    return any(word[at] == word[at - 1] and word[:at] + word[at + 1 :] == meant for at in range(1, len(word)))
