"""Softmax regression trained by AdaGrad, quantised to two bytes per weight.

Training uses double precision: CPUs differ in the last bits of an exponential, and quantisation rounds those away, so
equal phrases give equal bytes on every machine.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from services.planner.training.phrases import count_words
from services.planner.understand.classifier.acts import ACTS, SIZE, Act, Model, features_of, to_bytes

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

# Chosen by cross-validated log loss on the examples: passes (weights are averaged over them), batch size, learning
# rate.
PASSES = 5
BATCH = 256
RATE = 1.0
# Averaging over several shuffles classifies held-out phrases better than a single one.
SEEDS = (1, 2)
# int16 weights: int8 changes the plan of 4 of 2,488 labelled messages compared with floats, int16 of none.
STEPS = 32767
# Increment if the same phrases and constants yield different weights.
VERSION = 3


@dataclass(frozen=True)
class Table:
    """Phrases as a sparse matrix in CSR form: column indices `places`, `values`, and row pointers `ends`."""

    places: Places
    values: Floats
    ends: Places

    def rows(self, chosen: Places) -> Table:
        """The chosen rows, in the given order."""
        counts = np.diff(self.ends)[chosen]
        ends = np.concatenate(([0], np.cumsum(counts)))
        at = np.arange(ends[-1]) - np.repeat(ends[:-1] - self.ends[chosen], counts)
        return Table(self.places[at], self.values[at], ends)


def train(phrases: tuple[tuple[str, Act], ...]) -> bytes:
    """Trains on the phrases and returns the bytes of the weights file."""
    return to_bytes(fit_model(phrases))


def fit_model(phrases: tuple[tuple[str, Act], ...]) -> Model:
    """Trains a model on the phrases: the mean over several shuffles, quantised."""
    values, scales = quantise(learn_weights([phrase for phrase, _ in phrases], [act for _, act in phrases], ACTS))
    return Model(values, scales, count_words(phrases), digest_of(phrases))


def learn_weights(phrases: Sequence[str], labels: Sequence[Hashable], known: Sequence[Hashable]) -> Floats:
    """Weights (SIZE + 1, known labels) learned from normalised phrases: the mean over several shuffles."""
    table = _table([features_of(phrase) for phrase in phrases])
    wanted = np.eye(len(known))[[known.index(label) for label in labels]]
    mean: Floats = np.mean([_learn(table, wanted, random.Random(seed)) for seed in SEEDS], axis=0)
    return mean


def quantise(weights: Floats) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]:
    """Quantises each row relative to its largest absolute weight; returns the integers and the scale per row."""
    scales = np.abs(weights).max(axis=1, keepdims=True) / STEPS
    steps = np.divide(weights, scales, out=np.zeros_like(weights), where=scales > 0)
    return np.rint(steps).astype(np.int16), scales[:, 0].astype(np.float32)


def digest_of(phrases: Sequence[tuple[str, Act]]) -> str:
    """Digest of the training inputs: constants, and each phrase's act and features."""
    digest = hashlib.sha256(repr((VERSION, SIZE, PASSES, BATCH, RATE, SEEDS, STEPS)).encode())
    for phrase, act in phrases:
        digest.update(f"\n{act.value} {phrase}\n".encode() + features_of(phrase).astype("<i8").tobytes())
    return digest.hexdigest()


def _table(found: Sequence[Places]) -> Table:
    """One row per phrase: its features with weight 1 / sqrt(count), and a constant 1 for the intercept."""
    rows = [np.append(features, SIZE) for features in found]
    values = [np.append(np.full(len(features), 1 / np.sqrt(max(1, len(features)))), 1.0) for features in found]
    ends = np.cumsum([0, *(len(row) for row in rows)])
    return Table(np.concatenate(rows), np.concatenate(values), ends)


def _learn(table: Table, wanted: Floats, drawn: random.Random) -> Floats:
    """AdaGrad over mini-batches; returns the mean of the weights over the passes."""
    weights = np.zeros((SIZE + 1, wanted.shape[1]))
    squares, mean = np.full_like(weights, 1e-3), np.zeros_like(weights)
    order = list(range(len(wanted)))
    for _ in range(PASSES):
        drawn.shuffle(order)
        for start in range(0, len(order), BATCH):
            batch = np.asarray(order[start : start + BATCH])
            used, slope = _slope(table.rows(batch), weights, wanted[batch])
            squares[used] += slope**2
            weights[used] -= RATE * slope / np.sqrt(squares[used])
        mean += weights / PASSES
    return mean


def _slope(rows: Table, weights: Floats, wanted: Floats) -> tuple[Places, Floats]:
    """The rows' distinct features, ascending, and the gradient of the loss for each."""
    scores = np.add.reduceat(weights[rows.places] * rows.values[:, None], rows.ends[:-1], axis=0)
    errors = _softmax(scores) - wanted
    of_row = np.repeat(np.arange(len(wanted)), np.diff(rows.ends))
    by_place = np.argsort(rows.places, kind="stable")
    used, starts = np.unique(rows.places[by_place], return_index=True)
    parts = errors[of_row[by_place]] * rows.values[by_place, None]
    return used, np.add.reduceat(parts, starts, axis=0)


def _softmax(scores: Floats) -> Floats:
    shares: Floats = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares
