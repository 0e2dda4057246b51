"""SCORING_RULE_BAYES: the model of docs/engine.md, put together from the modules of this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from services.engine.inference import gain, gain_bounds, posterior
from services.engine.inference.evidence import Answer
from services.engine.inference.gain import Gains
from services.engine.inference.gain_bounds import Scores
from services.engine.inference.lookahead import Outlook, add_answer, outlook_between, outlooks
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Reasoner, ReasoningModel
from services.engine.model import Verdict
from services.engine.tables.numerics import Floats, Indices, order_descending_few

FEWEST_ANSWERS = 2
# The belief that must remain without the strongest supporter: a wrong answer is often a strong one.
_WITHOUT = 0.5
# An open question with a smaller gain, in bits, can hardly confirm anything.
_TELLING_BITS = 0.03
# A conclusion may depend on one answer if at most this share of the doubt that the threshold allows is left: .98 at
# .95.
_DOUBT = 0.4
# The strongest supporters are enough to find one that refutes; this bounds the work on long evidence.
_FLIPPED = 8
_OPPOSITE = {Verdict.CONFIRMED: Verdict.DENIED, Verdict.DENIED: Verdict.CONFIRMED}


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
        return is_concluded(self, answers, state, leader, threshold)


def bind_bayes(model: ReasoningModel) -> Reasoner:
    """The rule over a model, accelerated if the model has an accelerator."""
    return BayesReasoner(model) if model.accelerator is None else model.accelerator.reasoner(model)


def is_concluded(
    reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float
) -> bool:
    """True if the belief in `leader` is a conclusion."""
    if state.belief[leader] < threshold or len(state.answer_bits.answers) < FEWEST_ANSWERS:
        return False
    bits = reasoner.contributions(state, leader)
    strongest = [state.answers[at] for at in order_descending_few(bits, _FLIPPED)]
    if _was_at_risk(reasoner, state, leader, strongest, threshold):
        return _can_do_without(reasoner, state, leader, strongest, threshold) or not _can_be_confirmed(
            reasoner, answers, state
        )
    return not _can_be_refuted(reasoner, answers, state, leader, threshold)


def _was_at_risk(
    reasoner: Reasoner, state: Posterior, leader: int, strongest: Sequence[Answer], threshold: float
) -> bool:
    return any(
        _belief_had(reasoner, state, leader, answer, _other_way(answer)) < threshold
        for answer in strongest
        if answer.counts
    )


def _can_do_without(
    reasoner: Reasoner, state: Posterior, leader: int, strongest: Sequence[Answer], threshold: float
) -> bool:
    if state.of(leader) >= 1.0 - _DOUBT * (1.0 - threshold):
        return True
    return not strongest[0].counts or _belief_had(reasoner, state, leader, strongest[0], None) >= _WITHOUT


def _can_be_confirmed(reasoner: Reasoner, answers: Sequence[Answer], state: Posterior) -> bool:
    bits = reasoner.gains(state).bits.copy()
    bits[[answer.phenomenon for answer in answers]] = 0.0
    return bool(np.any(bits >= _TELLING_BITS))


def _other_way(answer: Answer) -> Answer:
    return answer._replace(verdict=_OPPOSITE[answer.verdict])


def _belief_had(reasoner: Reasoner, state: Posterior, leader: int, answer: Answer, instead: Answer | None) -> float:
    """The belief in `leader` if one of the counting answers were `instead`, its opposite, or, with None, not given.

    If that changes the weights of other answers, the whole posterior is recomputed.
    """
    said, redundancy = state.answer_bits, reasoner.model.likelihoods.redundancy
    if not redundancy.alone(answer.phenomenon, said.phenomena):
        replaced = [instead if item is answer else item for item in state.answers]
        return reasoner.posterior([item for item in replaced if item is not None]).of(leader)
    at = said.answers.index(answer)
    after = said.flip(state.belief, at, 0.0 if instead is None else 1.0)
    return float(after[leader] / np.add.reduce(after))


def _can_be_refuted(
    reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float
) -> bool:
    snapshot, likelihoods = reasoner.model.snapshot, reasoner.model.likelihoods
    rates = likelihoods.answer_leak.copy()
    edges = snapshot.of_cause(leader)
    rates[snapshot.phenomena_of(edges)] += likelihoods.surplus.real[edges]
    yes, belief = reasoner.gains(state).yes, float(state.belief[leader])
    lowest = np.minimum(belief * rates / yes, belief * (1.0 - rates) / (1.0 - yes))
    lowest[[answer.phenomenon for answer in answers]] = 1.0
    return bool(np.any(lowest < threshold))
