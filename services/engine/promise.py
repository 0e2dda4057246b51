"""The best questions of a large library without looking at all of them.

Causes that no answer touches keep their prior times a constant K. The mean minimises the average divergence, so for a
phenomenon that no touched cause is linked to

    gain_p = sum_r pi_r KL(theta'_pr || mean_p) <= sum_r pi_r KL(theta'_pr || leak'_p) <= c most_p
    most_p = sum_linked prior_r KL(theta'_pr || leak'_p) + prior_OTHER KL(q'_p || leak'_p)
    c      = max(K, pi_OTHER / prior_OTHER)

most_p belongs to the snapshot. Phenomena are looked at by falling most_p over price until c most_p / price is below the
rank of the last question wanted; those linked to touched causes are looked at in any case. What is found is exactly
what a look at all of them finds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from services.engine.belief import Posterior
from services.engine.gain import MARGIN, Product
from services.engine.likelihood import Likelihoods
from services.engine.numerics import Counts, Floats, Indices, Places, nth_greatest
from services.engine.snapshot import Snapshot

if TYPE_CHECKING:
    from services.engine.reasoner import Library

# From here on a look at all questions costs more than finding out which ones need it.
_FROM_CAUSES, _FROM_PHENOMENA = 10_000, 50_000
# The most promising phenomena are enough: who needs more of them looks at all.
_KEPT = 1 << 14
_FIRST_BLOCK = 256
_PRICE = 0.25
# Looking at a phenomenon out of order costs several times what it costs in passing.
_SHARE_OF_EDGES = 6


@dataclass(frozen=True, eq=False)
class Promises:
    """The phenomena of the greatest most_p / price, by falling value, and these values.

    `rest` bounds all others, `dearest` is the greatest price.
    """

    phenomena: Places
    values: Floats
    rest: float
    dearest: float


# Rank scores of some phenomena, to within gain.MARGIN, twice: minus infinity for questions that are closed or do not
# tell enough, then minus infinity also for those that may not.
Scores = Callable[[Indices], tuple[Floats, Floats]]


def is_large(snapshot: Snapshot) -> bool:
    """Whether a library is one whose questions are not all looked at."""
    return len(snapshot.cause_ids) >= _FROM_CAUSES and len(snapshot.phenomenon_ids) >= _FROM_PHENOMENA


def prices(costs: Counts) -> Floats:
    """What a gain is divided by to get a rank, for each cost: one outage is worth several queries."""
    return np.asarray(1.0 + _PRICE * (costs - 1.0), dtype=np.float64)


def promises(snapshot: Snapshot, likelihoods: Likelihoods, product: Product) -> Promises:
    """The promises of a library."""
    prior, leak, base = likelihoods.prior, likelihoods.answer_leak, likelihoods.answer_base
    sums, price = product(prior[:-1]), prices(snapshot.costs)
    # KL(x || l) = h(l) - h(x) - (x - l) log2(l / (1 - l)), and the sums hold x - l and h(x) - h(l).
    slope = np.log2(leak) - np.log2(1.0 - leak)
    linked = -sums.imag - slope * sums.real
    other = likelihoods.entropy_leak - likelihoods.entropy_base - slope * (base - leak)
    most = np.maximum(linked + prior[-1] * other, 0.0) / price
    order = np.argsort(-most, kind="stable")
    kept, rest = order[:_KEPT], most[order[_KEPT:]]
    return Promises(kept.astype(np.int32), most[kept], float(np.max(rest, initial=0.0)), float(np.max(price)))


def nearly_best(
    library: Library, promised: Promises, state: Posterior, scores: Scores, count: int, fewest_bits: float
) -> Indices | None:
    """Phenomena among which the best `count` are, in order; None where it is no less work to look at all of them.

    Questions of fewer bits than `fewest_bits` are not wanted.
    """
    snapshot = library.snapshot
    touched = np.unique(state.told.causes)
    found = _linked_to(snapshot, touched)
    budget = len(snapshot.edge_cause) // _SHARE_OF_EDGES
    if found is None or _edges(snapshot, found) > budget:
        return None
    factor, least = _factor(library.likelihoods, state, touched), fewest_bits / promised.dearest
    seen = np.zeros(len(snapshot.starts) - 1, dtype=np.bool_)
    seen[found] = True
    looked_at, known = [found], [scores(found)]
    bounds = np.append(factor * promised.values, factor * promised.rest)
    begin, block = 0, _FIRST_BLOCK
    while True:
        last = _last(np.concatenate([certain for _, certain in known]), count)
        if bounds[min(begin, len(promised.values))] < max(last, least) - MARGIN:
            return _near(looked_at, [near for near, _ in known], last)
        if begin >= len(promised.values):
            return None
        promising = promised.phenomena[begin : begin + block]
        part = promising[~seen[promising]].astype(np.int64)
        budget -= _edges(snapshot, part)
        if budget < 0:
            return None
        looked_at.append(part)
        known.append(scores(part))
        begin, block = begin + block, 2 * block


def _linked_to(snapshot: Snapshot, causes: Indices) -> Indices | None:
    """The phenomena that these causes are linked to, in order; None for too many."""
    order, starts = snapshot.cause_edges
    spans = [order[starts[cause] : starts[cause + 1]] for cause in causes.tolist()[: _FROM_CAUSES // 2]]
    if len(spans) < len(causes) or sum(map(len, spans)) > len(order) // _SHARE_OF_EDGES:
        return None
    edges = np.concatenate(spans) if spans else np.zeros(0, dtype=np.int32)
    return np.unique(snapshot.phenomena_of(edges))


def _edges(snapshot: Snapshot, phenomena: Indices) -> int:
    return int(np.add.reduce(snapshot.starts[phenomena + 1] - snapshot.starts[phenomena], dtype=np.int64))


def _factor(likelihoods: Likelihoods, state: Posterior, touched: Indices) -> float:
    """c, by any untouched cause; the touched ones' phenomena are looked at in any case."""
    prior = likelihoods.prior
    ratio = state.other / float(prior[-1])
    untouched = np.ones(len(prior) - 1, dtype=np.bool_)
    untouched[touched] = False
    at = int(np.argmax(untouched))
    return max(ratio, state.of(at) / float(prior[at])) if untouched[at] else ratio


def _last(scores: Floats, count: int) -> float:
    """The score of the last question wanted among these; minus infinity while there are too few."""
    return nth_greatest(scores, count) if len(scores) >= count else -np.inf


def _near(looked_at: list[Indices], known: list[Floats], last: float) -> Indices:
    phenomena, scores = np.concatenate(looked_at), np.concatenate(known)
    near = (scores >= last - MARGIN) & (scores > -np.inf)
    return np.sort(phenomena[near])
