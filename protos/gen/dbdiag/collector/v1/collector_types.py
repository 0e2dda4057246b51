"""The types of dbdiag/collector/v1/collector.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

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


@dataclass(frozen=True)
class ListTargetsRequest:
    """`dbdiag.collector.v1.ListTargetsRequest`."""


@dataclass(frozen=True)
class ListTargetsResponse:
    """`dbdiag.collector.v1.ListTargetsResponse`."""

    targets: tuple[Target, ...] = ()


@dataclass(frozen=True)
class CheckParameter:
    """`dbdiag.collector.v1.CheckParameter`."""

    name: str = ""
    # A regular expression the whole value must match.
    pattern: str = ""
    required: bool = False
    default_value: str = ""


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


@dataclass(frozen=True)
class ListChecksRequest:
    """`dbdiag.collector.v1.ListChecksRequest`."""

    # Only the checks that apply to this target; empty for all.
    target_id: str = ""
    # Only this category; empty for all.
    category: str = ""


@dataclass(frozen=True)
class Weight:
    """`dbdiag.collector.v1.Weight`."""

    phenomenon_id: str = ""
    weight: float = 0.0


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


@dataclass(frozen=True)
class CheckCall:
    """`dbdiag.collector.v1.CheckCall`."""

    check_id: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


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


@dataclass(frozen=True)
class Signal:
    """`dbdiag.collector.v1.Signal`."""

    name: str = ""
    number: float | None = None
    boolean: bool | None = None
    text: str | None = None
    unit: str = ""


@dataclass(frozen=True)
class Finding:
    """What a check says about a phenomenon."""

    phenomenon_id: str = ""
    verdict: Verdict | None = None
    # The value that decided, in words.
    words: str = ""


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


@dataclass(frozen=True)
class GetEvidenceRequest:
    """`dbdiag.collector.v1.GetEvidenceRequest`."""

    session_id: str = ""
    evidence_ref: str = ""


@dataclass(frozen=True)
class GetEvidenceResponse:
    """`dbdiag.collector.v1.GetEvidenceResponse`."""

    check_id: str = ""
    redacted_output: str = ""
    sha256: str = ""
    collected_at_unix_seconds: int = 0
