"""What a planner is told of a diagnosis that looks for itself, and what it proposes; mirrors `dbdiag.planner.v1`."""

from __future__ import annotations

from dataclasses import dataclass

from services.planner.decision import NO_MODEL, ModelUsage
from services.planner.model import HypothesisView, Text


@dataclass(frozen=True)
class CheckView:
    """A check that may be proposed, and what it can say something about."""

    check_id: str = ""
    name: Text = Text()
    phenomenon_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class SignalView:
    """What a check showed, redacted, and where its output is kept."""

    check_id: str = ""
    summary: str = ""
    evidence_ref: str = ""


@dataclass(frozen=True)
class PlanEvidenceRequest:
    """Where a diagnosis stands before a round."""

    question: str = ""
    hypotheses: tuple[HypothesisView, ...] = ()
    allowed_checks: tuple[CheckView, ...] = ()
    signals: tuple[SignalView, ...] = ()
    round: int = 0
    max_checks: int = 0


@dataclass(frozen=True)
class PlannedCheck:
    """One proposed check. priority: 1 first, 5 last."""

    check_id: str = ""
    purpose: str = ""
    expected_signal: str = ""
    priority: int = 5


@dataclass(frozen=True)
class PlanEvidenceResponse:
    """A round's checks, or that it is time to stop. Where `usage` has a fallback reason there is no proposal."""

    stop: bool = False
    stop_reason: str = ""
    next_checks: tuple[PlannedCheck, ...] = ()
    missing_info: tuple[str, ...] = ()
    usage: ModelUsage = NO_MODEL
