"""Softmax regression over sparse features, of which only those that any example has are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lang.linear.array_file import Content, pack_arrays, view_arrays
from services.planner.understand.acts.ngrams import SIZE, Places

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SoftmaxModel:
    """`rows`: features, rising, the last one the intercept; `values` (rows, labels) times `scales` are their weights."""

    labels: tuple[str, ...]
    rows: npt.NDArray[np.int64]
    values: npt.NDArray[np.int8]
    scales: npt.NDArray[np.float32]
    digest: str

    def shares(self, features: Places, weights: Floats) -> Floats:
        """float64 (labels,), sums to 1: how likely each label is. weights: float64 (features,), without the intercept."""
        places = np.searchsorted(self.rows, features)
        known = self.rows[np.minimum(places, len(self.rows) - 1)] == features
        places, weights = places[known], weights[known]
        scores = (weights * self.scales[places]) @ self.values[places] + self.values[-1] * self.scales[-1]
        shares = np.exp((scores - scores.max()).astype(np.float64))
        return np.asarray(shares / shares.sum())


def to_bytes(
    labels: Sequence[str], values: npt.NDArray[np.int8], scales: npt.NDArray[np.float32], digest: str
) -> bytes:
    """A model's file from weights (SIZE + 1, labels); rows of nothing but zeros are left out."""
    rows = np.flatnonzero(values.any(axis=1))
    rows = rows if len(rows) and rows[-1] == SIZE else np.append(rows, SIZE)
    text = np.frombuffer("\n".join([digest, *labels]).encode(), dtype=np.uint8)
    return pack_arrays(
        rows=rows.astype("<i8"), values=values[rows].astype("i1"), scales=scales[rows].astype("<f4"), text=text
    )


def from_bytes(content: Content) -> SoftmaxModel:
    """The model of a file."""
    arrays = view_arrays(content)
    digest, *labels = arrays["text"].tobytes().decode().split("\n")
    return SoftmaxModel(tuple(labels), arrays["rows"], arrays["values"], arrays["scales"], digest)
