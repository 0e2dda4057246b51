"""Learns the tagger from example phrases and from labelled messages, whose pieces get the labels that make their plan right."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from services.planner.model import SessionView
from services.planner.reader.features import after_labels, context_of, places_of, words_of
from services.planner.reader.labels import LABELS, Label
from services.planner.reader.pieces import Piece
from services.planner.reader.tagger import AFTER, FORM, Tagger
from services.planner.training.acts import BATCH, PASSES, RATE, Floats, Table, _slope
from services.planner.understand.acts import SIZE, features_of

INSET, STEPS = 2.0, 127


@dataclass(frozen=True)
class Row:
    """One piece to learn from: positions and values of its features, its label, and how much it counts."""

    places: np.ndarray
    values: np.ndarray
    label: Label
    weight: float = 1.0


def phrase_row(phrase: str, label: Label) -> Row:
    """An example phrase without context."""
    words = features_of(phrase)
    return Row(np.append(words, SIZE), np.append(_even(len(words)), 1.0), label)


def piece_row(own: tuple[np.ndarray, np.ndarray], before: Sequence[Label], piece: Piece, label: Label) -> Row:
    """A piece of a labelled message in its context."""
    after = places_of(after_labels(before, piece))
    return Row(np.append(own[0], after), np.append(own[1], np.full(len(after), AFTER)), label, INSET)


def own_features(pieces: Sequence[Piece], at: int, view: SessionView) -> tuple[np.ndarray, np.ndarray]:
    """Positions and values of the features of a piece but for the labels before it."""
    words, form = words_of(pieces[at]), places_of(context_of(pieces, at, view))
    places = np.concatenate((words, form, [SIZE]))
    return places, np.concatenate((_even(len(words)), np.full(len(form), FORM), [1.0]))


def _even(count: int) -> np.ndarray:
    return np.full(count, 1 / np.sqrt(max(1, count)))


def fit(rows: Sequence[Row], passes: int = PASSES, seed: int = 1) -> Tagger:
    """Weights learned by AdaGrad over mini-batches: their mean over the passes, as floats."""
    ends = np.cumsum([0, *(len(row.places) for row in rows)])
    table = Table(
        np.concatenate([row.places for row in rows]).astype(np.int64), np.concatenate([row.values for row in rows]), ends
    )
    wanted = np.eye(len(LABELS))[[LABELS.index(row.label) for row in rows]]
    weights = np.zeros((SIZE + 1, len(LABELS)))
    squares, mean = np.full_like(weights, 1e-3), np.zeros_like(weights)
    order, drawn = list(range(len(rows))), random.Random(seed)
    counts = np.array([row.weight for row in rows])
    order = [at for at in order for _ in range(int(counts[at]))]
    for done in range(passes):
        drawn.shuffle(order)
        for start in range(0, len(order), BATCH):
            batch = np.asarray(order[start : start + BATCH])
            used, slope = _slope(table.rows(batch), weights, wanted[batch])
            squares[used] += slope**2
            weights[used] -= RATE * slope / np.sqrt(squares[used])
        if done:
            mean += weights / (passes - 1)
    return Tagger(mean, np.ones(SIZE + 1), "")


def quantised(tagger: Tagger, digest: str) -> Tagger:
    """The tagger with one byte a weight, each row relative to its largest."""
    scales = np.abs(tagger.values).max(axis=1, keepdims=True) / STEPS
    steps = np.divide(tagger.values, scales, out=np.zeros_like(tagger.values, dtype=np.float64), where=scales > 0)
    return Tagger(np.rint(steps).astype(np.int8), scales[:, 0].astype(np.float32), digest)


def likely_sequences(shares: Sequence[Floats], allowed: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Sequences of allowed labels, the likeliest first, each piece's label taken by itself."""
    ranked = [sorted(options, key=lambda place: -share[place]) for share, options in zip(shares, allowed, strict=True)]
    costs = [[-float(np.log(share[place] + 1e-9)) for place in options] for share, options in zip(shares, ranked, strict=True)]
    first = (0,) * len(ranked)
    heap = [(sum(cost[0] for cost in costs), first)]
    seen = {first}
    while heap:
        total, chosen = heapq.heappop(heap)
        yield tuple(ranked[at][rank] for at, rank in enumerate(chosen))
        for at, rank in enumerate(chosen):
            if rank + 1 < len(ranked[at]):
                following = (*chosen[:at], rank + 1, *chosen[at + 1 :])
                if following not in seen:
                    seen.add(following)
                    heapq.heappush(heap, (total - costs[at][rank] + costs[at][rank + 1], following))


def views(pieces: Sequence[Piece], view: SessionView) -> list[tuple[np.ndarray, np.ndarray]]:
    """The features of all pieces of a message."""
    return [own_features(pieces, at, view) for at in range(len(pieces))]
