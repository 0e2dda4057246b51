"""The kernel, where it was built: a whole Diagnose in one call, its reply's bytes in another.

The files of kernel/ say the same as the modules of the same names here, and give the same bytes; without a compiler at
installation there is none of it, and these modules answer. `docs/engine.md` says how the two are held together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
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
    Evidence,
    Hypothesis,
    Outcome,
    Recommendation,
)

try:
    from services.engine import _kernel
except ImportError:
    HAS_KERNEL = False
else:
    # Where its sources stand beside it, it must be theirs: one that an edit has left behind is not used.
    _sources = sorted(Path(__file__).with_name("kernel").glob("*.[ch]"))
    _digest = hashlib.sha256(b"".join(path.read_bytes() for path in _sources)).hexdigest()
    HAS_KERNEL = not _sources or getattr(_kernel, "BUILT_FROM", "") == _digest
    if HAS_KERNEL:
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

    def read(self, evidence: Sequence[Evidence]) -> tuple[Answer, ...] | None:
        """See answers.read_answers; None for all that is not plainly right, which is refused, or read, there."""
        found: tuple[Answer, ...] | None = _kernel.read(self.tables, tuple(evidence))
        return found

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

    def expect(self, answers: Sequence[Answer]) -> tuple[numerics.Floats, numerics.Floats]:
        """sum_r pi_r theta'_pr and sum_r pi_r h(theta'_pr) of every phenomenon; see gain.gains."""
        sums = np.empty((2, len(self.arrays["leak"])))
        _kernel.expect(self.tables, tuple(answers), sums)
        return sums[0], sums[1]


def kernel_of(snapshot: Snapshot, likelihoods: Likelihoods, promised: Promises | None) -> Kernel:
    """The kernel over a library."""
    arrays = {
        **_tables(likelihoods),
        **_links(snapshot),
        **_redundant(likelihoods.redundancy.partners, len(snapshot.phenomenon_ids)),
        # Filled when the tables are made.
        "prior_sums": np.empty(len(snapshot.phenomenon_ids), dtype=np.complex128),
        "promising": promised.phenomena if promised else np.zeros(0, dtype=np.int32),
        "promises": promised.values if promised else np.zeros(0, dtype=np.float64),
    }
    rest, dearest = (promised.rest, promised.dearest) if promised else (0.0, 1.0)
    return Kernel(arrays, _kernel.Tables(arrays, _parts(snapshot), rest, dearest))


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
    """Each phenomenon's partners in order, one phenomenon after another, and where they begin if there are any."""
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
    """What replies are made of, in the order of kernel/module.h."""
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
