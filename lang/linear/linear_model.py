"""A linear model over the terms of a text, with sparse weights in eight bits; and logistic regression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from lang.concepts.glossary import Glossary
from lang.concepts.weighted_terms import Places, Weights, weigh_terms

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearModel:
    """rarity: float16 or float32 (SIZE,), of each term; scales: float32 (classes,).

    The weights of the term at place p are `steps[ends[p]:ends[p + 1]]` for the classes `columns[...]`, in `scales`.
    """

    rarity: npt.NDArray[np.float16] | Weights
    ends: npt.NDArray[np.int32]
    columns: npt.NDArray[np.uint16]
    steps: npt.NDArray[np.int8]
    scales: Weights

    def vector(self, text: str, glossary: Glossary) -> tuple[Places, Weights]:
        """The places and weights of the terms of a text; to be read only."""
        return _vector(self, text, glossary)

    def scores(self, places: Places, weights: Weights) -> Floats:
        """float64 (classes,): the score of each class for a vector of terms."""
        starts, counts = self.ends[places], self.ends[places + 1] - self.ends[places]
        before = np.cumsum(counts) - counts
        chosen = np.arange(int(counts.sum())) + np.repeat(starts - before, counts)
        columns = self.columns[chosen]
        values = self.steps[chosen] * self.scales[columns] * np.repeat(weights, counts)
        return np.asarray(np.bincount(columns, values, len(self.scales)), dtype=np.float64)

    def known_share(self, places: Places, weights: Weights) -> float:
        """The share, in [0, 1], of the square length of a vector that is of terms which any class has a weight for."""
        return float(np.square(weights[self.ends[places + 1] > self.ends[places]]).sum())

    def arrays(self) -> dict[str, Any]:
        """The model as it is kept in a file."""
        return {
            "rarity": self.rarity.astype(np.float16),
            "ends": self.ends,
            "columns": self.columns,
            "steps": self.steps,
            "scales": self.scales,
        }


@lru_cache(maxsize=256)  # The same words are asked of a model again and again in a turn.
def _vector(model: LinearModel, text: str, glossary: Glossary) -> tuple[Places, Weights]:
    # Numbers of two bytes are as good: they are multiplied with float32.
    return weigh_terms(text, glossary, cast("Weights", model.rarity))


def ends_of(counts: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """int32 (SIZE + 1,): where the weights of each place start, and the last end."""
    ends = np.zeros(len(counts) + 1, dtype=np.int32)
    np.cumsum(counts, out=ends[1:])
    return ends


def from_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> LinearModel:
    """The model of a file's arrays."""
    return LinearModel(
        rarity=arrays["rarity"],
        ends=arrays["ends"],
        columns=arrays["columns"],
        steps=arrays["steps"],
        scales=arrays["scales"],
    )


def descend(
    gradient: Callable[[Floats], Floats], size: int, least: Floats, steps: int = 1500, rate: float = 0.08
) -> Floats:
    """Minimises a convex loss by Adam from zero; weights are clipped below at `least`."""
    weights, first, second = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, steps + 1):
        slope = gradient(weights)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights = weights - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
        weights = np.maximum(weights, least)
    return weights


def fit_logistic(rows: Floats, truth: Floats, weight: Floats, ridge: float) -> Floats:
    """Logistic regression with a ridge penalty on all but the last column (the intercept)."""
    penalty = np.full(rows.shape[1], ridge)
    penalty[-1] = 0.0

    def gradient(weights: Floats) -> Floats:
        guess = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope: Floats = rows.T @ (weight * (guess - truth)) / weight.sum() + 2 * penalty * weights
        return slope

    return descend(gradient, rows.shape[1], np.full(rows.shape[1], -np.inf))


def probability(coefficients: Floats, grounds: Floats) -> float:
    """The probability that follows from grounds."""
    return float(1 / (1 + np.exp(-np.clip(grounds @ coefficients, -30, 30))))
