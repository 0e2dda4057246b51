"""Separates links from background: how much of what tickets recorded is due to the cause, and how much to chance.

A pair that k of n tickets recorded is either a link, whose rate is one of RATES with weights that all links share, or
background, which has the same rate for a phenomenon under every cause:

    P(k | pair) = w sum_j v_j RATES_j^k (1 - RATES_j)^(n-k) + (1 - w) b_p^k (1 - b_p)^(n-k)

w, v and b_p are fitted to all pairs by a fixed number of rounds of expectation maximisation. The rate of a pair is its
posterior mean. Pairs without tickets count too: all those of a phenomenon together, with the mean n of their causes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from services.engine.tables.numerics import Floats, exp2, log2, sum_groups
from services.engine.tables.snapshot import Snapshot

RATES = np.array([0.05 * step for step in range(1, 20)] + [0.98])
_ROUNDS = 20
# The weight, in tickets, of the mean background rate in the background rate of each phenomenon.
_SHRINKAGE = 5.0
# The weight, in pairs, that every link rate starts with.
_SMOOTHING = 0.5
# The initial share of background in what tickets recorded; it breaks the symmetry of the two components.
_AT_FIRST = 0.3
_LINKED_AT_FIRST = 0.05
_LEAST, _MOST = 1e-4, 0.5
# The mean tickets of unlinked causes are rounded to this many steps per ticket.
_STEPS = 4.0


class _Pairs(NamedTuple):
    """Groups of equal pairs: the number of pairs, their phenomenon, k and n, and the index of their kind (k, n)."""

    copies: Floats
    phenomenon: npt.NDArray[np.int64]
    hits: Floats
    tickets: Floats
    kind: npt.NDArray[np.int64]
    kinds: Floats
    """log2 P(k | rate j) for each kind (kinds, rates)."""


@dataclass(frozen=True, eq=False)
class Background:
    """The fitted w, v (rates,) and b_p (P,)."""

    linked: float
    weights: Floats
    rates: Floats

    def means(self, phenomena: npt.NDArray[np.int64], hits: npt.NDArray[Any], tickets: npt.NDArray[Any]) -> Floats:
        """The posterior mean rate of pairs with k = `hits` of n = `tickets`."""
        pairs = _pairs(np.ones(len(phenomena)), phenomena, hits, tickets)
        is_link, shares = _expected(self, pairs)
        link = np.add.reduce(shares * RATES, axis=1)[pairs.kind]
        return np.asarray(is_link * link + (1.0 - is_link) * self.rates[phenomena])


def fit_background(snapshot: Snapshot, unlinked: Floats) -> Background:
    """Fits the mixture to the tickets of a snapshot; `unlinked` (P,) is the mean n of the causes not linked to p."""
    size, causes = len(snapshot.phenomenon_ids), len(snapshot.cause_ids)
    phenomena = snapshot.edge_phenomenon
    others = causes - np.bincount(phenomena, minlength=size)
    pairs = _pairs(
        copies=np.concatenate((np.ones(len(phenomena)), others)),
        phenomenon=np.concatenate((phenomena, np.arange(size))),
        hits=np.concatenate((snapshot.edge_hits, np.zeros(size))),
        tickets=np.concatenate((snapshot.ticket_counts[snapshot.edge_cause], unlinked)),
    )
    trials = max(float(np.add.reduce(snapshot.ticket_counts)) * size, 1.0)
    mean = float(np.add.reduce(pairs.hits)) / trials * _AT_FIRST
    fitted = Background(
        _LINKED_AT_FIRST, np.full(len(RATES), 1.0 / len(RATES)), np.full(size, min(max(mean, _LEAST), _MOST))
    )
    for _ in range(_ROUNDS):
        fitted = _again(fitted, pairs, size)
    return fitted


def blend_odds(first: Floats, second: Floats, share: float) -> Floats:
    """The probabilities whose log odds lie at `share` of the way from the first to the second."""
    bits = (1.0 - share) * log2(first / (1.0 - first)) + share * log2(second / (1.0 - second))
    odds = exp2(bits)
    return np.asarray(odds / (1.0 + odds))


def _pairs(
    copies: Floats, phenomenon: npt.NDArray[np.int64], hits: npt.NDArray[Any], tickets: npt.NDArray[Any]
) -> _Pairs:
    recorded = hits.astype(np.float64)
    steps = np.maximum(np.rint(tickets.astype(np.float64) * _STEPS), recorded * _STEPS)
    span = float(np.max(steps, initial=0.0)) + 1.0
    keys, kind = np.unique(recorded * span + steps, return_inverse=True)
    hit, missed = np.floor_divide(keys, span), np.remainder(keys, span) / _STEPS - np.floor_divide(keys, span)
    bits = hit[:, np.newaxis] * log2(RATES) + missed[:, np.newaxis] * log2(1.0 - RATES)
    return _Pairs(copies, phenomenon, recorded, steps / _STEPS, kind.reshape(-1), bits)


def _expected(fitted: Background, pairs: _Pairs) -> tuple[Floats, Floats]:
    """The probability that each pair is a link, and the distribution of link rates for each kind (kinds, rates)."""
    # Relative to the likeliest rate of the kind, so that many tickets do not underflow.
    most = np.max(pairs.kinds, axis=1)
    shares = fitted.weights * exp2(pairs.kinds - most[:, np.newaxis])
    total = np.add.reduce(shares, axis=1)
    shares /= total[:, np.newaxis]
    as_link = (most + log2(total))[pairs.kind]
    yes, no = log2(fitted.rates), log2(1.0 - fitted.rates)
    as_background = pairs.hits * yes[pairs.phenomenon] + (pairs.tickets - pairs.hits) * no[pairs.phenomenon]
    against = np.clip(as_background - as_link, -1000.0, 1000.0)
    is_link = fitted.linked / (fitted.linked + (1.0 - fitted.linked) * exp2(against))
    return is_link, shares


def _again(fitted: Background, pairs: _Pairs, size: int) -> Background:
    is_link, shares = _expected(fitted, pairs)
    links = pairs.copies * is_link
    of_kind = sum_groups(pairs.kind, links, len(pairs.kinds))
    weights = np.add.reduce(of_kind[:, np.newaxis] * shares, axis=0) + _SMOOTHING
    rest = pairs.copies - links
    hits, trials = (sum_groups(pairs.phenomenon, rest * part, size) for part in (pairs.hits, pairs.tickets))
    mean = float(np.add.reduce(hits)) / max(float(np.add.reduce(trials)), 1.0)
    linked = float(np.add.reduce(links)) / max(float(np.add.reduce(pairs.copies)), 1.0)
    return Background(
        min(max(linked, _LEAST), 1.0 - _LEAST),
        weights / np.add.reduce(weights),
        np.clip((hits + _SHRINKAGE * mean) / (trials + _SHRINKAGE), _LEAST, _MOST),
    )
