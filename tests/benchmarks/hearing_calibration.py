"""How well readings know how sure they are, on the half of the labelled sentences that they were not fitted to."""

from __future__ import annotations

from services.matcher.training.calibration import calibration_error, fit, halves, judge_sentences


def held_out_error() -> float:
    """ECE over ten bins, each half judged by what was fitted to the other."""
    one, other = halves(judge_sentences())
    wrong = calibration_error(fit(one), other) * len(other) + calibration_error(fit(other), one) * len(one)
    return wrong / (len(one) + len(other))
