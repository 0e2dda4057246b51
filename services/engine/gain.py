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
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from services.engine.belief import Posterior
from services.engine.compiled import HAS_KERNEL, add_products
from services.engine.likelihood import Likelihoods
from services.engine.numerics import Floats, Indices, binary_entropy
from services.engine.snapshot import Snapshot

# No two ways of working out a gain differ by as much.
MARGIN = 1e-9
# From so many edges on a compiled product pays for loading it.
_COMPILED_FROM = 5_000
# Phenomena that are worked out in one go: few enough to stay in the processor's cache.
_AT_ONCE = 1 << 14


@dataclass(frozen=True, eq=False)
class Gains:
    """Of some phenomena: the probability of a yes, and the expected fall of the entropy in bits, in [0, 1]."""

    yes: Floats
    bits: Floats


# For each phenomenon the sum over its linked causes of belief times surplus (see Likelihoods), real and imaginary part.
Sums: TypeAlias = npt.NDArray[np.complex128]
# The sums of all phenomena (P,) from a belief (R,).
Product: TypeAlias = Callable[[Floats], Sums]


def product_of(snapshot: Snapshot, likelihoods: Likelihoods) -> Product:
    """The fastest product there is for a library of its size."""
    surplus, causes, starts = likelihoods.surplus, snapshot.edge_cause, snapshot.starts
    size = len(starts) - 1
    if HAS_KERNEL:

        def compiled(belief: Floats) -> Sums:
            sums = np.empty(size, dtype=np.complex128)
            add_products(snapshot, likelihoods, belief, sums)
            return sums

        return compiled
    if len(causes) >= _COMPILED_FROM:
        # Loaded here because it takes a fifth of a second that a small library need not wait for.
        from scipy.sparse import csr_array

        table = csr_array((surplus, causes, starts), shape=(size, len(snapshot.cause_ids)))
        return lambda belief: np.asarray(table @ belief.astype(np.complex128))
    # Adding up by stretches is wrong for phenomena without edges, so these are left out.
    linked = np.flatnonzero(np.diff(starts))
    begins = starts[linked].astype(np.int64)

    def product(belief: Floats) -> Sums:
        sums = np.zeros(size, dtype=np.complex128)
        if len(linked):
            sums[linked] = np.add.reduceat(belief[causes] * surplus, begins)
        return sums

    return product


def gains(likelihoods: Likelihoods, product: Product, state: Posterior) -> Gains:
    """Probability of a yes and gain of every phenomenon, answered or not."""
    sums = product(state.causes)
    for begin in range(0, len(sums), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        found = _estimated(likelihoods, state, part, sums[part])
        # In place of the sums, because fresh memory for many phenomena takes longer than what it is filled with.
        sums.real[part], sums.imag[part] = found.yes, found.bits
    return Gains(sums.real, sums.imag)


def some_gains(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Indices) -> Gains:
    """As `gains`, of some phenomena."""
    return _estimated(likelihoods, state, phenomena, _sums(snapshot, likelihoods, state, phenomena))


def exact_gains(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Indices) -> Gains:
    """Probability of a yes and gain of some phenomena, the same bits on every processor."""
    sums = _sums(snapshot, likelihoods, state, phenomena)
    yes, inner = _expected(likelihoods, state, phenomena, sums)
    return Gains(yes, (binary_entropy(yes) - inner).clip(0.0, min(1.0, state.entropy_bits)))


def _estimated(likelihoods: Likelihoods, state: Posterior, phenomena: Indices | slice, sums: Sums) -> Gains:
    yes, bits = _expected(likelihoods, state, phenomena, sums)
    no = 1.0 - yes
    bits += yes * np.log2(yes)
    bits += no * np.log2(no)
    return Gains(yes, (-bits).clip(0.0, min(1.0, state.entropy_bits)))


def _expected(
    likelihoods: Likelihoods, state: Posterior, phenomena: Indices | slice, sums: Sums
) -> tuple[Floats, Floats]:
    """sum_r pi_r theta'_pr and sum_r pi_r h(theta'_pr) of some phenomena."""
    known, other = 1.0 - state.other, state.other
    yes = known * likelihoods.answer_leak[phenomena]
    yes += other * likelihoods.answer_base[phenomena]
    yes += sums.real
    inner = known * likelihoods.entropy_leak[phenomena]
    inner += other * likelihoods.entropy_base[phenomena]
    inner += sums.imag
    return yes, inner


def _sums(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Indices) -> Sums:
    """As the product, of some phenomena, added up edge by edge on every processor."""
    edges, rows = snapshot.edges_of_all(phenomena)
    held, surplus = state.belief[snapshot.edge_cause[edges]], likelihoods.surplus[edges]
    sums = np.empty(len(phenomena), dtype=np.complex128)
    sums.real = np.bincount(rows, weights=held * surplus.real, minlength=len(phenomena))
    sums.imag = np.bincount(rows, weights=held * surplus.imag, minlength=len(phenomena))
    return sums
