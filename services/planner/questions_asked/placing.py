"""Where words that ask lie: near others that ask the same, whatever it is about.

`places.arrays` has where each term moves them; services/planner/training/places.py learns it from how the same question
is asked in different words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lang.concepts import glossary, weighted_terms
from lang.linear.array_file import map_file, pack_arrays, view_arrays
from services.planner.common_questions import finder

Vectors = npt.NDArray[np.float32]
FILE = Path(__file__).with_name("places.arrays")
# Terms share so many rows; a place has so many dimensions.
ROWS, DIMENSIONS = 1 << 15, 64
_LARGEST = 127


@dataclass(frozen=True, eq=False)
class Places:
    """Where each term moves words: int8 `steps` (ROWS, DIMENSIONS), of float32 `scales` (DIMENSIONS,)."""

    steps: npt.NDArray[np.int8]
    scales: Vectors
    digest: str

    @classmethod
    def of(cls, moves: Vectors, digest: str) -> Places:
        """Places with moves, float32 (ROWS, DIMENSIONS), in steps of one byte."""
        scales = (np.abs(moves).max(axis=0) / _LARGEST).astype(np.float32)
        return cls(np.rint(moves / scales).astype(np.int8), scales, digest)

    def place(self, words: str) -> Vectors:
        """A vector of length 1; 0 for words without a term."""
        return self.place_terms(*finder.shipped().linear.vector(words, glossary.load()))

    def place_terms(self, terms: weighted_terms.Places, weights: Vectors) -> Vectors:
        """The vector of words of these terms."""
        rows, weights = rows_of(terms, weights)
        moved: Vectors = (weights @ self.steps[rows].astype(np.float32)) * self.scales
        length = float(np.linalg.norm(moved))
        return moved / length if length else moved

    def to_bytes(self) -> bytes:
        """The file: steps of one byte, and their size for each dimension."""
        digest = np.frombuffer(self.digest.encode(), dtype=np.uint8)
        return pack_arrays(steps=self.steps, scales=self.scales, digest=digest)


def rows_of(terms: weighted_terms.Places, weights: Vectors) -> tuple[npt.NDArray[np.int64], Vectors]:
    """The rows of terms, rising, with their weights."""
    rows, inverse = np.unique(terms % ROWS, return_inverse=True)
    return rows, np.bincount(inverse, weights, len(rows)).astype(np.float32)


@cache
def shipped() -> Places:
    """The places of the package; read once."""
    arrays = view_arrays(map_file(FILE))
    return Places(arrays["steps"], arrays["scales"], arrays["digest"].tobytes().decode())
