"""Which thing a message wants to see: a sentence in a form that asks for a look, and the thing that it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from lang.objects.settings_said import settings_named
from services.planner.treatment.sentences import clauses_of, holds_output, sentences_of
from services.planner.understand.text.word_lists import listed
from services.planner.ways.looks import looks
from services.planner.ways.named_by import Named, Names, nearest, tells_little

# The key of a look in a question of the field.
LOOK = "look"
_LOOKS, _NOT_LOOKS, _HOW = listed("ways.looks"), listed("ways.not_looks"), listed("ways.how")
# What the words say of the one who asks, and of the platform, is no part of the thing.
_ASIDE, _POINTS = listed("ways.aside"), listed("ways.points")
_REFUSED, _INSTEAD = listed("ways.refused"), listed("ways.asks_instead")
_SETTING = "setting_value"
_LONGEST = 220


class Wanted(NamedTuple):
    """A thing that a sentence wants to see."""

    sentence: str
    key: str


def looks_in(said: str, message: str = "", earlier: str = "") -> Iterator[Wanted]:
    """The things that the sentences of a message want to see. message: with what a server answered in it.

    A sentence that only asks what to use instead is about what the server refused; one that only points, about what
    was asked before, in this message or in an earlier one.
    """
    before, refused = "", refused_in(message or said)
    for sentence in sentences_of(said):
        pointed = before or (earlier if _POINTS.search(sentence) else "")
        if asks_look(sentence) and (found := _thing_in(sentence, pointed)):
            yield Wanted(sentence, found)
        elif refused and _INSTEAD.search(sentence) and tells_little(_ASIDE.sub(" ", sentence)):
            yield Wanted(sentence, refused)
        before = sentence


def refused_in(message: str) -> str:
    """The thing that a server said not to have or to refuse; empty where there is none."""
    named = [next(filter(None, each.groups())) for each in _REFUSED.finditer(message)]
    words = (each.replace("unrecognized configuration parameter", "show").replace('"', "") for each in named)
    return next((found.key for each in words if (found := nearest(each, _names())).key), "")


def asks_look(sentence: str) -> bool:
    """Whether a sentence asks for a way to see something."""
    short = len(sentence) <= _LONGEST and not holds_output(sentence)
    return short and _LOOKS.search(sentence) is not None and _NOT_LOOKS.search(sentence) is None


def asks_how(sentence: str) -> bool:
    """Whether a sentence asks how or where to look, and not what or who it is."""
    return _HOW.search(sentence) is not None


def _thing_in(sentence: str, before: str) -> str:
    """The thing of the clause that asks, else of its sentence; where that only asks how, of the sentence before."""
    asking = [each for each in clauses_of(sentence) if _LOOKS.search(each)] or [sentence]
    with_before = _asked_before(before, asking[-1]) if _HOW.search(asking[-1]) and tells_little(asking[-1]) else []
    for words in dict.fromkeys((asking[-1], sentence, *with_before)):
        if key := _SETTING if settings_named(words) and _is_of_value(words) else named_in(words).key:
            return key
    return ""


def _asked_before(before: str, asking: str) -> list[str]:
    """What a clause may be about that names nothing: the last sentence before it, or the last of them that asked."""
    sentences = list(sentences_of(before))
    looked = [each for each in sentences if asks_look(each)]
    return [f"{each} {asking}" for each in dict.fromkeys((*sentences[-1:], *looked[-1:]))]


def _is_of_value(words: str) -> bool:
    return nearest(words, {_SETTING: looks()[_SETTING].names}).key == _SETTING


def named_in(words: str) -> Named:
    """The thing that words name best."""
    return nearest(_ASIDE.sub(" ", words), _names())


@cache
def _names() -> Mapping[str, Names]:
    return {key: each.names for key, each in looks().items()}
