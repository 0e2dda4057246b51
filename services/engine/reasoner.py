"""A scoring rule bound to a snapshot: what every other part of the engine asks, whichever rule was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from services.engine import belief, gain
from services.engine.after import Outlook, anew, outlooks, with_answer
from services.engine.answers import Answer
from services.engine.belief import Posterior
from services.engine.compiled import HAS_KERNEL, Kernel, kernel_of
from services.engine.conclude import is_concluded
from services.engine.gain import Gains, Product, product_of
from services.engine.likelihood import Likelihoods, learn
from services.engine.model import Verdict
from services.engine.numerics import Floats, Indices, by_falling, rounded
from services.engine.parameters import DEFAULT_PARAMETERS, Parameters
from services.engine.promise import Promises, Scores, is_large, nearly_best, prices, promises
from services.engine.snapshot import Snapshot
from services.engine.told import told

# From this rate on a cause mostly shows a phenomenon.
_TYPICAL = 0.5


@dataclass(frozen=True, eq=False)
class Library:
    """A snapshot with its tables: all that a request needs, immutable and shared by all requests.

    `compiled` says that the kernel answers where it can.
    """

    snapshot: Snapshot
    likelihoods: Likelihoods
    product: Product
    promised: Promises | None
    compiled: bool

    @cached_property
    def prices(self) -> Floats:
        """What a gain is divided by to get a rank, of each phenomenon (P,)."""
        return prices(self.snapshot.costs)

    @cached_property
    def kernel(self) -> Kernel | None:
        """The kernel over this library; made on first use, because a large one takes time to sort."""
        if not self.compiled:
            return None
        return kernel_of(self.snapshot, self.likelihoods, self.promised)

    def typical(self, cause: int) -> tuple[int, ...]:
        """The phenomena that a cause mostly shows, most typical first, ties by id."""
        found = self._typical.get(cause)
        if found is None:
            edges = self.snapshot.of_cause(cause)
            phenomena = self.snapshot.phenomena_of(edges)
            # Noise leaves one half where it is, and what is above it above.
            rates = rounded(self.likelihoods.answer_leak[phenomena] + self.likelihoods.surplus.real[edges])
            mostly = (rates >= _TYPICAL).nonzero()[0]
            found = self._typical[cause] = tuple([int(phenomena[mostly[at]]) for at in by_falling(rates[mostly])])
        return found

    @cached_property
    def _typical(self) -> dict[int, tuple[int, ...]]:
        return {}


def open_library(snapshot: Snapshot, parameters: Parameters = DEFAULT_PARAMETERS) -> Library:
    """The snapshot with the tables learned from it."""
    likelihoods = learn(snapshot, parameters)
    product = product_of(snapshot, likelihoods)
    promised = promises(snapshot, likelihoods, product) if is_large(snapshot) else None
    return Library(snapshot, likelihoods, product, promised, HAS_KERNEL)


class Reasoner(Protocol):
    """One scoring rule over one library. Every method is pure."""

    @property
    def library(self) -> Library:
        """What it reasons over."""

    def prior(self) -> Floats:
        """The belief before any evidence (R+1,), the last one OTHER's."""

    def posterior(self, answers: Sequence[Answer]) -> Posterior:
        """The belief under the answers."""

    def gains(self, state: Posterior) -> Gains:
        """What each phenomenon is expected to tell, to within gain.MARGIN."""

    def some_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        """The same of some phenomena."""

    def exact_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        """What some phenomena are expected to tell, as it is reported."""

    def gains_of_all(self, state: Posterior) -> Gains | None:
        """The same of every phenomenon where that is the cheapest way to choose; else None."""

    def best(
        self, state: Posterior, closed: Sequence[int], count: int
    ) -> Sequence[tuple[int, float, float, float]] | None:
        """The best questions that are not closed, as recommend.Ranked, where they are had at once; else None."""

    def nearly_best(self, state: Posterior, scores: Scores, count: int, fewest_bits: float) -> Indices | None:
        """See promise.nearly_best; None also where the best are not to be had without looking at all."""

    def outlooks(self, state: Posterior, phenomena: Sequence[int], yes: Floats) -> list[Outlook]:
        """What each of these open questions would do; `yes` is how probable each yes is."""

    def prior_odds_bits(self, cause: int) -> float:
        """The cause's odds before any evidence, in bits."""

    def contributions(self, state: Posterior, cause: int) -> list[float]:
        """Bits that each answer adds to the cause's odds, in the answers' order."""

    def contribution_table(self, state: Posterior, causes: Sequence[int]) -> Floats:
        """The same for some causes (causes, answers)."""

    def is_concluded(self, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float) -> bool:
        """Whether the leading cause is certain enough to act on."""


