"""Metrics of played cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_BINS = 10
# Bounds the log loss: a belief of zero in the true cause would cost infinitely many bits.
_LEAST_BELIEF = 2.0**-40


@dataclass(frozen=True, slots=True)
class Played:
    """The end of a case. place: the rank, from 1, of the true cause among the three leaders; 0 if it is not there."""

    case_id: str
    questions: int = 0
    stopped: bool = False
    confidence: float = 0.0
    belief_in_right: float = 0.0
    place: int = 0
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Metrics:
    """Shares in [0, 1] of all cases that did not fail, unless stated otherwise.

    right_when_stopped: the accuracy of cases that ended with a conclusion. ece: the expected calibration error, in ten
    bins of equal width weighted by size. brier: the mean squared error of the leader's confidence.
    false_confidence_rate: cases that ended with a wrong conclusion. log_loss_bits: the mean of -log2 of the belief in
    the true cause. failures: cases that the engine refused.
    """

    cases: int
    top1: float
    top3: float
    mean_questions: float
    right_when_stopped: float
    stopped_share: float
    ece: float
    brier: float
    false_confidence_rate: float
    log_loss_bits: float
    failures: int


def measure(played: Sequence[Played]) -> Metrics:
    """The metrics of played cases; zeros if there are none."""
    ended = [case for case in played if not case.failed]
    stopped = [case for case in ended if case.stopped]
    return Metrics(
        cases=len(played),
        top1=_mean([case.place == 1 for case in ended]),
        top3=_mean([case.place > 0 for case in ended]),
        mean_questions=_mean([case.questions for case in ended]),
        right_when_stopped=_mean([case.place == 1 for case in stopped]),
        stopped_share=_mean([case.stopped for case in ended]),
        ece=_calibration_error(ended),
        brier=_mean([(case.confidence - (case.place == 1)) ** 2 for case in ended]),
        false_confidence_rate=_mean([case.stopped and case.place != 1 for case in ended]),
        log_loss_bits=_mean([-math.log2(max(case.belief_in_right, _LEAST_BELIEF)) for case in ended]),
        failures=len(played) - len(ended),
    )


def calibration_bins(played: Sequence[Played]) -> list[list[Played]]:
    """The cases that did not fail, in ten bins of equal width by confidence."""
    bins: list[list[Played]] = [[] for _ in range(_BINS)]
    for case in played:
        if not case.failed:
            bins[min(int(case.confidence * _BINS), _BINS - 1)].append(case)
    return bins


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _calibration_error(cases: Sequence[Played]) -> float:
    gaps = (abs(sum(case.confidence - (case.place == 1) for case in group)) for group in calibration_bins(cases))
    return sum(gaps) / len(cases) if cases else 0.0
