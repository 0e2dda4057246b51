"""theta_pr, q_p, leak_p and the prior: the probability tables of a snapshot.

    prior      pi_r   proportional to n_r + alpha; OTHER has a weight of its own
    linked     theta_pr = (k_pr + m e_pr) / (n_r + m), e_pr the stated rate, else q_p
    unlinked   leak_p   = m share q_p / (mean n_r over the causes not linked to p + m)
    OTHER      q_p, the base rate
    separation the odds of theta_pr and leak_p without a stated strength, moved towards those of background.py
    noise      theta'   = (1 - eta) theta + eta (1 - theta), the probability of the answer rather than of the fact
    temper     theta'   with its odds against q' to the power of t, so that an answer counts for less

The tables are computed once, when a snapshot is loaded. Values that only a few edges need are computed on demand, so
that a large model costs few bytes per edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from services.engine.tables.background import Background, blend_odds, fit_background
from services.engine.tables.numerics import Floats, Indices, Places, binary_entropy, log2, sum_groups
from services.engine.tables.parameters import STRENGTHS, Parameters
from services.engine.tables.redundancy import Redundancy, estimate
from services.engine.tables.snapshot import NO_STRENGTH, Snapshot

# Edges per block; larger blocks would only take memory while a model is opened.
_AT_ONCE = 1 << 16


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """The tables of a snapshot: by cause (R+1,), OTHER last; by phenomenon (P,); and one by edge (E,).

    base is the probability of the fact; answer_base and answer_leak are those of a yes, noise and temper included;
    entropy_* are the binary entropies of a yes. surplus is the excess of an edge over the leak: of theta' in its real
    part, of h(theta') in its imaginary part, so that one pass over the edges sums both.
    """

    parameters: Parameters
    prior: Floats
    prior_bits: Floats
    base: Floats
    answer_base: Floats
    answer_leak: Floats
    entropy_leak: Floats
    entropy_base: Floats
    surplus: npt.NDArray[np.complex128]
    redundancy: Redundancy
    background: Background | None

    def fact_rates(self, snapshot: Snapshot, edges: Indices | Places) -> Floats:
        """theta_pr of some edges, without noise and temper."""
        phenomena = snapshot.phenomena_of(edges)
        return _linked(snapshot, edges, self.base[phenomena], self.parameters, self.background)

    def answer_rate(self, snapshot: Snapshot, phenomenon: int, cause: int) -> float:
        """P(yes | cause) for any pair, linked or not, noise and temper included."""
        edge, leak = snapshot.edge(phenomenon, cause), float(self.answer_leak[phenomenon])
        return leak if edge is None else leak + float(self.surplus[edge].real)


def learn_likelihoods(snapshot: Snapshot, parameters: Parameters, known: Likelihoods | None = None) -> Likelihoods:
    """Computes the tables; `known` are those with other values of the parameters that tickets choose."""
    prior, phenomena = _prior(snapshot, parameters), snapshot.edge_phenomenon
    base = _clamped(base_rates(snapshot, parameters), parameters)
    background = _background(snapshot, parameters, known)
    answer_base = _with_noise(base, parameters)
    leak = _answered(_leaks(snapshot, base, parameters, background), answer_base, parameters)
    leak_entropy = binary_entropy(leak)
    surplus = np.empty(len(phenomena), dtype=np.complex128)
    for begin in range(0, len(phenomena), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        at, edges = phenomena[part], np.arange(begin, min(begin + _AT_ONCE, len(phenomena)))
        theta = _answered(_linked(snapshot, edges, base[at], parameters, background), answer_base[at], parameters)
        surplus.real[part] = theta - leak[at]
        surplus.imag[part] = binary_entropy(theta) - leak_entropy[at]
    return Likelihoods(
        parameters=parameters,
        prior=prior,
        prior_bits=log2(prior),
        base=base,
        answer_base=answer_base,
        answer_leak=leak,
        entropy_leak=leak_entropy,
        entropy_base=binary_entropy(answer_base),
        surplus=surplus,
        redundancy=estimate(snapshot, parameters) if known is None else known.redundancy,
        background=background,
    )


def _background(snapshot: Snapshot, parameters: Parameters, known: Likelihoods | None) -> Background | None:
    if parameters.told_apart == 0.0:
        return None
    found = None if known is None else known.background
    return fit_background(snapshot, _unlinked_tickets(snapshot)) if found is None else found


def base_rates(snapshot: Snapshot, parameters: Parameters) -> Floats:
    """q_p (P,): the share of tickets that recorded p, pooled with expert statements.

    If experts described p, each cause counts its tickets and m more that recorded p at its stated rate:
    q_p = (k_p + m sum_r e_pr) / (N + m R). Otherwise only tickets count: q_p = (k_p + 1/2) / (N + 1).
    """
    tickets, causes = float(np.add.reduce(snapshot.ticket_counts)), len(snapshot.cause_ids)
    weight, phenomena, size = parameters.expert_weight, snapshot.edge_phenomenon, len(snapshot.phenomenon_ids)
    stated = np.flatnonzero(snapshot.edge_strength != NO_STRENGTH)
    hits = sum_groups(phenomena, snapshot.edge_hits, size)
    named = np.bincount(phenomena[stated], minlength=size)
    rates = _stated_rates(snapshot, stated, parameters)
    expected = sum_groups(phenomena[stated], rates, size) + (causes - named) * parameters.unstated_rate
    pooled = (hits + weight * expected) / (tickets + weight * max(causes, 1))
    return np.where(named > 0, pooled, (hits + 0.5) / (tickets + 1.0))


def _prior(snapshot: Snapshot, parameters: Parameters) -> Floats:
    weights = np.append(snapshot.ticket_counts + parameters.cause_weight, parameters.other_weight)
    return np.asarray(weights / np.add.reduce(weights))


def _stated_rates(snapshot: Snapshot, edges: Indices | Places, parameters: Parameters) -> Floats:
    rates = np.array([parameters.expert_rates[strength] for strength in STRENGTHS] + [0.0])
    return rates[snapshot.strengths(edges)]


def _linked(
    snapshot: Snapshot, edges: Indices | Places, base: Floats, parameters: Parameters, background: Background | None
) -> Floats:
    """theta_pr of some edges; `base` is q_p of each edge's phenomenon."""
    stated = snapshot.strengths(edges) != NO_STRENGTH
    expected = np.where(stated, _stated_rates(snapshot, edges, parameters), base)
    weight = np.where(stated, parameters.expert_weight, parameters.base_weight)
    tickets, hits = snapshot.ticket_counts[snapshot.edge_cause[edges]], snapshot.hits(edges)
    pooled = _clamped(np.asarray((hits + weight * expected) / (tickets + weight)), parameters)
    if background is None:
        return pooled
    apart = _clamped(background.means(snapshot.phenomena_of(edges), hits, tickets), parameters)
    return np.where(stated, pooled, blend_odds(pooled, apart, parameters.told_apart))


def _unlinked_tickets(snapshot: Snapshot) -> Floats:
    """The mean n_r of the causes that are not linked to each phenomenon (P,)."""
    size, phenomena = len(snapshot.phenomenon_ids), snapshot.edge_phenomenon
    linked = np.bincount(phenomena, minlength=size)
    tickets = sum_groups(phenomena, snapshot.ticket_counts[snapshot.edge_cause], size)
    unlinked = np.maximum(len(snapshot.cause_ids) - linked, 1)
    return np.asarray(np.maximum(np.add.reduce(snapshot.ticket_counts) - tickets, 0.0) / unlinked)


def _leaks(snapshot: Snapshot, base: Floats, parameters: Parameters, background: Background | None) -> Floats:
    """leak_p (P,)."""
    size, weight, mean = len(base), parameters.base_weight, _unlinked_tickets(snapshot)
    stated = snapshot.edge_phenomenon[snapshot.edge_strength != NO_STRENGTH]
    described = np.bincount(stated, minlength=size) > 0
    share = np.where(described, parameters.described_leak_share, parameters.leak_share)
    pooled = _clamped(np.asarray(weight * share * base / (mean + weight)), parameters)
    if background is None:
        return pooled
    apart = _clamped(background.means(np.arange(size), np.zeros(size), mean), parameters)
    return np.where(described, pooled, blend_odds(pooled, apart, parameters.told_apart))


def _answered(rates: Floats, answer_base: Floats, parameters: Parameters) -> Floats:
    """theta' from theta; `answer_base` is q' of the same phenomena."""
    noisy = _with_noise(rates, parameters)
    return noisy if parameters.temper == 1.0 else blend_odds(answer_base, noisy, parameters.temper)


def _clamped(rates: Floats, parameters: Parameters) -> Floats:
    return np.clip(rates, parameters.clamp, 1.0 - parameters.clamp)


def _with_noise(rates: Floats, parameters: Parameters) -> Floats:
    noise = parameters.answer_noise
    return (1.0 - noise) * rates + noise * (1.0 - rates)
