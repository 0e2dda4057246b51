"""Which recommended checks are worth asking a person for: those whose answer may change what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dbdiag.engine.v1.engine_types import Hypothesis, Outcome, Recommendation
from dbdiag.planner.v1.planner_types import Speaker

from gateway.turn.context import Turn

# A leader this likely is enough to act on while no open answer takes the lead from it.
_ENOUGH = 0.9
# From this belief on a cause stands out. Before, a yes is asked for that is at least so likely, where there is one.
STANDS_OUT, _FAIR = 0.25, 0.07
# No yes counts as less likely than this where the person's words make it likelier.
_RAREST = 0.02
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


def worth_asking(
    found: Sequence[Recommendation], leading: Sequence[Hypothesis], told: Mapping[str, float] | None = None
) -> tuple[Recommendation, ...]:
    """The recommendations whose answer may change something, those first that are no surprise.

    Where none may, all of them; beside a cause that is all but sure the first alone. No number is given to a check that
    is not shown, so that no yes can be meant for it. told: how likely the person spoke of a phenomenon.
    """
    near = told or {}

    def order(item: Recommendation) -> tuple[bool, bool, float]:
        likely = near.get(item.phenomenon_id, 0.0)
        surprise = not likely and (is_far_off(item, leading) or _is_rare(item, leading))
        # What a rare yes would tell counts by its chance, which words of the person raise.
        raised = max(likely / max(item.if_yes.probability, _RAREST), 1.0)
        return surprise, is_idle(item, leading), -item.rank_score * raised

    ordered = sorted(found, key=order)
    telling = [item for item in ordered if not is_idle(item, leading)]
    return tuple(ordered[:1] if leads_surely(leading) else telling or ordered)


def leads_surely(leading: Sequence[Hypothesis]) -> bool:
    """Whether a cause is all but sure, and far ahead of the next."""
    return _leads(leading, SURE)


def stands_out(leading: Sequence[Hypothesis]) -> bool:
    """Whether a cause is likelier than a guess."""
    return any(cause.confidence >= STANDS_OUT for cause in leading)


def leads_clearly(leading: Sequence[Hypothesis]) -> bool:
    """Whether a cause is likely, and far ahead of the next."""
    return _leads(leading, _CLEAR)


def _leads(leading: Sequence[Hypothesis], least: float) -> bool:
    first, second = (*sorted((each.confidence for each in leading), reverse=True), 0.0, 0.0)[:2]
    return first >= least and first >= _TIMES * second


def _is_rare(item: Recommendation, leading: Sequence[Hypothesis]) -> bool:
    """Whether a check asks for something special that hardly anybody sees, while nothing points at it."""
    return not stands_out(leading) and item.if_yes.probability < _FAIR


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


def turns_since_shown(turn: Turn, command: str) -> int | None:
    """Before how many turns an answer printed this command, its blanks filled or not; None if none of the last did."""
    said = [item.text for item in turn.session.dialogue if item.speaker is Speaker.ASSISTANT][-_REMEMBERED:]
    begins = command.partition("<")[0].strip()
    told = begins if len(begins) >= _TELLING else command.strip()
    backwards = enumerate(reversed(said), 1)
    return next((back for back, text in backwards if told in text), None) if len(told) >= _TELLING else None
