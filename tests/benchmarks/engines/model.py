"""A second, dense implementation of the model in docs/engine.md, for contenders and to check the engine.

Nothing here is taken from the engine's tables; theta'_pr is computed for every pair from the graph's counts, and a gain
is the entropy now less the expected entropy after an answer, in extended precision, by trying both answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from services.engine.tables.numerics import Floats, Indices
from services.engine.tables.parameters import DEFAULT_PARAMETERS as CHOSEN
from services.engine.tables.parameters import STRENGTHS
from services.engine.tables.snapshot import NO_STRENGTH
from tests.benchmarks.engines.graphs import Case, Graph

Exact: TypeAlias = npt.NDArray[np.longdouble]


@dataclass(frozen=True, eq=False)
class Model:
    """yes (P, R+1): the probability of a yes, noise included, the last column OTHER's. prior (R+1,)."""

    yes: Floats
    prior: Floats

    def factors(self, case: Case) -> Floats:
        """The probability of each answer under each cause (answers, R+1)."""
        return np.concatenate((self.yes[list(case.confirmed)], 1.0 - self.yes[list(case.denied)]))

    def open(self, case: Case) -> Indices:
        """The phenomena without an answer."""
        return np.setdiff1d(np.arange(len(self.yes)), list(case.answered))


def model_of(graph: Graph) -> Model:
    """The dense model of a graph under the engine's default parameters."""
    tickets = graph.ticket_counts().astype(np.float64)
    stated = graph.strength != NO_STRENGTH
    rates = np.array([CHOSEN.expert_rates[name] for name in STRENGTHS] + [0.0])[graph.strength]
    described = np.bincount(graph.phenomenon[stated], minlength=graph.size.phenomena) > 0
    base = _clamped(_base(graph, rates, stated, described))
    weight = np.where(stated, CHOSEN.expert_weight, CHOSEN.base_weight)
    expected = np.where(stated, rates, base[graph.phenomenon])
    theta = (graph.hits + weight * expected) / (tickets[graph.cause] + weight)
    dense = np.repeat(_clamped(_leak(graph, tickets, base, described))[:, np.newaxis], graph.size.causes + 1, axis=1)
    dense[graph.phenomenon, graph.cause] = _clamped(theta)
    dense[:, -1] = base
    prior = np.append(tickets + CHOSEN.cause_weight, CHOSEN.other_weight)
    noise = CHOSEN.answer_noise
    return Model((1.0 - noise) * dense + noise * (1.0 - dense), prior / prior.sum())


def _base(graph: Graph, rates: Floats, stated: npt.NDArray[np.bool_], described: npt.NDArray[np.bool_]) -> Floats:
    causes, tickets, weight = graph.size.causes, len(graph.ticket_causes), CHOSEN.expert_weight
    table = np.full((graph.size.phenomena, causes), CHOSEN.unstated_rate)
    table[graph.phenomenon[stated], graph.cause[stated]] = rates[stated]
    hits = graph.hit_counts()
    pooled = (hits + weight * table.sum(axis=1)) / (tickets + weight * causes)
    return np.where(described, pooled, (hits + 0.5) / (tickets + 1.0))


def _leak(graph: Graph, tickets: Floats, base: Floats, described: npt.NDArray[np.bool_]) -> Floats:
    unlinked = np.ones((graph.size.phenomena, graph.size.causes), dtype=bool)
    unlinked[graph.phenomenon, graph.cause] = False
    mean = (unlinked * tickets).sum(axis=1) / np.maximum(unlinked.sum(axis=1), 1)
    share = np.where(described, CHOSEN.described_leak_share, CHOSEN.leak_share)
    leak: Floats = CHOSEN.base_weight * share * base / (mean + CHOSEN.base_weight)
    return leak


def _clamped(rates: Floats) -> Floats:
    return np.clip(rates, CHOSEN.clamp, 1.0 - CHOSEN.clamp)


def exact_belief(model: Model, case: Case) -> Exact:
    """The belief in extended precision (R+1,)."""
    weights = model.prior.astype(np.longdouble) * np.prod(model.factors(case).astype(np.longdouble), axis=0)
    return np.asarray(weights / weights.sum())


def exact_gains(model: Model, case: Case, phenomena: Indices) -> Floats:
    """Gains in extended precision, each by trying both answers."""
    belief = exact_belief(model, case)
    now = _entropy(belief)
    found = np.zeros(len(phenomena))
    for at, phenomenon in enumerate(phenomena.tolist()):
        rates = model.yes[phenomenon].astype(np.longdouble)
        if_yes, if_no = belief * rates, belief * (1.0 - rates)
        yes = if_yes.sum()
        after = yes * _entropy(if_yes / yes) + (1.0 - yes) * _entropy(if_no / if_no.sum())
        found[at] = float(now - after)
    return found


def _entropy(belief: Exact) -> np.longdouble:
    return np.longdouble(-np.sum(belief * np.log2(belief)))
