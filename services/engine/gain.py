"""How much each open question is expected to tell.

    gain_p = h(sum_r pi_r theta'_pr) - sum_r pi_r h(theta'_pr)

exact, of every phenomenon at once: with one leak_p for all unlinked causes both sums split into the linked causes and
the rest, so they cost two sparse products, O(edges).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from services.engine.belief import Posterior
from services.engine.likelihood import Likelihoods
from services.engine.numerics import Floats, binary_entropy, entropy_bits, summed
from services.engine.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class Gains:
    """Of each phenomenon (P,): the probability of a yes, and the expected fall of the entropy in bits, in [0, 1]."""

    yes: Floats
    bits: Floats


def gains(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior) -> Gains:
    """Probability of a yes and gain of every phenomenon, answered or not."""
    linked, size = state.belief[snapshot.edge_cause], len(likelihoods.base)
    known, other = 1.0 - state.other, state.other
    yes = known * likelihoods.answer_leak + other * likelihoods.answer_base
    yes += summed(snapshot.edge_phenomenon, linked * likelihoods.yes_surplus, size)
    inner = known * likelihoods.entropy_leak + other * likelihoods.entropy_base
    inner += summed(snapshot.edge_phenomenon, linked * likelihoods.entropy_surplus, size)
    most = min(1.0, entropy_bits(state.belief))
    return Gains(yes, np.clip(binary_entropy(yes) - inner, 0.0, most))
