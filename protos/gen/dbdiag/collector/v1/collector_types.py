"""The types of dbdiag/collector/v1/collector.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from dbdiag.frozen import dataclass, set_field

from dbdiag.vocabulary import LocalizedText, Verdict

__all__ = [
    "Check",
    "CheckCall",
    "CheckOutcome",
    "CheckParameter",
    "CollectRequest",
    "CollectResponse",
    "Finding",
    "GetEvidenceRequest",
    "GetEvidenceResponse",
    "ListChecksRequest",
    "ListChecksResponse",
    "ListTargetsRequest",
    "ListTargetsResponse",
    "LocalizedText",
    "Route",
    "Signal",
    "Target",
    "Verdict",
    "Weight",
]


class CheckOutcome(StrEnum):
    """`dbdiag.collector.v1.CheckOutcome`."""

    DONE = "done"
    # The gate did not let it run.
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True)
class Target:
    """`dbdiag.collector.v1.Target`."""

    target_id: str = ""
    # postgres, mysql, host, ssh or prometheus.
    kind: str = ""
    description: str = ""

    if not TYPE_CHECKING:

        def __init__(self, target_id=target_id, kind=kind, description=description):
            set_field(self, "target_id", target_id)
            set_field(self, "kind", kind)
            set_field(self, "description", description)


@dataclass(frozen=True)
class ListTargetsRequest:
    """`dbdiag.collector.v1.ListTargetsRequest`."""


@dataclass(frozen=True)
class ListTargetsResponse:
    """`dbdiag.collector.v1.ListTargetsResponse`."""

    targets: tuple[Target, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, targets=targets):
            set_field(self, "targets", targets)


@dataclass(frozen=True)
class CheckParameter:
    """`dbdiag.collector.v1.CheckParameter`."""

    name: str = ""
    # A regular expression the whole value must match.
    pattern: str = ""
    required: bool = False
    default_value: str = ""

    if not TYPE_CHECKING:

        def __init__(self, name=name, pattern=pattern, required=required, default_value=default_value):
            set_field(self, "name", name)
            set_field(self, "pattern", pattern)
            set_field(self, "required", required)
            set_field(self, "default_value", default_value)


@dataclass(frozen=True)
class Check:
    """`dbdiag.collector.v1.Check`."""

    check_id: str = ""
    name: LocalizedText = LocalizedText()
    engine: str = ""
    # Versions it runs on, as ">=14,<17".
    versions: str = ""
    categories: tuple[str, ...] = ()
    parameters: tuple[CheckParameter, ...] = ()
    phenomenon_ids: tuple[str, ...] = ()
    timeout_seconds: float = 0.0
    cost: int = 0
    # none, low or medium.
    risk: str = ""

    if not TYPE_CHECKING:

        def __init__(self, check_id=check_id, name=name, engine=engine, versions=versions, categories=categories, parameters=parameters, phenomenon_ids=phenomenon_ids, timeout_seconds=timeout_seconds, cost=cost, risk=risk):
            set_field(self, "check_id", check_id)
            set_field(self, "name", name)
            set_field(self, "engine", engine)
            set_field(self, "versions", versions)
            set_field(self, "categories", categories)
            set_field(self, "parameters", parameters)
            set_field(self, "phenomenon_ids", phenomenon_ids)
            set_field(self, "timeout_seconds", timeout_seconds)
            set_field(self, "cost", cost)
            set_field(self, "risk", risk)


@dataclass(frozen=True)
class ListChecksRequest:
    """`dbdiag.collector.v1.ListChecksRequest`."""

    # Only the checks that apply to this target; empty for all.
    target_id: str = ""
    # Only this category; empty for all.
    category: str = ""

    if not TYPE_CHECKING:

        def __init__(self, target_id=target_id, category=category):
            set_field(self, "target_id", target_id)
            set_field(self, "category", category)


@dataclass(frozen=True)
class Weight:
    """`dbdiag.collector.v1.Weight`."""

    phenomenon_id: str = ""
    weight: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, weight=weight):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "weight", weight)


@dataclass(frozen=True)
class Route:
    """A kind of trouble: the checks that serve it, and what speaks for and against it."""

    category: str = ""
    name: LocalizedText = LocalizedText()
    # The most telling first.
    check_ids: tuple[str, ...] = ()
    # The checks required before a conclusion.
    minimum_check_ids: tuple[str, ...] = ()
    # Phenomena that, when confirmed, add to its score; and those that take from it.
    speaks_for: tuple[Weight, ...] = ()
    speaks_against: tuple[Weight, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, category=category, name=name, check_ids=check_ids, minimum_check_ids=minimum_check_ids, speaks_for=speaks_for, speaks_against=speaks_against):
            set_field(self, "category", category)
            set_field(self, "name", name)
            set_field(self, "check_ids", check_ids)
            set_field(self, "minimum_check_ids", minimum_check_ids)
            set_field(self, "speaks_for", speaks_for)
            set_field(self, "speaks_against", speaks_against)


@dataclass(frozen=True)
class ListChecksResponse:
    """`dbdiag.collector.v1.ListChecksResponse`."""

    checks: tuple[Check, ...] = ()
    # The checks that every diagnosis begins with, in order; of a target, those that apply to it.
    baseline_check_ids: tuple[str, ...] = ()
    # In category order; of a target, with the checks that apply to it; of a category, that one.
    routes: tuple[Route, ...] = ()
    # Of a target: the engines whose checks apply to it, its own first. KnowledgeService.PrepareSnapshot takes them.
    engines: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, checks=checks, baseline_check_ids=baseline_check_ids, routes=routes, engines=engines):
            set_field(self, "checks", checks)
            set_field(self, "baseline_check_ids", baseline_check_ids)
            set_field(self, "routes", routes)
            set_field(self, "engines", engines)


@dataclass(frozen=True)
class CheckCall:
    """`dbdiag.collector.v1.CheckCall`."""

    check_id: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)

    if not TYPE_CHECKING:

        def __init__(self, check_id=check_id, parameters=None):
            set_field(self, "check_id", check_id)
            set_field(self, "parameters", {} if parameters is None else parameters)


@dataclass(frozen=True)
class CollectRequest:
    """`dbdiag.collector.v1.CollectRequest`."""

    session_id: str = ""
    target_id: str = ""
    snapshot_id: str = ""
    checks: tuple[CheckCall, ...] = ()
    # Checks outside this category are refused; empty allows all.
    category: str = ""
    # Seconds for the whole call. 0: the collector's setting.
    time_budget_seconds: float = 0.0
    # Names one look, over all its calls. A check that ran just now in the same look is answered again from what was kept, and one
    # that was cut short may run again, so that a caller that was ended can go on; in another look it is refused. Empty: none.
    look_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, session_id=session_id, target_id=target_id, snapshot_id=snapshot_id, checks=checks, category=category, time_budget_seconds=time_budget_seconds, look_id=look_id):
            set_field(self, "session_id", session_id)
            set_field(self, "target_id", target_id)
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "checks", checks)
            set_field(self, "category", category)
            set_field(self, "time_budget_seconds", time_budget_seconds)
            set_field(self, "look_id", look_id)


@dataclass(frozen=True)
class Signal:
    """`dbdiag.collector.v1.Signal`."""

    name: str = ""
    number: float | None = None
    boolean: bool | None = None
    text: str | None = None
    unit: str = ""

    if not TYPE_CHECKING:

        def __init__(self, name=name, number=number, boolean=boolean, text=text, unit=unit):
            set_field(self, "name", name)
            set_field(self, "number", number)
            set_field(self, "boolean", boolean)
            set_field(self, "text", text)
            set_field(self, "unit", unit)


@dataclass(frozen=True)
class Finding:
    """What a check says about a phenomenon."""

    phenomenon_id: str = ""
    verdict: Verdict | None = None
    # The value that decided, in words.
    words: str = ""

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, verdict=verdict, words=words):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "verdict", verdict)
            set_field(self, "words", words)


@dataclass(frozen=True)
class CollectResponse:
    """`dbdiag.collector.v1.CollectResponse`."""

    check_id: str = ""
    outcome: CheckOutcome | None = None
    # Why it was refused or failed; empty when done.
    reason: str = ""
    signals: tuple[Signal, ...] = ()
    findings: tuple[Finding, ...] = ()
    # Names the stored output and the audit entry.
    evidence_ref: str = ""
    elapsed_seconds: float = 0.0
    # Of the stored output, as GetEvidence gives it; empty when nothing was stored.
    sha256: str = ""
    # The reason as a JSON object {"key", "details"}, for rendering it in another language; empty when done.
    reason_json: str = ""

    if not TYPE_CHECKING:

        def __init__(self, check_id=check_id, outcome=outcome, reason=reason, signals=signals, findings=findings, evidence_ref=evidence_ref, elapsed_seconds=elapsed_seconds, sha256=sha256, reason_json=reason_json):
            set_field(self, "check_id", check_id)
            set_field(self, "outcome", outcome)
            set_field(self, "reason", reason)
            set_field(self, "signals", signals)
            set_field(self, "findings", findings)
            set_field(self, "evidence_ref", evidence_ref)
            set_field(self, "elapsed_seconds", elapsed_seconds)
            set_field(self, "sha256", sha256)
            set_field(self, "reason_json", reason_json)


@dataclass(frozen=True)
class GetEvidenceRequest:
    """`dbdiag.collector.v1.GetEvidenceRequest`."""

    session_id: str = ""
    evidence_ref: str = ""

    if not TYPE_CHECKING:

        def __init__(self, session_id=session_id, evidence_ref=evidence_ref):
            set_field(self, "session_id", session_id)
            set_field(self, "evidence_ref", evidence_ref)


@dataclass(frozen=True)
class GetEvidenceResponse:
    """`dbdiag.collector.v1.GetEvidenceResponse`."""

    check_id: str = ""
    redacted_output: str = ""
    sha256: str = ""
    collected_at_unix_seconds: int = 0

    if not TYPE_CHECKING:

        def __init__(self, check_id=check_id, redacted_output=redacted_output, sha256=sha256, collected_at_unix_seconds=collected_at_unix_seconds):
            set_field(self, "check_id", check_id)
            set_field(self, "redacted_output", redacted_output)
            set_field(self, "sha256", sha256)
            set_field(self, "collected_at_unix_seconds", collected_at_unix_seconds)
