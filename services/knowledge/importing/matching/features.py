"""What statements are compared by: concepts, remaining words, objects of the method, and what they claim.

Two statements that differ in one of these say different things, however alike their words are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lang.listed import lists_beside
from services.knowledge.importing.matching.lexicon import lexicon
from services.knowledge.importing.matching.statement import normalise

_LISTED = lists_beside(__file__)

THING_WEIGHT, STATE_WEIGHT, WORD_WEIGHT, GRAM_WEIGHT = 2.0, 1.0, 1.0, 0.5
GENERAL_WEIGHT = 0.35
_ENDING = re.compile(r"(?<=[a-z]{4})(?:ings?|ed|es|s|ly)$")
_REMEDY = _LISTED.pattern("remedy")
_SETTING = _LISTED.pattern("setting")
# States that change what is said; how much (high, low, growing) is left to the likeness of the words.
_QUALIFYING = frozenset(
    f"state:{name}" for name in ("off", "missing", "stale", "conservative", "periodic", "unstable", "restored")
)
_UP, _DOWN = frozenset({"state:high", "state:grow"}), frozenset({"state:low", "state:fall"})
_SIZES = frozenset(f"state:{name}" for name in ("minor", "few", "tens", "hundreds", "thousands"))


@lru_cache(maxsize=65536)
def text_features(text: str) -> dict[str, float]:
    """Feature to weight of a free text in Chinese, English or both."""
    concepts, rest = lexicon().split(normalise(text))
    found = {name: THING_WEIGHT if name.startswith("thing:") else STATE_WEIGHT for name in concepts}
    for feature, weight in _words(rest):
        found[feature] = max(weight, found.get(feature, 0.0))
    return found


@lru_cache(maxsize=65536)
def sense_features(text: str) -> dict[str, float]:
    """The things that a text is about in either language, general ones with little weight."""
    general = lexicon().general
    things = (name for name in text_features(text) if name.startswith("thing:"))
    return {name: GENERAL_WEIGHT if name in general else 1.0 for name in things}


@lru_cache(maxsize=65536)
def states_of(text: str) -> frozenset[str]:
    """How the things are: high, off, slow ..."""
    return frozenset(name for name in text_features(text) if name.startswith("state:"))


def _words(rest: str) -> Iterator[tuple[str, float]]:
    words = lexicon()
    for word in re.findall(r"[a-z_][a-z0-9_.]*", rest):
        stem = _ENDING.sub("", word.strip("."))
        if word not in words.stop and len(stem) > 1:
            yield f"word:{stem}", WORD_WEIGHT
    for run in re.findall(r"[\u4e00-\u9fff]+", words.filler.sub(" ", rest)):
        for start in range(max(1, len(run) - 1)):
            yield f"gram:{run[start : start + 2]}", GRAM_WEIGHT


@lru_cache(maxsize=65536)
def method_features(method: str) -> dict[str, float]:
    """The objects of an observation method: relations, columns, functions, settings, commands, quoted literals."""
    body = re.sub(r"--[^\n]*", " ", method.casefold())
    names = Counter(re.findall(r"[a-z_%][a-z0-9_%]{2,}", body))
    return {f"sql:{name}": 1.0 for name in names if name not in lexicon().sql_words}


@dataclass(frozen=True)
class Claims:
    """remedy: it reports the effect of a remedy. settings: names whose value it states. states, sizes: see the lexicon.

    direction: 1 when it says much or more only, -1 when little or less only, else 0.
    """

    remedy: bool
    settings: frozenset[str]
    states: frozenset[str]
    sizes: frozenset[str]
    direction: int


@lru_cache(maxsize=65536)
def claims_of(text: str) -> Claims:
    """The claims of a general statement."""
    key = normalise(text)
    found = frozenset(text_features(text))
    settings = frozenset(match["name"] for match in _SETTING.finditer(key) if len(match["name"]) > 3)
    direction = bool(found & _UP) - bool(found & _DOWN)
    return Claims(bool(_REMEDY.search(key)), settings, found & _QUALIFYING, found & _SIZES, direction)


def compatible(left: str, right: str) -> bool:
    """True if two statements may mean the same: equal claims and no contradicting directions."""
    one, other = claims_of(left), claims_of(right)
    if one.direction * other.direction < 0:
        return False
    return (one.remedy, one.settings, one.states) == (other.remedy, other.settings, other.states)


def sizes_differ(left: str, right: str) -> bool:
    """True if both state a size, and the sizes differ: `a few sessions`, `hundreds of sessions`."""
    one, other = claims_of(left).sizes, claims_of(right).sizes
    return bool(one and other and one != other)
