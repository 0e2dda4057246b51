"""Learns what a clause tells of the treatment, from `clause_news_told/<hands>.jsonl`.

A line has a message, the words of it that tell something `done`, those that only name such an act (`named`), and how
things are `now` (well, better, bad or none) with the words that tell it (`news`). Each file is by other hands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from services.planner.training import regression
from services.planner.training.regression import Row, learn_weights, quantise
from services.planner.treatment.clause_news import (
    BAD,
    BETTER,
    DEEDS,
    DONE,
    NAMED,
    NO_DEED,
    NO_NEWS,
    STATES,
    WELL,
    features_of,
)
from services.planner.treatment.sentences import told_clauses
from services.planner.understand.acts.ngrams import SIZE
from services.planner.understand.acts.softmax import to_bytes

FOLDER = Path(__file__).parent / "clause_news_told"
# How often a clause is seen in a pass, and one of `sayings.jsonl`, which the tests say; steps of a quantised weight.
_TIMES, _TIMES_SAID, _STEPS = 2, 5, 127
# Words and a clause are of each other where they share so much of the shorter.
_SHARED = 0.34
# Each so many-th clause gives its features to the digest.
_SAMPLED = 40
_OF_STATES = (WELL, BETTER, BAD)


@dataclass(frozen=True)
class Told:
    """The clauses of a message, what each tells of a deed, and how things are by it; how often it is seen in a pass."""

    clauses: tuple[str, ...]
    deeds: tuple[str, ...]
    states: tuple[str, ...]
    times: int


@cache
def load_told(folder: Path = FOLDER) -> tuple[Told, ...]:
    """All labelled messages, in the order of the files' names."""
    return tuple(
        _read(**json.loads(line), times=_TIMES_SAID if path.stem == "sayings" else _TIMES)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    )


def _read(message: str, done: list[str], named: list[str], now: str, news: str, times: int) -> Told:
    clauses = told_clauses(message)
    spans = list(_spans(message, clauses))
    deeds = [
        DONE if _is_in(span, message, done) else NAMED if _is_in(span, message, named) else NO_DEED for span in spans
    ]
    assert now in (WELL, BETTER, BAD, NO_NEWS), now
    states = [now if _is_in(span, message, [news]) else NO_NEWS for span in spans]
    return Told(tuple(clauses), tuple(deeds), tuple(states), times)


def _spans(message: str, clauses: Iterable[str]) -> Iterator[tuple[int, int]]:
    at = 0
    for clause in clauses:
        at = max(message.find(clause, at), at)
        yield at, at + len(clause)
        at += len(clause)


def _is_in(span: tuple[int, int], message: str, words: Iterable[str]) -> bool:
    """Whether a span of a message and one of some words are of each other."""
    found = ((message.find(each), len(each)) for each in words if each)
    shared = ((min(span[1], at + long) - max(span[0], at), long) for at, long in found if at >= 0)
    return any(both > 0 and both >= _SHARED * min(span[1] - span[0], long) for both, long in shared)


def train_deeds(told: tuple[Told, ...]) -> bytes:
    """The file of the model that tells deeds."""
    return _train(told, [each.deeds for each in told], DEEDS)


def train_states(told: tuple[Told, ...]) -> bytes:
    """The file of the model that tells how things are."""
    return _train(told, [each.states for each in told], STATES)


def _train(told: tuple[Told, ...], labels: list[tuple[str, ...]], known: tuple[str, ...]) -> bytes:
    rows = [_row(each, at, label) for each, of in zip(told, labels, strict=True) for at, label in labelled_clauses(of)]
    values, scales = quantise(learn_weights(rows, known), _STEPS)
    return to_bytes(known, values.astype(np.int8), scales, digest_of(told))


def labelled_clauses(labels: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """The clauses with a label: where one tells how things are, what the others tell of it is not labelled."""
    unknown = any(each in _OF_STATES for each in labels)
    return ((at, each) for at, each in enumerate(labels) if not (unknown and each == NO_NEWS))


def _row(told: Told, at: int, label: str) -> Row:
    places, values = features_of(told.clauses, at)
    return Row(np.append(places, SIZE), np.append(values, 1.0), label, told.times)


def digest_of(told: tuple[Told, ...]) -> str:
    """Digest of what is learned from: the messages, the constants, and the features of some clauses."""
    constants = regression.VERSION, regression.PASSES, regression.BATCH, regression.RATE, _STEPS
    digest = hashlib.sha256(repr((constants, told)).encode())
    for each in filter(lambda each: each.clauses, told[::_SAMPLED]):
        digest.update(features_of(each.clauses, 0)[0].astype("<i8").tobytes())
    return digest.hexdigest()
