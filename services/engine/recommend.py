"""Which questions to ask next, and what either answer would do.

    rank_p = gain_p * novelty_p / (1 + price (cost_p - 1))

Novelty is what the answered phenomena do not tell already; the price makes one outage worth several queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from services.engine.answers import Answer
from services.engine.belief import Posterior
from services.engine.gain import Gains
from services.engine.model import Belief, Outcome, Recommendation, Verdict
from services.engine.numerics import Floats, by_falling, shown
from services.engine.reasoner import Reasoner

# Less than this is not worth a question, in bits.
FEWEST_BITS = 1e-4
_PRICE = 0.25
_LEADING = 5
_SHOWN = 3
# A cause is told apart when its belief differs by this much between the two answers.
_MOVED = 0.01


@dataclass(frozen=True, eq=False)
class Ranking:
    """Gains and rank scores (P,) of all phenomena; what may not be asked has a rank of minus infinity."""

    gains: Gains
    scores: Floats

    def best(self, count: int) -> list[int]:
        """The open questions of the greatest rank that tell anything, ties by id."""
        worth = (self.gains.bits >= FEWEST_BITS) & np.isfinite(self.scores)
        positions = np.flatnonzero(worth)
        return [int(positions[at]) for at in by_falling(self.scores[positions], count)] if count else []

    def place(self, phenomenon: int) -> int:
        """The phenomenon's place among the open questions, from 1."""
        rounded = np.round(self.scores, 12)
        mine = rounded[phenomenon]
        before = np.count_nonzero(rounded > mine) + np.count_nonzero(rounded[:phenomenon] == mine)
        return int(before) + 1


def rank(reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, excluded: Iterable[int] = ()) -> Ranking:
    """The ranking of all open questions."""
    snapshot, redundancy = reasoner.library.snapshot, reasoner.library.likelihoods.redundancy
    gains = reasoner.gains(state)
    counting = [answer.phenomenon for answer in answers if answer.counts]
    novelty = redundancy.novelty(counting, len(snapshot.phenomenon_ids))
    scores = gains.bits * novelty / (1.0 + _PRICE * (snapshot.costs - 1))
    closed = [answer.phenomenon for answer in answers] + list(excluded)
    scores[closed] = -np.inf
    return Ranking(gains, scores)


def question(
    reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, ranking: Ranking, phenomenon: int
) -> Recommendation:
    """One question with the belief after either answer; it must be open."""
    snapshot = reasoner.library.snapshot
    after_yes = reasoner.posterior(with_answer(answers, phenomenon, Verdict.CONFIRMED))
    after_no = reasoner.posterior(with_answer(answers, phenomenon, Verdict.DENIED))
    probability = float(ranking.gains.yes[phenomenon])
    leader = state.leading(1)
    return Recommendation(
        phenomenon_id=snapshot.phenomenon_ids[phenomenon],
        name=snapshot.phenomenon_names[phenomenon],
        information_gain_bits=shown(ranking.gains.bits[phenomenon]),
        rank_score=shown(ranking.scores[phenomenon]),
        cost=int(snapshot.costs[phenomenon]),
        related_root_cause_ids=_told_apart(reasoner, state, after_yes, after_no),
        confidence_if_yes=shown(after_yes.belief[leader[0]]) if leader else 0.0,
        confidence_if_no=shown(after_no.belief[leader[0]]) if leader else 0.0,
        if_yes=_outcome(reasoner, probability, after_yes),
        if_no=_outcome(reasoner, 1.0 - probability, after_no),
    )


def with_answer(answers: Sequence[Answer], phenomenon: int, verdict: Verdict) -> tuple[Answer, ...]:
    """The answers and one more about an open phenomenon, by phenomenon."""
    added = (*answers, Answer(phenomenon, verdict, 1.0))
    return tuple(sorted(added, key=lambda answer: answer.phenomenon))


def _outcome(reasoner: Reasoner, probability: float, after: Posterior) -> Outcome:
    ids = reasoner.library.snapshot.cause_ids
    return Outcome(
        probability, tuple(Belief(ids[cause], shown(after.belief[cause])) for cause in after.leading(_SHOWN))
    )


def _told_apart(reasoner: Reasoner, state: Posterior, after_yes: Posterior, after_no: Posterior) -> tuple[str, ...]:
    leading = sorted(state.leading(_LEADING))
    moved = np.abs(after_yes.belief[leading] - after_no.belief[leading])
    ids = reasoner.library.snapshot.cause_ids
    return tuple(ids[leading[at]] for at in by_falling(moved) if moved[at] >= _MOVED)
