"""What a sentence asks of the case, by words in it: how long, what is left, how bad, whether something may be done."""

from __future__ import annotations

from collections.abc import Container
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang.parts import cues_of
from lang.terms import Found, Terms
from lang.tokens import Text, read_text
from services.planner.model import QuestionTopic
from services.planner.treatment.actions import actions_in, asking_words
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.word_lists import listed

# The word of an answer that a sentence quotes.
_ASKS_OF_WORDS = listed("treatment.asks_of_words")
_FILE = Path(__file__).with_name("wants.yaml")
_MARK = "?"
# Words in which shorter ones mean nothing: "什么是" in "为什么是".
_MASK = "mask"
_ENDS = " ,.;:!?，。；：！？、"
# What guesses, or asks in a form of its own; as many characters are a short sentence.
_SUPPOSES, _SHORT = ("suspicion", "question_opening"), 24
# In place of an action: what is asked about is a look that somebody else has to take.
LOOK_BY_OTHERS = "look_by_others"
# Things that are explained though no entry of a library is about them.
_NOTION, _IS_SO = "notion_", "is_so"

# Words for the kinds of object that a question names.
_KINDS = {
    "table": ("table", "表"),
    "pid": ("pid", "session", "process", "who", "会话", "进程", "谁"),
    "slot": ("slot", "槽"),
    "index": ("index", "索引"),
    "app": ("app", "application", "service", "应用", "服务"),
    "gid": ("gid", "prepared"),
}


class _Group(NamedTuple):
    want: str
    variant: int
    group: int


@cache
def _groups() -> tuple[Terms[_Group], dict[tuple[str, int], int], frozenset[_Group]]:
    """The words of each group, how many groups each variant has, and the groups that a question mark fills."""
    terms: Terms[_Group] = Terms()
    sizes: dict[tuple[str, int], int] = {}
    marked: set[_Group] = set()
    for want, variants in yaml.load(_FILE.read_bytes(), yaml.CSafeLoader).items():
        for number, groups in enumerate(variants):
            sizes[want, number] = len(groups)
            for place, words in enumerate(groups):
                group = _Group(want, number, place)
                marked |= {group} if _MARK in words else set()
                for word in words:
                    if word != _MARK:
                        terms.add(str(word), group)
    return terms, sizes, frozenset(marked)


# What each thing that is asked for comes to.
TOPICS = {
    "summary": QuestionTopic.SUMMARY,
    "certainty": QuestionTopic.CERTAINTY,
    "related": QuestionTopic.RELATED,
    "urgency": QuestionTopic.URGENCY,
    "effect": QuestionTopic.EFFECT,
    "remaining": QuestionTopic.REMAINING,
    "object": QuestionTopic.OBJECT,
    "leave": QuestionTopic.RISK,
    "prevention": QuestionTopic.PREVENTION,
    "command": QuestionTopic.COMMAND,
    "meaning": QuestionTopic.MEANING,
    "where": QuestionTopic.RUNNING,
    "reads": QuestionTopic.RISK,
    "undo": QuestionTopic.RISK,
    "locks": QuestionTopic.RISK,
    "takes": QuestionTopic.RISK,
    "needs_restart": QuestionTopic.RISK,
    "reach": QuestionTopic.RISK,
    "pool_size": QuestionTopic.RISK,
    "manner": QuestionTopic.RISK,
    "lost": QuestionTopic.COMMON,
    "is_so": QuestionTopic.RELATED,
    "touch": QuestionTopic.RISK,
    "overview": QuestionTopic.COMMAND,
    "blocker": QuestionTopic.OBJECT,
    "rights": QuestionTopic.RIGHTS,
    LOOK_BY_OTHERS: QuestionTopic.RIGHTS,
}

# The common question that a thing asked for is.
COMMON_QUESTIONS = {"lost": "data_lost_or_not"}


def tells(text: Text, want: str) -> bool:
    """True if any word by which this is asked stands in a text."""
    return any(each.payload.want == want for each in _groups()[0].find(text))


def state_in(text: Text) -> str:
    """The state that a text asks about; empty where it asks about none."""
    found = (each for each in _groups()[0].find(text) if each.payload.want == _IS_SO and each.payload.group)
    return next((text.quote(each.first, each.last) for each in found), "")


def without(text: Text, want: str) -> str:
    """The words of a sentence without those by which it asks this."""
    words = text.normal
    for each in _groups()[0].find(text):
        if each.payload.want == want:
            start, end = text.span(each.first, each.last)
            words = words[:start] + " " * (end - start) + words[end:]
    return " ".join(words.split()).strip(_ENDS)


@lru_cache(maxsize=256)
def wants_in(text: Text) -> tuple[str, ...]:
    """What a sentence asks, in the order of the list."""
    terms, sizes, marked = _groups()
    asks = "?" in text.normal or "？" in text.normal
    words = terms.find(text)
    masks = [range(each.first, each.last) for each in words if each.payload.want == _MASK]
    free = [each for each in words if not any(each.first in mask and each.last - 1 in mask for mask in masks)]
    found = {each.payload for each in free} | (marked if asks else frozenset())
    full = [key for key, size in sizes.items() if all(_Group(*key, place) in found for place in range(size))]
    return tuple(dict.fromkeys(want for want, _ in full))


def words_of(wants: Container[str], text: Text) -> list[Found[_Group]]:
    """Where the words stand that may ask for some of the wants."""
    return [each for each in _groups()[0].find(text) if each.payload.want in wants]


def notions_in(sentence: str) -> tuple[str, ...]:
    """The things that a sentence asks to have explained, of those that no entry of a library is about."""
    return tuple(want for want in wants_in(read_text(sentence)) if want.startswith(_NOTION))


def is_bare_question(sentence: str) -> bool:
    """Whether a short sentence asks by its mark alone: "and now, cancel 3310?"."""
    if len(sentence) > _SHORT or not sentence.endswith(("?", "？")) or has_wh(sentence.lower()):
        return False
    return not any(cue.name in _SUPPOSES for cue in cues_of(read_text(sentence)))


def asks_for_none(sentence: str) -> bool:
    """Whether the actions that a sentence names only happen to something, or are said not to be asked for."""
    return bool(actions_in(sentence)) and not actions_in(asking_words(sentence))


def word_in_question(sentence: str) -> str:
    """The word of an answer that a sentence quotes and asks about; empty where it quotes none."""
    found = _ASKS_OF_WORDS.search(sentence)
    return found["words"].strip() if found is not None else ""


def kinds_asked(asked: str) -> frozenset[str]:
    """The kinds of object that a question asks for."""
    keys = {token.key for token in read_text(asked).tokens}
    return frozenset(
        kind
        for kind, words in _KINDS.items()
        if any(word in keys or (len(word) > 1 and word in asked) for word in words)
    )
