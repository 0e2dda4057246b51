"""Finds phenomena that mostly record the same thing, so that answers about both do not count twice.

Causes explain why phenomena occur together; redundant phenomena occur together more often than that. The co-occurrence
above chance, pooled over the tickets within each cause, is divided by the pooled spread:

    rho_ij = sum_r (c_ij,r - k_ir k_jr / n_r) / (sqrt(sum_r v_ir * sum_r v_jr) + shrinkage),  v_ir = k_ir (1 - k_ir/n_r)

Pairs below the floor, or within three standard errors of chance, count as independent. An answer's weight is
1 / (1 + sum of rho over the other answers of the same verdict).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from services.engine.tables.numerics import Floats, Indices, sum_groups
from services.engine.tables.parameters import Parameters
from services.engine.tables.snapshot import Snapshot

_FEWEST_TOGETHER = 4
_STANDARD_ERRORS = 3.0


@dataclass(frozen=True, eq=False)
class Redundancy:
    """The redundant pairs, symmetric: for each phenomenon, its partners with their rho in (0, 1]."""

    partners: Mapping[int, Mapping[int, float]]

    def weights(self, phenomena: Sequence[int]) -> list[float]:
        """The weight in (0, 1] of each of these phenomena, all of which were answered with the same verdict."""
        if self.partners.keys().isdisjoint(phenomena):
            return [1.0] * len(phenomena)
        said = set(phenomena)
        return [1.0 / (1.0 + self._shared(phenomenon, said)) for phenomenon in phenomena]

    def novelty(self, answered: Iterable[int]) -> dict[int, float]:
        """The share of each phenomenon's gain that the answered ones leave, for those below 1."""
        fresh: dict[int, float] = {}
        for phenomenon in answered:
            for partner, rho in self.partners.get(phenomenon, {}).items():
                fresh[partner] = min(fresh.get(partner, 1.0), 1.0 - rho)
        return fresh

    def alone(self, phenomenon: int, others: AbstractSet[int]) -> bool:
        """True if a phenomenon is redundant with none of these."""
        partners = self.partners.get(phenomenon)
        return partners is None or partners.keys().isdisjoint(others)

    def _shared(self, phenomenon: int, said: set[int]) -> float:
        partners = self.partners.get(phenomenon)
        if not partners:
            return 0.0
        shared = 0.0
        # Not sum(): its rounding of floats depends on the Python version.
        for other in sorted(partners.keys() & said):
            shared += partners[other]
        return shared


def estimate(snapshot: Snapshot, parameters: Parameters) -> Redundancy:
    """Estimates the redundant pairs from the tickets of a snapshot."""
    spread = _within_spread(snapshot)
    partners: dict[int, dict[int, float]] = {}
    first_of, second_of, counts = _together(snapshot)
    # The co-occurrence above chance is at most the whole co-occurrence.
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
    """The pairs of phenomena that some ticket recorded together, in order, with the number of such tickets."""
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
    return sum_groups(snapshot.phenomena_of(recorded), variance, len(snapshot.phenomenon_ids))


def _rho(snapshot: Snapshot, first: int, second: int, count: int, spread: Floats, parameters: Parameters) -> float:
    left, right = snapshot.edges_of(first), snapshot.edges_of(second)
    causes, at_left, at_right = np.intersect1d(
        snapshot.edge_cause[left], snapshot.edge_cause[right], assume_unique=True, return_indices=True
    )
    tickets = np.maximum(snapshot.ticket_counts[causes], 1.0)
    hits = snapshot.hits(left)[at_left].astype(np.float64)
    others = snapshot.hits(right)[at_right].astype(np.float64)
    chance = hits * others / tickets
    # The variance of a hypergeometric count: chance, given both totals.
    variance = chance * (tickets - hits) * (tickets - others) / (tickets * np.maximum(tickets - 1.0, 1.0))
    excess = count - float(np.add.reduce(chance))
    rho = excess / (float(np.sqrt(spread[first] * spread[second])) + parameters.redundancy_shrinkage)
    by_chance = excess < _STANDARD_ERRORS * float(np.sqrt(np.add.reduce(variance)))
    return 0.0 if by_chance or rho < parameters.redundancy_floor else min(1.0, rho)
