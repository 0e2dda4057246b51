"""The reasoning model of a snapshot, and the interface that every scoring rule over it implements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

from services.engine.inference.evidence import Answer
from services.engine.inference.gain import Gains, Product, prices, product_of
from services.engine.inference.gain_bounds import GainBounds, Scores, bound_gains, is_large
from services.engine.inference.lookahead import Outlook
from services.engine.inference.posterior import Posterior
from services.engine.model import Diagnosis, Evidence
from services.engine.tables.likelihoods import Likelihoods, learn_likelihoods
from services.engine.tables.numerics import Floats, Indices, order_descending, round_all
from services.engine.tables.parameters import DEFAULT_PARAMETERS, Parameters
from services.engine.tables.snapshot import Snapshot

# A cause typically shows a phenomenon if its rate is at least this.
_TYPICAL = 0.5


@dataclass(frozen=True, eq=False)
class ReasoningModel:
    """A snapshot with its tables: everything a request needs, immutable and shared by all requests.

    `accelerate` builds the accelerator of the model; without it, NumPy does all the work, with the same results.
    """

    snapshot: Snapshot
    likelihoods: Likelihoods
    product: Product
    bounds: GainBounds | None
    accelerate: Accelerate | None = None

    @cached_property
    def prices(self) -> Floats:
        """The divisor that turns each phenomenon's gain into its rank score (P,)."""
        return prices(self.snapshot.costs)

    @cached_property
    def accelerator(self) -> Accelerator | None:
        """The accelerator of this model; built on first use, because a large model takes time to sort."""
        return None if self.accelerate is None else self.accelerate(self)

    def typical(self, cause: int) -> tuple[int, ...]:
        """The phenomena that a cause shows at a rate of at least one half, by falling rate, ties by id."""
        found = self._typical.get(cause)
        if found is None:
            edges = self.snapshot.of_cause(cause)
            phenomena = self.snapshot.phenomena_of(edges)
            # Noise maps one half to itself and preserves the order, so the noisy rates decide as well.
            rates = round_all(self.likelihoods.answer_leak[phenomena] + self.likelihoods.surplus.real[edges])
            mostly = (rates >= _TYPICAL).nonzero()[0]
            found = self._typical[cause] = tuple([int(phenomena[mostly[at]]) for at in order_descending(rates[mostly])])
        return found

    @cached_property
    def _typical(self) -> dict[int, tuple[int, ...]]:
        return {}


def open_model(
    snapshot: Snapshot, parameters: Parameters = DEFAULT_PARAMETERS, accelerate: Accelerate | None = None
) -> ReasoningModel:
    """Builds the tables of a snapshot."""
    likelihoods = learn_likelihoods(snapshot, parameters)
    product = product_of(snapshot, likelihoods)
    bounds = bound_gains(snapshot, likelihoods, product) if is_large(snapshot) else None
    return ReasoningModel(snapshot, likelihoods, product, bounds, accelerate)


class Reasoner(Protocol):
    """One scoring rule over one reasoning model. Every method is pure."""

    @property
    def model(self) -> ReasoningModel:
        """The model it reasons over."""

    def prior(self) -> Floats:
        """The belief before any evidence (R+1,), OTHER last."""

    def posterior(self, answers: Sequence[Answer]) -> Posterior:
        """The belief given the answers."""

    def gains(self, state: Posterior) -> Gains:
        """The expected gain of every phenomenon, to within gain.MARGIN."""

    def some_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        """The expected gain of some phenomena, to within gain.MARGIN."""

    def exact_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        """The expected gain of some phenomena, as reported to callers."""

    def gains_of_all(self, state: Posterior) -> Gains | None:
        """The exact gain of every phenomenon if that is the cheapest way to choose; otherwise None."""

    def best(
        self, state: Posterior, closed: Sequence[int], count: int
    ) -> Sequence[tuple[int, float, float, float]] | None:
        """The best questions that are not closed, as recommendation.Ranked, if the rule finds them directly."""

    def nearly_best(self, state: Posterior, scores: Scores, count: int, fewest_bits: float) -> Indices | None:
        """See gain_bounds.nearly_best; None also if the rule has no bounds and every question must be evaluated."""

    def outlooks(self, state: Posterior, phenomena: Sequence[int], yes: Floats) -> list[Outlook]:
        """The effect of either answer to each of these open questions; `yes` is the probability of each yes."""

    def prior_odds_bits(self, cause: int) -> float:
        """The cause's odds before any evidence, in bits."""

    def contributions(self, state: Posterior, cause: int) -> list[float]:
        """The bits that each answer adds to the cause's odds, in the order of the answers."""

    def contribution_table(self, state: Posterior, causes: Sequence[int]) -> Floats:
        """The contributions to several causes (causes, answers)."""

    def is_concluded(self, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float) -> bool:
        """True if the leading cause is certain enough to act on."""


class Accelerator(Protocol):
    """A second implementation of SCORING_RULE_BAYES over one model, equal to the Python one to the last bit."""

    def read(self, evidence: Sequence[Evidence]) -> tuple[Answer, ...] | None:
        """See evidence.read_answers; None for evidence that only read_answers can judge."""

    def diagnose(
        self, answers: Sequence[Answer], excluded: Sequence[int], hypotheses: int, questions: int, threshold: float
    ) -> Diagnosis:
        """See diagnose.diagnose, for requests without hints."""

    def reasoner(self, model: ReasoningModel) -> Reasoner:
        """The rule over `model`, which is the one this accelerator was built from."""


Accelerate: TypeAlias = Callable[[ReasoningModel], Accelerator]
