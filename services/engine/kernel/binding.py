"""Python's side of the kernel: `ACCELERATE` and `WRITE`, both None without a usable kernel.

See the README of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from services.engine.inference import gain
from services.engine.inference.answer_bits import compute_answer_bits
from services.engine.inference.bayes import BayesReasoner
from services.engine.inference.evidence import Answer
from services.engine.inference.gain import Gains
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Accelerate, Reasoner, ReasoningModel
from services.engine.kernel.build import sources_digest
from services.engine.model import (
    ENGINE_VERSION,
    Belief,
    Conclusion,
    Contradiction,
    Contribution,
    Diagnosis,
    Evidence,
    Hypothesis,
    Outcome,
    Recommendation,
)
from services.engine.tables import numerics
from services.engine.tables.likelihoods import Likelihoods
from services.engine.tables.snapshot import Snapshot

try:
    from services.engine.kernel import _kernel
except ImportError:
    _IS_USABLE = False
else:
    # A kernel built from sources other than those beside it is ignored; an installed package has no sources.
    _IS_USABLE = sources_digest() in (None, _kernel.BUILT_FROM)
    if _IS_USABLE:
        _kernel.prepare(*numerics.TABLES)


@dataclass(frozen=True, eq=False)
class Kernel:
    """See Accelerator. `arrays` keeps the memory alive that `tables` reads."""

    arrays: Mapping[str, npt.NDArray[Any]]
    tables: _kernel.Tables

    def read(self, evidence: Sequence[Evidence]) -> tuple[Answer, ...] | None:
        found: tuple[Answer, ...] | None = _kernel.read(self.tables, tuple(evidence))
        return found

    def diagnose(
        self, answers: Sequence[Answer], excluded: Sequence[int], hypotheses: int, questions: int, threshold: float
    ) -> Diagnosis:
        found: Diagnosis = _kernel.diagnose(
            self.tables, tuple(answers), tuple(excluded), hypotheses, questions, threshold
        )
        return found

    def reasoner(self, model: ReasoningModel) -> Reasoner:
        return KernelReasoner(model, self)

    def believe(self, answers: Sequence[Answer]) -> tuple[numerics.Floats, float]:
        """See posterior.posterior: the belief (R+1,) and its entropy in bits."""
        belief = np.empty(len(self.arrays["prior"]))
        return belief, _kernel.believe(self.tables, tuple(answers), belief)

    def is_concluded(self, answers: Sequence[Answer], threshold: float) -> bool:
        """See certainty.is_concluded, for the leading cause."""
        return _kernel.is_concluded(self.tables, tuple(answers), threshold)

    def best(
        self, answers: Sequence[Answer], closed: Sequence[int], count: int
    ) -> list[tuple[int, float, float, float]]:
        """See recommendation.Ranking.top."""
        return _kernel.best(self.tables, tuple(answers), tuple(closed), count)

    def expect(self, answers: Sequence[Answer]) -> tuple[numerics.Floats, numerics.Floats]:
        """sum_r pi_r theta'_pr and sum_r pi_r h(theta'_pr) of every phenomenon (P,); see gain.gains."""
        sums = np.empty((2, len(self.arrays["leak"])))
        _kernel.expect(self.tables, tuple(answers), sums)
        return sums[0], sums[1]


@dataclass(frozen=True, eq=False)
class KernelReasoner(BayesReasoner):
    """SCORING_RULE_BAYES by the kernel where the kernel implements it."""

    kernel: Kernel

    def posterior(self, answers: Sequence[Answer]) -> Posterior:
        snapshot, likelihoods, given = self.model.snapshot, self.model.likelihoods, tuple(answers)
        found, entropy = self.kernel.believe(given)
        return Posterior(given, lambda: compute_answer_bits(snapshot, likelihoods, given), found, entropy)

    def best(
        self, state: Posterior, closed: Sequence[int], count: int
    ) -> Sequence[tuple[int, float, float, float]] | None:
        return self.kernel.best(state.answers, closed, count)

    def gains(self, state: Posterior) -> Gains:
        return gain.gains_from_sums(state, *self.kernel.expect(state.answers))

    def is_concluded(self, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float) -> bool:
        return self.kernel.is_concluded(state.answers, threshold)


def _build_kernel(model: ReasoningModel) -> Kernel:
    snapshot, likelihoods, bounds = model.snapshot, model.likelihoods, model.bounds
    arrays = {
        **_tables(likelihoods),
        **_links(snapshot),
        **_redundant(likelihoods.redundancy.partners, len(snapshot.phenomenon_ids)),
        # The kernel fills it when it builds its tables.
        "prior_sums": np.empty(len(snapshot.phenomenon_ids), dtype=np.complex128),
        "bound_phenomena": bounds.phenomena if bounds else np.zeros(0, dtype=np.int32),
        "bound_values": bounds.values if bounds else np.zeros(0, dtype=np.float64),
    }
    rest, dearest = (bounds.rest, bounds.dearest) if bounds else (0.0, 1.0)
    return Kernel(arrays, _kernel.Tables(arrays, _parts(snapshot), rest, dearest))


def _tables(likelihoods: Likelihoods) -> dict[str, npt.NDArray[Any]]:
    return {
        "surplus": likelihoods.surplus,
        "prior": likelihoods.prior,
        "prior_bits": likelihoods.prior_bits,
        "base": likelihoods.answer_base,
        "leak": likelihoods.answer_leak,
        "base_entropy": likelihoods.entropy_base,
        "leak_entropy": likelihoods.entropy_leak,
    }


def _links(snapshot: Snapshot) -> dict[str, npt.NDArray[Any]]:
    order, starts = snapshot.cause_edges
    return {
        "starts": snapshot.starts,
        "edge_cause": snapshot.edge_cause,
        "cause_order": order,
        "cause_starts": starts,
        "costs": snapshot.costs.astype(np.int32),
        "ticket_counts": snapshot.ticket_counts.astype(np.int32),
    }


def _redundant(partners: Mapping[int, Mapping[int, float]], size: int) -> dict[str, npt.NDArray[Any]]:
    """Redundant partners and their rho, by phenomenon; partner_starts (P+1,) delimits them, empty if there are none."""
    pairs = sorted((one, *pair) for one, others in partners.items() for pair in others.items())
    begins = np.concatenate(
        ([0], np.cumsum(np.bincount(np.array([pair[0] for pair in pairs], dtype=np.int64), minlength=size)))
    )
    return {
        "partner_starts": begins.astype(np.int32) if pairs else np.zeros(0, dtype=np.int32),
        "partners": np.array([pair[1] for pair in pairs], dtype=np.int32),
        "rhos": np.array([pair[2] for pair in pairs], dtype=np.float64),
    }


def _parts(snapshot: Snapshot) -> tuple[object, ...]:
    """The objects that replies consist of, in the order of `Reply` in module.h."""
    return (
        snapshot,
        snapshot.snapshot_id,
        ENGINE_VERSION,
        snapshot.phenomenon_ids,
        snapshot.phenomenon_names,
        snapshot.cause_ids,
        snapshot.cause_names,
        snapshot.phenomenon_index,
        *(Answer, Contribution, Hypothesis, Belief, Outcome, Recommendation, Conclusion, Contradiction, Diagnosis),
    )


ACCELERATE: Accelerate | None = _build_kernel if _IS_USABLE else None
# Writes the canonical bytes of the DiagnoseResponse of a Diagnosis.
WRITE: Callable[[Diagnosis], bytes] | None = _kernel.write_diagnosis if _IS_USABLE else None
