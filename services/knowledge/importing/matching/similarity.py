"""Similarity of texts: the cosine of their features weighted by rarity."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Features = Mapping[str, float]
Vector = dict[str, float]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rarity:
    """Inverse document frequencies: ln(1 + documents / (1 + documents with the feature))."""

    weights: Mapping[str, float]
    unseen: float

    def vector(self, features: Features) -> Vector:
        """The features weighted by rarity, of length 1."""
        raw = {name: weight * self.of(name) for name, weight in features.items()}
        length = math.sqrt(math.fsum(value * value for value in raw.values()))
        return {name: value / length for name, value in raw.items()} if length else {}

    def of(self, feature: str) -> float:
        """The rarity of one feature; one never seen counts as the rarest."""
        return self.weights.get(feature, self.unseen)


def rarity_of(documents: Iterable[Iterable[str]]) -> Rarity:
    """Rarities over documents, each given by its features; the order of the documents never matters."""
    counts: Counter[str] = Counter()
    total = 0
    for names in documents:
        counts.update(set(names))
        total += 1
    return Rarity({name: math.log(1 + total / (1 + count)) for name, count in counts.items()}, math.log(1 + total))


def cosine(left: Vector, right: Vector) -> float:
    """The likeness of two vectors of length 1, in [0, 1]."""
    if len(right) < len(left):
        left, right = right, left
    return math.fsum(value * right[name] for name, value in left.items() if name in right)


class VectorIndex:
    """Cosines of one vector with many, through posting lists: the cost is that of the features in common."""

    def __init__(self, vectors: Sequence[Vector]) -> None:
        self.size = len(vectors)
        postings: dict[str, tuple[list[int], list[float]]] = {}
        for number, vector in enumerate(vectors):
            for name, value in vector.items():
                rows, values = postings.setdefault(name, ([], []))
                rows.append(number)
                values.append(value)
        self._postings = {
            name: (np.asarray(rows, dtype=np.int64), np.asarray(values, dtype=np.float64))
            for name, (rows, values) in postings.items()
        }

    def cosines(self, vector: Vector) -> FloatArray:
        """float64 array (vectors,): the likeness with each, in the order they were given."""
        total = np.zeros(self.size)
        for name in sorted(vector):
            if name in self._postings:
                rows, values = self._postings[name]
                total[rows] += vector[name] * values
        return total
