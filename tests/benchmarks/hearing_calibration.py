"""How well readings know how sure they are, on the half of the labelled sentences that they were not fitted to."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from services.matcher.probabilities import group_of
from services.matcher.training.calibration import Judged, fit, judge_sentences

_BINS = 10


def held_out_error() -> float:
    """ECE over ten bins, each half judged by what was fitted to the other."""
    one, other = _halves(judge_sentences())
    wrong = _calibration_error(fit(one), other) * len(other) + _calibration_error(fit(other), one) * len(one)
    return wrong / (len(one) + len(other))


def _halves(judged: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    """The readings of one half of the sentences, and those of the other."""
    sides: tuple[list[Judged], list[Judged]] = ([], [])
    for item in judged:
        sides[hashlib.sha256(item.sentence.encode()).digest()[0] % 2].append(item)
    return sides


def _calibration_error(probabilities: dict[str, float], judged: Sequence[Judged]) -> float:
    """ECE over ten bins: the mean distance between how sure readings are and how often they are right."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for item in judged:
        sure = probabilities.get(item.kind, probabilities[group_of(item.kind)])
        bins.setdefault(min(int(sure * _BINS), _BINS - 1), []).append((sure, item.is_right))
    gaps = (abs(sum(sure - is_right for sure, is_right in rows)) for rows in bins.values())
    return sum(gaps) / max(len(judged), 1)
