"""The figures of a pool's size: how many connections the server takes, and how many instances share them."""

from __future__ import annotations

from collections.abc import Iterable

from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.understand.text.word_lists import listed

_INSTANCES, _LIMIT = listed("treatment.instances"), listed("treatment.connection_limit")


def clauses_with_figures(texts: Iterable[str]) -> tuple[str, ...]:
    """The clauses that tell how many instances there are or how many connections the server takes."""
    clauses = (clause for text in texts for sentence in sentences_of(text) for clause in clauses_of(sentence))
    return tuple(each for each in clauses if _INSTANCES.search(each) or _LIMIT.search(each))


def pool_figures(asked: str) -> tuple[int, int] | None:
    """The limit of the server and the number of instances: as asked, else as told last; None if one is not known."""
    question, _, told = asked.partition("\n")
    limits = [int(found["limit"]) for found in _LIMIT.finditer(asked)]
    instances = _instances_in(question)[:1] or _instances_in(told)[-1:]
    return (limits[-1], instances[0]) if limits and instances and instances[0] else None


def _instances_in(text: str) -> list[int]:
    return [int(found["after"] or found["number"]) for found in _INSTANCES.finditer(text)]
