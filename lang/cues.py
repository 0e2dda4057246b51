"""The lexicon: words that tell numbers, polarity, meaning and outcomes, as data in `lexicon/*.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from lang.terms import Terms
from lang.tokens import Kind, Token, read_text, stem

_FOLDER = Path(__file__).parent / "lexicon"


class NumberWord(NamedTuple):
    """A word beside or instead of digits. table: which list it is in; name: its key there; factor: its amount."""

    table: str
    name: str
    factor: float = 0.0


def load_lexicon(name: str) -> dict[str, Any]:
    """One file of the lexicon as it stands."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return dict(yaml.load((_FOLDER / f"{name}.yaml").read_text("utf-8"), Loader=loader))


@cache
def number_words() -> Terms[NumberWord]:
    """All words beside or instead of digits."""
    terms: Terms[NumberWord] = Terms()
    for word, term in _number_words(load_lexicon("numbers")):
        terms.add(str(term), word)
    return terms


def _number_words(lexicon: dict[str, Any]) -> Iterator[tuple[NumberWord, str]]:
    for dimension, scales in lexicon["units"].items():
        yield from ((NumberWord("units", dimension, float(scale)), term) for scale in scales for term in scales[scale])
    for table in ("magnitudes", "parts", "multiples"):
        for factor, words in lexicon[table].items():
            yield from ((NumberWord(table, str(factor), float(factor)), term) for term in words)
    for table in ("words", "before", "after"):
        for name, words in lexicon[table].items():
            yield from ((NumberWord(table, name), term) for term in words)


@cache
def cue_terms() -> Terms[str]:
    """All other words of the lexicon, each standing for the name of its list."""
    terms: Terms[str] = Terms()
    for file in ("polarity", "meaning", "outcomes"):
        for name, languages in load_lexicon(file).items():
            for words in languages.values():
                for word in words:
                    terms.add(str(word), name)
    return terms


@cache
def negation_words() -> frozenset[str]:
    """The Chinese words that deny what follows."""
    return frozenset(map(str, load_lexicon("polarity")["negation"]["zh"]))


@cache
def plain_words() -> frozenset[str]:
    """Keys of words that say nothing of their own beside a subject."""
    plain = load_lexicon("plain")
    english = plain["en"].split()
    return frozenset(plain["zh"]) | frozenset(english) | frozenset(stem(word) for word in english)


def is_plain(token: Token) -> bool:
    """True if a token says nothing of its own beside a subject."""
    return token.key in plain_words() or token.text in plain_words()


def telling_keys(words: str) -> set[str]:
    """The keys of the words that say something of their own."""
    return {token.key for token in read_text(words).tokens if token.kind in (Kind.WORD, Kind.HAN)} - plain_words()


def telling_parts(words: str) -> set[str]:
    """The keys of the Latin words that say something of their own, and every two Chinese characters side by side."""
    tokens = [each for each in read_text(words).tokens if each.kind in (Kind.WORD, Kind.HAN)]
    telling = [each for each in tokens if each.key not in plain_words()]
    parts = {each.key for each in telling if each.kind is Kind.WORD}
    paired: set[str] = set()
    for one, other in pairwise(telling):
        if one.kind is Kind.HAN and other.kind is Kind.HAN and one.end == other.start:
            parts.add(one.key + other.key)
            paired |= {one.key, other.key}
    return parts | {each.key for each in telling if each.kind is Kind.HAN} - paired


@cache
def _number_terms() -> frozenset[str]:
    return frozenset(
        character for _, term in _number_words(load_lexicon("numbers")) for character in _units_of(str(term))
    )


def _units_of(term: str) -> list[str]:
    """The tokens of a term: words, or single Chinese characters."""
    return [word for part in term.split() for word in ([part] if part.isascii() else list(part))]


def is_number_word(word: str) -> bool:
    """True if a token is part of some word that tells a number, its unit or its role."""
    return word in _number_terms()


@cache
def word_set(name: str) -> frozenset[str]:
    """A list of small words that rules look for between others, by its name in `lexicon/plain.yaml`."""
    return frozenset(str(load_lexicon("plain")[name]).split())
