"""How improbable the evidence is, even under the cause that explains it best.

    excess  = sum over answers of ( -log2 P(answer | r) - h(theta'_pr) )      bits above their expectation
    spread  = square root of the sum of theta' (1 - theta') (log2 theta'/(1-theta'))^2
    surprise = max(0, excess) / max(1, spread)

Few answers are judged in plain bits; many, whose chance fluctuations add up, in units of their spread.
"""

from __future__ import annotations

import numpy as np

from services.engine.belief import Posterior
from services.engine.numerics import log2


def surprise_bits(state: Posterior, cause: int) -> float:
    """The surprise under `cause`; 0 without answers that count, from about 3 the evidence is surprising."""
    given = state.told.about(cause).factors
    if not len(given):
        return 0.0
    # Entropy and spread are the same for an answer and its opposite, so theta' may be that of the answer given.
    rates = np.array((given, 1.0 - given))
    bits = log2(rates)
    expected = rates * bits
    excess = float(np.add.reduce(expected[0] + expected[1] - bits[0]))
    contrast = bits[0] - bits[1]
    spread = float(np.sqrt(np.add.reduce(rates[0] * rates[1] * contrast * contrast)))
    return max(0.0, excess) / max(1.0, spread)
