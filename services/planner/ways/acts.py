"""Acts that people name, and what is to be known of them by what is asked: `acts.yaml` has both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang import deferred_re as re
from services.planner.model import Text
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.text.word_lists import listed
from services.planner.ways.looks_asked import asks_look
from services.planner.ways.named_by import Names, names_of, nearest, tells_little

_FILE = Path(__file__).with_name("acts.yaml")
# What may be asked of an act, in the order in which it is told.
ASPECTS = ("may", "how", "locks", "restart", "takes", "lost", "undo", "who")
_ASKED = {aspect: listed(f"ways.asks_{aspect}") for aspect in ASPECTS}
# "Does it need a restart" and "does it survive one" name no restart as the act.
_RESTART = re.compile(r"\b(?:restart|reboot|surviv\w*|need\w*|exact\w*)\b|重启", re.IGNORECASE)
# A sentence that names an act and nothing else says so much of it.
_ALONE = 0.4


class Act(NamedTuple):
    """An act: its names, and by database or platform what is told of each aspect."""

    names: Names
    facts: Mapping[str, Mapping[str, Text]]


class ActAsked(NamedTuple):
    """An act that a sentence asks about, and which aspects of it."""

    sentence: str
    key: str
    aspects: tuple[str, ...]


@cache
def acts() -> Mapping[str, Act]:
    """All acts by their keys."""
    found: dict[str, Act] = {}
    for key, each in yaml.load(_FILE.read_bytes(), yaml.CSafeLoader).items():
        facts = {
            place: {aspect: Text(**text) for aspect, text in told.items()}
            for place, told in each.items()
            if place not in ("en", "zh")
        }
        found[key] = Act(names_of(*each["en"], *each["zh"]), facts)
    return found


def facts_of_act(key: str, engine: str, platform: str) -> Mapping[str, Text]:
    """What is known of an act on a platform and in its database."""
    known = acts().get(key)
    return {**known.facts.get(engine, {}), **known.facts.get(platform, {})} if known is not None else {}


def acts_in(said: str) -> Iterator[ActAsked]:
    """The acts that the sentences of a message ask about; where one names none, of the sentence before."""
    before = last = ""
    for sentence in sentences_of(said):
        aspects = tuple(each for each in ASPECTS if _ASKED[each].search(sentence)) if is_question(sentence) else ()
        key = nearest(sentence, _names()).key if aspects else ""
        if aspects and not key and not asks_look(sentence):
            key = _told_before(sentence, before, last)
        if key:
            yield ActAsked(sentence, key, aspects)
        before, last = sentence, key


def _told_before(sentence: str, before: str, asked: str) -> str:
    """The act of the sentence before: the one it asked about, where this one only goes on, or that it told alone."""
    if asked:
        return asked if tells_little(_RESTART.sub(" ", sentence)) else ""
    named = nearest(before, _names())
    return named.key if named.share >= _ALONE else ""


@cache
def _names() -> Mapping[str, Names]:
    return {key: each.names for key, each in acts().items()}
