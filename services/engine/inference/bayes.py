"""SCORING_RULE_BAYES: the model of docs/engine.md, put together from the modules of this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.engine.inference import certainty, gain, gain_bounds, posterior
from services.engine.inference.evidence import Answer
from services.engine.inference.gain import Gains
from services.engine.inference.gain_bounds import Scores
from services.engine.inference.lookahead import Outlook, add_answer, outlook_between, outlooks
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Reasoner, ReasoningModel
from services.engine.model import Verdict
from services.engine.tables.numerics import Floats, Indices


@dataclass(frozen=True, eq=False)
class BayesReasoner:
    """See Reasoner. Odds and contributions are against OTHER."""

    model: ReasoningModel

    def prior(self) -> Floats:
        return self.model.likelihoods.prior

    def best(
        self, state: Posterior, closed: Sequence[int], count: int
    ) -> Sequence[tuple[int, float, float, float]] | None:
        return None

    def posterior(self, answers: Sequence[Answer]) -> Posterior:
        return posterior.posterior(self.model.snapshot, self.model.likelihoods, answers)

    def gains(self, state: Posterior) -> Gains:
        return gain.gains(self.model.likelihoods, self.model.product, state)

    def some_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        return gain.some_gains(self.model.snapshot, self.model.likelihoods, state, phenomena)

    def nearly_best(self, state: Posterior, scores: Scores, count: int, fewest_bits: float) -> Indices | None:
        bounds = self.model.bounds
        if bounds is None:
            return None
        snapshot, likelihoods = self.model.snapshot, self.model.likelihoods
        return gain_bounds.nearly_best(snapshot, likelihoods, bounds, state, scores, count, fewest_bits)

    def exact_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        return gain.exact_gains(self.model.snapshot, self.model.likelihoods, state, phenomena)

    def gains_of_all(self, state: Posterior) -> Gains | None:
        return None

    def outlooks(self, state: Posterior, phenomena: Sequence[int], yes: Floats) -> list[Outlook]:
        snapshot, likelihoods = self.model.snapshot, self.model.likelihoods
        found, redundancy = outlooks(snapshot, likelihoods, state, phenomena, yes), likelihoods.redundancy
        for place, phenomenon in enumerate(phenomena):
            if not redundancy.alone(phenomenon, state.answer_bits.phenomena):
                sides = (add_answer(state.answers, phenomenon, side) for side in (Verdict.CONFIRMED, Verdict.DENIED))
                found[place] = outlook_between(state, *map(self.posterior, sides))
        return found

    def prior_odds_bits(self, cause: int) -> float:
        bits = self.model.likelihoods.prior_bits
        return float(bits[cause] - bits[-1])

    def contributions(self, state: Posterior, cause: int) -> list[float]:
        return posterior.contributions_to(state, cause)

    def contribution_table(self, state: Posterior, causes: Sequence[int]) -> Floats:
        return posterior.contribution_table_of(state, causes)

    def is_concluded(self, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float) -> bool:
        return certainty.is_concluded(self, answers, state, leader, threshold)


def bind_bayes(model: ReasoningModel) -> Reasoner:
    """The rule over a model, accelerated if the model has an accelerator."""
    return BayesReasoner(model) if model.accelerator is None else model.accelerator.reasoner(model)
