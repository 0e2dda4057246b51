"""Plans a round (the minimum of the route, a refutation, the most informative), and decides when to stop."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.investigation.model import Batch, Case, Check, Question, Route, Stop, Verdicts
from gateway.investigation.state import State, has_succeeded

# A cause is put to the test where an answer would take at least this much of the belief in it.
_REFUTES = 0.05
# What tells less than this many bits for its cost is not worth a look.
_LEAST_WORTH = 0.02
# Consecutive rounds without news.
_STILL = 2


@dataclass(frozen=True)
class Planned:
    """One check of a plan: its purpose, and its worth in bits per cost."""

    check_id: str
    purpose: str
    worth: float


@dataclass(frozen=True)
class Plan:
    """A round's checks, in order, and those of the pool that were not chosen."""

    planned: tuple[Planned, ...]
    pool: tuple[str, ...]
    passed_over: tuple[str, ...]


def plan_round(case: Case, state: State, room: int) -> Plan:
    """At most `room` checks of the pool; empty if no informative check is left."""
    pool = list_pool(case, state)
    worth = {check.check_id: _rate(case, check, state) for check in pool}
    chosen: dict[str, Planned] = {}
    for name in list_missing(case, state):
        chosen.setdefault(name, Planned(name, "minimum", worth.get(name, 0.0)))
    counter = find_counter_check(state, pool)
    if counter and state.confidence >= case.budget.confidence_threshold:
        chosen = {counter: Planned(counter, "counter_check", worth[counter]), **chosen}
    for name in sorted((name for name in worth if worth[name] >= _LEAST_WORTH), key=lambda name: (-worth[name], name)):
        chosen.setdefault(name, Planned(name, "gain", worth[name]))
    planned = tuple(chosen.values())[:room]
    names = tuple(check.check_id for check in pool)
    return Plan(planned, names, tuple(item for item in names if item not in {step.check_id for step in planned}))


def list_unswept(case: Case, state: State) -> tuple[str, ...]:
    """The missing minimum checks of all routes, the most informative first: one fault must not hide another.

    Then, while no route is supported, every check that could support one.
    """
    minimum = {name for route in case.routes for name in route.minimum}
    telling = {check.check_id for check in case.checks if _rate_support(case, check) > 0}
    left = [check for check in case.checks if check.check_id not in state.made]
    needed = [check for check in left if check.check_id in minimum]
    if not needed and not list_supported_routes(case, state):
        needed = [check for check in left if check.check_id in telling]
    needed.sort(key=lambda check: (-_rate_support(case, check), check.check_id))
    return tuple(check.check_id for check in needed)


def list_pool(case: Case, state: State) -> tuple[Check, ...]:
    """The remaining checks of the supported routes; all remaining checks while no route is supported."""
    allowed = {name for route in list_supported_routes(case, state) for name in route.checks}
    open_checks = tuple(check for check in case.checks if check.check_id not in state.made)
    within = tuple(check for check in open_checks if check.check_id in allowed)
    return within if allowed and any(_rate_gain(check, state) >= _LEAST_WORTH for check in within) else open_checks


def list_supported_routes(case: Case, state: State) -> tuple[Route, ...]:
    """The supported routes, the best first."""
    routes = {route.category: route for route in case.routes}
    return tuple(routes[standing.category] for standing in state.standings if standing.score > 0)


def list_missing(case: Case, state: State) -> tuple[str, ...]:
    """The missing minimum checks of the best route."""
    known = {check.check_id for check in case.checks}
    best = list_supported_routes(case, state)[:1]
    return tuple(name for route in best for name in route.minimum if name in known and name not in state.made)


def find_counter_check(state: State, pool: tuple[Check, ...]) -> str:
    """The check that could lower the belief in the leader the most; empty if none could."""
    fall = {
        check.check_id: max((_rate_fall(state, item) for item in _list_questions(check, state)), default=0.0)
        for check in pool
    }
    best = max(sorted(fall), key=lambda name: fall[name], default="")
    return best if best and fall[best] >= _REFUTES else ""


def make_batches(case: Case, state: State, planned: tuple[Planned, ...]) -> tuple[Batch, ...]:
    """The plan as calls: each check under the best route that admits it, which the gate enforces."""
    routes = list_supported_routes(case, state)
    grouped: dict[str, list[str]] = {}
    for step in planned:
        category = next((route.category for route in routes if step.check_id in route.checks), "")
        grouped.setdefault(category, []).append(step.check_id)
    return tuple(Batch(category, tuple(names)) for category, names in grouped.items())


def _rate(case: Case, check: Check, state: State) -> float:
    """The worth of a check: while no route is supported, how much it could support one; then its information gain."""
    return _rate_gain(check, state) if list_supported_routes(case, state) else _rate_support(case, check)


def _rate_support(case: Case, check: Check) -> float:
    """The weights of the routes for the phenomena of a check, per cost."""
    weights = (route.speaks_for.get(name, 0.0) for name in check.phenomenon_ids for route in case.routes)
    return round(sum(weights) / check.cost, 6)


def _rate_gain(check: Check, state: State) -> float:
    return round(sum(item.gain_bits for item in _list_questions(check, state)) / check.cost, 6)


def _list_questions(check: Check, state: State) -> tuple[Question, ...]:
    return tuple(item for item in state.judgement.questions if item.phenomenon_id in check.phenomenon_ids)


def _rate_fall(state: State, question: Question) -> float:
    return state.confidence - min(question.after_yes, question.after_no)


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
