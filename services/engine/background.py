"""Links and background told apart: of what tickets recorded once, how much is the cause and how much is chance.

A pair that k of n tickets recorded is either a link, whose rate is one of RATES with a weight that all links share, or
background, which shows a phenomenon at its own rate under any cause:

    P(k | pair) = w sum_j v_j RATES_j^k (1 - RATES_j)^(n-k) + (1 - w) b_p^k (1 - b_p)^(n-k)

w, v and b_p are fitted to all pairs by expectation maximisation, a fixed number of rounds. The rate of a pair is the
mean of what it may be. Pairs without any ticket count too, those of a phenomenon with the mean n of their causes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from services.engine.numerics import Floats, exp2, log2, summed
from services.engine.snapshot import Snapshot

RATES = np.array([0.05 * step for step in range(1, 20)] + [0.98])
_ROUNDS = 20
# Tickets' worth that the mean background rate counts in each phenomenon's own.
_SHRINKAGE = 5.0
# Pairs' worth that every link rate has from the start.
_SMOOTHING = 0.5
# Of what the tickets recorded, the part taken for background at first; it says which of the two is which.
_AT_FIRST = 0.3
_LINKED_AT_FIRST = 0.05
_LEAST, _MOST = 1e-4, 0.5
# Unlinked pairs count with the mean tickets of their causes to the nearest of so many steps a ticket.
_STEPS = 4.0


class _Pairs(NamedTuple):
    """Pairs alike: how many they are, their phenomenon, k and n, and which of the kinds (k, n) they are."""

    copies: Floats
    phenomenon: npt.NDArray[np.int64]
    hits: Floats
    tickets: Floats
    kind: npt.NDArray[np.int64]
    kinds: Floats
    """log2 P(k | rate j) of each kind (kinds, rates)."""


@dataclass(frozen=True, eq=False)
class Background:
    """What was fitted: w, v (rates,) and b_p (P,)."""

    linked: float
    weights: Floats
    rates: Floats

    def means(self, phenomena: npt.NDArray[np.int64], hits: npt.NDArray[Any], tickets: npt.NDArray[Any]) -> Floats:
        """The rate of pairs of which so many tickets recorded the phenomenon."""
        pairs = _pairs(np.ones(len(phenomena)), phenomena, hits, tickets)
        is_link, shares = _expected(self, pairs)
        link = np.add.reduce(shares * RATES, axis=1)[pairs.kind]
        return np.asarray(is_link * link + (1.0 - is_link) * self.rates[phenomena])


def tell_apart(snapshot: Snapshot, unlinked: Floats) -> Background:
    """What the tickets of a snapshot show; `unlinked` (P,) is the mean n of the causes that nothing links to p."""
    size, causes = len(snapshot.phenomenon_ids), len(snapshot.cause_ids)
    phenomena = snapshot.edge_phenomenon
    others = causes - np.bincount(phenomena, minlength=size)
    pairs = _pairs(
        copies=np.concatenate((np.ones(len(phenomena)), others)),
        phenomenon=np.concatenate((phenomena, np.arange(size))),
        hits=np.concatenate((snapshot.edge_hits, np.zeros(size))),
        tickets=np.concatenate((snapshot.ticket_counts[snapshot.edge_cause], unlinked)),
    )
    looked = max(float(np.add.reduce(snapshot.ticket_counts)) * size, 1.0)
    mean = float(np.add.reduce(pairs.hits)) / looked * _AT_FIRST
    fitted = Background(
        _LINKED_AT_FIRST, np.full(len(RATES), 1.0 / len(RATES)), np.full(size, min(max(mean, _LEAST), _MOST))
    )
    for _ in range(_ROUNDS):
        fitted = _again(fitted, pairs, size)
    return fitted


def between(first: Floats, second: Floats, share: float) -> Floats:
    """Probabilities whose odds stand so far from the first to the second, in bits."""
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
    """How probably each pair is a link, and each kind's links of every rate (kinds, rates)."""
    # Against the likeliest rate of the kind, so that many tickets do not underflow.
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
    of_kind = summed(pairs.kind, links, len(pairs.kinds))
    weights = np.add.reduce(of_kind[:, np.newaxis] * shares, axis=0) + _SMOOTHING
    rest = pairs.copies - links
    hits, looked = (summed(pairs.phenomenon, rest * part, size) for part in (pairs.hits, pairs.tickets))
    mean = float(np.add.reduce(hits)) / max(float(np.add.reduce(looked)), 1.0)
    linked = float(np.add.reduce(links)) / max(float(np.add.reduce(pairs.copies)), 1.0)
    return Background(
        min(max(linked, _LEAST), 1.0 - _LEAST),
        weights / np.add.reduce(weights),
        np.clip((hits + _SHRINKAGE * mean) / (looked + _SHRINKAGE), _LEAST, _MOST),
    )
