"""What things of the field are called besides their names, in both languages: "the door" of a connection, "撒手" of a session.

The concepts stand in `lexicon/synonyms.yaml`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise

from lang import deferred_re as re
from services.planner.understand.text.messages import CJK_CHAR
from services.planner.understand.text.word_lists import read_lists

_WORD = re.compile(r"[a-z][a-z0-9_/]*")
ENDINGS = re.compile(r"(?:ing|ed|es|s)$")
_LEAST = 3


def is_state(concept: int) -> bool:
    """Whether a concept is how something is and not what it is."""
    return concept >= len(read_lists("synonyms")["things"])


def concepts_at(text: str) -> tuple[tuple[int, int, int], ...]:
    """(concept, start, end) of each place in a normalised text that stands for one."""
    return _found(text)


@lru_cache(maxsize=4096)
def _found(text: str) -> tuple[tuple[int, int, int], ...]:
    english, chinese = _lexicon()
    found: list[tuple[int, int, int]] = []
    for start, end, word in _words(text):
        forms = (word, _stem(word), f"{_stem(word)}e")
        found += [(concept, start, end) for concept in next(filter(None, map(english.get, forms)), ())]
    for word, concepts in chinese.items():
        at = text.find(word)
        while at >= 0:
            found += [(concept, at, at + len(word)) for concept in concepts]
            at = text.find(word, at + 1)
    # A word within a longer one is none of its own: the lock of a deadlock.
    longest = [
        place
        for place in set(found)
        if not any(place[1] >= other[1] and place[2] <= other[2] and place[1:] != other[1:] for other in found)
    ]
    return tuple(sorted(longest, key=lambda place: place[1:]))


def _words(text: str) -> list[tuple[int, int, str]]:
    """Words, and pairs and triples of them joined with hyphens, each with where it stands."""
    singles = [(run.start(), run.end(), run.group()) for run in _WORD.finditer(text)]
    found = list(singles)
    for count in (2, 3):
        for at in range(len(singles) - count + 1):
            chosen = singles[at : at + count]
            gaps = [text[left[1] : right[0]] for left, right in pairwise(chosen)]
            if all(gap in (" ", "-") for gap in gaps):
                found.append((chosen[0][0], chosen[-1][1], "-".join(word for _, _, word in chosen)))
    return found


def _stem(word: str) -> str:
    stem = ENDINGS.sub("", word)
    return stem if len(stem) >= _LEAST else word


@cache
def _lexicon() -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
    """The concepts that each word stands for: of English words and their stems, and of Chinese ones."""
    english: dict[str, tuple[int, ...]] = {}
    chinese: dict[str, tuple[int, ...]] = {}
    concepts = read_lists("synonyms")
    for concept, line in enumerate((*concepts["things"], *concepts["states"])):
        for word in line.split():
            if CJK_CHAR.search(word):
                chinese[word] = (*chinese.get(word, ()), concept)
                continue
            for form in {word, _stem(word)}:
                english[form] = tuple(dict.fromkeys((*english.get(form, ()), concept)))
    return english, chinese
