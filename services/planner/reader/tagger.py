"""Gives each piece of a message its label: softmax regression over n-grams, form and context, decoded by a beam."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.planner.model import SessionView
from services.planner.reader.features import after_labels, context_of, places_of, words_of
from services.planner.reader.labels import LABELS, Label
from services.planner.reader.pieces import Piece
from services.planner.understand.acts import SIZE

Floats = npt.NDArray[np.float64]
FILE = Path(__file__).with_name("labels.npz")
# How much form and context weigh beside the words, whose values have length 1.
FORM, AFTER = 0.35, 0.35
_BEAM = 4


@dataclass(frozen=True, eq=False)
class Tagger:
    """Weights (SIZE + 1, labels): each row's `values` times its `scales`. digest: of the training's inputs."""

    values: npt.NDArray[np.int8] | npt.NDArray[np.float64]
    scales: npt.NDArray[np.float32] | npt.NDArray[np.float64]
    digest: str

    def scores(self, places: npt.NDArray[np.int64], weight: float) -> Floats:
        """What features add to the score of each label."""
        rows = self.values[places] * self.scales[places, None]
        return np.asarray(rows.sum(axis=0) * weight, dtype=np.float64)

    def own_scores(self, pieces: Sequence[Piece], at: int, view: SessionView) -> Floats:
        """Scores of the labels of a piece by all but the labels before it."""
        words, form = words_of(pieces[at]), places_of(context_of(pieces, at, view))
        bias = self.scores(np.array([SIZE]), 1.0)
        return self.scores(words, 1 / np.sqrt(max(1, len(words)))) + self.scores(form, FORM) + bias

    def shares(self, own: Floats, before: Sequence[Label], piece: Piece) -> Floats:
        """The likelihood of each label of a piece after these labels; sums to 1."""
        scores = own + self.scores(places_of(after_labels(before, piece)), AFTER)
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
    beam = [Tagged()]
    for at, piece in enumerate(pieces):
        own = tagger.own_scores(pieces, at, view)
        grown: list[Tagged] = []
        for path in beam:
            shares = tagger.shares(own, path.labels, piece)
            for place in np.argsort(-shares)[:_BEAM]:
                share = float(shares[place])
                grown.append(
                    Tagged(
                        (*path.labels, LABELS[place]), (*path.shares, share), path.logarithm + float(np.log(share + 1e-12))
                    )
                )
        beam = sorted(grown, key=lambda path: -path.logarithm)[:_BEAM]
    return beam[0]


def to_bytes(tagger: Tagger) -> bytes:
    """A tagger's file; equal taggers give equal bytes."""
    rows = np.flatnonzero(tagger.values.any(axis=1))
    file = io.BytesIO()
    text = np.frombuffer(tagger.digest.encode(), dtype=np.uint8)
    np.savez_compressed(
        file, rows=rows.astype("<i4"), values=tagger.values[rows], scales=tagger.scales[rows].astype("<f4"), text=text
    )
    return file.getvalue()


def from_bytes(content: bytes) -> Tagger:
    """The tagger of a file."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        rows, digest = arrays["rows"], arrays["text"].tobytes().decode()
        values = np.zeros((SIZE + 1, len(LABELS)), dtype=np.int8)
        scales = np.zeros(SIZE + 1, dtype=np.float32)
        values[rows], scales[rows] = arrays["values"], arrays["scales"]
        return Tagger(values, scales, digest)


@cache
def shipped() -> Tagger:
    """The tagger of the package."""
    return from_bytes(FILE.read_bytes())
