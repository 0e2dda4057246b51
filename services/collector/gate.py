"""What stands between a call and a target: checks by id only, of the category, the engine and the risk allowed.

An id that is no check, or a parameter that does not fit, is the caller's mistake and ends the call; whatever else the
gate does not let through is a refused step with its reason, and the rest go on. Budgets are looked at before each step.

A look whose caller was ended is gone on with under its id: what it was brought just now is given again, at no cost.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from services.chassis.errors import InvalidInput
from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.reader import Catalogue
from services.collector.model import CheckCall, CheckOutcome, CheckResult, Risk

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
class Ran:
    """A step that was let through, in which call; result: what it brought, where the check was done."""

    at: float
    round: Round
    result: CheckResult | None = None


_Step = tuple[str, str, tuple[tuple[str, str], ...]]


@dataclass
class Spent:
    """What a session has used up; `ran` has how each check last ran on each target, while that counts."""

    rounds: int = 0
    checks: int = 0
    ran: dict[_Step, Ran] = field(default_factory=dict)


@dataclass(slots=True)
class Round:
    """One call to collect, as the gate sees it. begun: whether a step of it was made, from which on it counts."""

    target_id: str
    category: str
    engines: tuple[str, ...]
    ends_at: float
    spent: Spent
    look_id: str = ""
    begun: bool = False


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

    def knows(self, session_id: str) -> bool:
        """Whether a session was here since this process began."""
        return session_id in self._sessions

    def go_on(self, session_id: str, checks: int) -> None:
        """A session that an earlier process knew has used up the checks that stand on its record."""
        self._sessions[session_id] = Spent(checks=checks)

    def round(
        self,
        session_id: str,
        target_id: str,
        category: str,
        engines: tuple[str, ...],
        seconds: float,
        look_id: str = "",
    ) -> Round:
        """Begins a call."""
        self._forget()
        spent = self._sessions.setdefault(session_id, Spent())
        self._sessions.move_to_end(session_id)
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        allowed = self._limits.time_budget_seconds
        return Round(target_id, category, engines, self._clock() + min(seconds or allowed, allowed), spent, look_id)

    def _forget(self) -> None:
        """Lets go of what no longer counts, so that results are held for a short while only."""
        before = self._clock() - self._limits.repeat_after_seconds
        for spent in self._sessions.values():
            if spent.ran:
                spent.ran = {step: ran for step, ran in spent.ran.items() if ran.at > before}

    def kept(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> CheckResult | None:
        """What this step brought just now in the same look; None where it has to be made."""
        ran = self._recent(round_, check, parameters)
        return ran.result if ran is not None and _same_look(ran.round, round_) else None

    def refusal(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str], number: int) -> str:
        """Why a step may not be made now, as `reason: words`; empty when it may. number: its place in the call."""
        return self._not_allowed(round_, check) or self._over_budget(round_, check, parameters, number)

    def made(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> None:
        """Counts a step that is about to be made."""
        round_.spent.rounds += not round_.begun
        round_.begun = True
        round_.spent.checks += 1
        round_.spent.ran[_step(round_, check, parameters)] = Ran(self._clock(), round_)

    def brought(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str], result: CheckResult) -> None:
        """Keeps what a step brought, for a caller that was ended before it heard."""
        ran = round_.spent.ran.get(_step(round_, check, parameters))
        if ran is not None and result.outcome is CheckOutcome.DONE:
            ran.result = result

    def unmade(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> None:
        """A step that did not get as far as its target may be tried again at once; it stays counted."""
        round_.spent.ran.pop(_step(round_, check, parameters), None)

    def _recent(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> Ran | None:
        """How a step was made so short a time ago that it is not made again."""
        ran = round_.spent.ran.get(_step(round_, check, parameters))
        return ran if ran is not None and self._clock() - ran.at < self._limits.repeat_after_seconds else None

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
        ran = self._recent(round_, check, parameters)
        if ran is not None and (ran.round is round_ or not _same_look(ran.round, round_)):
            return f"duplicate: {check.id} ran {self._clock() - ran.at:.0f} s ago in this session"
        if not round_.begun and spent.rounds >= limits.max_rounds:
            return f"max_rounds: this session has had its {limits.max_rounds} rounds"
        if number >= limits.max_checks_per_round:
            return f"max_checks_per_round: a round has at most {limits.max_checks_per_round} checks"
        if spent.checks >= limits.max_total_checks:
            return f"max_total_checks: this session has had its {limits.max_total_checks} checks"
        if self._clock() >= round_.ends_at:
            return "time_budget: the time of this call is used up"
        return ""


def _same_look(one: Round, other: Round) -> bool:
    return bool(one.look_id) and one.look_id == other.look_id


def _step(round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> _Step:
    return round_.target_id, check.id, tuple(sorted(parameters.items()))
