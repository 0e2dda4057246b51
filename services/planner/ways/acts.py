"""Acts that people name, and what is to be known of them by what is asked: `acts.yaml` has both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang import deferred_re as re
from services.planner.model import SessionView, Speaker, Text
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.actions import action_named, actions_in, actions_of_statements
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.shown_actions import shown_actions
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
_ASKS_ROLE = listed("ways.asks_role")
_POINTS = listed("ways.points")
_PROMPT = listed("ways.prompt")
# The verbs that a Chinese sentence may have alone, with those of actions that they may mean.
_DEEDS = {"建": {"create"}, "删": {"drop"}, "清": {"drop"}, "杀": {"terminate", "cancel"}, "停": {"stop"}}


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


def roles_asked(said: str, message: str, view: SessionView) -> Iterator[tuple[str, str]]:
    """The sentences that ask with which role something may be done, each with its action."""
    for sentence in sentences_of(said):
        if _ASKS_ROLE.search(sentence) and (action := _action_of(sentence, said, message, view)):
            yield sentence, action


def _action_of(sentence: str, said: str, message: str, view: SessionView) -> str:
    """The action that a sentence names, else the statement that was run; what it only points at, of words before."""
    if named := actions_in(sentence):
        return named[0]
    if ran := next(_ran_in([message]), ""):
        return ran
    if not _POINTS.search(sentence):
        return ""
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")
    before = (*_ran_in([last]), *actions_in(said), *actions_in(last), *shown_actions(view))
    return next((each for each in before if _may_be_meant(each, sentence)), "")


def _may_be_meant(action: str, sentence: str) -> bool:
    """Whether a sentence whose verb names no act alone can mean this one: "能建吗" is of building alone."""
    deeds = [verbs for each, verbs in _DEEDS.items() if each in sentence]
    named = action_named(action)
    return named is not None and (not deeds or any(named.verbs & verbs for verbs in deeds))


def _ran_in(messages: Iterable[str]) -> Iterator[str]:
    """The actions of the statements that messages show behind a prompt."""
    statements = (found[1] for text in messages for found in _PROMPT.finditer(text))
    yield from (action for each in statements for action in sorted(actions_of_statements(each)))
