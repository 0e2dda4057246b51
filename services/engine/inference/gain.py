"""The expected information gain of each open question.

    gain_p = h(sum_r pi_r theta'_pr) - sum_r pi_r h(theta'_pr)

exact, for every phenomenon at once: with one leak_p for all unlinked causes, both sums split into the linked causes and
the rest, so they cost one pass over the edges, O(edges).

`gains` is as exact as floats are, but uses NumPy's logarithm, whose last bits depend on the processor, so it only
preselects. `exact_gains` of a few phenomena decides between close ones and is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from services.engine.inference.posterior import Posterior
from services.engine.tables.likelihoods import Likelihoods
from services.engine.tables.numerics import Counts, Floats, Indices, binary_entropy
from services.engine.tables.snapshot import Snapshot

# Two ways of computing a gain differ by less.
MARGIN = 1e-9
# From this many edges on, adding place by place is faster than by segments.
_BY_PLACE_FROM = 5_000
# Places shared by fewer phenomena are added one by one.
_FEW = 16
_PRICE = 0.25
# Phenomena per block: few enough to stay in the processor's cache.
_AT_ONCE = 1 << 14


@dataclass(frozen=True, eq=False)
class Gains:
    """For each phenomenon, the probability of a yes and the expected fall of the entropy in bits, in [0, 1]."""

    yes: Floats
    bits: Floats


# For each phenomenon, the sum over its linked causes of belief times surplus (see Likelihoods), as a complex number.
Sums: TypeAlias = npt.NDArray[np.complex128]
# The sums of all phenomena (P,) from a belief (R,).
Product: TypeAlias = Callable[[Floats], Sums]


def product_of(snapshot: Snapshot, likelihoods: Likelihoods) -> Product:
    """The fastest product for a model of this size."""
    if len(snapshot.edge_cause) >= _BY_PLACE_FROM:
        return _by_place(snapshot, likelihoods)
    surplus, causes, starts = likelihoods.surplus, snapshot.edge_cause, snapshot.starts
    # reduceat is wrong for empty segments, so phenomena without edges are left out.
    linked = np.flatnonzero(np.diff(starts))
    begins = starts[linked].astype(np.int64)

    def product(belief: Floats) -> Sums:
        sums = np.zeros(len(starts) - 1, dtype=np.complex128)
        if len(linked):
            sums[linked] = np.add.reduceat(belief[causes] * surplus, begins)
        return sums

    return product


def _by_place(snapshot: Snapshot, likelihoods: Likelihoods) -> Product:
    """Adds the first edges of all phenomena at once, then the second ones, and so on.

    The edges of each phenomenon are added in their order, so the bits are those of a plain loop.
    """
    counts = np.diff(snapshot.starts).astype(np.int64)
    by_count = np.argsort(-counts, kind="stable")
    # The number of phenomena with an edge at each position; if there are few, each adds its remaining edges alone.
    widths = len(counts) - np.searchsorted(np.sort(counts), np.arange(counts.max(initial=0)), side="right")
    widths = widths[widths >= _FEW]
    firsts = snapshot.starts[by_count].astype(np.int64)
    edges = np.concatenate([firsts[:0], *(firsts[:width] + place for place, width in enumerate(widths))])
    causes, surplus = snapshot.edge_cause[edges], likelihoods.surplus[edges]
    ends = np.cumsum(widths)
    columns = [slice(end - width, end) for width, end in zip(widths, ends, strict=True)]
    long = by_count[: int(np.count_nonzero(counts > len(widths)))]
    tails = [(row, slice(snapshot.starts[row] + len(widths), snapshot.starts[row + 1])) for row in long]

    def product(belief: Floats) -> Sums:
        parts, sums = belief[causes] * surplus, np.zeros(len(counts), dtype=np.complex128)
        for column in columns:
            sums[: column.stop - column.start] += parts[column]
        ordered = np.empty_like(sums)
        ordered[by_count] = sums
        for row, tail in tails:
            rest = belief[snapshot.edge_cause[tail]] * likelihoods.surplus[tail]
            ordered[row] = np.add.accumulate(np.concatenate((ordered[row : row + 1], rest)))[-1]
        return ordered

    return product


def gains(likelihoods: Likelihoods, product: Product, state: Posterior) -> Gains:
    """The gains of every phenomenon, answered or not."""
    yes, inner = _expected(likelihoods, state, slice(None), product(state.causes))
    return gains_from_sums(state, yes, inner)


def gains_from_sums(state: Posterior, yes: Floats, inner: Floats) -> Gains:
    """The gains from the sums of `_expected`, computed in place."""
    most, size = min(1.0, state.entropy_bits), min(len(yes), _AT_ONCE)
    # Block by block in the same memory, because allocating takes longer than computing.
    scratch = np.empty((3, size))
    for begin in range(0, len(yes), _AT_ONCE):
        rates, bits = yes[begin : begin + _AT_ONCE], inner[begin : begin + _AT_ONCE]
        no, logs, more = scratch[:, : len(rates)]
        np.subtract(1.0, rates, out=no)
        np.multiply(np.log2(rates, out=logs), rates, out=logs)
        np.multiply(np.log2(no, out=more), no, out=more)
        logs += more
        bits += logs
        np.negative(bits, out=bits)
        bits.clip(0.0, most, out=bits)
    return Gains(yes, inner)


def some_gains(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Indices) -> Gains:
    """As `gains`, for some phenomena."""
    return gains_from_sums(
        state, *_expected(likelihoods, state, phenomena, _sums(snapshot, likelihoods, state, phenomena))
    )


def exact_gains(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Indices) -> Gains:
    """The gains of some phenomena, with the same bits on every processor."""
    sums = _sums(snapshot, likelihoods, state, phenomena)
    yes, inner = _expected(likelihoods, state, phenomena, sums)
    return Gains(yes, (binary_entropy(yes) - inner).clip(0.0, min(1.0, state.entropy_bits)))


def _expected(
    likelihoods: Likelihoods, state: Posterior, phenomena: Indices | slice, sums: Sums
) -> tuple[Floats, Floats]:
    """sum_r pi_r theta'_pr and sum_r pi_r h(theta'_pr) for some phenomena."""
    known, other = 1.0 - state.other, state.other
    yes = known * likelihoods.answer_leak[phenomena]
    yes += other * likelihoods.answer_base[phenomena]
    yes += sums.real
    inner = known * likelihoods.entropy_leak[phenomena]
    inner += other * likelihoods.entropy_base[phenomena]
    inner += sums.imag
    return yes, inner


def _sums(snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Indices) -> Sums:
    """As `Product`, for some phenomena, summed edge by edge on every processor."""
    edges, rows = snapshot.edges_of_all(phenomena)
    held, surplus = state.belief[snapshot.edge_cause[edges]], likelihoods.surplus[edges]
    sums = np.empty(len(phenomena), dtype=np.complex128)
    sums.real = np.bincount(rows, weights=held * surplus.real, minlength=len(phenomena))
    sums.imag = np.bincount(rows, weights=held * surplus.imag, minlength=len(phenomena))
    return sums


def prices(costs: Counts) -> Floats:
    """The divisor of the gain in the rank score, for each cost: one outage is worth several queries."""
    return np.asarray(1.0 + _PRICE * (costs - 1.0), dtype=np.float64)
