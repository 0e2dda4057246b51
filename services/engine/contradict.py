"""Which two answers contradict each other most.

    loss_ar = log2( max over causes of P(a | .) / P(a | r) )      bits that r falls short of explaining a best
    bits_ab = min over r of ( loss_ar + loss_br )

over the causes and OTHER: how much even the cause that explains both best falls short of explaining each. Two signs of
different causes do so, and so does a cause's sign with the absence of what always comes with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from services.engine.answers import Answer
from services.engine.model import Contradiction, Verdict
from services.engine.numerics import Floats, by_falling, log2, shown
from services.engine.reasoner import Library, Reasoner

# As with surprise: less is what the answers of one cause come to now and then.
FEWEST_BITS = 3.0
# Pairs are looked for among the answers that move the leading cause most; it bounds the work on long evidence.
_COMPARED = 12


def contradiction(reasoner: Reasoner, answers: Sequence[Answer], leader: int) -> Contradiction | None:
    """The pair of the most bits, ties by id; None where no two answers contradict each other by three bits."""
    moved = np.abs(np.array(reasoner.contributions(answers, leader), dtype=np.float64))
    compared = sorted(at for at in by_falling(moved, _COMPARED) if answers[at].counts)
    if len(compared) < 2:
        return None
    library = reasoner.library
    chosen = [answers[at].phenomenon for at in compared]
    bits = _pair_bits(library, [answers[at] for at in compared])
    first, second = divmod(by_falling(bits.ravel(), 1)[0], len(compared))
    if bits[first, second] < FEWEST_BITS:
        return None
    ids = library.snapshot.phenomenon_ids
    return Contradiction(ids[chosen[first]], ids[chosen[second]], shown(bits[first, second]))


def _pair_bits(library: Library, answers: Sequence[Answer]) -> Floats:
    """Bits of every pair (answers, answers) above the diagonal; minus infinity elsewhere."""
    rates = log2(np.stack([_factors(library, answer) for answer in answers]))
    losses = np.max(rates, axis=1)[:, np.newaxis] - rates
    bits = np.full((len(answers), len(answers)), -np.inf)
    for first in range(len(answers) - 1):
        bits[first, first + 1 :] = np.min(losses[first] + losses[first + 1 :], axis=1)
    return bits


def _factors(library: Library, answer: Answer) -> Floats:
    """P(answer | r) of every cause and OTHER (R+1,)."""
    snapshot, likelihoods = library.snapshot, library.likelihoods
    span, base = snapshot.edges_of(answer.phenomenon), likelihoods.answer_base[answer.phenomenon]
    rates = np.full(len(snapshot.cause_ids) + 1, likelihoods.answer_leak[answer.phenomenon])
    rates[snapshot.edge_cause[span]] = likelihoods.answer_theta[span]
    rates[-1] = base
    mixed = answer.score * rates + (1.0 - answer.score) * base
    return np.asarray(mixed if answer.verdict is Verdict.CONFIRMED else 1.0 - mixed)
