"""What the talk is about: words of databases and hosts, words of the diagnosis itself, and complaints without content."""

from __future__ import annotations

from functools import cache

from lang import deferred_re as re
from services.planner.understand.text.word_lists import compile_words, listed_pattern, words

TECH = compile_words("text.tech", words(r"\w+_\w+"), r"\d+(?:\.\d+)?\s*(?:%|ms|[kmgt]b)")
_NO_WORD = r"[\s,.:;!?…'\"()<>~*/#@&=+|_-]|\d"
# The longest first: "怎么样" before "怎么".
_ASKING = compile_words(
    "text.asking",
    r"(?<![没不])(?<!没有)(?:怎么|怎样|咋|如何|哪|什么|啥|谁|多少)",
    r"(?<![没好十百千这那头前后过有])几(?=[个次条种步轮成项单起桩件张台套份回])",
    r"多(?=久|大|高|长)",
    r"^(?:(?:so|and|but|ok|okay|hey|then|also|well|please|now|hmm+)[, ]+)*(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|am|may|might|isn't|aren't|doesn't|don't|didn't|shouldn't|won't|any)(?![\w'])",
)
_GENITIVE = re.compile(r"(?<=[a-z])'(?:s|re|d|ll|ve)(?![a-z])")
_LETTERS = re.compile(r"[^\W\d_]", re.UNICODE)


@cache
def _empty() -> re.Pattern[str]:
    """What a complaint without anything to match is made of: names of "the system", and that it is bad."""
    lists = (("tokens", "hedge"), ("domain", "empty"), ("tokens", "function"))
    return re.compile("|".join([*(listed_pattern(*entry) for entry in lists), _NO_WORD]))


def is_technical(text: str) -> bool:
    """Whether normalised text speaks of databases, hosts or their measurements."""
    return bool(TECH.search(_GENITIVE.sub(" ", text)))


def is_vague(text: str) -> bool:
    """Whether a normalised statement complains and says nothing that could be matched."""
    return not _LETTERS.search(_empty().sub("", text))


def opens_question(text: str) -> bool:
    """True if a normalised text opens or asks as a question does: "is the disk there", "多大"."""
    return bool(_ASKING.search(text))


def has_letters(text: str) -> bool:
    """Whether there is a word in it at all, in any script."""
    return bool(_LETTERS.search(text))
