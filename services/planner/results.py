"""What an answer may speak of: the results of one turn. Everything may be absent; nothing else may be said.

Names mirror `dbdiag.planner.v1`. Parts are in `views.py`, answers to questions in `answers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.planner.answers import Answer
from services.planner.decision import NO_MODEL, ModelUsage, Tool
from services.planner.model import ClarifyKind, PlanSource, SmalltalkKind, Status, Text, Verdict
from services.planner.views import BeliefChange, DiagnosisView, LookOffer, LookView


@dataclass(frozen=True)
class NotedEvidence:
    """An answer recorded in this turn."""

    phenomenon_id: str = ""
    name: Text = Text()
    verdict: Verdict = Verdict.UNSPECIFIED
    words: str = ""
    score: float = 0.0
    matched_from_words: bool = False
    also_possible: Text = Text()
    extracted_value: str = ""


@dataclass(frozen=True)
class AppliedCorrection:
    """Something taken back or replaced, and what it did. `corrected` is empty when only taken back."""

    name: Text = Text()
    original: str = ""
    corrected: str = ""
    verdict_before: Verdict = Verdict.UNSPECIFIED
    verdict_after: Verdict = Verdict.UNSPECIFIED
    changes: tuple[BeliefChange, ...] = ()


@dataclass(frozen=True)
class AppliedSuggestion:
    """A suspicion and the cause nearest to it; `root_cause_id` is empty when nothing is near."""

    text: str = ""
    root_cause_id: str = ""
    name: Text = Text()
    confidence: float = 0.0
    boost: float = 0.0
    effective_confidence: float = 0.0


@dataclass(frozen=True)
class ClarificationOption:
    """One way to understand the words that were unclear."""

    ordinal: int = 0
    phenomenon_id: str = ""
    name: Text = Text()
    present_when: Text = Text()


@dataclass(frozen=True)
class Clarification:
    """The one thing to ask back."""

    kind: ClarifyKind = ClarifyKind.UNSPECIFIED
    words: str = ""
    options: tuple[ClarificationOption, ...] = ()
    earlier_words: str = ""
    seen_ordinal: int = 0


@dataclass(frozen=True)
class ToolFailure:
    """A tool that did not do its work, with its `error-reason` and one line for a person."""

    tool: Tool = Tool.UNSPECIFIED
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True)
class TurnResults:
    """Everything an answer may speak of."""

    status: Status = Status.UNSPECIFIED
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
class Reply:
    """A whole answer and who worded it."""

    text: str = ""
    source: PlanSource = PlanSource.UNSPECIFIED
    usage: ModelUsage = NO_MODEL
