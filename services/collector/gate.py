"""Admission control for checks: allow-list, category, engine, risk and budgets.

An unknown id or an invalid parameter is the caller's mistake and ends the call. Any other refusal affects only its own
step, with a reason, and the remaining steps run. Budgets apply before each step.

An investigation that lost its caller resumes under its look_id: recent results are returned again at no cost.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from services.collector.catalogue.reader import Catalogue
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.model import CheckCall, CheckOutcome, CollectResponse, Risk

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
    """An admitted step and its call. result: only of a check that completed."""

    at: float
    round: Round
    result: CollectResponse | None = None


_Step = tuple[str, str, tuple[tuple[str, str], ...]]


@dataclass
class Spent:
    """The budget that a session has used; `ran`: the last run of each check on each target, while it is recent."""

    rounds: int = 0
    checks: int = 0
    ran: dict[_Step, Ran] = field(default_factory=dict)


@dataclass(slots=True)
class Round:
    """One call to collect. begun: whether one of its steps ran; from then on the call counts as a round."""

    target_id: str
    category: str
    engines: tuple[str, ...]
    ends_at: float
    spent: Spent
    look_id: str = ""
    begun: bool = False


class Gate:
    """Admits or refuses each step. `clock` is monotonic, in seconds."""

    def __init__(self, catalogue: Catalogue, limits: Limits, clock: Callable[[], float]) -> None:
        self._catalogue = catalogue
        self._limits = limits
        self._clock = clock
        self._sessions: OrderedDict[str, Spent] = OrderedDict()

    def resolve(self, call: CheckCall) -> tuple[CatalogueCheck, Mapping[str, str]]:
        """The check and all its parameters. Raises InvalidInput: unknown_check or invalid_parameter."""
        check = self._catalogue.checks.get(call.check_id)
        if check is None:
            raise InvalidInput("unknown_check", check=repr(call.check_id))
        if stray := sorted(set(call.parameters) - set(check.parameters)):
            raise InvalidInput("invalid_parameter.unknown", check=check.id, name=repr(stray[0]))
        values = {name: call.parameters.get(name, item.default) for name, item in check.parameters.items()}
        for name, item in check.parameters.items():
            if (item.required and name not in call.parameters) or not re.fullmatch(item.pattern, values[name]):
                raise InvalidInput("invalid_parameter.pattern", check=check.id, name=name, pattern=item.pattern)
        return check, values

    def knows(self, session_id: str) -> bool:
        """True if this process has seen the session."""
        return session_id in self._sessions

    def resume(self, session_id: str, checks: int) -> None:
        """Continues a session of an earlier process, which ran `checks` checks."""
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
        """Starts a call."""
        self._forget()
        spent = self._sessions.setdefault(session_id, Spent())
        self._sessions.move_to_end(session_id)
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        allowed = self._limits.time_budget_seconds
        return Round(target_id, category, engines, self._clock() + min(seconds or allowed, allowed), spent, look_id)

    def _forget(self) -> None:
        """Drops runs that are no longer recent, and with them their results."""
        before = self._clock() - self._limits.repeat_after_seconds
        for spent in self._sessions.values():
            if spent.ran:
                spent.ran = {step: ran for step, ran in spent.ran.items() if ran.at > before}

    def cached_result(
        self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]
    ) -> CollectResponse | None:
        """The recent result of this step in the same investigation; None if the step has to run."""
        ran = self._recent(round_, check, parameters)
        return ran.result if ran is not None and _is_same(ran.round, round_) else None

    def refusal(
        self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str], number: int
    ) -> Message | None:
        """Why a step may not run now; None if it may. number: its place in the call."""
        return self._not_allowed(round_, check) or self._over_budget(round_, check, parameters, number)

    def count(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> None:
        """Charges a step that is about to run to the budgets."""
        round_.spent.rounds += not round_.begun
        round_.begun = True
        round_.spent.checks += 1
        round_.spent.ran[_step(round_, check, parameters)] = Ran(self._clock(), round_)

    def keep_result(
        self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str], result: CollectResponse
    ) -> None:
        """Keeps the result of a step, for a caller that resumes."""
        ran = round_.spent.ran.get(_step(round_, check, parameters))
        if ran is not None and result.outcome is CheckOutcome.DONE:
            ran.result = result

    def allow_retry(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> None:
        """Lets a step that never reached its target run again at once; it stays counted."""
        round_.spent.ran.pop(_step(round_, check, parameters), None)

    def _recent(self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> Ran | None:
        """The last run of a step, if it is too recent to repeat."""
        ran = round_.spent.ran.get(_step(round_, check, parameters))
        return ran if ran is not None and self._clock() - ran.at < self._limits.repeat_after_seconds else None

    def _not_allowed(self, round_: Round, check: CatalogueCheck) -> Message | None:
        if check.engine not in round_.engines:
            return Message(
                "wrong_platform", {"check": check.id, "engine": check.engine, "other": tuple(round_.engines[:1])}
            )
        if not self._catalogue.allowed(check.id, round_.category):
            return Message("outside_category", {"check": check.id, "category": round_.category})
        if _RISKS.index(check.risk) > _RISKS.index(self._limits.max_risk):
            return Message("risk_too_high", {"check": check.id, "risk": check.risk, "most": self._limits.max_risk})
        return None

    def _over_budget(
        self, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str], number: int
    ) -> Message | None:
        limits, spent = self._limits, round_.spent
        ran = self._recent(round_, check, parameters)
        if ran is not None and (ran.round is round_ or not _is_same(ran.round, round_)):
            return Message("duplicate", {"check": check.id, "seconds": f"{self._clock() - ran.at:.0f}"})
        if not round_.begun and spent.rounds >= limits.max_rounds:
            return Message("max_rounds", {"count": limits.max_rounds})
        if number >= limits.max_checks_per_round:
            return Message("max_checks_per_round", {"count": limits.max_checks_per_round})
        if spent.checks >= limits.max_total_checks:
            return Message("max_total_checks", {"count": limits.max_total_checks})
        if self._clock() >= round_.ends_at:
            return Message("time_budget")
        return None


def _is_same(one: Round, other: Round) -> bool:
    return bool(one.look_id) and one.look_id == other.look_id


def _step(round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]) -> _Step:
    return round_.target_id, check.id, tuple(sorted(parameters.items()))
