"""Ranks recalled entries and estimates the probability that the first is right.

weights.json has the fitted weights; docs/matching.md describes the fit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.matcher.ranking.features import COLUMN, NAMES, Query, Table

FILE = Path(__file__).with_name("weights.json")
PRESENCE_NAMES = (
    "best",
    "margin",
    "covered",
    "overlap",
    "dense",
    "foreign",
    "unknown",
    "unheard",
    "mass",
    "topic",
    "one",
)
_DECIMALS = 6


@dataclass(frozen=True)
class Weights:
    """Model weights: `order` for features, `right` and `inside` for presence features.

    `sharpness` is the decay rate of scores below the first."""

    order: npt.NDArray[np.float64]
    right: npt.NDArray[np.float64]
    inside: npt.NDArray[np.float64]
    sharpness: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Positions of the entries by descending score; `scores` in [0, 1] are parallel to `order`.

    The first score is P(the first entry is right); `inside` is P(the text is about anything in the library).
    """

    order: tuple[int, ...]
    scores: tuple[float, ...]
    inside: float


@cache
def load(path: Path = FILE) -> Weights:
    """Loads the fitted weights of a file; cached."""
    read = json.loads(path.read_text(encoding="utf-8"))
    return Weights(
        order=np.asarray([read["order"][name] for name in NAMES]),
        right=np.asarray([read["right"][name] for name in PRESENCE_NAMES]),
        inside=np.asarray([read["inside"][name] for name in PRESENCE_NAMES]),
        sharpness=float(read["sharpness"]),
    )


def rank(query: Query, table: Table, boosts: Sequence[float], weights: Weights) -> Ranking:
    """Ranks the rows of a feature table; `boosts` are added to their raw scores. Ties keep the rows' order."""
    if not len(table):
        return Ranking((), (), 0.0)
    raw = np.round(table @ weights.order + np.asarray(boosts), _DECIMALS)
    order = [int(position) for position in np.argsort(-raw, kind="stable")]
    presence = presence_features(query, table, raw, order)
    right = logistic(float(presence @ weights.right))
    falls = [right * math.exp(min(0.0, weights.sharpness * float(raw[position] - raw[order[0]]))) for position in order]
    scores = tuple(round(score, _DECIMALS) for score in falls)
    # P(inside) >= P(right): being right implies being inside.
    inside = max(right, logistic(float(presence @ weights.inside)))
    return Ranking(tuple(order), scores, round(inside, _DECIMALS))


def presence_features(
    query: Query, table: Table, raw: npt.NDArray[np.float64], order: Sequence[int]
) -> npt.NDArray[np.float64]:
    """Presence features, float64 (len(PRESENCE_NAMES),): fit and lead of the first entry."""
    first = table[order[0]]
    second = float(raw[order[1]]) if len(order) > 1 else float(raw[order[0]]) - 3.0
    return np.asarray(
        [
            float(raw[order[0]]),
            min(float(raw[order[0]]) - second, 4.0),
            first[COLUMN["covered"]],
            first[COLUMN["overlap"]],
            max(first[COLUMN["dense"]], first[COLUMN["dense_glossed"]]),
            min(query.reading.foreign, 2),
            query.reading.unknown_share,
            query.unheard,
            math.log1p(query.mass / query.scale),
            first[COLUMN["topic"]],
            1.0,
        ]
    )


def logistic(value: float) -> float:
    """1 / (1 + e^-value), without overflow."""
    return 1.0 / (1.0 + math.exp(-value)) if value >= 0 else math.exp(value) / (1.0 + math.exp(value))
