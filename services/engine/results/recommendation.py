"""The best next questions, and the effect of either answer.

    rank_p = gain_p * novelty_p / (1 + price (cost_p - 1))

Novelty is the share of the gain that redundant answers leave; the price makes one outage worth several queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from services.engine.inference.evidence import Answer, those_that_count
from services.engine.inference.gain import MARGIN, Gains, prices
from services.engine.inference.lookahead import Outlook
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Reasoner
from services.engine.model import Belief, Outcome, Recommendation
from services.engine.tables.numerics import Floats, Indices, nth_greatest, order_descending, round_all, round_reported
from services.engine.tables.snapshot import Snapshot

# A gain below this, in bits, is not worth a question.
FEWEST_BITS = 1e-4


class Ranked(NamedTuple):
    """An open question with the probability of a yes, its gain in bits and its rank score, all exact."""

    phenomenon: int
    yes: float
    bits: float
    score: float


@dataclass(frozen=True, eq=False)
class Ranking:
    """The open questions under a belief. `novelty` lists those below 1; `closed` questions are not asked."""

    reasoner: Reasoner
    state: Posterior
    novelty: Mapping[int, float]
    closed: tuple[int, ...]

    def best(self, count: int) -> list[int]:
        """The open questions with the highest rank scores and a gain worth asking, ties by id."""
        return [ranked.phenomenon for ranked in self.top(count)]

    def top(self, count: int) -> list[Ranked]:
        """As `best`, with their numbers."""
        if not count:
            return []
        best = self.reasoner.best(self.state, self.closed, count)
        if best is not None:
            return [Ranked(*row) for row in best]
        known = self.reasoner.gains_of_all(self.state)
        if known is not None:
            return self._top_of_all(known, count)
        near = self._nearly_best(count)
        gains = self.reasoner.exact_gains(self.state, near)
        scores = self._scores(gains, near)
        worth = (gains.bits >= FEWEST_BITS).nonzero()[0]
        chosen = worth[order_descending(scores[worth], count)]
        parts = (near, gains.yes, gains.bits, scores)
        return [Ranked(*row) for row in zip(*(part[chosen].tolist() for part in parts), strict=True)]

    def _top_of_all(self, gains: Gains, count: int) -> list[Ranked]:
        """As `top`, from the exact gains of all phenomena."""
        scores = self._open_scores(gains)
        scores[gains.bits < FEWEST_BITS] = -np.inf
        chosen = order_descending(scores, count)
        parts = (gains.yes[chosen].tolist(), gains.bits[chosen].tolist(), scores[chosen].tolist())
        return [Ranked(*row) for row in zip(chosen, *parts, strict=True) if row[3] > -np.inf]

    def of(self, phenomenon: int) -> Ranked:
        """The numbers of one open question."""
        at = np.array([phenomenon])
        gains = self.reasoner.exact_gains(self.state, at)
        score = float(self._scores(gains, at)[0])
        return Ranked(phenomenon, float(gains.yes[0]), float(gains.bits[0]), score)

    def place(self, phenomenon: int) -> int:
        """The rank of a phenomenon among the open questions, from 1."""
        mine, all_ = self.of(phenomenon).score, self._all[1]
        near = np.flatnonzero(np.abs(all_ - mine) <= MARGIN)
        exact = self._scores(self.reasoner.exact_gains(self.state, near), near)
        before = [
            at for at, score in zip(near.tolist(), exact.tolist(), strict=True)
            if (-round_reported(score), at) < (-round_reported(mine), phenomenon)
        ]  # fmt: skip
        return int(np.count_nonzero(all_ > mine + MARGIN)) + len(before) + 1

    @cached_property
    def _all(self) -> tuple[Gains, Floats]:
        """Gains and rank scores of all phenomena, to within the margin; minus infinity for closed ones."""
        gains = self.reasoner.gains(self.state)
        return gains, self._open_scores(gains)

    def _open_scores(self, gains: Gains) -> Floats:
        """The rank scores of all phenomena; minus infinity for closed ones."""
        scores: Floats = gains.bits / self.reasoner.model.prices
        for phenomenon, share in self.novelty.items():
            scores[phenomenon] *= share
        scores[list(self.closed)] = -np.inf
        return scores

    def _nearly_best(self, count: int) -> Indices:
        """Open phenomena, in order, that include the best: all within the margin of the last one wanted."""
        size = len(self.reasoner.model.snapshot.phenomenon_ids)
        found = self.reasoner.nearly_best(self.state, self._worth_asking, count, FEWEST_BITS)
        if found is not None:
            return found
        gains, scores = self._all
        if not size:
            return np.zeros(0, dtype=np.int64)
        last = nth_greatest(scores, min(count, size))
        # A rank score never exceeds the gain, so these gain enough.
        if last >= FEWEST_BITS + 2.0 * MARGIN:
            return (scores >= last - MARGIN).nonzero()[0]
        near = ((gains.bits >= FEWEST_BITS - MARGIN) & (scores > -np.inf)).nonzero()[0]
        certain = scores[near[gains.bits[near] >= FEWEST_BITS + MARGIN]]
        if len(certain) <= count:
            return near
        last = nth_greatest(certain, count)
        return np.asarray(near[scores[near] >= last - MARGIN])

    def _worth_asking(self, phenomena: Indices) -> tuple[Floats, Floats]:
        """See gain_bounds.Scores."""
        gains = self.reasoner.some_gains(self.state, phenomena)
        scores = self._scores(gains, phenomena)
        if self.closed:
            scores[np.isin(phenomena, self.closed)] = -np.inf
        near = np.where(gains.bits >= FEWEST_BITS - MARGIN, scores, -np.inf)
        return near, np.where(gains.bits >= FEWEST_BITS + MARGIN, scores, -np.inf)

    def _scores(self, gains: Gains, phenomena: Indices) -> Floats:
        """The rank scores of some phenomena."""
        bits = gains.bits
        if self.novelty:
            bits = bits * np.array([self.novelty.get(phenomenon, 1.0) for phenomenon in phenomena.tolist()])
        return np.asarray(bits / prices(self.reasoner.model.snapshot.costs[phenomena]))


def rank(reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, excluded: Iterable[int] = ()) -> Ranking:
    """Ranks all open questions; `state` is the posterior of `answers`."""
    counting = [answer.phenomenon for answer in those_that_count(answers)]
    novelty = reasoner.model.likelihoods.redundancy.novelty(counting)
    return Ranking(reasoner, state, novelty, (*(answer.phenomenon for answer in answers), *excluded))


def describe_questions(reasoner: Reasoner, state: Posterior, ranked: Sequence[Ranked]) -> tuple[Recommendation, ...]:
    """The recommendations for ranked questions."""
    if not ranked:
        return ()
    snapshot, (asked, yes, *numbers) = reasoner.model.snapshot, zip(*ranked, strict=True)
    found = reasoner.outlooks(state, list(asked), np.array(yes))
    reported = round_all(np.array(numbers)).tolist()
    return tuple([_question(snapshot, *each) for each in zip(asked, yes, *reported, found, strict=True)])


def _question(
    snapshot: Snapshot, phenomenon: int, yes: float, bits: float, score: float, outlook: Outlook
) -> Recommendation:
    ids = snapshot.cause_ids
    return Recommendation(
        snapshot.phenomenon_ids[phenomenon],
        snapshot.phenomenon_names[phenomenon],
        bits,
        score,
        int(snapshot.costs[phenomenon]),
        tuple([ids[cause] for cause in outlook.separated]),
        *outlook.leader,
        Outcome(yes, tuple([Belief(ids[cause], belief) for cause, belief in outlook.yes])),
        Outcome(1.0 - yes, tuple([Belief(ids[cause], belief) for cause, belief in outlook.no])),
    )
