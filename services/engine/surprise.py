"""How improbable the evidence is, even under the cause that explains it best.

    excess  = sum over answers of ( -log2 P(answer | r) - h(theta'_pr) )      bits above their expectation
    spread  = square root of the sum of theta' (1 - theta') (log2 theta'/(1-theta'))^2
    surprise = max(0, excess) / max(1, spread)

Few answers are judged in plain bits; many, whose chance fluctuations add up, in units of their spread.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from services.engine.answers import Answer
from services.engine.model import Verdict
from services.engine.numerics import binary_entropy, log2
from services.engine.reasoner import Library


def surprise_bits(library: Library, answers: Sequence[Answer], cause: int) -> float:
    """The surprise under `cause`; 0 without answers that count, from about 3 the evidence is surprising."""
    counting = [answer for answer in answers if answer.counts]
    if not counting:
        return 0.0
    snapshot, likelihoods = library.snapshot, library.likelihoods
    rates = np.array([likelihoods.answer_rate(snapshot, answer.phenomenon, cause) for answer in counting])
    bases = likelihoods.answer_base[[answer.phenomenon for answer in counting]]
    scores = np.array([answer.score for answer in counting])
    yes = scores * rates + (1.0 - scores) * bases
    said = np.array([answer.verdict is Verdict.CONFIRMED for answer in counting])
    excess = float(np.add.reduce(-log2(np.where(said, yes, 1.0 - yes)) - binary_entropy(yes)))
    contrast = log2(yes) - log2(1.0 - yes)
    spread = float(np.sqrt(np.add.reduce(yes * (1.0 - yes) * contrast * contrast)))
    return max(0.0, excess) / max(1.0, spread)
