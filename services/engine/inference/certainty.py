"""When the belief in the leading cause counts as a conclusion.

A cause is concluded if its belief reaches the threshold, at least two answers count, and the conclusion

    was at risk         the opposite of some answer would leave the belief below the threshold;
    and is not fragile  without its strongest supporter, it would still be more likely than not; not required of a
                        belief well above the threshold, or if no open question tells much any more;

or no open question could bring the belief below the threshold.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from services.engine.inference.evidence import Answer
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Reasoner
from services.engine.model import Verdict
from services.engine.tables.numerics import order_descending_few

FEWEST_ANSWERS = 2
# The belief that must remain without the strongest supporter: a wrong answer is often a strong one.
_WITHOUT = 0.5
# An open question with a smaller gain, in bits, can hardly confirm anything.
_TELLING_BITS = 0.03
# A conclusion may depend on one answer if at most this share of the doubt that the threshold allows is left: .98 at
# .95.
_DOUBT = 0.4
# The strongest supporters are enough to find one that refutes; this bounds the work on long evidence.
_FLIPPED = 8
_OPPOSITE = {Verdict.CONFIRMED: Verdict.DENIED, Verdict.DENIED: Verdict.CONFIRMED}


def is_concluded(
    reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float
) -> bool:
    """True if the belief in `leader` is a conclusion."""
    if state.belief[leader] < threshold or len(state.answer_bits.answers) < FEWEST_ANSWERS:
        return False
    bits = reasoner.contributions(state, leader)
    strongest = [state.answers[at] for at in order_descending_few(bits, _FLIPPED)]
    if _was_at_risk(reasoner, state, leader, strongest, threshold):
        return _can_do_without(reasoner, state, leader, strongest, threshold) or not _can_be_confirmed(
            reasoner, answers, state
        )
    return not _can_be_refuted(reasoner, answers, state, leader, threshold)


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
    """The belief in `leader` if one of the counting answers were `instead`, its opposite, or, with None, not given.

    If that changes the weights of other answers, the whole posterior is recomputed.
    """
    said, redundancy = state.answer_bits, reasoner.model.likelihoods.redundancy
    if not redundancy.alone(answer.phenomenon, said.phenomena):
        replaced = [instead if item is answer else item for item in state.answers]
        return reasoner.posterior([item for item in replaced if item is not None]).of(leader)
    at = said.answers.index(answer)
    after = said.flip(state.belief, at, 0.0 if instead is None else 1.0)
    return float(after[leader] / np.add.reduce(after))


def _can_be_refuted(
    reasoner: Reasoner, answers: Sequence[Answer], state: Posterior, leader: int, threshold: float
) -> bool:
    snapshot, likelihoods = reasoner.model.snapshot, reasoner.model.likelihoods
    rates = likelihoods.answer_leak.copy()
    edges = snapshot.of_cause(leader)
    rates[snapshot.phenomena_of(edges)] += likelihoods.surplus.real[edges]
    yes, belief = reasoner.gains(state).yes, float(state.belief[leader])
    lowest = np.minimum(belief * rates / yes, belief * (1.0 - rates) / (1.0 - yes))
    lowest[[answer.phenomenon for answer in answers]] = 1.0
    return bool(np.any(lowest < threshold))
