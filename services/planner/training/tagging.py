"""Trains the tagger of pieces on phrases in contexts and on labelled messages."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from services.planner.training import labelled, phrases, regression
from services.planner.training.labelled import Labelled, load_labelled, rows_of
from services.planner.training.phrases import load_phrases, rows_in_context
from services.planner.training.regression import Row, learn_weights, quantise
from services.planner.understand.acts.labels import LABELS
from services.planner.understand.acts.tagger import Tagger, to_bytes

STEPS = 127
# Each so many-th phrase and message gives its features to the digest.
_SAMPLED = 40


def train_tagger() -> bytes:
    """Trains on everything and returns the bytes of the weights file."""
    messages = load_labelled()
    return to_bytes(fit(rows_of_phrases(messages), messages))


def rows_of_phrases(messages: Sequence[Labelled]) -> list[Row]:
    """The rows of all phrases, in contexts of these messages."""
    return list(rows_in_context(load_phrases(), [message.view for message in messages]))


def fit(of_phrases: Sequence[Row], messages: Sequence[Labelled]) -> Tagger:
    """A tagger learned from rows of phrases and from labelled messages."""
    weights = learn_weights([*of_phrases, *(row for message in messages for row in rows_of(message))], LABELS)
    values, scales = quantise(weights, STEPS)
    return Tagger(values.astype(np.int8), scales, digest_of_inputs())


@cache
def digest_of_inputs() -> str:
    """Digest of what is learned from: the files, the constants, and the features of some phrases and messages."""
    constants = (regression.VERSION, regression.PASSES, regression.BATCH, regression.RATE, STEPS, labelled.TIMES)
    digest = hashlib.sha256(repr(constants).encode())
    for path in sorted([*phrases.FOLDER.rglob("*.txt"), *labelled.FOLDER.iterdir()]):
        digest.update(path.name.encode() + path.read_bytes())
    for row in _sampled():
        digest.update(row.places.astype("<i8").tobytes())
    return digest.hexdigest()


def _sampled() -> Iterator[Row]:
    messages = load_labelled()[::_SAMPLED]
    yield from rows_in_context(load_phrases()[::_SAMPLED], [message.view for message in messages])
    yield from (row for message in messages for row in rows_of(message))
