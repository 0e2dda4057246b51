"""Which phenomena mostly record the same thing, so that saying both does not count twice.

Causes explain why phenomena come together; what is redundant is what comes together beyond that. Over tickets, within
each cause, the co-occurrence above chance is pooled and divided by the pooled spread:

    rho_ij = sum_r (c_ij,r - k_ir k_jr / n_r) / (sqrt(sum_r v_ir * sum_r v_jr) + shrinkage),  v_ir = k_ir (1 - k_ir/n_r)

Pairs below the floor, or within three standard errors of chance, count as independent. An answer's weight is
1 / (1 + sum of rho over the other answers of the same verdict).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from services.engine.numerics import Floats, Indices, summed
from services.engine.parameters import Parameters
from services.engine.snapshot import Snapshot

_FEWEST_TOGETHER = 4
_STANDARD_ERRORS = 3.0


@dataclass(frozen=True, eq=False)
class Redundancy:
    """rho of the redundant pairs, symmetric: for each phenomenon its partners and their rho in (0, 1]."""

    partners: Mapping[int, Mapping[int, float]]

    def weights(self, phenomena: Sequence[int]) -> list[float]:
        """The weight in (0, 1] of each of these answers, given that all of them were given with one verdict."""
        if self.partners.keys().isdisjoint(phenomena):
            return [1.0] * len(phenomena)
        said = set(phenomena)
        return [1.0 / (1.0 + self._shared(phenomenon, said)) for phenomenon in phenomena]

    def novelty(self, answered: Iterable[int]) -> dict[int, float]:
        """Which share of a phenomenon the answered ones do not tell already, where that is less than all of it."""
        fresh: dict[int, float] = {}
        for phenomenon in answered:
            for partner, rho in self.partners.get(phenomenon, {}).items():
                fresh[partner] = min(fresh.get(partner, 1.0), 1.0 - rho)
        return fresh

    def alone(self, phenomenon: int, others: AbstractSet[int]) -> bool:
        """Whether a phenomenon shares nothing with any of these."""
        partners = self.partners.get(phenomenon)
        return partners is None or partners.keys().isdisjoint(others)

    def _shared(self, phenomenon: int, said: set[int]) -> float:
        partners = self.partners.get(phenomenon)
        if not partners:
            return 0.0
        shared = 0.0
        # One after another: what Python's own sum makes of floats depends on its version.
        for other in sorted(partners.keys() & said):
            shared += partners[other]
        return shared


def estimate(snapshot: Snapshot, parameters: Parameters) -> Redundancy:
    """The redundant pairs that the snapshot's tickets show."""
    spread = _within_spread(snapshot)
    partners: dict[int, dict[int, float]] = {}
    first_of, second_of, counts = _together(snapshot)
    # No more than all of what came together can be beyond chance.
    most = counts / (np.sqrt(spread[first_of] * spread[second_of]) + parameters.redundancy_shrinkage)
    able = (counts >= _FEWEST_TOGETHER) & (most >= parameters.redundancy_floor)
    pairs = (first_of[able].tolist(), second_of[able].tolist(), counts[able].tolist())
    for first, second, count in zip(*pairs, strict=True):
        rho = _rho(snapshot, first, second, count, spread, parameters)
        if rho > 0.0:
            partners.setdefault(first, {})[second] = rho
            partners.setdefault(second, {})[first] = rho
    return Redundancy(partners)


def _together(snapshot: Snapshot) -> tuple[Indices, Indices, Indices]:
    """Every two phenomena that some ticket recorded both of, in order, and how many did."""
    size = max(len(snapshot.phenomenon_ids), 1)
    by_length: dict[int, list[tuple[int, ...]]] = {}
    for ticket in snapshot.tickets:
        by_length.setdefault(len(ticket.phenomena), []).append(ticket.phenomena)
    keys = [np.zeros(0, dtype=np.int64)]
    for length, group in by_length.items():
        recorded, (left, right) = np.array(group, dtype=np.int64), np.triu_indices(length, 1)
        keys.append((recorded[:, left] * size + recorded[:, right]).reshape(-1))
    found, counts = np.unique(np.concatenate(keys), return_counts=True)
    return found // size, found % size, counts


def _within_spread(snapshot: Snapshot) -> Floats:
    recorded = np.flatnonzero(snapshot.edge_hits)
    hits = snapshot.hits(recorded).astype(np.float64)
    variance = hits * (1.0 - hits / snapshot.ticket_counts[snapshot.edge_cause[recorded]])
    return summed(snapshot.phenomena_of(recorded), variance, len(snapshot.phenomenon_ids))


def _rho(snapshot: Snapshot, first: int, second: int, count: int, spread: Floats, parameters: Parameters) -> float:
    left, right = snapshot.edges_of(first), snapshot.edges_of(second)
    causes, at_left, at_right = np.intersect1d(
        snapshot.edge_cause[left], snapshot.edge_cause[right], assume_unique=True, return_indices=True
    )
    tickets = np.maximum(snapshot.ticket_counts[causes], 1.0)
    hits = snapshot.hits(left)[at_left].astype(np.float64)
    others = snapshot.hits(right)[at_right].astype(np.float64)
    chance = hits * others / tickets
    # The variance of a hypergeometric count, the form chance takes when both totals are given.
    variance = chance * (tickets - hits) * (tickets - others) / (tickets * np.maximum(tickets - 1.0, 1.0))
    excess = count - float(np.add.reduce(chance))
    rho = excess / (float(np.sqrt(spread[first] * spread[second])) + parameters.redundancy_shrinkage)
    by_chance = excess < _STANDARD_ERRORS * float(np.sqrt(np.add.reduce(variance)))
    return 0.0 if by_chance or rho < parameters.redundancy_floor else min(1.0, rho)
