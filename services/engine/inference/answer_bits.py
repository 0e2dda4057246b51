"""The bits that each answer contributes to each cause, before they are summed.

    factor = s theta' + (1 - s) q'      a yes of score s; 1 - theta' and 1 - q' for a no
    bits   = log2( factor / OTHER's factor )

An answer has its own bits for each cause linked to its phenomenon, and the same bits for all other causes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from services.engine.inference.evidence import Answer, those_that_count
from services.engine.model import Verdict
from services.engine.tables.likelihoods import Likelihoods
from services.engine.tables.numerics import Floats, Indices, log2
from services.engine.tables.redundancy import Redundancy
from services.engine.tables.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class AnswerBits:
    """The answers that count (A,), by phenomenon, with the T edges of their phenomena, one answer after another.

    weights (A,) in (0, 1] discount redundant answers. rows (T,) is the answer of each edge, causes (T,) its cause;
    starts (A+1,) delimits the edges of each answer; size is R. base and leak (A,) and rates (T,) are P(yes | .) for
    OTHER, for unlinked causes and for linked ones; other (A,), unlinked (A,) and linked (T,) are P(answer | .); *_bits
    are bits against OTHER at full weight.
    """

    answers: tuple[Answer, ...]
    weights: Floats
    size: int
    rows: Indices
    starts: Indices
    causes: Indices
    base: Floats
    leak: Floats
    rates: Floats
    other: Floats
    unlinked: Floats
    linked: Floats
    unlinked_bits: Floats
    linked_bits: Floats

    @cached_property
    def phenomena(self) -> frozenset[int]:
        """The answered phenomena."""
        return frozenset(answer.phenomenon for answer in self.answers)

    def rates_of(self, causes: Sequence[int]) -> Floats:
        """P(yes | cause) for each answer (causes, A)."""
        return self._of(causes, self.leak, self.rates)

    def bits_of(self, causes: Sequence[int]) -> Floats:
        """Bits against OTHER at full weight (causes, A)."""
        return self._of(causes, self.unlinked_bits, self.linked_bits)

    def surprise_terms(self, cause: int) -> tuple[Floats, Floats]:
        """See surprise_terms, for each answer under one cause."""
        return surprise_terms(self._of([cause], self.unlinked, self.linked)[0])

    def best_bits(self) -> Floats:
        """The most bits against OTHER that any cause, or OTHER itself, gets from each answer (A,)."""
        some_unlinked = self.starts[1:] - self.starts[:-1] < self.size
        best = np.where(some_unlinked, np.maximum(self.unlinked_bits, 0.0), 0.0)
        np.maximum.at(best, self.rows, self.linked_bits)
        return best

    def pair_bits(self, compared: Indices) -> Floats:
        """See misfit: the bits of each pair of these answers, above the diagonal; minus infinity elsewhere."""
        mine = np.flatnonzero(np.isin(self.rows, compared))
        touched, column = np.unique(self.causes[mine], return_inverse=True)
        # One column for each cause linked to any of them, one for OTHER, and one for all other causes if there are any.
        columns = len(touched) + (2 if len(touched) < self.size else 1)
        bits = np.repeat(self.unlinked_bits[compared][:, np.newaxis], columns, axis=1)
        bits[np.searchsorted(compared, self.rows[mine]), column] = self.linked_bits[mine]
        bits[:, len(touched)] = 0.0
        return minimum_pair_losses(self.best_bits()[compared][:, np.newaxis] - bits)

    def flip(self, belief: Floats, at: int, given: float) -> Floats:
        """The belief (R+1,), not normalised, with the opposite of an answer, or, with 0 for `given`, without it.

        Multiplies belief_r by (1 - factor_r) / factor_r, or by 1 / factor_r.
        """
        span = slice(int(self.starts[at]), int(self.starts[at + 1]))
        unlinked, linked, base = float(self.unlinked[at]), self.linked[span], float(self.other[at])
        after = belief * ((1.0 - given * unlinked) / unlinked)
        after[self.causes[span]] = belief[self.causes[span]] * ((1.0 - given * linked) / linked)
        after[-1] = belief[-1] * ((1.0 - given * base) / base)
        return after

    @cached_property
    def _places(self) -> dict[tuple[int, ...], tuple[Indices, tuple[Indices, Indices]]]:
        return {}

    def _of(self, causes: Sequence[int], unlinked: Floats, linked: Floats) -> Floats:
        """A table (causes, A) from the values of unlinked causes (A,) and of edges (T,)."""
        key = tuple(causes)
        known = self._places.get(key)
        if known is None:
            known = self._places[key] = self._located(np.array(causes))
        mine, at = known
        found: Floats = unlinked[np.newaxis].repeat(len(key), axis=0)
        found[at] = linked[mine]
        return found

    def _located(self, wanted: Indices) -> tuple[Indices, tuple[Indices, Indices]]:
        """The edges of these causes, and their positions among causes and answers."""
        order = wanted.argsort()
        place = wanted[order].searchsorted(self.causes)
        mine = (wanted[order].take(place, mode="clip") == self.causes).nonzero()[0]
        return mine, (order[place[mine]], self.rows[mine])


def compute_answer_bits(snapshot: Snapshot, likelihoods: Likelihoods, answers: Sequence[Answer]) -> AnswerBits:
    """Computes the bits of the answers in O(edges of the answered phenomena)."""
    counting = those_that_count(answers)
    phenomena = np.array([answer.phenomenon for answer in counting], dtype=np.int64)
    edges, rows = snapshot.edges_of_all(phenomena)
    size, leak, base = len(counting), likelihoods.answer_leak[phenomena], likelihoods.answer_base[phenomena]
    linked = leak[rows] + likelihoods.surplus.real[edges]
    factors = _factors(counting, rows, np.concatenate((base, leak, linked)))
    bits = log2(factors)
    other = bits[:size]
    return AnswerBits(
        answers=counting,
        weights=weights_of(likelihoods.redundancy, counting),
        size=len(snapshot.cause_ids),
        rows=rows,
        starts=rows.searchsorted(np.arange(size + 1)),
        causes=snapshot.edge_cause[edges].astype(np.int64),
        base=base,
        leak=leak,
        rates=linked,
        other=factors[:size],
        unlinked=factors[size : 2 * size],
        linked=factors[2 * size :],
        unlinked_bits=bits[size : 2 * size] - other,
        linked_bits=bits[2 * size :] - other[rows],
    )


def weights_of(redundancy: Redundancy, counting: Sequence[Answer]) -> Floats:
    """The weight of each of these answers; redundant answers of the same verdict share theirs."""
    if redundancy.partners.keys().isdisjoint([answer.phenomenon for answer in counting]):
        return np.ones(len(counting), dtype=np.float64)
    weights: dict[int, float] = {}
    for verdict in (Verdict.CONFIRMED, Verdict.DENIED):
        said = [answer.phenomenon for answer in counting if answer.verdict is verdict]
        weights.update(zip(said, redundancy.weights(said), strict=True))
    return np.array([weights[answer.phenomenon] for answer in counting])


def surprise_terms(factors: Floats) -> tuple[Floats, Floats]:
    """The bits by which answers of these probabilities exceed their expected surprise, and the variance of that number.

    Expectation and variance are the same for an answer and its opposite.
    """
    rates = np.array((factors, 1.0 - factors))
    bits = log2(rates)
    expected = rates * bits
    contrast = bits[0] - bits[1]
    return expected[0] + expected[1] - bits[0], rates[0] * rates[1] * contrast * contrast


def minimum_pair_losses(losses: Floats) -> Floats:
    """The minimum over columns of the sum of each two rows, above the diagonal; minus infinity elsewhere."""
    pairs = np.full((len(losses), len(losses)), -np.inf)
    for first in range(len(losses) - 1):
        pairs[first, first + 1 :] = np.min(losses[first] + losses[first + 1 :], axis=1)
    return pairs


def _factors(counting: Sequence[Answer], rows: Indices, rates: Floats) -> Floats:
    """P(answer | .) from P(yes | .); both concatenate OTHER (A,), unlinked causes (A,) and linked ones (T,)."""
    size = len(counting)
    factors = rates
    denied = np.array([answer.verdict is Verdict.DENIED for answer in counting], dtype=np.bool_)
    if denied.any():
        factors = np.where(np.concatenate((denied, denied, denied[rows])), 1.0 - rates, rates)
    if all(answer.score == 1.0 for answer in counting):
        return factors
    scores = np.array([answer.score for answer in counting])
    other, score = factors[:size], np.concatenate((scores, scores, scores[rows]))
    return np.asarray(score * factors + (1.0 - score) * np.concatenate((other, other, other[rows])))
