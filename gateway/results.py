"""Everything an answer may speak of: the results of a turn, dbdiag.planner.v1.TurnResults as the gateway holds it."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.answers import Answer
from gateway.language import Language, LocalizedText, ModelUsage, Status, Verdict
from gateway.plan import ClarifyKind, PlanSource, SmalltalkKind, Tool
from gateway.views import BeliefChange, DiagnosisView, LookOffer, LookView


@dataclass(frozen=True)
class NotedEvidence:
    """Evidence recorded in this turn."""

    phenomenon_id: str
    name: LocalizedText
    verdict: Verdict
    words: str = ""
    score: float = 1.0
    matched_from_words: bool = False
    also_possible: LocalizedText | None = None
    extracted_value: str = ""


@dataclass(frozen=True)
class AppliedCorrection:
    """What was taken back or replaced, and what it did to the beliefs."""

    name: LocalizedText
    original: str
    corrected: str = ""
    verdict_before: Verdict | None = None
    verdict_after: Verdict | None = None
    changes: tuple[BeliefChange, ...] = ()


@dataclass(frozen=True)
class AppliedSuggestion:
    """A suspicion and the cause it was taken to mean; no cause when none is near."""

    text: str
    root_cause_id: str = ""
    name: LocalizedText | None = None
    confidence: float = 0.0
    boost: float = 0.0
    effective_confidence: float = 0.0


@dataclass(frozen=True)
class ClarificationOption:
    """One option of a clarification."""

    ordinal: int
    phenomenon_id: str
    name: LocalizedText
    present_when: LocalizedText | None = None


@dataclass(frozen=True)
class Clarification:
    """The one thing asked back in this turn."""

    kind: ClarifyKind
    words: str = ""
    options: tuple[ClarificationOption, ...] = ()
    earlier_words: str = ""
    # Of two that contradict each other the option that a check saw; 0: none.
    seen_ordinal: int = 0


@dataclass(frozen=True)
class ToolFailure:
    """A tool that did not do its work, and why."""

    tool: Tool
    reason: str
    detail: str = ""


@dataclass(frozen=True)
class TurnResults:
    """Everything an answer may speak of."""

    status: Status
    noted: tuple[NotedEvidence, ...] = ()
    corrections: tuple[AppliedCorrection, ...] = ()
    suggestions: tuple[AppliedSuggestion, ...] = ()
    unmatched: tuple[str, ...] = ()
    clarification: Clarification | None = None
    diagnosis: DiagnosisView | None = None
    answers: tuple[Answer, ...] = ()
    failures: tuple[ToolFailure, ...] = ()
    smalltalk: tuple[SmalltalkKind, ...] = ()
    reset: bool = False
    turn: int = 0
    unclear: tuple[str, ...] = ()
    look: LookView | None = None
    look_offer: LookOffer | None = None
    look_declined: bool = False


@dataclass(frozen=True)
class RespondRequest:
    """Asks for the words."""

    language: Language
    results: TurnResults
    message: str = ""
    previous_text: str = ""


@dataclass(frozen=True)
class Reply:
    """The whole answer."""

    text: str
    source: PlanSource | None = None
    usage: ModelUsage = ModelUsage()
