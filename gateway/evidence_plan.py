"""What the planner is told of a diagnosis that looks for itself, and what it proposes: dbdiag.planner.v1."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.language import LocalizedText, ModelUsage
from gateway.plan import HypothesisView


@dataclass(frozen=True)
class CheckView:
    """A check that may be proposed."""

    check_id: str
    name: LocalizedText
    phenomenon_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class SignalView:
    """What a check showed."""

    check_id: str
    summary: str
    evidence_ref: str = ""


@dataclass(frozen=True)
class PlanEvidenceRequest:
    """Where a diagnosis stands before a round."""

    question: str
    hypotheses: tuple[HypothesisView, ...] = ()
    allowed_checks: tuple[CheckView, ...] = ()
    signals: tuple[SignalView, ...] = ()
    round: int = 0
    max_checks: int = 0


@dataclass(frozen=True)
class PlannedCheck:
    """One proposed check."""

    check_id: str
    purpose: str = ""
    expected_signal: str = ""
    priority: int = 5


@dataclass(frozen=True)
class EvidencePlan:
    """A round's checks, or that it is time to stop; none where usage has a fallback reason."""

    stop: bool = False
    stop_reason: str = ""
    next_checks: tuple[PlannedCheck, ...] = ()
    missing_info: tuple[str, ...] = ()
    usage: ModelUsage = ModelUsage()
