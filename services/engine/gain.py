"""How much each open question is expected to tell.

    gain_p = h(sum_r pi_r theta'_pr) - sum_r pi_r h(theta'_pr)

exact, of every phenomenon at once: with one leak_p for all unlinked causes both sums split into the linked causes and
the rest, so they cost one pass over the edges, O(edges).

`gains` is as exact as floats are, but its logarithm is NumPy's, whose last bits depend on the processor; it serves to
choose. What is reported, and what decides between close ones, is `exact_gains` of a few phenomena.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from services.engine.belief import Posterior
from services.engine.likelihood import Likelihoods
from services.engine.numerics import Floats, Indices, binary_entropy
from services.engine.snapshot import Snapshot

# No two ways of working out a gain differ by as much.
MARGIN = 1e-9
# From so many edges on a compiled product pays for loading it.
_COMPILED_FROM = 5_000


@dataclass(frozen=True, eq=False)
class Gains:
    """Of some phenomena: the probability of a yes, and the expected fall of the entropy in bits, in [0, 1]."""

    yes: Floats
    bits: Floats


# The sums over a phenomenon's linked causes (P,), of a belief (R,): of theta' and of h(theta') above the leak's.
Product = Callable[[Floats], npt.NDArray[np.complex128]]


def product_of(snapshot: Snapshot, likelihoods: Likelihoods) -> Product:
    """The fastest product there is for a library of its size."""
    surplus, causes, starts = likelihoods.surplus, snapshot.edge_cause, snapshot.starts
    size = len(starts) - 1
    if len(causes) >= _COMPILED_FROM:
        # Loaded here because it takes a fifth of a second that a small library need not wait for.
        from scipy.sparse import csr_array

        table = csr_array((surplus, causes, starts), shape=(size, len(snapshot.cause_ids)))
        return lambda belief: np.asarray(table @ belief.astype(np.complex128))
    # Adding up by stretches is wrong for phenomena without edges, so these are left out.
    linked = np.flatnonzero(np.diff(starts))
    begins = starts[linked].astype(np.int64)

    def product(belief: Floats) -> npt.NDArray[np.complex128]:
        sums = np.zeros(size, dtype=np.complex128)
        if len(linked):
            sums[linked] = np.add.reduceat(belief[causes] * surplus, begins)
        return sums

    return product


def gains(likelihoods: Likelihoods, product: Product, state: Posterior) -> Gains:
    """Probability of a yes and gain of every phenomenon, answered or not."""
    known, other, sums = 1.0 - state.other, state.other, product(state.causes)
    yes = known * likelihoods.answer_leak
    yes += other * likelihoods.answer_base
    yes += sums.real
    bits = known * likelihoods.entropy_leak
    bits += other * likelihoods.entropy_base
    bits += sums.imag
    no = 1.0 - yes
    bits += yes * np.log2(yes)
    bits += no * np.log2(no)
    return Gains(yes, np.clip(-bits, 0.0, min(1.0, state.entropy_bits)))


def some_gains(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Indices) -> Gains:
    """As `gains`, of some phenomena."""
    yes, inner = _sums(snapshot, likelihoods, state, phenomena)
    no = 1.0 - yes
    bits = -(yes * np.log2(yes) + no * np.log2(no)) - inner
    return Gains(yes, np.clip(bits, 0.0, min(1.0, state.entropy_bits)))


def exact_gains(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Indices) -> Gains:
    """Probability of a yes and gain of some phenomena, the same bits on every processor."""
    yes, inner = _sums(snapshot, likelihoods, state, phenomena)
    return Gains(yes, np.clip(binary_entropy(yes) - inner, 0.0, min(1.0, state.entropy_bits)))


def _sums(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Indices) -> tuple[Floats, Floats]:
    """sum_r pi_r theta'_pr and sum_r pi_r h(theta'_pr) of some phenomena."""
    edges, rows = snapshot.edges_of_all(phenomena)
    known, other, size = 1.0 - state.other, state.other, len(phenomena)
    held, surplus = state.belief[snapshot.edge_cause[edges]], likelihoods.surplus[edges]
    yes = known * likelihoods.answer_leak[phenomena] + other * likelihoods.answer_base[phenomena]
    yes += np.bincount(rows, weights=held * surplus.real, minlength=size)
    inner = known * likelihoods.entropy_leak[phenomena] + other * likelihoods.entropy_base[phenomena]
    inner += np.bincount(rows, weights=held * surplus.imag, minlength=size)
    return yes, inner
