"""What has to hold before an action, and whether the person has said that it does."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import yaml

from lang.terms import Terms
from lang.tokens import read_text
from services.planner.treatment.sentences import clauses_of, sentences_of

_FILE = Path(__file__).with_name("agreed.yaml")
_OPEN = "open"


class _Content(NamedTuple):
    words: Terms[str]
    actions: dict[str, tuple[str, ...]]


@cache
def _content() -> _Content:
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    terms: Terms[str] = Terms()
    for condition, words in (*content["words"].items(), (_OPEN, content[_OPEN])):
        for word in words:
            terms.add(str(word), str(condition))
    return _Content(terms, {action: tuple(names) for action, names in content["actions"].items()})


def conditions_of(action: str) -> tuple[str, ...]:
    """What has to hold before an action; none where nothing can be told in a word."""
    return _content().actions.get(action, ())


def conditions_told(said: str) -> frozenset[str]:
    """The conditions that words state as met; a clause that asks or leaves it open states none."""
    return frozenset(condition for clause in _clauses(said) for condition in _told_in(clause))


def clauses_that_tell(action: str, texts: Iterable[str]) -> tuple[str, ...]:
    """The clauses that state a condition of an action as met; of any action where none is named."""
    needed = {*(conditions_of(action) if action else chain(*_content().actions.values()))}
    return tuple(clause for text in texts for clause in _clauses(text) if needed & _told_in(clause))


def _clauses(said: str) -> Iterable[str]:
    return (clause for sentence in sentences_of(said) for clause in clauses_of(sentence))


def _told_in(clause: str) -> frozenset[str]:
    told = frozenset(each.payload for each in _content().words.find(read_text(clause)))
    return frozenset() if _OPEN in told or "?" in clause or "？" in clause else told
