"""SCORING_RULE_SEED: the baseline of counted frequencies, defects included, for comparison only.

    prior n_r / N; a yes multiplies by 1 + (k_pr / n_r - 1) s; a no by 1 - k_pr / n_r where that share is above 1/2
    gain = H(now) - p_yes H(after yes) - (1 - p_yes) H(after no), p_yes = sum_r pi_r k_pr / n_r

There is no OTHER: its belief is 0, and odds are bits of the weight before normalising. If every weight is 0, the prior
remains, and without any ticket all causes are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from services.engine.inference.answer_bits import compute_answer_bits
from services.engine.inference.evidence import Answer
from services.engine.inference.gain import Gains
from services.engine.inference.gain_bounds import Scores
from services.engine.inference.lookahead import Outlook, add_answer, outlook_between
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import ReasoningModel
from services.engine.model import Verdict
from services.engine.tables.numerics import Floats, Indices, entropy_bits, log2, sum_groups

_HALF = 0.5
# The weight that is reported for a weight of zero.
_NOTHING = 2.0**-60


@dataclass(frozen=True, eq=False)
class SeedReasoner:
    """See Reasoner."""

    model: ReasoningModel

    @cached_property
    def shares(self) -> Floats:
        """k_pr / n_r of each edge (E,); 0 for causes without tickets."""
        snapshot = self.model.snapshot
        return snapshot.edge_hits / np.maximum(snapshot.ticket_counts[snapshot.edge_cause], 1.0)

    def prior(self) -> Floats:
        counts = self.model.snapshot.ticket_counts
        weights = counts if np.any(counts > 0.0) else np.ones_like(counts)
        return np.append(weights / max(float(np.add.reduce(weights)), 1.0), 0.0)

    def posterior(self, answers: Sequence[Answer]) -> Posterior:
        prior = self.prior()[:-1]
        weights = prior.copy()
        for answer in answers:
            if answer.counts:
                weights = weights * self._factors(answer)
                # Only ratios matter; without this, long evidence would underflow to 0.
                weights /= max(float(np.max(weights, initial=0.0)), 2.0**-1000)
        total = float(np.add.reduce(weights))
        belief = weights / total if total > 0.0 else prior
        said = compute_answer_bits(self.model.snapshot, self.model.likelihoods, answers)
        return Posterior(tuple(answers), lambda: said, np.append(belief, 0.0), entropy_bits(belief))

    def gains(self, state: Posterior) -> Gains:
        """See Reasoner; gains of this rule may be negative."""
        snapshot, size = self.model.snapshot, len(self.model.snapshot.phenomenon_ids)
        at, now = snapshot.edge_phenomenon, state.belief[snapshot.edge_cause]
        yes = sum_groups(at, now * self.shares, size)
        inner = sum_groups(at, _plogp(now * self.shares), size)
        kept = now * np.where(self.shares > _HALF, 1.0 - self.shares, 1.0)
        no = 1.0 + sum_groups(at, kept - now, size)
        rest = np.add.reduce(_plogp(state.belief)) + sum_groups(at, _plogp(kept) - _plogp(now), size)
        before = state.entropy_bits
        after_yes, after_no = _entropy(yes, inner, before), _entropy(no, rest, before)
        return Gains(yes, before - yes * after_yes - (1.0 - yes) * after_no)

    def some_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        return self.exact_gains(state, phenomena)

    def gains_of_all(self, state: Posterior) -> Gains | None:
        return self.gains(state)

    def best(self, state: Posterior, closed: Sequence[int], count: int) -> None:
        """See Reasoner."""

    def nearly_best(self, state: Posterior, scores: Scores, count: int, fewest_bits: float) -> Indices | None:
        """See Reasoner: the rule has no bounds."""
        return None

    def exact_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        found = self.gains(state)
        return Gains(found.yes[phenomena], found.bits[phenomena])

    def outlooks(self, state: Posterior, phenomena: Sequence[int], yes: Floats) -> list[Outlook]:
        """See Reasoner: recomputes both posteriors."""
        sides = (Verdict.CONFIRMED, Verdict.DENIED)
        return [
            outlook_between(state, *(self.posterior(add_answer(state.answers, phenomenon, side)) for side in sides))
            for phenomenon in phenomena
        ]

    def prior_odds_bits(self, cause: int) -> float:
        return float(log2(np.maximum(self.prior()[cause : cause + 1], _NOTHING))[0])

    def contributions(self, state: Posterior, cause: int) -> list[float]:
        return [self._bits(answer, cause) for answer in state.answers]

    def contribution_table(self, state: Posterior, causes: Sequence[int]) -> Floats:
        return np.array([self.contributions(state, cause) for cause in causes], dtype=np.float64)

    def is_concluded(self, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float) -> bool:
        """See Reasoner: the belief reaches the threshold, whichever questions were answered."""
        return bool(state.belief[leader] >= threshold) and any(answer.counts for answer in answers)

    def _bits(self, answer: Answer, cause: int) -> float:
        if not answer.counts:
            return 0.0
        factor = self._factors(answer)[cause : cause + 1]
        return float(log2(np.maximum(factor, _NOTHING))[0])

    def _factors(self, answer: Answer) -> Floats:
        snapshot = self.model.snapshot
        shares = np.zeros(len(snapshot.cause_ids), dtype=np.float64)
        span = snapshot.edges_of(answer.phenomenon)
        shares[snapshot.edge_cause[span]] = self.shares[span]
        if answer.verdict is Verdict.CONFIRMED:
            return 1.0 + (shares - 1.0) * answer.score
        return np.where(shares > _HALF, 1.0 - shares, 1.0)


def _plogp(values: Floats) -> Floats:
    return np.where(values > 0.0, values * log2(np.maximum(values, 2.0**-1000)), 0.0)


def _entropy(total: Floats, plogp: Floats, otherwise: float) -> Floats:
    """H of weights with this sum and this sum of w log2 w; `otherwise` if the sum is 0."""
    safe = np.maximum(total, 2.0**-1000)
    return np.where(total > 0.0, log2(safe) - plogp / safe, otherwise)
