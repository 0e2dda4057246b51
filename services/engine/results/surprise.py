"""Measures how improbable the evidence is under a cause.

    excess  = sum over answers of ( -log2 P(answer | r) - h(theta'_pr) )      bits above their expectation
    spread  = square root of the sum of theta' (1 - theta') (log2 theta'/(1-theta'))^2
    surprise = max(0, excess) / max(1, spread)

A few answers count in plain bits; many, whose fluctuations add up, in units of their spread.
"""

from __future__ import annotations

import math

import numpy as np

from services.engine.inference.posterior import Posterior


def surprise_bits(state: Posterior, cause: int) -> float:
    """The surprise under `cause`; 0 if no answer counts. From about 3 on, the evidence is surprising."""
    if not state.answer_bits.answers:
        return 0.0
    excess, variance = state.answer_bits.surprise_terms(cause)
    spread = math.sqrt(np.add.reduce(variance))
    return max(0.0, float(np.add.reduce(excess))) / max(1.0, spread)
