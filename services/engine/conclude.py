"""When a belief is a verdict, and what is said with it.

A cause is concluded when its belief reaches the threshold, at least two answers count, and the conclusion

    was put at risk       some answer, had it been the other way, would leave the belief below the threshold;
    and can do without    had its strongest supporter not been given, it would still be more likely than not; not asked
                          of a belief well above the threshold, or where no open question tells much any more;

or no open question could bring the belief below the threshold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from services.engine.answers import Answer
from services.engine.belief import Posterior
from services.engine.model import Conclusion, Verdict
from services.engine.numerics import by_falling, falling, shown
from services.engine.snapshot import Snapshot, Ticket

if TYPE_CHECKING:
    from services.engine.reasoner import Reasoner

FEWEST_ANSWERS = 2
# What must be left without the strongest supporter: a wrong answer is often a strong one.
_WITHOUT = 0.5
# An open question that tells less will hardly confirm anything.
_TELLING_BITS = 0.03
# The share of the doubt that the threshold leaves, from which on a conclusion may hang on one answer: .98 at .95.
_DOUBT = 0.4
MAX_UNCHECKED = 5
MAX_TICKETS = 5
# Rates that differ by less are the same rate, worked out in two ways.
_ROUNDING = 1e-12
# Weaker than this, an answer neither supports nor conflicts.
_FEWEST_BITS = 0.1
# Flipping the strongest supporters is enough to find one that refutes; it bounds the work on long evidence.
_FLIPPED = 8
_OPPOSITE = {Verdict.CONFIRMED: Verdict.DENIED, Verdict.DENIED: Verdict.CONFIRMED}


def is_concluded(
    reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float
) -> bool:
    """Whether the belief in `leader` is a conclusion."""
    if state.belief[leader] < threshold or len(state.told.answers) < FEWEST_ANSWERS:
        return False
    bits = reasoner.contributions(state, leader)
    strongest = [state.answers[at] for at in falling(bits, _FLIPPED)]
    if _was_at_risk(reasoner, state, leader, strongest, threshold):
        return _can_do_without(reasoner, state, leader, strongest, threshold) or not _can_be_confirmed(
            reasoner, answers, state
        )
    return not _can_be_refuted(reasoner, answers, state, leader, threshold)


def conclude(reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, threshold: float) -> Conclusion | None:
    """The conclusion, or None while there is none."""
    leading = state.leading(1)
    if not leading or not reasoner.is_concluded(answers, state, leading[0], threshold):
        return None
    leader, snapshot = leading[0], reasoner.library.snapshot
    bits = reasoner.contributions(state, leader)
    ids = snapshot.phenomenon_ids
    unexplained = _unexplained(state, leader)
    second = second_cause(reasoner, unexplained, leader)
    return Conclusion(
        root_cause_id=snapshot.cause_ids[leader],
        name=snapshot.cause_names[leader],
        confidence=shown(state.of(leader)),
        supporting_phenomenon_ids=_moving(ids, answers, bits),
        conflicting_phenomenon_ids=_moving(ids, answers, [-number for number in bits]),
        unchecked_phenomenon_ids=tuple(ids[open_] for open_ in typical_open(reasoner, answers, leader, MAX_UNCHECKED)),
        unexplained_phenomenon_ids=tuple(ids[answer.phenomenon] for answer in unexplained),
        ticket_ids=_alike(snapshot, answers, leader),
        second_root_cause_id=snapshot.cause_ids[second[0]] if second else None,
        second_confidence=second[1] if second else None,
    )


def _moving(ids: Sequence[str], answers: Sequence[Answer], bits: Sequence[float]) -> tuple[str, ...]:
    """The answers of more than a few bits, by falling bits, ties by id."""
    moving = [at for at, number in enumerate(bits) if number >= _FEWEST_BITS]
    return tuple([ids[answers[moving[at]].phenomenon] for at in falling([bits[at] for at in moving])])


def second_cause(reasoner: Reasoner, unexplained: Sequence[Answer], leader: int) -> tuple[int, float] | None:
    """The cause besides the leader that explains these answers best, with the belief in it given them alone.

    None where there is nothing to explain, or no cause shows any of it more often than causes do at large.
    """
    if not unexplained:
        return None
    snapshot, likelihoods = reasoner.library.snapshot, reasoner.library.likelihoods
    phenomena = np.array([answer.phenomenon for answer in unexplained], dtype=np.int64)
    linked, rows = snapshot.edges_of_all(phenomena)
    # Noise brings theta and q closer together and never changes which of the two is greater.
    more = likelihoods.answer_leak[phenomena] - likelihoods.answer_base[phenomena]
    able = np.unique(snapshot.edge_cause[linked[more[rows] + likelihoods.surplus.real[linked] > _ROUNDING]])
    able = able[able != leader]
    if not len(able):
        return None
    belief = reasoner.posterior(unexplained).belief[able]
    best = by_falling(belief, 1)[0]
    return int(able[best]), shown(float(belief[best]))


def typical_open(reasoner: Reasoner, answers: Sequence[Answer], cause: int, limit: int) -> list[int]:
    """Phenomena the cause mostly shows that nobody answered, most typical first, ties by id."""
    answered = {answer.phenomenon for answer in answers}
    return [phenomenon for phenomenon in reasoner.library.typical(cause) if phenomenon not in answered][:limit]


def _was_at_risk(
    reasoner: Reasoner, state: Posterior, leader: int, strongest: Sequence[Answer], threshold: float
) -> bool:
    return any(
        _belief_had(reasoner, state, leader, answer, _other_way(answer)) < threshold
        for answer in strongest
        if answer.counts
    )


def _can_do_without(
    reasoner: Reasoner, state: Posterior, leader: int, strongest: Sequence[Answer], threshold: float
) -> bool:
    if state.of(leader) >= 1.0 - _DOUBT * (1.0 - threshold):
        return True
    return not strongest[0].counts or _belief_had(reasoner, state, leader, strongest[0], None) >= _WITHOUT


def _can_be_confirmed(reasoner: Reasoner, answers: Sequence[Answer], state: Posterior) -> bool:
    bits = reasoner.gains(state).bits.copy()
    bits[[answer.phenomenon for answer in answers]] = 0.0
    return bool(np.any(bits >= _TELLING_BITS))


def _other_way(answer: Answer) -> Answer:
    return answer._replace(verdict=_OPPOSITE[answer.verdict])


def _belief_had(reasoner: Reasoner, state: Posterior, leader: int, answer: Answer, instead: Answer | None) -> float:
    """The belief in `leader` had one of the answers that count been the other way, or, without `instead`, not given.

    Where that would change weights, all is weighed anew.
    """
    said, redundancy = state.told, reasoner.library.likelihoods.redundancy
    if not redundancy.alone(answer.phenomenon, said.phenomena):
        replaced = [instead if item is answer else item for item in state.answers]
        return reasoner.posterior([item for item in replaced if item is not None]).of(leader)
    at = said.answers.index(answer)
    after = said.had(state.belief, at, 0.0 if instead is None else 1.0)
    return float(after[leader] / np.add.reduce(after))


def _can_be_refuted(
    reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float
) -> bool:
    snapshot, likelihoods = reasoner.library.snapshot, reasoner.library.likelihoods
    rates = likelihoods.answer_leak.copy()
    edges = snapshot.of_cause(leader)
    rates[snapshot.phenomena_of(edges)] += likelihoods.surplus.real[edges]
    yes, belief = reasoner.gains(state).yes, float(state.belief[leader])
    lowest = np.minimum(belief * rates / yes, belief * (1.0 - rates) / (1.0 - yes))
    lowest[[answer.phenomenon for answer in answers]] = 1.0
    return bool(np.any(lowest < threshold))


def _unexplained(state: Posterior, leader: int) -> tuple[Answer, ...]:
    said = state.told
    unexplained = (said.rates_of([leader])[0] <= said.base + _ROUNDING).tolist()
    return tuple(
        answer
        for answer, plain in zip(said.answers, unexplained, strict=True)
        if plain and answer.verdict is Verdict.CONFIRMED
    )


def _alike(snapshot: Snapshot, answers: Sequence[Answer], leader: int) -> tuple[str, ...]:
    """The leader's tickets that are most like the answers, ties by id."""
    recording, shared, against = snapshot.recording(leader), Counter[str](), Counter[str]()
    for answer in answers:
        if answer.counts:
            counted = shared if answer.verdict is Verdict.CONFIRMED else against
            counted.update(recording.get(answer.phenomenon, ()))

    def unlikeness(ticket: Ticket) -> tuple[int, int, str]:
        name = ticket.ticket_id
        return against[name] - shared[name], len(ticket.phenomena) - shared[name], name

    return tuple(
        [ticket.ticket_id for ticket in sorted(snapshot.tickets_by_cause[leader], key=unlikeness)[:MAX_TICKETS]]
    )
