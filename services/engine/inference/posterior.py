"""The posterior belief, and the contribution of each answer to it.

    odds_r   = log2(pi_r / pi_OTHER) + sum of weight * bits_r      against OTHER, so OTHER itself stays at 0
    belief_r = pi_r 2^(moved_r) / sum of all                       moved_r, the sum of weighted bits

An answer touches the causes linked to its phenomenon. All other causes move by the same number of bits, so only the
touched ones need their own power.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from services.engine.inference.answer_bits import AnswerBits, compute_answer_bits
from services.engine.inference.evidence import Answer
from services.engine.tables.likelihoods import Likelihoods
from services.engine.tables.numerics import Floats, Indices, exp2, log2_scalar, order_descending, sum_groups
from services.engine.tables.snapshot import Snapshot

# The number of leading causes that are sorted at once.
_AHEAD = 64


@dataclass(frozen=True, eq=False)
class Posterior:
    """The belief (R+1,), which sums to 1, OTHER last, and its entropy. `compute_bits` supplies `answer_bits`, which not
    every request needs; contributions caches the results of `contributions_to`."""

    answers: tuple[Answer, ...]
    compute_bits: Callable[[], AnswerBits]
    belief: Floats
    entropy_bits: float
    contributions: dict[int, list[float]] = field(init=False, default_factory=dict)

    @cached_property
    def answer_bits(self) -> AnswerBits:
        """The answers that count, and their bits."""
        return self.compute_bits()

    @property
    def causes(self) -> Floats:
        """The belief without OTHER (R,)."""
        return self.belief[:-1]

    @property
    def other(self) -> float:
        """The belief in OTHER."""
        return float(self.belief[-1])

    @cached_property
    def ahead(self) -> tuple[int, ...]:
        """The causes of the greatest belief, ties by id: all of a small library, some of a large one."""
        return tuple(order_descending(self.causes, _AHEAD))

    def leading(self, count: int) -> list[int]:
        """The causes of the greatest belief, ties by id."""
        known = count <= len(self.ahead) or len(self.ahead) == len(self.belief) - 1
        return list(self.ahead[:count]) if known else order_descending(self.causes, count)

    def of(self, cause: int) -> float:
        """The belief in one cause."""
        return float(self.belief[cause])


def posterior(snapshot: Snapshot, likelihoods: Likelihoods, answers: Sequence[Answer]) -> Posterior:
    """The belief given all answers, in O(edges of the answered phenomena) and a few passes over the causes."""
    said = compute_answer_bits(snapshot, likelihoods, answers)
    size = len(snapshot.cause_ids)
    everywhere, touched, moved = _moves(said, size)
    untouched = [everywhere] if len(touched) < size else []
    levels = np.concatenate(([0.0], untouched, moved))
    # Only ratios matter: the greatest becomes 1, and weights too small for a float become 0.
    levels -= levels.max()
    weights = likelihoods.prior * _spread(exp2(levels), touched, size)
    total = float(np.add.reduce(weights))
    belief = weights / total
    bits = likelihoods.prior_bits + _spread(levels, touched, size)
    entropy = log2_scalar(total) - float(np.add.reduce(belief * bits))
    return Posterior(tuple(answers), lambda: said, belief, max(0.0, entropy))


def contributions_to(state: Posterior, cause: int) -> list[float]:
    """The contribution of each answer to one cause, in bits against OTHER, in the order of the answers."""
    found = state.contributions.get(cause)
    if found is None:
        found = state.contributions[cause] = contribution_table_of(state, [cause])[0].tolist()
    return found


def contribution_table_of(state: Posterior, causes: Sequence[int]) -> Floats:
    """The contributions to several causes (causes, answers)."""
    return _in_place(state, state.answer_bits.weights * state.answer_bits.bits_of(causes))


def _in_place(state: Posterior, bits: Floats) -> Floats:
    """Expands columns of the answers that count to columns of all answers, with 0 for the others."""
    if bits.shape[1] == len(state.answers):
        return bits
    placed = np.zeros((len(bits), len(state.answers)))
    placed[:, [at for at, answer in enumerate(state.answers) if answer.counts]] = bits
    return placed


def _moves(said: AnswerBits, size: int) -> tuple[float, Indices, Floats]:
    """The bits of all untouched causes, the touched causes in order, and the bits of each of these."""
    everywhere = float(np.add.reduce(said.weights * said.unlinked_bits))
    extra = said.weights[said.rows] * (said.linked_bits - said.unlinked_bits[said.rows])
    moved = sum_groups(said.causes, extra, size)
    is_touched = np.zeros(size, dtype=np.bool_)
    is_touched[said.causes] = True
    touched = is_touched.nonzero()[0]
    return everywhere, touched, everywhere + moved[touched]


def _spread(values: Floats, touched: Indices, size: int) -> Floats:
    """Arranges the values of OTHER, of untouched causes if any, and of touched ones by cause (R+1,), OTHER last."""
    spread = np.full(size + 1, values[-1 - len(touched)])
    spread[touched] = values[len(values) - len(touched) :]
    spread[-1] = values[0]
    return spread
