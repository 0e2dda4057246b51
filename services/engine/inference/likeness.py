"""How the words of an incident move the belief: as the likelihood of one more observation.

    pi'_r = pi_r 2^(bits_r) / sum of all        bits of OTHER, and of causes that are not named, are 0

All else follows from pi' as it would from pi.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from services.chassis.errors import InvalidInput
from services.engine.inference.evidence import find_causes
from services.engine.inference.reasoner import ReasoningModel
from services.engine.model import MAX_LIKENESS_BITS, Likeness
from services.engine.tables.numerics import exp2, log2


def bits_by_cause(model: ReasoningModel, likeness: Sequence[Likeness]) -> dict[int, float]:
    """The bits of each named cause by its position. Raises InvalidInput for one that is unknown, named twice, or whose
    bits are out of range.
    """
    causes = find_causes(model.snapshot, [each.root_cause_id for each in likeness])
    found: dict[int, float] = {}
    for cause, each in zip(causes, likeness, strict=True):
        if not abs(each.bits) <= MAX_LIKENESS_BITS or cause in found:
            raise InvalidInput(
                "likeness_out_of_range", ids=each.root_cause_id, bits=each.bits, most=f"{MAX_LIKENESS_BITS:g}"
            )
        # Adding zero turns -0.0 into 0.0, which would otherwise change the bytes of the reply.
        found[cause] = each.bits + 0.0
    return found


def moved_by(model: ReasoningModel, likeness: Sequence[Likeness]) -> ReasoningModel:
    """The model with the prior that the words leave; the same one without any."""
    if not likeness:
        return model
    bits = np.zeros(len(model.likelihoods.prior))
    for cause, number in bits_by_cause(model, likeness).items():
        bits[cause] = number
    weights = model.likelihoods.prior * exp2(bits)
    prior = weights / np.add.reduce(weights)
    likelihoods = replace(model.likelihoods, prior=prior, prior_bits=log2(prior))
    # The bounds and the accelerator were made with the old prior.
    return replace(model, likelihoods=likelihoods, bounds=None, accelerate=None)
