"""Slips of the fingers mended in what is read, never in what is passed on: "ther", "waht", "havent lookd", "为神马"."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import OSA

from lang import deferred_re as re
from services.planner.understand.acts.words import word_counts
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import Message

_WORD = re.compile(r"(?<![\w.$/@'-])[a-z]{3,12}(?![\w$/@'-]|\.\w)")
# A word that so many example phrases have is one that people write; one that two of these have is no slip.
_USUAL = 15
_KNOWN = 2
_SHORTEST = 4
_SOUNDS = {
    "神马": "什么",
    "什麽": "什么",
    "肿么": "怎么",
    "腫么": "怎么",
    "怎麽": "怎么",
    "咋么": "怎么",
    "木油": "没有",
}


def mended(message: Message) -> Message:
    """The message with slips mended in its normalised text; each mended character knows where the slip stood."""
    text, end = "", 0
    origins: list[int] = []
    for found in _WORD.finditer(message.normal):
        word = _meant(found.group())
        if word is None:
            continue
        start = found.start()
        text += message.normal[end:start] + word
        origins += message.origins[end:start]
        last = found.end() - 1
        origins += [message.origins[min(start + at, last)] for at in range(len(word) - 1)] + [message.origins[last]]
        end = found.end()
    text, origins = text + message.normal[end:], [*origins, *message.origins[end:]]
    for sounded, word in _SOUNDS.items():
        text = text.replace(sounded, word)
    return Message(message.original, text, tuple(origins))


@lru_cache(maxsize=8192)  # Words that people type have no end.
def _meant(word: str) -> str | None:
    """The usual word that an unknown one is a slip of; None when it is known, of the field, or near to none."""
    counts = word_counts()
    if counts.get(word, 0) >= _KNOWN or is_technical(word):
        return None
    usual = (
        (other, count, _rank(word, other)) for other, count in counts.items() if count >= _USUAL and other.isascii()
    )
    near = [(rank, -count, other) for other, count, rank in usual if rank is not None]
    return min(near)[2] if near else None


def _rank(word: str, other: str) -> int | None:
    """How a word may be a slip of another, the likeliest first; None when it is none.

    An apostrophe or a letter left out, letters that changed places, a letter twice: other slips make other words of words.
    """
    if "'" in other:
        return 0 if other.replace("'", "") == word else None
    if len(word) < _SHORTEST or abs(len(other) - len(word)) > 1 or OSA.distance(word, other, score_cutoff=1) > 1:
        swapped = len(word) == len(other) and sorted(word) == sorted(other) and OSA.distance(word, other) == 1
        return 1 if swapped else None
    if len(other) == len(word):
        return 1 if sorted(other) == sorted(word) else None
    if len(other) > len(word):
        return 2
    return (
        3
        if any(word[at] == word[at - 1] and word[:at] + word[at + 1 :] == other for at in range(1, len(word)))
        else None
    )
