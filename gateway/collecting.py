"""What the collector is asked and what it answers: dbdiag.collector.v1 as the gateway holds it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateway.language import LocalizedText, Verdict


@dataclass(frozen=True)
class Target:
    """A configured system."""

    target_id: str
    kind: str
    description: str = ""


@dataclass(frozen=True)
class Check:
    """A read-only check and what it can say something about."""

    check_id: str
    name: LocalizedText
    phenomenon_ids: tuple[str, ...] = ()
    cost: int = 1


@dataclass(frozen=True)
class Weight:
    """How much a phenomenon counts for or against a route."""

    phenomenon_id: str
    weight: float


@dataclass(frozen=True)
class Route:
    """A kind of trouble and the checks that serve it."""

    category: str
    name: LocalizedText
    check_ids: tuple[str, ...] = ()
    minimum_check_ids: tuple[str, ...] = ()
    speaks_for: tuple[Weight, ...] = ()
    speaks_against: tuple[Weight, ...] = ()


@dataclass(frozen=True)
class CheckList:
    """The checks that apply to a target, with their routing."""

    checks: tuple[Check, ...] = ()
    baseline_check_ids: tuple[str, ...] = ()
    routes: tuple[Route, ...] = ()


@dataclass(frozen=True)
class CheckCall:
    """One check to make."""

    check_id: str


@dataclass(frozen=True)
class CollectRequest:
    """Checks to make on a target, in this order. look_id: the look they are part of, over all its calls."""

    session_id: str
    target_id: str
    snapshot_id: str = ""
    checks: tuple[CheckCall, ...] = ()
    category: str = ""
    time_budget_seconds: float = 0.0
    look_id: str = ""


@dataclass(frozen=True)
class Signal:
    """One value; exactly one of number, boolean and text is set."""

    name: str
    number: float | None = None
    boolean: bool | None = None
    text: str | None = None
    unit: str = ""


@dataclass(frozen=True)
class Finding:
    """What a check says about a phenomenon."""

    phenomenon_id: str
    verdict: Verdict
    words: str = ""


class CheckOutcome(StrEnum):
    """How a step ended."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True)
class CheckResult:
    """What came of one check; sha256: of its stored output."""

    check_id: str
    outcome: CheckOutcome
    reason: str = ""
    signals: tuple[Signal, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence_ref: str = ""
    elapsed_seconds: float = 0.0
    sha256: str = ""
