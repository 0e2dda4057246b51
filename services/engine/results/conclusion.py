"""The conclusion: the concluded cause with its supporting, conflicting, unchecked and unexplained phenomena."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from services.engine.inference.evidence import Answer
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Reasoner
from services.engine.model import Conclusion, Verdict
from services.engine.tables.numerics import order_descending, order_descending_few, round_reported
from services.engine.tables.snapshot import Snapshot, Ticket

MAX_UNCHECKED = 5
MAX_TICKETS = 5
# Rates that differ by less are equal up to rounding.
_ROUNDING = 1e-12
# An answer of fewer bits neither supports nor conflicts.
_FEWEST_BITS = 0.1


def conclude(reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, threshold: float) -> Conclusion | None:
    """The conclusion; None if the leader is not certain enough."""
    leading = state.leading(1)
    if not leading or not reasoner.is_concluded(answers, state, leading[0], threshold):
        return None
    leader, snapshot = leading[0], reasoner.model.snapshot
    bits = reasoner.contributions(state, leader)
    ids = snapshot.phenomenon_ids
    unexplained = _unexplained(state, leader)
    second = find_second_cause(reasoner, unexplained, leader)
    return Conclusion(
        root_cause_id=snapshot.cause_ids[leader],
        name=snapshot.cause_names[leader],
        confidence=round_reported(state.of(leader)),
        supporting_phenomenon_ids=_moving(ids, answers, bits),
        conflicting_phenomenon_ids=_moving(ids, answers, [-number for number in bits]),
        unchecked_phenomenon_ids=tuple(
            ids[open_] for open_ in find_typical_open(reasoner, answers, leader, MAX_UNCHECKED)
        ),
        unexplained_phenomenon_ids=tuple(ids[answer.phenomenon] for answer in unexplained),
        ticket_ids=_similar_tickets(snapshot, answers, leader),
        second_root_cause_id=snapshot.cause_ids[second[0]] if second else None,
        second_confidence=second[1] if second else None,
    )


def _moving(ids: Sequence[str], answers: Sequence[Answer], bits: Sequence[float]) -> tuple[str, ...]:
    """The answers with at least _FEWEST_BITS bits, by falling bits, ties by id."""
    moving = [at for at, number in enumerate(bits) if number >= _FEWEST_BITS]
    return tuple([ids[answers[moving[at]].phenomenon] for at in order_descending_few([bits[at] for at in moving])])


def find_second_cause(reasoner: Reasoner, unexplained: Sequence[Answer], leader: int) -> tuple[int, float] | None:
    """The cause besides the leader that explains these answers best, with the belief in it given only these.

    None if there is nothing to explain, or no cause shows any of it more often than the base rate.
    """
    if not unexplained:
        return None
    snapshot, likelihoods = reasoner.model.snapshot, reasoner.model.likelihoods
    phenomena = np.array([answer.phenomenon for answer in unexplained], dtype=np.int64)
    linked, rows = snapshot.edges_of_all(phenomena)
    # Noise brings theta and q closer together but never changes which is greater.
    more = likelihoods.answer_leak[phenomena] - likelihoods.answer_base[phenomena]
    able = np.unique(snapshot.edge_cause[linked[more[rows] + likelihoods.surplus.real[linked] > _ROUNDING]])
    able = able[able != leader]
    if not len(able):
        return None
    belief = reasoner.posterior(unexplained).belief[able]
    best = order_descending(belief, 1)[0]
    return int(able[best]), round_reported(float(belief[best]))


def find_typical_open(reasoner: Reasoner, answers: Sequence[Answer], cause: int, limit: int) -> list[int]:
    """The unanswered typical phenomena of a cause, most typical first, ties by id."""
    answered = {answer.phenomenon for answer in answers}
    return [phenomenon for phenomenon in reasoner.model.typical(cause) if phenomenon not in answered][:limit]


def _unexplained(state: Posterior, leader: int) -> tuple[Answer, ...]:
    said = state.answer_bits
    unexplained = (said.rates_of([leader])[0] <= said.base + _ROUNDING).tolist()
    return tuple(
        answer
        for answer, plain in zip(said.answers, unexplained, strict=True)
        if plain and answer.verdict is Verdict.CONFIRMED
    )


def _similar_tickets(snapshot: Snapshot, answers: Sequence[Answer], leader: int) -> tuple[str, ...]:
    """The tickets of the leader that are most similar to the answers, ties by id."""
    recording, shared, against = snapshot.recording(leader), Counter[str](), Counter[str]()
    for answer in answers:
        if answer.counts:
            counted = shared if answer.verdict is Verdict.CONFIRMED else against
            counted.update(recording.get(answer.phenomenon, ()))

    def dissimilarity(ticket: Ticket) -> tuple[int, int, str]:
        name = ticket.ticket_id
        return against[name] - shared[name], len(ticket.phenomena) - shared[name], name

    return tuple(
        [ticket.ticket_id for ticket in sorted(snapshot.tickets_by_cause[leader], key=dissimilarity)[:MAX_TICKETS]]
    )
