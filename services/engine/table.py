"""A small library in full: a row for every phenomenon, a column for every cause, the last one OTHER's.

What the sparse tables of likelihood.py say is written out here once, when the library is opened, with every logarithm
that an answer meant for sure needs; a request then only picks rows and adds them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from services.engine.answers import Answer
from services.engine.belief import Posterior
from services.engine.gain import Gains
from services.engine.likelihood import Likelihoods
from services.engine.model import Verdict
from services.engine.numerics import Floats, Indices, binary_entropy, exp2, log2, log2_of, summed
from services.engine.snapshot import Snapshot
from services.engine.told import least_losses, unexpected, weights_of

# Numbers in a table of phenomena by causes: up to here a look at all of them costs less than finding those that matter.
_MOST = 250_000


@dataclass(frozen=True, eq=False)
class Table:
    """C = R + 1 columns. rates (P, C) is theta', q' for OTHER.

    Of a yes (P rows) and then of a no (P more rows): bits (2P, C) against OTHER, the best of them in each row (2P,),
    and the excess (2P, C) and its variance (2P, C) that unexpected has.

    links (2E,) are positions in one row of two numbers for each phenomenon, theta' and h(theta'); causes (2E,) and
    surplus (2E,) are what a link adds there; leak (2P,) and base (2P,) what stands there without it.
    """

    rates: Floats
    base: Floats
    bits: Floats
    best_bits: Floats
    excess: Floats
    variance: Floats
    links: Indices
    causes: Indices
    surplus: Floats
    pair_leak: Floats
    pair_base: Floats


def fits(snapshot: Snapshot) -> bool:
    """Whether a library is small enough to be written out."""
    return len(snapshot.phenomenon_ids) * (len(snapshot.cause_ids) + 1) <= _MOST


def table_of(snapshot: Snapshot, likelihoods: Likelihoods) -> Table:
    """The library written out."""
    phenomena, causes, base = snapshot.edge_phenomenon, snapshot.edge_cause, likelihoods.answer_base
    rates = likelihoods.answer_leak[:, np.newaxis].repeat(len(snapshot.cause_ids) + 1, axis=1)
    rates[phenomena, causes] += likelihoods.surplus.real
    rates[:, -1] = base
    factors = np.concatenate((rates, 1.0 - rates))
    bits = log2(factors)
    bits -= bits[:, -1:].copy()
    excess, variance = unexpected(factors)
    return Table(
        rates=rates,
        base=base,
        bits=bits,
        best_bits=bits.max(axis=1),
        excess=excess,
        variance=variance,
        links=np.concatenate((phenomena, phenomena + len(rates))),
        causes=np.concatenate((causes, causes)).astype(np.int64),
        surplus=np.concatenate((likelihoods.surplus.real, likelihoods.surplus.imag)),
        pair_leak=np.concatenate((likelihoods.answer_leak, likelihoods.entropy_leak)),
        pair_base=np.concatenate((base, likelihoods.entropy_base)),
    )


@dataclass(frozen=True, eq=False)
class ToldInFull:
    """See Told. places and rows are where the answers stand in the table's P and 2P rows; bits (A, C) are at full
    weight."""

    table: Table
    answers: tuple[Answer, ...]
    phenomena: frozenset[int]
    weights: Floats
    places: Indices
    rows: Indices
    bits: Floats

    @property
    def base(self) -> Floats:
        """See Told."""
        return self.table.base[self.places]

    @property
    def causes(self) -> Indices:
        """See Told: all of them."""
        return np.arange(self.bits.shape[1] - 1)

    def rates_of(self, causes: Sequence[int]) -> Floats:
        """See Told."""
        return np.asarray(self.table.rates[self.places, np.array(causes)[:, np.newaxis]])

    def bits_of(self, causes: Sequence[int]) -> Floats:
        """See Told."""
        return np.asarray(self.bits.T[causes])

    def unexpected(self, cause: int) -> tuple[Floats, Floats]:
        """See Told."""
        if _are_sure(self.answers):
            return self.table.excess[self.rows, cause], self.table.variance[self.rows, cause]
        return unexpected(_factors(self.table, self.answers)[:, cause])

    def best_bits(self) -> Floats:
        """See Told."""
        return self.table.best_bits[self.rows] if _are_sure(self.answers) else self.bits.max(axis=1)

    def pair_bits(self, compared: Indices) -> Floats:
        """See Told."""
        bits = self.bits[compared]
        return least_losses(self.best_bits()[compared][:, np.newaxis] - bits)

    def had(self, belief: Floats, at: int, given: float) -> Floats:
        """See Told."""
        answer = self.answers[at]
        if answer.score == 1.0:
            yes = self.table.rates[answer.phenomenon]
            factors = 1.0 - yes if answer.verdict is Verdict.DENIED else yes
        else:
            factors = _factors(self.table, [answer])[0]
        return np.asarray(belief * ((1.0 - given * factors) / factors))


@dataclass(frozen=True, eq=False)
class PosteriorInFull(Posterior):
    """See Posterior; what every phenomenon would tell under it is worked out once."""

    table: Table

    @cached_property
    def gains(self) -> Gains:
        """See gains_in_full; shared by all who ask, so nobody may write on it."""
        found = gains_in_full(self.table, self)
        found.yes.setflags(write=False)
        found.bits.setflags(write=False)
        return found


def told_in_full(table: Table, likelihoods: Likelihoods, answers: Sequence[Answer]) -> ToldInFull:
    """What the answers say."""
    counting = tuple([answer for answer in answers if answer.counts])
    phenomena, size = [answer.phenomenon for answer in counting], len(table.rates)
    places = np.array(phenomena, dtype=np.int64)
    denied = [size if answer.verdict is Verdict.DENIED else 0 for answer in counting]
    rows = places + np.array(denied, dtype=np.int64)
    if _are_sure(counting):
        bits = table.bits[rows]
    else:
        bits = log2(_factors(table, counting))
        bits -= bits[:, -1:].copy()
    weights = weights_of(likelihoods.redundancy, counting)
    return ToldInFull(table, counting, frozenset(phenomena), weights, places, rows, bits)


def posterior_in_full(table: Table, likelihoods: Likelihoods, answers: Sequence[Answer]) -> PosteriorInFull:
    """The belief under all answers; see belief."""
    said = told_in_full(table, likelihoods, answers)
    levels = likelihoods.prior_bits + np.add.reduce(said.weights[:, np.newaxis] * said.bits, axis=0)
    # Only ratios matter: the greatest becomes 1, and what no float can tell from 0 becomes 0.
    levels -= levels.max()
    weights = exp2(levels)
    total = float(np.add.reduce(weights))
    weights /= total
    entropy = log2_of(total) - float(np.add.reduce(weights * levels))
    return PosteriorInFull(tuple(answers), said, weights, max(0.0, entropy), table)


def gains_in_full(table: Table, state: Posterior) -> Gains:
    """Probability of a yes and gain of every phenomenon, the same bits on every processor; see gain."""
    size = len(table.rates)
    pairs = summed(table.links, state.belief[table.causes] * table.surplus, 2 * size)
    pairs += (1.0 - state.other) * table.pair_leak
    pairs += state.other * table.pair_base
    yes = pairs[:size]
    bits = binary_entropy(yes)
    bits -= pairs[size:]
    return Gains(yes, bits.clip(0.0, min(1.0, state.entropy_bits)))


def _are_sure(answers: Sequence[Answer]) -> bool:
    return all([answer.score == 1.0 for answer in answers])


def _factors(table: Table, answers: Sequence[Answer]) -> Floats:
    """P(answer | .) (A, C)."""
    factors = table.rates[[answer.phenomenon for answer in answers]]
    denied = np.array([answer.verdict is Verdict.DENIED for answer in answers], dtype=np.bool_)[:, np.newaxis]
    factors = np.where(denied, 1.0 - factors, factors)
    scores = np.array([answer.score for answer in answers])[:, np.newaxis]
    return np.asarray(scores * factors + (1.0 - scores) * factors[:, -1:])
