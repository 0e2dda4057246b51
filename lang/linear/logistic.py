"""Logistic regression: how probable something is by what speaks for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


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
