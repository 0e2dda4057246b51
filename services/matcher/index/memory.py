"""In-memory vector store: exact dense and sparse search, equal to Qdrant's. For libraries of some thousand entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lang.embedding import Vectors
from services.matcher.index.compiled import Compiled

# (position, score) by descending score.
Arm = list[tuple[int, float]]


@dataclass(frozen=True, eq=False)
class Collection:
    """Entries by position: unit vectors `dense`; the key k stands in `entries[ends[k]:ends[k + 1]]`, so strongly."""

    dense: Vectors
    ends: npt.NDArray[np.int64]
    entries: npt.NDArray[np.int64]
    strengths: npt.NDArray[np.float64]

    def find_nearest(self, vector: Vectors, limit: int) -> Arm:
        """Dense search: the entries with the highest cosine similarity."""
        length = np.linalg.norm(vector)
        return _best(self.dense @ (vector / length if length else vector), None, limit)

    def find_sharing(self, terms: Mapping[int, float], limit: int) -> Arm:
        """Sparse search: the entries with the highest dot product; entries without a shared key are omitted."""
        scores, shared = np.zeros(len(self.dense)), np.zeros(len(self.dense), dtype=bool)
        for key, weight in sorted(terms.items()):
            own = slice(self.ends[key], self.ends[key + 1])
            scores[self.entries[own]] += weight * self.strengths[own]
            shared[self.entries[own]] = True
        return _best(scores.astype(np.float32), shared, limit)


def build_collection(compiled: Compiled) -> Collection:
    """The collection of an index."""
    order = np.argsort(compiled.terms, kind="stable")
    entries = np.repeat(np.arange(len(compiled.sizes)), np.diff(compiled.ends))
    counts = np.bincount(compiled.terms, minlength=len(compiled.keys))
    dense = compiled.means
    lengths = np.linalg.norm(dense, axis=1, keepdims=True)
    return Collection(
        dense=np.divide(dense, lengths, out=np.zeros_like(dense), where=lengths > 0),
        ends=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        entries=entries[order],
        strengths=compiled.strengths[order],
    )


def _best(scores: npt.NDArray[np.float32], among: npt.NDArray[np.bool_] | None, limit: int) -> Arm:
    # Ties are common; this sort orders them as Qdrant's in-memory index does.
    order = np.argsort(scores)[::-1]
    if among is not None:
        order = order[among[order]]
    return [(int(number), float(scores[number])) for number in order[:limit]]
