"""Whether words name something: a name counts where all its terms stand in them, whatever the language or the order.

Terms are the concepts of the glossary, words and identifiers that it does not know, pairs of Chinese characters, and
single ones for what is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from lang.concepts.glossary import load
from lang.concepts.reading import CONCEPT, WORD, read
from lang.concepts.weighted_terms import count_places
from services.planner.common_questions.finder import shipped
from services.planner.understand.text.word_lists import read_lists

# Words that are no more than a part of a concept weigh less.
_OWN = 0.8
_PAIR = 2
# What is done, in a character.
_DEEDS = frozenset(read_lists("ways")["deeds"])
# A name that says less is shared by too many things.
_LEAST = 4.9
# A Chinese word has so many characters at most.
_LONGEST_WORD = 4
# Words that say no more than this name nothing.
_LITTLE = 5.0
# What a name says and how much of the words it is, together, from which the words are about it.
_ABOUT = 2.7
# Words that only ask, or hold others together; of the glossary what they come to as well.
_SAYS_NOTHING = frozenset(read_lists("ways")["says_nothing"])


class Named(NamedTuple):
    """What words name: its key, how much the name says, and how much of the words that is, in [0, 1]."""

    key: str
    weight: float
    share: float


class Names(NamedTuple):
    """The names of a thing, each as its terms."""

    terms: tuple[frozenset[str], ...]


@lru_cache(maxsize=2048)
def terms_of(text: str) -> frozenset[str]:
    """The terms of a text that say something."""
    found = (each for each in read(text, load()).tokens if _says(each.kind, each.key, each.weight))
    return frozenset(each.key for each in found)


def _says(kind: str, key: str, weight: float) -> bool:
    return kind == CONCEPT or (kind == WORD and weight >= _OWN) or (kind not in (CONCEPT, WORD) and _is_telling(key))


def _is_telling(characters: str) -> bool:
    """Whether Chinese characters that the glossary does not know say something: a pair, or what is done."""
    return len(characters) >= _PAIR or characters in _DEEDS


def names_of(*called: str) -> Names:
    """Names as their terms. Of several words more than one term is left, or the name would be that of much else."""
    terms = ((each, terms_of(each) - _SAYS_NOTHING) for each in called)
    kept = (each for name, each in terms if len(each) > 1 or (each and _is_word(name)))
    return Names(tuple(dict.fromkeys(kept)))


def _is_word(name: str) -> bool:
    return " " not in name and (name.isascii() or len(name) <= _LONGEST_WORD)


def nearest(words: str, known: Mapping[str, Names]) -> Named:
    """The thing whose name says the most of those that stand in words; one with an empty key if there is none."""
    said = terms_of(words)
    standing = (
        (sum(map(rarity_of, each)), key) for key, names in known.items() for each in names.terms if each <= said
    )
    weight, key = max(standing, default=(0.0, ""))
    share = weight / max(sum(map(rarity_of, said - _SAYS_NOTHING)), weight, _LEAST)
    return Named(key, weight, share) if weight >= _LEAST and weight * share >= _ABOUT else Named("", 0.0, 0.0)


def tells_little(words: str) -> bool:
    """Whether words name next to nothing, so that what they are about stands elsewhere."""
    return sum(map(rarity_of, terms_of(words) - _SAYS_NOTHING)) < _LITTLE


@cache
def rarity_of(term: str) -> float:
    """How rare a term is in what people ask, and so how much it says."""
    return float(shipped().linear.rarity[count_places([term])[0][0]])
