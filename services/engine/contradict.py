"""Which two answers contradict each other most.

    loss_ar = log2( max over causes of P(a | .) / P(a | r) )      bits that r falls short of explaining a best
    bits_ab = min over r of ( loss_ar + loss_br )

over the causes and OTHER: how much even the cause that explains both best falls short of explaining each. Two signs of
different causes do so, and so does a cause's sign with the absence of what always comes with it.
"""

from __future__ import annotations

import numpy as np

from services.engine.belief import Posterior
from services.engine.model import Contradiction
from services.engine.numerics import Indices, by_falling, shown
from services.engine.reasoner import Reasoner

# As with surprise: less is what the answers of one cause come to now and then.
FEWEST_BITS = 3.0
# Pairs are looked for among the answers that move the leading cause most; it bounds the work on long evidence.
_COMPARED = 12
# What rounding may take from a sum of two losses.
_ROUNDING = 1e-9


def contradiction(reasoner: Reasoner, state: Posterior, leader: int) -> Contradiction | None:
    """The pair of the most bits, ties by id; None where no two answers contradict each other by three bits."""
    said = state.told
    if len(said.answers) < 2:
        return None
    compared = _compared(reasoner, state, leader)
    losses = sorted((said.best_bits() - said.bits_of([leader])[0])[compared].tolist())
    # The pair's bits are a minimum over causes, so what the leader loses on its two worst is the most they can be.
    if losses[-1] + losses[-2] < FEWEST_BITS - _ROUNDING:
        return None
    bits = said.pair_bits(compared)
    first, second = divmod(by_falling(bits.ravel(), 1)[0], len(compared))
    if bits[first, second] < FEWEST_BITS:
        return None
    ids = reasoner.library.snapshot.phenomenon_ids
    left, right = (said.answers[int(compared[at])].phenomenon for at in (first, second))
    return Contradiction(ids[left], ids[right], shown(float(bits[first, second])))


def _compared(reasoner: Reasoner, state: Posterior, leader: int) -> Indices:
    """Positions among the counting answers, in order, of those that move the leader most."""
    size = len(state.told.answers)
    if size <= _COMPARED:
        return np.arange(size)
    bits = reasoner.contributions(state, leader)
    counting = [abs(moved) for moved, answer in zip(bits, state.answers, strict=True) if answer.counts]
    return np.array(sorted(by_falling(np.array(counting), _COMPARED)))
