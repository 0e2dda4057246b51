"""Softmax regression trained by AdaGrad, quantised to one or two bytes a weight.

Training uses double precision: CPUs differ in the last bits of an exponential, and quantisation rounds those away, so
equal rows give equal bytes on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from services.planner.understand.acts.ngrams import SIZE

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

# Passes (weights are averaged over all but the first), batch size, learning rate.
PASSES, BATCH, RATE = 5, 256, 0.6
# Increment if the same rows and constants yield different weights.
VERSION = 4


@dataclass(frozen=True)
class Row:
    """What is learned from: positions and values of features, and the label. times: how often it is seen in a pass."""

    places: Places
    values: Floats
    label: Hashable
    times: int = 1


@dataclass(frozen=True)
class Table:
    """Rows as a sparse matrix in CSR form: column indices `places`, `values`, and row pointers `ends`."""

    places: Places
    values: Floats
    ends: Places

    def rows(self, chosen: Places) -> Table:
        """The chosen rows, in the given order."""
        counts = np.diff(self.ends)[chosen]
        ends = np.concatenate(([0], np.cumsum(counts)))
        at = np.arange(ends[-1]) - np.repeat(ends[:-1] - self.ends[chosen], counts)
        return Table(self.places[at], self.values[at], ends)


def even_row(words: Places, label: Hashable) -> Row:
    """A row of n-grams of even weight and length 1, and the intercept."""
    values = np.append(np.full(len(words), 1 / np.sqrt(max(1, len(words)))), 1.0)
    return Row(np.append(words, SIZE), values, label)


def learn_weights(rows: Sequence[Row], known: Sequence[Hashable], seed: int = 1, rate: float = RATE) -> Floats:
    """Weights (SIZE + 1, known labels) by AdaGrad over mini-batches: their mean over all passes but the first."""
    ends = np.cumsum([0, *(len(row.places) for row in rows)])
    table = Table(np.concatenate([row.places for row in rows]), np.concatenate([row.values for row in rows]), ends)
    wanted = np.eye(len(known))[[known.index(row.label) for row in rows]]
    weights = np.zeros((SIZE + 1, len(known)))
    squares, mean = np.full_like(weights, 1e-3), np.zeros_like(weights)
    order = [at for at, row in enumerate(rows) for _ in range(row.times)]
    drawn = random.Random(seed)
    for done in range(PASSES):
        drawn.shuffle(order)
        for start in range(0, len(order), BATCH):
            batch = np.asarray(order[start : start + BATCH])
            used, slope = _slope(table.rows(batch), weights, wanted[batch])
            squares[used] += slope**2
            weights[used] -= rate * slope / np.sqrt(squares[used])
        mean += weights / (PASSES - 1) if done else 0.0
    return mean


def quantise(weights: Floats, steps: int) -> tuple[Floats, npt.NDArray[np.float32]]:
    """Each row in whole `steps` of its largest absolute weight, and the size of a step by row."""
    scales = np.abs(weights).max(axis=1, keepdims=True) / steps
    values = np.divide(weights, scales, out=np.zeros_like(weights), where=scales > 0)
    return np.rint(values), scales[:, 0].astype(np.float32)


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
