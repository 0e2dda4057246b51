"""Which recommended checks are worth asking a person for: those whose answer may change what to do."""

from __future__ import annotations

from collections.abc import Sequence

from dbdiag.engine.v1.engine_types import Hypothesis, Outcome, Recommendation
from dbdiag.planner.v1.planner_types import Speaker

from gateway.turn.context import Turn

# A leader this likely is enough to act on while no open answer takes the lead from it.
_ENOUGH = 0.9
# From this belief on a cause leads clearly, and an answer less likely than this would come as a surprise.
_CLEAR, _UNLIKELY = 0.5, 0.3
# From this belief on, and so many times that in the next cause, a cause is all but sure.
SURE, _TIMES = 0.85, 2.0
# A smaller change of the leader's belief tells a person nothing.
_MOVES = 0.05
# A command is not printed again while it stands in one of so many last answers.
_REMEMBERED = 6
# A shorter command may occur in an answer by coincidence.
_TELLING = 12


def worth_asking(found: Sequence[Recommendation], leading: Sequence[Hypothesis]) -> tuple[Recommendation, ...]:
    """The recommendations whose answer may change something, those first that are no surprise from elsewhere.

    Where none may, all of them; beside a cause that is all but sure the first alone. No number is given to a check that
    is not shown, so that no yes can be meant for it.
    """
    ordered = sorted(found, key=lambda item: (is_far_off(item, leading), is_idle(item, leading)))
    telling = [item for item in ordered if not is_idle(item, leading)]
    return tuple(ordered[:1] if leads_surely(leading) else telling or ordered)


def leads_surely(leading: Sequence[Hypothesis]) -> bool:
    """Whether a cause is all but sure, and far ahead of the next."""
    first, second = (*sorted((each.confidence for each in leading), reverse=True), 0.0, 0.0)[:2]
    return first >= SURE and first >= _TIMES * second


def is_far_off(item: Recommendation, leading: Sequence[Hypothesis]) -> bool:
    """Whether a check asks for something unlikely that would speak for another cause than the one that leads clearly.

    It may tell much, were it so; a person who sees one cause before them is asked for what belongs to that first.
    """
    leader = max(leading, key=lambda cause: cause.confidence, default=None)
    if leader is None or leader.confidence < _CLEAR or not item.if_yes.beliefs:
        return False
    return item.if_yes.probability < _UNLIKELY and _belief_if_first(item.if_yes, leader) is None


def is_idle(item: Recommendation, leading: Sequence[Hypothesis]) -> bool:
    """Whether the same cause leads after either answer, about as likely as now or likely enough to act on."""
    leader = max(leading, key=lambda cause: cause.confidence, default=None)
    if leader is None or not (item.if_yes.beliefs and item.if_no.beliefs):
        return False
    after = [_belief_if_first(outcome, leader) for outcome in (item.if_yes, item.if_no)]
    if None in after:
        return False
    moved = max(abs(belief - leader.confidence) for belief in after if belief is not None)
    return leader.confidence >= _ENOUGH or moved < _MOVES


def _belief_if_first(outcome: Outcome, leader: Hypothesis) -> float | None:
    first = max(outcome.beliefs, key=lambda belief: belief.confidence)
    return first.confidence if first.root_cause_id == leader.root_cause_id else None


def stood_in_last_answers(turn: Turn, command: str) -> bool:
    """Whether one of the last answers printed this command."""
    said = [item.text for item in turn.session.dialogue if item.speaker is Speaker.ASSISTANT][-_REMEMBERED:]
    command = command.strip()
    return len(command) >= _TELLING and any(command in text for text in said)
