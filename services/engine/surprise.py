"""How improbable the evidence is, even under the cause that explains it best.

    excess  = sum over answers of ( -log2 P(answer | r) - h(theta'_pr) )      bits above their expectation
    spread  = square root of the sum of theta' (1 - theta') (log2 theta'/(1-theta'))^2
    surprise = max(0, excess) / max(1, spread)

Few answers are judged in plain bits; many, whose chance fluctuations add up, in units of their spread.
"""

from __future__ import annotations

import math

import numpy as np

from services.engine.belief import Posterior


def surprise_bits(state: Posterior, cause: int) -> float:
    """The surprise under `cause`; 0 without answers that count, from about 3 the evidence is surprising."""
    if not state.told.answers:
        return 0.0
    excess, variance = state.told.unexpected(cause)
    spread = math.sqrt(np.add.reduce(variance))
    return max(0.0, float(np.add.reduce(excess))) / max(1.0, spread)
