"""The rules that stop a diagnosis, and its verdict."""

from __future__ import annotations

from gateway.investigation.model import Case, Stop, Verdicts
from gateway.investigation.planning import find_counter_check, list_pool, list_unswept
from gateway.investigation.state import State, has_succeeded

# Consecutive rounds without news.
_STILL = 2


def find_stop(case: Case, state: State) -> Stop | None:
    """The reason to stop before another round; None to continue."""
    budget = case.budget
    if state.looks and not has_succeeded(state) and not state.confirmed:
        return Stop.UNREACHABLE
    if is_certain(case, state):
        return Stop.CONFIDENT
    if state.seconds >= budget.time_budget_seconds:
        return Stop.TIME
    if state.spent >= budget.max_total_checks:
        return Stop.MAX_CHECKS
    if state.rounds >= budget.max_rounds:
        return Stop.MAX_ROUNDS
    if state.still < _STILL:
        return None
    return Stop.NO_PROGRESS if state.standings else Stop.NOTHING


def is_certain(case: Case, state: State) -> bool:
    """Whether the leader is confident, supported and tested, and every route has had its minimum."""
    tested = state.leader in state.countered or not find_counter_check(state, list_pool(case, state))
    return is_supported(case, state) and tested and not list_unswept(case, state)


def is_supported(case: Case, state: State) -> bool:
    """Whether the leader has the required belief and a confirmed phenomenon that supports it."""
    if state.confidence < case.budget.confidence_threshold:
        return False
    return bool(set(state.judgement.beliefs[0].supporting) & state.confirmed)


def find_verdict(case: Case, state: State) -> Verdicts:
    """A cause, a suspicion, healthy, or unseen if no check succeeded."""
    if not has_succeeded(state) and not state.confirmed:
        return Verdicts.UNSEEN
    if is_supported(case, state):
        return Verdicts.FOUND
    return Verdicts.SUSPECTED if state.standings else Verdicts.HEALTHY
