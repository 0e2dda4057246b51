"""What stands between a call and a target: checks by id only, of the category, the engine and the risk allowed.

An id that is no check, or a parameter that does not fit, is the caller's mistake and ends the call; whatever else the
gate does not let through is a refused step with its reason, and the rest go on. Budgets are looked at before each step.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from services.chassis.errors import InvalidInput
from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.reader import Catalogue
from services.collector.model import CheckCall, Risk

_RISKS = list(Risk)
MOST_SESSIONS = 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets. A check is not repeated in a session on a target before `repeat_after_seconds` have passed."""

    max_rounds: int = 20
    max_checks_per_round: int = 20
    max_total_checks: int = 100
    time_budget_seconds: float = 120.0
    max_risk: Risk = Risk.LOW
    repeat_after_seconds: float = 20.0


@dataclass
class Spent:
    """What a session has used up; `ran` has when each check last ran on each target."""

    rounds: int = 0
    checks: int = 0
    ran: dict[tuple[str, str, tuple[tuple[str, str], ...]], float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Round:
    """One call to collect, as the gate sees it."""

    target_id: str
    category: str
    engines: tuple[str, ...]
    ends_at: float
    spent: Spent


class Gate:
    """Decides about each step. `clock` is monotonic, in seconds."""

    def __init__(self, catalogue: Catalogue, limits: Limits, clock: Callable[[], float]) -> None:
        self._catalogue = catalogue
        self._limits = limits
        self._clock = clock
        self._sessions: OrderedDict[str, Spent] = OrderedDict()

    def checked(self, call: CheckCall) -> tuple[CatalogueCheck, Mapping[str, str]]:
        """The check and all its parameters. Raises InvalidInput: unknown_check or invalid_parameter."""
        check = self._catalogue.checks.get(call.check_id)
        if check is None:
            raise InvalidInput(f"collecting: {call.check_id!r} is no check of the catalogue", reason="unknown_check")
        if stray := sorted(set(call.parameters) - set(check.parameters)):
            raise InvalidInput(f"collecting: {check.id} has no parameter {stray[0]!r}", reason="invalid_parameter")
        values = {name: call.parameters.get(name, item.default) for name, item in check.parameters.items()}
        for name, item in check.parameters.items():
            if (item.required and name not in call.parameters) or not re.fullmatch(item.pattern, values[name]):
                raise InvalidInput(
                    f"collecting: {name} of {check.id} does not match {item.pattern}", reason="invalid_parameter"
                )
        return check, values

    def round(self, session_id: str, target_id: str, category: str, engines: tuple[str, ...], seconds: float) -> Round:
        """Begins a call."""
        spent = self._sessions.setdefault(session_id, Spent())
        self._sessions.move_to_end(session_id)
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        spent.rounds += 1
        allowed = self._limits.time_budget_seconds
        return Round(target_id, category, engines, self._clock() + min(seconds or allowed, allowed), spent)

    def refusal(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str], number: int) -> str:
        """Why a step may not be made now, as `reason: words`; empty when it may. number: its place in the call."""
        return self._not_allowed(round_, check) or self._over_budget(round_, check, parameters, number)

    def made(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> None:
        """Counts a step that is about to be made."""
        round_.spent.checks += 1
        round_.spent.ran[_step(round_, check, parameters)] = self._clock()

    def _not_allowed(self, round_: Round, check: CatalogueCheck) -> str:
        if check.engine not in round_.engines:
            return f"wrong_platform: {check.id} is for {check.engine}, the target is looked at by {round_.engines[0]}"
        if not self._catalogue.allowed(check.id, round_.category):
            return f"outside_category: {check.id} is not among the checks of {round_.category}"
        if _RISKS.index(check.risk) > _RISKS.index(self._limits.max_risk):
            return f"risk_too_high: {check.id} has the risk {check.risk}, allowed is {self._limits.max_risk}"
        return ""

    def _over_budget(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str], number: int) -> str:
        limits, spent = self._limits, round_.spent
        last = spent.ran.get(_step(round_, check, parameters))
        if last is not None and self._clock() - last < limits.repeat_after_seconds:
            return f"duplicate: {check.id} ran {self._clock() - last:.0f} s ago in this session"
        if spent.rounds > limits.max_rounds:
            return f"max_rounds: this session has had its {limits.max_rounds} rounds"
        if number >= limits.max_checks_per_round:
            return f"max_checks_per_round: a round has at most {limits.max_checks_per_round} checks"
        if spent.checks >= limits.max_total_checks:
            return f"max_total_checks: this session has had its {limits.max_total_checks} checks"
        if self._clock() >= round_.ends_at:
            return "time_budget: the time of this call is used up"
        return ""


def _step(
    round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]
) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return round_.target_id, check.id, tuple(sorted(parameters.items()))
