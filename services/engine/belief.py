"""What is believed under the evidence, and what each answer contributed to it.

    odds_r   = log2(pi_r / pi_OTHER) + sum of weight * bits_r      against OTHER, so OTHER itself stays at 0
    belief_r = pi_r 2^(moved_r) / sum of all                       moved_r, the sum of weighted bits

An answer touches the causes linked to its phenomenon; all others move by the same number of bits, so that only the
touched ones need a power of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from services.engine.answers import Answer
from services.engine.likelihood import Likelihoods
from services.engine.numerics import Floats, Indices, by_falling, exp2, log2_of, summed
from services.engine.snapshot import Snapshot
from services.engine.told import Told, ToldByEdges, told

# Leading causes that are looked at without going through all of them again.
_AHEAD = 64


@dataclass(frozen=True, eq=False)
class Posterior:
    """belief (R+1,) sums to 1, the last one OTHER's; entropy_bits is its own. `tell` gives `told`, the answers that
    count, which not everybody asks for; contributed is what the function of this name has found so far."""

    answers: tuple[Answer, ...]
    tell: Callable[[], Told]
    belief: Floats
    entropy_bits: float
    contributed: dict[int, list[float]] = field(init=False, default_factory=dict)

    @cached_property
    def told(self) -> Told:
        """The answers that count, and what they say."""
        return self.tell()

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
        return tuple(by_falling(self.causes, _AHEAD))

    def leading(self, count: int) -> list[int]:
        """The causes of the greatest belief, ties by id."""
        known = count <= len(self.ahead) or len(self.ahead) == len(self.belief) - 1
        return list(self.ahead[:count]) if known else by_falling(self.causes, count)

    def of(self, cause: int) -> float:
        """The belief in one cause."""
        return float(self.belief[cause])


def posterior(snapshot: Snapshot, likelihoods: Likelihoods, answers: Sequence[Answer]) -> Posterior:
    """The belief under all answers; its cost is O(edges of the answered phenomena) and a few passes over the causes."""
    said = told(snapshot, likelihoods, answers)
    size = len(snapshot.cause_ids)
    everywhere, touched, moved = _moves(said, size)
    untouched = [everywhere] if len(touched) < size else []
    levels = np.concatenate(([0.0], untouched, moved))
    # Only ratios matter: the greatest becomes 1, and what no float can tell from 0 becomes 0.
    levels -= levels.max()
    weights = likelihoods.prior * _spread(exp2(levels), touched, size)
    total = float(np.add.reduce(weights))
    belief = weights / total
    bits = likelihoods.prior_bits + _spread(levels, touched, size)
    entropy = log2_of(total) - float(np.add.reduce(belief * bits))
    return Posterior(tuple(answers), lambda: said, belief, max(0.0, entropy))


def contributed(state: Posterior, cause: int) -> list[float]:
    """What each answer contributes to one cause, in bits against OTHER, in the answers' order."""
    found = state.contributed.get(cause)
    if found is None:
        found = state.contributed[cause] = contributed_to(state, [cause])[0].tolist()
    return found


def contributed_to(state: Posterior, causes: Sequence[int]) -> Floats:
    """The same for some causes (causes, answers)."""
    return _in_place(state, state.told.weights * state.told.bits_of(causes))


def _in_place(state: Posterior, bits: Floats) -> Floats:
    """Columns of the answers that count among those of all answers; the rest have 0."""
    if bits.shape[1] == len(state.answers):
        return bits
    placed = np.zeros((len(bits), len(state.answers)))
    placed[:, [at for at, answer in enumerate(state.answers) if answer.counts]] = bits
    return placed


def _moves(said: ToldByEdges, size: int) -> tuple[float, Indices, Floats]:
    """Bits of the untouched causes, the touched causes in order, and the bits of these."""
    everywhere = float(np.add.reduce(said.weights * said.unlinked_bits))
    extra = said.weights[said.rows] * (said.linked_bits - said.unlinked_bits[said.rows])
    moved = summed(said.causes, extra, size)
    is_touched = np.zeros(size, dtype=np.bool_)
    is_touched[said.causes] = True
    touched = is_touched.nonzero()[0]
    return everywhere, touched, everywhere + moved[touched]


def _spread(values: Floats, touched: Indices, size: int) -> Floats:
    """Values of OTHER, of the untouched causes if there are any, and of the touched, by cause (R+1,), OTHER last."""
    spread = np.full(size + 1, values[-1 - len(touched)])
    spread[touched] = values[len(values) - len(touched) :]
    spread[-1] = values[0]
    return spread
