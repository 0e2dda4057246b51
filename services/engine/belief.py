"""What is believed under the evidence, and what each answer contributed to it.

    bits_r(answer) = weight * log2( (s theta' + (1 - s) q') / q' )      a yes; 1 - theta' and 1 - q' for a no
    odds_r         = log2(pi_r / pi_OTHER) + sum of bits_r              against OTHER, so OTHER itself stays at 0
    belief_r       = 2^odds_r / sum of all

An answer touches the causes linked to its phenomenon; all others move by the same number of bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from services.engine.answers import Answer
from services.engine.likelihood import Likelihoods
from services.engine.model import Verdict
from services.engine.numerics import Floats, by_falling, exp2, log2
from services.engine.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class Posterior:
    """odds_bits (R,): log2 odds of each cause against OTHER. belief (R+1,): sums to 1, the last one OTHER's."""

    odds_bits: Floats
    belief: Floats

    @property
    def causes(self) -> Floats:
        """The belief without OTHER (R,)."""
        return self.belief[:-1]

    @property
    def other(self) -> float:
        """The belief in OTHER."""
        return float(self.belief[-1])

    def leading(self, count: int) -> list[int]:
        """The causes of the greatest belief, ties by id."""
        return by_falling(self.causes, count)


@dataclass(frozen=True, slots=True)
class Weighed:
    """An answer that counts, with the weight in (0, 1] that its redundancy with the others leaves it."""

    answer: Answer
    weight: float


def weighed(likelihoods: Likelihoods, answers: Sequence[Answer]) -> tuple[Weighed, ...]:
    """The answers that count, by phenomenon, each with its weight."""
    counting = [answer for answer in answers if answer.counts]
    weights: dict[int, float] = {}
    for verdict in (Verdict.CONFIRMED, Verdict.DENIED):
        said = [answer.phenomenon for answer in counting if answer.verdict is verdict]
        weights.update(zip(said, likelihoods.redundancy.weights(said), strict=True))
    return tuple(Weighed(answer, weights[answer.phenomenon]) for answer in counting)


def posterior(snapshot: Snapshot, likelihoods: Likelihoods, answers: Sequence[Answer]) -> Posterior:
    """The belief under all answers; its cost is O(causes + edges of the answered phenomena)."""
    odds = likelihoods.prior_bits.copy()
    everywhere = 0.0
    for item in weighed(likelihoods, answers):
        unlinked, linked = _moves(snapshot, likelihoods, item.answer)
        everywhere += item.weight * unlinked
        odds[snapshot.edge_cause[snapshot.edges_of(item.answer.phenomenon)]] += item.weight * linked
    odds += everywhere
    return Posterior(odds, belief_of(np.append(odds, 0.0)))


def belief_of(odds_bits: Floats) -> Floats:
    """The distribution with these log2 weights."""
    weights = exp2(odds_bits - np.max(odds_bits))
    return np.asarray(weights / np.add.reduce(weights))


def bits(snapshot: Snapshot, likelihoods: Likelihoods, item: Weighed, cause: int) -> float:
    """What one answer contributes to one cause, in bits against OTHER."""
    unlinked, linked = _moves(snapshot, likelihoods, item.answer)
    edge = snapshot.edge(item.answer.phenomenon, cause)
    if edge is None:
        return item.weight * unlinked
    return item.weight * (unlinked + float(linked[edge - snapshot.edges_of(item.answer.phenomenon).start]))


def _moves(snapshot: Snapshot, likelihoods: Likelihoods, answer: Answer) -> tuple[float, Floats]:
    """Bits for the unlinked causes, and what the linked ones get on top, both at full weight."""
    phenomenon, span = answer.phenomenon, snapshot.edges_of(answer.phenomenon)
    yes = answer.verdict is Verdict.CONFIRMED
    if answer.score == 1.0:
        leak_bits = likelihoods.leak_bits_yes if yes else likelihoods.leak_bits_no
        edge_bits = likelihoods.bits_yes if yes else likelihoods.bits_no
        return float(leak_bits[phenomenon]), edge_bits[span]
    rates = np.concatenate(
        (
            likelihoods.answer_base[phenomenon : phenomenon + 1],
            likelihoods.answer_leak[phenomenon : phenomenon + 1],
            likelihoods.answer_theta[span],
        )
    )
    factors = rates if yes else 1.0 - rates
    soft = log2(answer.score * factors + (1.0 - answer.score) * factors[0])
    return float(soft[1] - soft[0]), soft[2:] - soft[1]