@dataclass(frozen=True, eq=False)
class BayesReasoner:
    """The model of docs/engine.md."""

    library: Library

    def prior(self) -> Floats:
        """See Reasoner."""
        return self.library.likelihoods.prior

    def best(
        self, state: Posterior, closed: Sequence[int], count: int
    ) -> Sequence[tuple[int, float, float, float]] | None:
        """See Reasoner."""
        return None

    def posterior(self, answers: Sequence[Answer]) -> Posterior:
        """See Reasoner."""
        return belief.posterior(self.library.snapshot, self.library.likelihoods, answers)

    def gains(self, state: Posterior) -> Gains:
        """See Reasoner."""
        return gain.gains(self.library.likelihoods, self.library.product, state)

    def some_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        """See Reasoner."""
        return gain.some_gains(self.library.snapshot, self.library.likelihoods, state, phenomena)

    def nearly_best(self, state: Posterior, scores: Scores, count: int, fewest_bits: float) -> Indices | None:
        """See Reasoner."""
        promised = self.library.promised
        return None if promised is None else nearly_best(self.library, promised, state, scores, count, fewest_bits)

    def exact_gains(self, state: Posterior, phenomena: Indices) -> Gains:
        """See Reasoner."""
        return gain.exact_gains(self.library.snapshot, self.library.likelihoods, state, phenomena)

    def gains_of_all(self, state: Posterior) -> Gains | None:
        """See Reasoner."""
        return None

    def outlooks(self, state: Posterior, phenomena: Sequence[int], yes: Floats) -> list[Outlook]:
        """See Reasoner."""
        found, redundancy = self.by_bayes(state, phenomena, yes), self.library.likelihoods.redundancy
        for place, phenomenon in enumerate(phenomena):
            if not redundancy.alone(phenomenon, state.told.phenomena):
                sides = (with_answer(state.answers, phenomenon, side) for side in (Verdict.CONFIRMED, Verdict.DENIED))
                found[place] = anew(state, *map(self.posterior, sides))
        return found

    def by_bayes(self, state: Posterior, phenomena: Sequence[int], yes: Floats) -> list[Outlook]:
        """See Reasoner.outlooks: where no weight changes."""
        return outlooks(self.library.snapshot, self.library.likelihoods, state, phenomena, yes)

    def prior_odds_bits(self, cause: int) -> float:
        """See Reasoner: against OTHER."""
        bits = self.library.likelihoods.prior_bits
        return float(bits[cause] - bits[-1])

    def contributions(self, state: Posterior, cause: int) -> list[float]:
        """See Reasoner: against OTHER."""
        return belief.contributed(state, cause)

    def contribution_table(self, state: Posterior, causes: Sequence[int]) -> Floats:
        """See Reasoner."""
        return belief.contributed_to(state, causes)

    def is_concluded(self, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float) -> bool:
        """See Reasoner."""
        return is_concluded(self, answers, state, leader, threshold)


@dataclass(frozen=True, eq=False)
class CompiledReasoner(BayesReasoner):
    """The same model, as far as the kernel has it."""

    kernel: Kernel

    def posterior(self, answers: Sequence[Answer]) -> Posterior:
        """See Reasoner."""
        snapshot, likelihoods, given = self.library.snapshot, self.library.likelihoods, tuple(answers)
        found, entropy = self.kernel.believe(given)
        return Posterior(given, lambda: told(snapshot, likelihoods, given), found, entropy)

    def best(
        self, state: Posterior, closed: Sequence[int], count: int
    ) -> Sequence[tuple[int, float, float, float]] | None:
        """See Reasoner."""
        return self.kernel.best(state.answers, closed, count)

    def gains(self, state: Posterior) -> Gains:
        """See Reasoner."""
        return gain.estimated(state, *self.kernel.expect(state.answers))

    def is_concluded(self, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float) -> bool:
        """See Reasoner."""
        return self.kernel.is_concluded(state.answers, threshold)


def bayes(library: Library) -> BayesReasoner:
    """The model over a library, by the kernel where there is one."""
    return BayesReasoner(library) if library.kernel is None else CompiledReasoner(library, library.kernel)
