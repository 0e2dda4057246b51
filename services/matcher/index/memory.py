"""In-memory vector store: exact dense and sparse search, equal to Qdrant's. For libraries of some thousand entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lang.embedding import Vectors

# (position, score) by descending score.
Arm = list[tuple[int, float]]


@dataclass(frozen=True, eq=False)
class Collection:
    """Entries by position: unit vectors `dense`; `postings` map a key to the entries that have it and its strengths."""

    dense: Vectors
    postings: Mapping[int, tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]]

    def find_nearest(self, vector: Vectors, limit: int) -> Arm:
        """Dense search: the entries with the highest cosine similarity."""
        length = np.linalg.norm(vector)
        return _best(self.dense @ (vector / length if length else vector), None, limit)

    def find_sharing(self, terms: Mapping[int, float], limit: int) -> Arm:
        """Sparse search: the entries with the highest dot product; entries without a shared key are omitted."""
        scores, shared = np.zeros(len(self.dense)), np.zeros(len(self.dense), dtype=bool)
        for key, weight in sorted(terms.items()):
            if key in self.postings:
                entries, strengths = self.postings[key]
                scores[entries] += weight * strengths
                shared[entries] = True
        return _best(scores.astype(np.float32), shared, limit)


def build_collection(dense: Vectors, terms: Sequence[Sequence[tuple[int, float]]]) -> Collection:
    """Builds a collection from vectors and terms (key, strength), one row per entry."""
    found: dict[int, list[tuple[int, float]]] = {}
    for number, listed in enumerate(terms):
        for key, strength in listed:
            found.setdefault(key, []).append((number, strength))
    postings = {
        key: (np.array([number for number, _ in one]), np.array([strength for _, strength in one]))
        for key, one in found.items()
    }
    lengths = np.linalg.norm(dense, axis=1, keepdims=True)
    return Collection(np.divide(dense, lengths, out=np.zeros_like(dense), where=lengths > 0), postings)


def _best(scores: npt.NDArray[np.float32], among: npt.NDArray[np.bool_] | None, limit: int) -> Arm:
    # Ties are common; this sort orders them as Qdrant's in-memory index does.
    order = np.argsort(scores)[::-1]
    if among is not None:
        order = order[among[order]]
    return [(int(number), float(scores[number])) for number in order[:limit]]
