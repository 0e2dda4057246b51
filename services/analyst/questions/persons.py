"""Refuses to say who did something where the data records no person: "who was on call", "谁处理的"."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import yaml

from lang.tokens import stem
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Refused
from services.analyst.semantic.schema import Layer
from services.chassis.messages import Message

_FILE = Path(__file__).with_name("persons.yaml")
_RELATIVE = ("who", "whose", "whom")
_NAMES = ("table", "dimension", "metric")


@cache
def _lists() -> dict[str, frozenset[str]]:
    read: dict[str, list[str]] = yaml.safe_load(_FILE.read_text("utf-8"))
    return {name: frozenset(words) for name, words in read.items()}


def check_persons(draft: Draft) -> None:
    """Raises Refused where somebody is asked for, and no column or rows of the dataset are named after persons."""
    tokens = draft.text.tokens
    covered = {
        at
        for item in draft.items
        if item.kind in ("value", "wording", "no_wording")
        for token in tokens[item.first : item.last]
        for at in range(token.start, token.end)
    }
    for found in _asking().finditer(draft.text.normal):
        if found.start() in covered or _is_relative(draft, found.start()):
            continue
        if not records_persons(draft.dataset.layer):
            known = tuple(draft.table_name(one.name) for one in draft.dataset.layer.tables if one.key)
            raise Refused(Message("question_unanswerable.no_persons", {"words": found[0], "known": known}))
        return


@cache
def _asking() -> re.Pattern[str]:
    words = sorted(_lists()["asking"], key=len, reverse=True)
    return re.compile("|".join(rf"(?<![a-z]){word}(?![a-z])" if word.isascii() else word for word in words))


def _is_relative(draft: Draft, at: int) -> bool:
    """ "Tickets whose description ...": rows directly before say whose."""
    place = next(step for step, token in enumerate(draft.text.tokens) if token.end > at)
    return draft.text.tokens[place].text in _RELATIVE and any(
        item.last == place and item.among(*_NAMES) for item in draft.items
    )


def records_persons(layer: Layer) -> bool:
    """Whether rows or columns are named after persons, in either language."""
    names = [word for table in layer.tables if table.description for word in table.description.words]
    names += [word for one in layer.dimensions for word in (*one.name.words, *one.synonyms, one.column)]
    names += [word for one in layer.metrics for word in one.name.words]
    lists = _lists()
    return any(
        any(part in name for part in lists["zh"])
        or any(stem(part) in _keys() for part in re.findall(r"[a-z]+", name.lower()))
        for name in names
    )


@cache
def _keys() -> frozenset[str]:
    return frozenset(stem(word) for word in _lists()["en"])
