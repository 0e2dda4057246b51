"""Gives each piece of a message its label: softmax regression over n-grams, form and context, decoded by a beam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lang.linear.array_file import Content, map_file, pack_arrays, view_arrays
from services.planner.model import SessionView
from services.planner.understand.acts.labels import LABELS, Label
from services.planner.understand.acts.ngrams import Places
from services.planner.understand.acts.piece_features import after_labels, own_features, places_of
from services.planner.understand.pieces import Piece

Floats = npt.NDArray[np.float64]
FILE = Path(__file__).with_name("labels.arrays")
# How much the labels before a piece weigh beside its words, whose values have length 1.
AFTER = 0.2
# Paths kept after each piece; in a message of more pieces than that, one.
_BEAM, _MANY = 4, 24


@dataclass(frozen=True, eq=False)
class Tagger:
    """Weights (SIZE + 1, labels): each row's `values` times its `scales`.

    digest: of the training's inputs.
    """

    values: npt.NDArray[np.int8]
    scales: npt.NDArray[np.float32]
    digest: str

    def scores(self, places: Places, values: Floats) -> Floats:
        """What features add to the score of each label."""
        return np.asarray((self.scales[places] * values) @ self.values[places].astype(np.float64))

    def shares(self, own: Floats, before: Sequence[Label], piece: Piece) -> Floats:
        """The likelihood of each label of a piece after these labels; sums to 1. own: the scores of all else."""
        after = places_of(after_labels(before, piece))
        scores = own + self.scores(after, np.full(len(after), AFTER))
        shares = np.exp(scores - scores.max())
        return np.asarray(shares / shares.sum())


@dataclass(frozen=True)
class Tagged:
    """Labels of pieces, and how likely each is given those before it."""

    labels: tuple[Label, ...] = ()
    shares: tuple[float, ...] = ()
    logarithm: float = 0.0


def tag(tagger: Tagger, pieces: Sequence[Piece], view: SessionView) -> Tagged:
    """The likeliest labels of the pieces of a message."""
    width = _BEAM if len(pieces) <= _MANY else 1
    beam = [Tagged()]
    for at, piece in enumerate(pieces):
        if piece.clause.pasted:
            beam = [Tagged((*path.labels, Label.FACT), (*path.shares, 1.0), path.logarithm) for path in beam]
            continue
        own = tagger.scores(*own_features(pieces, at, view))
        grown = [grown for path in beam for grown in _grown(path, tagger.shares(own, path.labels, piece), width)]
        beam = sorted(grown, key=lambda path: -path.logarithm)[:width]
    return beam[0]


def _grown(path: Tagged, shares: Floats, width: int) -> Iterator[Tagged]:
    for place in np.argsort(-shares)[:width]:
        share = float(shares[place])
        logarithm = path.logarithm + float(np.log(share + 1e-12))
        yield Tagged((*path.labels, LABELS[place]), (*path.shares, share), logarithm)


def to_bytes(tagger: Tagger) -> bytes:
    """A tagger's file; equal taggers give equal bytes."""
    text = np.frombuffer(tagger.digest.encode(), dtype=np.uint8)
    scales = np.where(tagger.values.any(axis=1), tagger.scales, 0)
    return pack_arrays(values=tagger.values, scales=scales.astype("<f4"), text=text)


def from_bytes(content: Content) -> Tagger:
    """The tagger of a file."""
    arrays = view_arrays(content)
    return Tagger(arrays["values"], arrays["scales"], arrays["text"].tobytes().decode())


@cache
def shipped() -> Tagger:
    """The tagger of the package."""
    return from_bytes(map_file(FILE))
