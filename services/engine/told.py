"""What each answer says about each cause, before anything is added up.

    factor = s theta' + (1 - s) q'      a yes of score s; 1 - theta' and 1 - q' for a no
    bits   = log2( factor / OTHER's factor )

An answer speaks about the causes linked to its phenomenon one by one, and about all others alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from services.engine.answers import Answer
from services.engine.likelihood import Likelihoods
from services.engine.model import Verdict
from services.engine.numerics import Floats, Indices, log2
from services.engine.redundancy import Redundancy
from services.engine.snapshot import Snapshot


class Told(Protocol):
    """The answers that count (A,), by phenomenon, and what they say; every method is pure."""

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Those that count."""

    @property
    def phenomena(self) -> frozenset[int]:
        """What they are about."""

    @property
    def weights(self) -> Floats:
        """What redundancy leaves of each (A,), in (0, 1]."""

    @property
    def base(self) -> Floats:
        """P(yes | OTHER) of each (A,)."""

    @property
    def causes(self) -> Indices:
        """The causes that they speak of one by one, in any order, some of them more than once."""

    def rates_of(self, causes: Sequence[int]) -> Floats:
        """P(yes | cause) of each answer (causes, A)."""

    def bits_of(self, causes: Sequence[int]) -> Floats:
        """Bits against OTHER at full weight (causes, A)."""

    def unexpected(self, cause: int) -> tuple[Floats, Floats]:
        """See unexpected, of each answer under one cause."""

    def best_bits(self) -> Floats:
        """The most bits against OTHER that any cause, or OTHER, gets from each answer (A,)."""

    def pair_bits(self, compared: Indices) -> Floats:
        """See contradict: bits of every pair of the compared answers above the diagonal; elsewhere minus infinity."""

    def had(self, belief: Floats, at: int, given: float) -> Floats:
        """The belief (R+1,), not normalised, had an answer been the other way, or, with 0 for `given`, not given.

        belief_r is multiplied by (1 - factor_r) / factor_r, or by 1 / factor_r.
        """


@dataclass(frozen=True, eq=False)
class ToldByEdges:
    """See Told: by the T edges of the answered phenomena, one answer after another.

    rows (T,) is the answer of an edge, causes (T,) its cause; starts (A+1,) delimits an answer's edges; size is R.
    base and leak (A,) and rates (T,) are P(yes | .) of OTHER, of unlinked causes and of linked ones; other (A,),
    unlinked (A,) and linked (T,) P(answer | .); *_bits are bits against OTHER at full weight.
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
        """See Told."""
        return frozenset(answer.phenomenon for answer in self.answers)

    def rates_of(self, causes: Sequence[int]) -> Floats:
        """See Told."""
        return self._of(causes, self.leak, self.rates)

    def bits_of(self, causes: Sequence[int]) -> Floats:
        """See Told."""
        return self._of(causes, self.unlinked_bits, self.linked_bits)

    def unexpected(self, cause: int) -> tuple[Floats, Floats]:
        """See Told."""
        return unexpected(self._of([cause], self.unlinked, self.linked)[0])

    def best_bits(self) -> Floats:
        """See Told."""
        some_unlinked = self.starts[1:] - self.starts[:-1] < self.size
        best = np.where(some_unlinked, np.maximum(self.unlinked_bits, 0.0), 0.0)
        np.maximum.at(best, self.rows, self.linked_bits)
        return best

    def pair_bits(self, compared: Indices) -> Floats:
        """See Told."""
        mine = np.flatnonzero(np.isin(self.rows, compared))
        touched, column = np.unique(self.causes[mine], return_inverse=True)
        # A column for each cause that any of them touches, one for OTHER, one for all other causes if there are any.
        columns = len(touched) + (2 if len(touched) < self.size else 1)
        bits = np.repeat(self.unlinked_bits[compared][:, np.newaxis], columns, axis=1)
        bits[np.searchsorted(compared, self.rows[mine]), column] = self.linked_bits[mine]
        bits[:, len(touched)] = 0.0
        return least_losses(self.best_bits()[compared][:, np.newaxis] - bits)

    def had(self, belief: Floats, at: int, given: float) -> Floats:
        """See Told."""
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
        """What the answers say about some causes (causes, A), from what they say about the unlinked and the linked."""
        key = tuple(causes)
        known = self._places.get(key)
        if known is None:
            known = self._places[key] = self._located(np.array(causes))
        mine, at = known
        found: Floats = unlinked[np.newaxis].repeat(len(key), axis=0)
        found[at] = linked[mine]
        return found

    def _located(self, wanted: Indices) -> tuple[Indices, tuple[Indices, Indices]]:
        """Which edges are of these causes, and where these stand among causes and answers."""
        order = wanted.argsort()
        place = wanted[order].searchsorted(self.causes)
        mine = (wanted[order].take(place, mode="clip") == self.causes).nonzero()[0]
        return mine, (order[place[mine]], self.rows[mine])


def told(snapshot: Snapshot, likelihoods: Likelihoods, answers: Sequence[Answer]) -> ToldByEdges:
    """What the answers say; its cost is O(edges of the answered phenomena)."""
    counting = tuple(answer for answer in answers if answer.counts)
    phenomena = np.array([answer.phenomenon for answer in counting], dtype=np.int64)
    edges, rows = snapshot.edges_of_all(phenomena)
    size, leak, base = len(counting), likelihoods.answer_leak[phenomena], likelihoods.answer_base[phenomena]
    linked = leak[rows] + likelihoods.surplus.real[edges]
    factors = _factors(counting, rows, np.concatenate((base, leak, linked)))
    bits = log2(factors)
    other = bits[:size]
    return ToldByEdges(
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
    """The weight of each of these answers; those of one verdict share what they tell twice."""
    if redundancy.partners.keys().isdisjoint([answer.phenomenon for answer in counting]):
        return np.ones(len(counting), dtype=np.float64)
    weights: dict[int, float] = {}
    for verdict in (Verdict.CONFIRMED, Verdict.DENIED):
        said = [answer.phenomenon for answer in counting if answer.verdict is verdict]
        weights.update(zip(said, redundancy.weights(said), strict=True))
    return np.array([weights[answer.phenomenon] for answer in counting])


def unexpected(factors: Floats) -> tuple[Floats, Floats]:
    """By how many bits answers of these probabilities surprise above expectation, and the variance of that number.

    Entropy and variance are the same for an answer and its opposite.
    """
    rates = np.array((factors, 1.0 - factors))
    bits = log2(rates)
    expected = rates * bits
    contrast = bits[0] - bits[1]
    return expected[0] + expected[1] - bits[0], rates[0] * rates[1] * contrast * contrast


def least_losses(losses: Floats) -> Floats:
    """Of every two rows, above the diagonal, the least sum in any column; minus infinity elsewhere."""
    pairs = np.full((len(losses), len(losses)), -np.inf)
    for first in range(len(losses) - 1):
        pairs[first, first + 1 :] = np.min(losses[first] + losses[first + 1 :], axis=1)
    return pairs


def _factors(counting: Sequence[Answer], rows: Indices, rates: Floats) -> Floats:
    """P(answer | .) from P(yes | .), both for OTHER (A,), the unlinked (A,) and the linked (T,) in one row."""
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
