"""theta_pr, q_p, leak_p and the prior: what a snapshot says about how causes show themselves.

    prior      pi_r   proportional to n_r + alpha; OTHER gets a weight of its own
    linked     theta_pr = (k_pr + m e_pr) / (n_r + m), e_pr the stated rate, else q_p
    unlinked   leak_p   = m share q_p / (mean n_r over the causes not linked to p + m)
    OTHER      q_p, the base rate
    noise      theta'   = (1 - eta) theta + eta (1 - theta), the probability of the answer rather than of the fact

All tables are fixed when a snapshot is loaded; a request only adds and multiplies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from services.engine.numerics import Floats, binary_entropy, log2, summed
from services.engine.parameters import STRENGTHS, Parameters
from services.engine.redundancy import Redundancy, estimate
from services.engine.snapshot import NO_STRENGTH, Snapshot


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """Tables of a snapshot: prior (R+1,), the last one OTHER's; edge tables (E,); phenomenon tables (P,).

    theta, leak and base are probabilities of the fact; answer_* of a yes, noise included. bits_yes and bits_no are
    log2 of an edge's factor over the leak's, leak_bits_* of the leak's over the base rate's. *_surplus is what an edge
    has above the leak, of answer_theta and of its binary entropy.
    """

    prior: Floats
    prior_bits: Floats
    theta: Floats
    leak: Floats
    base: Floats
    answer_theta: Floats
    answer_leak: Floats
    answer_base: Floats
    bits_yes: Floats
    bits_no: Floats
    leak_bits_yes: Floats
    leak_bits_no: Floats
    yes_surplus: Floats
    entropy_surplus: Floats
    entropy_leak: Floats
    entropy_base: Floats
    redundancy: Redundancy

    def fact_rate(self, snapshot: Snapshot, phenomenon: int, cause: int) -> float:
        """theta_pr of any pair, linked or not, without noise."""
        edge = snapshot.edge(phenomenon, cause)
        return float(self.leak[phenomenon] if edge is None else self.theta[edge])

    def answer_rate(self, snapshot: Snapshot, phenomenon: int, cause: int) -> float:
        """The probability of a yes about any pair, noise included."""
        edge = snapshot.edge(phenomenon, cause)
        return float(self.answer_leak[phenomenon] if edge is None else self.answer_theta[edge])


def learn(snapshot: Snapshot, parameters: Parameters) -> Likelihoods:
    """The tables of a snapshot."""
    prior = _prior(snapshot, parameters)
    base = _clamped(base_rates(snapshot, parameters), parameters)
    theta = _clamped(_linked(snapshot, base, parameters), parameters)
    leak = _clamped(_leaks(snapshot, base, parameters), parameters)
    noisy_theta, noisy_leak, noisy_base = (_with_noise(rates, parameters) for rates in (theta, leak, base))
    edge_leak = noisy_leak[snapshot.edge_phenomenon]
    leak_entropy = binary_entropy(noisy_leak)
    return Likelihoods(
        prior=prior,
        prior_bits=log2(prior[:-1] / prior[-1]),
        theta=theta,
        leak=leak,
        base=base,
        answer_theta=noisy_theta,
        answer_leak=noisy_leak,
        answer_base=noisy_base,
        bits_yes=log2(noisy_theta) - log2(edge_leak),
        bits_no=log2(1.0 - noisy_theta) - log2(1.0 - edge_leak),
        leak_bits_yes=log2(noisy_leak) - log2(noisy_base),
        leak_bits_no=log2(1.0 - noisy_leak) - log2(1.0 - noisy_base),
        yes_surplus=noisy_theta - edge_leak,
        entropy_surplus=binary_entropy(noisy_theta) - leak_entropy[snapshot.edge_phenomenon],
        entropy_leak=leak_entropy,
        entropy_base=binary_entropy(noisy_base),
        redundancy=estimate(snapshot, parameters),
    )


def base_rates(snapshot: Snapshot, parameters: Parameters) -> Floats:
    """q_p (P,): the share of tickets that recorded p, tickets and expert statements pooled.

    Where experts described p, each cause counts its tickets and m more that recorded p at its stated rate:
    q_p = (k_p + m sum_r e_pr) / (N + m R). Elsewhere only tickets speak: q_p = (k_p + 1/2) / (N + 1).
    """
    tickets, causes, weight = float(len(snapshot.tickets)), len(snapshot.cause_ids), parameters.expert_weight
    stated = snapshot.edge_strength != NO_STRENGTH
    size = len(snapshot.phenomenon_ids)
    named = np.bincount(snapshot.edge_phenomenon[stated], minlength=size)
    rates = _stated_rates(snapshot, parameters)[stated]
    expected = summed(snapshot.edge_phenomenon[stated], rates, size) + (causes - named) * parameters.unstated_rate
    pooled = (snapshot.hit_counts + weight * expected) / (tickets + weight * max(causes, 1))
    return np.where(named > 0, pooled, (snapshot.hit_counts + 0.5) / (tickets + 1.0))


def _prior(snapshot: Snapshot, parameters: Parameters) -> Floats:
    weights = np.append(snapshot.ticket_counts + parameters.cause_weight, parameters.other_weight)
    return np.asarray(weights / np.add.reduce(weights))


def _stated_rates(snapshot: Snapshot, parameters: Parameters) -> Floats:
    rates = np.array([parameters.expert_rates[strength] for strength in STRENGTHS] + [0.0])
    return rates[snapshot.edge_strength]


def _linked(snapshot: Snapshot, base: Floats, parameters: Parameters) -> Floats:
    stated = snapshot.edge_strength != NO_STRENGTH
    expected = np.where(stated, _stated_rates(snapshot, parameters), base[snapshot.edge_phenomenon])
    weight = np.where(stated, parameters.expert_weight, parameters.base_weight)
    tickets = snapshot.ticket_counts[snapshot.edge_cause]
    return np.asarray((snapshot.edge_hits + weight * expected) / (tickets + weight))


def _leaks(snapshot: Snapshot, base: Floats, parameters: Parameters) -> Floats:
    size, weight = len(base), parameters.base_weight
    linked = np.bincount(snapshot.edge_phenomenon, minlength=size)
    tickets = summed(snapshot.edge_phenomenon, snapshot.ticket_counts[snapshot.edge_cause], size)
    unlinked = np.maximum(len(snapshot.cause_ids) - linked, 1)
    mean = np.maximum(len(snapshot.tickets) - tickets, 0.0) / unlinked
    stated = snapshot.edge_phenomenon[snapshot.edge_strength != NO_STRENGTH]
    described = np.bincount(stated, minlength=size) > 0
    share = np.where(described, parameters.described_leak_share, parameters.leak_share)
    return np.asarray(weight * share * base / (mean + weight))


def _clamped(rates: Floats, parameters: Parameters) -> Floats:
    return np.clip(rates, parameters.clamp, 1.0 - parameters.clamp)


def _with_noise(rates: Floats, parameters: Parameters) -> Floats:
    noise = parameters.answer_noise
    return (1.0 - noise) * rates + noise * (1.0 - rates)
