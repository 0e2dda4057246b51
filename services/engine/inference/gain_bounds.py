"""Finds the best questions of a large model without evaluating all of them.

Causes that no answer touches keep their prior times a constant K. The mean minimises the average divergence, so for a
phenomenon that is linked to no touched cause

    gain_p = sum_r pi_r KL(theta'_pr || mean_p) <= sum_r pi_r KL(theta'_pr || leak'_p) <= c most_p
    most_p = sum_linked prior_r KL(theta'_pr || leak'_p) + prior_OTHER KL(q'_p || leak'_p)
    c      = max(K, pi_OTHER / prior_OTHER)

most_p depends only on the snapshot. Phenomena linked to touched causes are always evaluated, the others by falling
most_p / price until c most_p / price is below the rank score of the last question wanted. The result is exactly that of
evaluating all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from services.engine.inference.gain import MARGIN, Product, prices
from services.engine.inference.posterior import Posterior
from services.engine.tables.likelihoods import Likelihoods
from services.engine.tables.numerics import Floats, Indices, Places, nth_greatest
from services.engine.tables.snapshot import Snapshot

# From these sizes on, evaluating every question costs more than finding those that need it.
_FROM_CAUSES, _FROM_PHENOMENA = 10_000, 50_000
# The number of bounds kept; a search that needs more evaluates every question instead.
_KEPT = 1 << 14
_FIRST_BLOCK = 256
# Evaluating a phenomenon out of order costs several times what it costs in sequence.
_SHARE_OF_EDGES = 6


@dataclass(frozen=True, eq=False)
class GainBounds:
    """The phenomena with the greatest most_p / price, by falling value, and these values.

    `rest` bounds all other phenomena, `dearest` is the greatest price.
    """

    phenomena: Places
    values: Floats
    rest: float
    dearest: float


# Rank scores of some phenomena, to within gain.MARGIN, twice. First with minus infinity for questions that are closed
# or certainly gain too little, then also for those that possibly gain too little.
Scores = Callable[[Indices], tuple[Floats, Floats]]


def is_large(snapshot: Snapshot) -> bool:
    """True if the bounds are worth computing."""
    return len(snapshot.cause_ids) >= _FROM_CAUSES and len(snapshot.phenomenon_ids) >= _FROM_PHENOMENA


def bound_gains(snapshot: Snapshot, likelihoods: Likelihoods, product: Product) -> GainBounds:
    """Computes the bounds of a snapshot."""
    prior, leak, base = likelihoods.prior, likelihoods.answer_leak, likelihoods.answer_base
    sums, price = product(prior[:-1]), prices(snapshot.costs)
    # KL(x || l) = h(l) - h(x) - (x - l) log2(l / (1 - l)), and the sums hold x - l and h(x) - h(l).
    slope = np.log2(leak) - np.log2(1.0 - leak)
    linked = -sums.imag - slope * sums.real
    other = likelihoods.entropy_leak - likelihoods.entropy_base - slope * (base - leak)
    most = np.maximum(linked + prior[-1] * other, 0.0) / price
    order = np.argsort(-most, kind="stable")
    kept, rest = order[:_KEPT], most[order[_KEPT:]]
    return GainBounds(kept.astype(np.int32), most[kept], float(np.max(rest, initial=0.0)), float(np.max(price)))


def nearly_best(
    snapshot: Snapshot,
    likelihoods: Likelihoods,
    bounds: GainBounds,
    state: Posterior,
    scores: Scores,
    count: int,
    fewest_bits: float,
) -> Indices | None:
    """Phenomena, in order, that include the best `count`; None if evaluating all phenomena is no more work.

    Questions that gain less than `fewest_bits` are ignored.
    """
    touched = np.unique(state.answer_bits.causes)
    found = _linked_to(snapshot, touched)
    budget = len(snapshot.edge_cause) // _SHARE_OF_EDGES
    if found is None or _edges(snapshot, found) > budget:
        return None
    factor, least = _factor(likelihoods, state, touched), fewest_bits / bounds.dearest
    seen = np.zeros(len(snapshot.starts) - 1, dtype=np.bool_)
    seen[found] = True
    evaluated, known = [found], [scores(found)]
    limits = np.append(factor * bounds.values, factor * bounds.rest)
    begin, block = 0, _FIRST_BLOCK
    while True:
        last = _last(np.concatenate([certain for _, certain in known]), count)
        if limits[min(begin, len(bounds.values))] < max(last, least) - MARGIN:
            return _near(evaluated, [near for near, _ in known], last)
        if begin >= len(bounds.values):
            return None
        promising = bounds.phenomena[begin : begin + block]
        part = promising[~seen[promising]].astype(np.int64)
        budget -= _edges(snapshot, part)
        if budget < 0:
            return None
        evaluated.append(part)
        known.append(scores(part))
        begin, block = begin + block, 2 * block


def _linked_to(snapshot: Snapshot, causes: Indices) -> Indices | None:
    """The phenomena linked to these causes, in order; None if there are too many."""
    order, starts = snapshot.cause_edges
    spans = [order[starts[cause] : starts[cause + 1]] for cause in causes.tolist()[: _FROM_CAUSES // 2]]
    if len(spans) < len(causes) or sum(map(len, spans)) > len(order) // _SHARE_OF_EDGES:
        return None
    edges = np.concatenate(spans) if spans else np.zeros(0, dtype=np.int32)
    return np.unique(snapshot.phenomena_of(edges))


def _edges(snapshot: Snapshot, phenomena: Indices) -> int:
    return int(np.add.reduce(snapshot.starts[phenomena + 1] - snapshot.starts[phenomena], dtype=np.int64))


def _factor(likelihoods: Likelihoods, state: Posterior, touched: Indices) -> float:
    """c, from any untouched cause; the phenomena of touched causes are always evaluated."""
    prior = likelihoods.prior
    ratio = state.other / float(prior[-1])
    untouched = np.ones(len(prior) - 1, dtype=np.bool_)
    untouched[touched] = False
    at = int(np.argmax(untouched))
    return max(ratio, state.of(at) / float(prior[at])) if untouched[at] else ratio


def _last(scores: Floats, count: int) -> float:
    """The score of the last question wanted; minus infinity while there are too few."""
    return nth_greatest(scores, count) if len(scores) >= count else -np.inf


def _near(evaluated: list[Indices], known: list[Floats], last: float) -> Indices:
    phenomena, scores = np.concatenate(evaluated), np.concatenate(known)
    near = (scores >= last - MARGIN) & (scores > -np.inf)
    return np.sort(phenomena[near])
