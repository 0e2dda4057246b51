"""Measures how badly the evidence fits: the surprise under a cause, and the two most contradictory answers.

    excess  = sum over answers of ( -log2 P(answer | r) - h(theta'_pr) )      bits above their expectation
    spread  = square root of the sum of theta' (1 - theta') (log2 theta'/(1-theta'))^2
    surprise = max(0, excess) / max(1, spread)

A few answers count in plain bits; many, whose fluctuations add up, in units of their spread.

The contradiction:

    loss_ar = log2( max over causes of P(a | .) / P(a | r) )      bits that r falls short of explaining a best
    bits_ab = min over r of ( loss_ar + loss_br )

over the causes and OTHER: even the cause that explains both best falls short by so many bits. Typical pairs are two
signs of different causes, or a sign of a cause and the absence of another that always accompanies it.
"""

from __future__ import annotations

import math

import numpy as np

from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Reasoner
from services.engine.model import Contradiction
from services.engine.tables.numerics import Indices, order_descending, round_reported

# As with surprise: the answers of a single cause reach smaller values now and then.
FEWEST_BITS = 3.0
# Pairs are sought among the answers that move the leading cause most; this bounds the work on long evidence.
_COMPARED = 12
# The rounding error of a sum of two losses.
_ROUNDING = 1e-9


def find_contradiction(reasoner: Reasoner, state: Posterior, leader: int) -> Contradiction | None:
    """The pair with the most bits, ties by id; None if every pair has fewer than three bits."""
    said = state.answer_bits
    if len(said.answers) < 2:
        return None
    compared = _compared(reasoner, state, leader)
    losses = sorted((said.best_bits() - said.bits_of([leader])[0])[compared].tolist())
    # The bits of a pair are a minimum over causes, so the two greatest losses of the leader bound those of every pair.
    if losses[-1] + losses[-2] < FEWEST_BITS - _ROUNDING:
        return None
    bits = said.pair_bits(compared)
    first, second = divmod(order_descending(bits.ravel(), 1)[0], len(compared))
    if bits[first, second] < FEWEST_BITS:
        return None
    ids = reasoner.model.snapshot.phenomenon_ids
    left, right = (said.answers[int(compared[at])].phenomenon for at in (first, second))
    return Contradiction(ids[left], ids[right], round_reported(float(bits[first, second])))


def _compared(reasoner: Reasoner, state: Posterior, leader: int) -> Indices:
    """Positions, in order, of the counting answers that move the leader most."""
    size = len(state.answer_bits.answers)
    if size <= _COMPARED:
        return np.arange(size)
    bits = reasoner.contributions(state, leader)
    counting = [abs(moved) for moved, answer in zip(bits, state.answers, strict=True) if answer.counts]
    return np.array(sorted(order_descending(np.array(counting), _COMPARED)))


def surprise_bits(state: Posterior, cause: int) -> float:
    """The surprise under `cause`; 0 if no answer counts. From about 3 on, the evidence is surprising."""
    if not state.answer_bits.answers:
        return 0.0
    excess, variance = state.answer_bits.surprise_terms(cause)
    spread = math.sqrt(np.add.reduce(variance))
    return max(0.0, float(np.add.reduce(excess))) / max(1.0, spread)
