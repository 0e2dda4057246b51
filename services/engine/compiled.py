"""The kernel, where it was built: a whole Diagnose in one call, its reply's bytes in another.

The files of kernel/ say the same as the modules of the same names here, and give the same bytes; without a compiler at
installation there is none of it, and these modules answer. `docs/engine.md` says how the two are held together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from services.engine import numerics
from services.engine.answers import Answer
from services.engine.model import (
    ENGINE_VERSION,
    Belief,
    Conclusion,
    Contradiction,
    Contribution,
    Diagnosis,
    Hypothesis,
    Outcome,
    Recommendation,
)

try:
    from services.engine import _kernel
except ImportError:
    HAS_KERNEL = False
else:
    # One that was built from other sources than these says so by its version.
    HAS_KERNEL = getattr(_kernel, "ENGINE_VERSION", "") == ENGINE_VERSION
    _kernel.prepare(*numerics.TABLES)

if TYPE_CHECKING:
    from services.engine.likelihood import Likelihoods
    from services.engine.promise import Promises
    from services.engine.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class Kernel:
    """The kernel over one library; `arrays` are those that it reads."""

    arrays: Mapping[str, npt.NDArray[Any]]
    tables: _kernel.Tables

    def diagnose(
        self, answers: Sequence[Answer], excluded: Sequence[int], hypotheses: int, questions: int, threshold: float
    ) -> Diagnosis:
        """See diagnose.diagnose: without hints, by SCORING_RULE_BAYES."""
        found: Diagnosis = _kernel.diagnose(
            self.tables, tuple(answers), tuple(excluded), hypotheses, questions, threshold
        )
        return found

    def believe(self, answers: Sequence[Answer]) -> tuple[numerics.Floats, float]:
        """See belief.posterior: the belief (R+1,) and its entropy in bits."""
        belief = np.empty(len(self.arrays["prior"]))
        return belief, _kernel.believe(self.tables, tuple(answers), belief)

    def is_concluded(self, answers: Sequence[Answer], threshold: float) -> bool:
        """See conclude.is_concluded, of the leading cause."""
        return _kernel.is_concluded(self.tables, tuple(answers), threshold)

    def best(
        self, answers: Sequence[Answer], closed: Sequence[int], count: int
    ) -> list[tuple[int, float, float, float]]:
        """See recommend.Ranking.top."""
        return _kernel.best(self.tables, tuple(answers), tuple(closed), count)


def kernel_of(
    snapshot: Snapshot, likelihoods: Likelihoods, prices: numerics.Floats, promised: Promises | None
) -> Kernel:
    """The kernel over a library."""
    arrays = {
        **_tables(likelihoods),
        **_links(snapshot),
        **_redundant(likelihoods.redundancy.partners, len(snapshot.phenomenon_ids)),
        "prices": prices,
        "promising": promised.phenomena if promised else np.zeros(0, dtype=np.int32),
        "promises": promised.values if promised else np.zeros(0, dtype=np.float64),
    }
    rest, dearest = (promised.rest, promised.dearest) if promised else (0.0, 1.0)
    return Kernel(arrays, _kernel.Tables(arrays, _parts(snapshot), rest, dearest))


def add_products(snapshot: Snapshot, likelihoods: Likelihoods, belief: numerics.Floats, sums: npt.NDArray[Any]) -> None:
    """See gain.Product: fills `sums` (P,)."""
    _kernel.product(snapshot.starts, snapshot.edge_cause, likelihoods.surplus, belief, sums)


def written(diagnosis: Diagnosis) -> bytes:
    """The canonical bytes of its DiagnoseResponse."""
    return _kernel.write_diagnosis(diagnosis)


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
    """Each phenomenon's partners in order, one phenomenon after another."""
    rows = [sorted(partners.get(phenomenon, {}).items()) for phenomenon in range(size)] if partners else [[]] * size
    return {
        "partner_starts": np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int32),
        "partners": np.array([partner for row in rows for partner, _ in row], dtype=np.int32),
        "rhos": np.array([rho for row in rows for _, rho in row], dtype=np.float64),
    }


def _parts(snapshot: Snapshot) -> tuple[object, ...]:
    """What replies are made of, in the order of kernel/module.h."""
    return (
        snapshot,
        snapshot.snapshot_id,
        ENGINE_VERSION,
        snapshot.phenomenon_ids,
        snapshot.phenomenon_names,
        snapshot.cause_ids,
        snapshot.cause_names,
        *(Contribution, Hypothesis, Belief, Outcome, Recommendation, Conclusion, Contradiction, Diagnosis),
    )
