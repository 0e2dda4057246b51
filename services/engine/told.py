"""What each answer says about each cause, before anything is added up.

    factor = s theta' + (1 - s) q'      a yes of score s; 1 - theta' and 1 - q' for a no
    bits   = log2( factor / OTHER's factor )

An answer speaks about the causes linked to its phenomenon one by one, and about all others alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from services.engine.answers import Answer
from services.engine.likelihood import Likelihoods
from services.engine.model import Verdict
from services.engine.numerics import Floats, Indices, log2
from services.engine.redundancy import Redundancy
from services.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class Regard:
    """Of every answer that counts (A,) about one cause: P(yes | cause), P(answer | cause), bits at full weight."""

    rates: Floats
    factors: Floats
    bits: Floats


@dataclass(frozen=True, eq=False)
class Told:
    """The answers that count (A,), by phenomenon, and the T edges of their phenomena one answer after another.

    weights (A,) is what redundancy leaves of each answer, in (0, 1]. rows (T,) is the answer of an edge, causes (T,)
    its cause; starts (A+1,) delimits an answer's edges. base and leak (A,) and rates (T,) are P(yes | .) of OTHER, of
    unlinked causes and of linked ones; other (A,), unlinked (A,) and linked (T,) P(answer | .); *_bits are bits against
    OTHER at full weight.
    """

    answers: tuple[Answer, ...]
    weights: Floats
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
        """What was answered so that it counts."""
        return frozenset(answer.phenomenon for answer in self.answers)

    def about(self, cause: int) -> Regard:
        """What the answers say about one cause."""
        found = self._regards.get(cause)
        if found is None:
            found = self._regards[cause] = Regard(*self.about_all([cause])[:, 0])
        return found

    def about_all(self, causes: Sequence[int]) -> Floats:
        """What the answers say about some causes (3, causes, A): what a Regard has, one after another."""
        wanted = np.array(causes)
        order = wanted.argsort()
        place = wanted[order].searchsorted(self.causes)
        mine = (wanted[order].take(place, mode="clip") == self.causes).nonzero()[0]
        at = (order[place[mine]], self.rows[mine])
        found = np.array((self.leak, self.unlinked, self.unlinked_bits))[:, np.newaxis].repeat(len(wanted), axis=1)
        found[0][at], found[1][at], found[2][at] = self.rates[mine], self.linked[mine], self.linked_bits[mine]
        for cause, regard in zip(causes, found.swapaxes(0, 1), strict=True):
            self._regards[cause] = Regard(*regard)
        return np.asarray(found)

    @cached_property
    def _regards(self) -> dict[int, Regard]:
        return {}


def told(snapshot: Snapshot, likelihoods: Likelihoods, answers: Sequence[Answer]) -> Told:
    """What the answers say; its cost is O(edges of the answered phenomena)."""
    counting = tuple(answer for answer in answers if answer.counts)
    phenomena = np.array([answer.phenomenon for answer in counting], dtype=np.int64)
    edges, rows = snapshot.edges_of_all(phenomena)
    size, leak, base = len(counting), likelihoods.answer_leak[phenomena], likelihoods.answer_bases(phenomena)
    linked = leak[rows] + likelihoods.surplus.real[edges]
    factors = _factors(counting, rows, np.concatenate((base, leak, linked)))
    bits = log2(factors)
    other = bits[:size]
    return Told(
        answers=counting,
        weights=weights_of(likelihoods.redundancy, counting),
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
