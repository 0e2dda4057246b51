"""Features for comparing statements: concepts, remaining words, and objects of the observation method."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from services.knowledge.importing.matching.lexicon import lexicon
from services.knowledge.importing.matching.statement import normalise

THING_WEIGHT, STATE_WEIGHT, WORD_WEIGHT, GRAM_WEIGHT = 2.0, 1.0, 1.0, 0.5
GENERAL_WEIGHT = 0.35

_ENDING = re.compile(r"(?<=[a-z]{4})(?:ings?|ed|es|s|ly)$")


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
