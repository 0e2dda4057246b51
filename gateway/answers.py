"""Answers to questions, one class a kind; dbdiag.planner.v1 as the gateway holds it."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.language import LocalizedText, Verdict
from gateway.plan import EvidenceView
from gateway.views import BeliefChange, ConclusionView, OverturnView, RankedRecommendation, TicketReference


@dataclass(frozen=True)
class ProgressAnswer:
    """What is confirmed, denied and open."""

    rounds: int
    confirmed: tuple[EvidenceView, ...] = ()
    denied: tuple[EvidenceView, ...] = ()
    unknown: tuple[EvidenceView, ...] = ()


@dataclass(frozen=True)
class HypothesisDetail:
    """A cause with what supports it and what is missing."""

    rank: int
    root_cause_id: str
    name: LocalizedText
    confidence: float
    supporting: tuple[LocalizedText, ...] = ()
    missing: tuple[LocalizedText, ...] = ()
    ticket_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class HypothesesAnswer:
    """The leading causes in detail."""

    hypotheses: tuple[HypothesisDetail, ...] = ()
    total_count: int = 0


@dataclass(frozen=True)
class RelationView:
    """One link from the subject."""

    entity_id: str
    name: LocalizedText
    likelihood: float
    ticket_hits: int = 0
    ticket_count: int = 0
    reason: LocalizedText | None = None


@dataclass(frozen=True)
class RelationsAnswer:
    """What leads to what."""

    subject_id: str
    subject: LocalizedText
    subject_is_root_cause: bool = False
    relations: tuple[RelationView, ...] = ()


@dataclass(frozen=True)
class HistoryEntry:
    """One entry of the ledger."""

    turn: int
    name: LocalizedText
    verdict: Verdict
    words: str = ""
    retracted: bool = False


@dataclass(frozen=True)
class HistoryAnswer:
    """What was said and checked."""

    entries: tuple[HistoryEntry, ...] = ()
    turns: int = 0


@dataclass(frozen=True)
class ReasonLine:
    """What one piece of evidence contributes, in bits."""

    phenomenon_id: str
    name: LocalizedText
    verdict: Verdict
    bits: float
    ticket_hits: int = 0
    ticket_count: int = 0
    ticket_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReasoningAnswer:
    """Why this cause, or why this question."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    prior_odds_bits: float = 0.0
    posterior_odds_bits: float = 0.0
    lines: tuple[ReasonLine, ...] = ()
    unchecked: tuple[LocalizedText, ...] = ()
    overturn: OverturnView | None = None
    question: RankedRecommendation | None = None
    leads: bool = False


@dataclass(frozen=True)
class WhatIfAnswer:
    """Beliefs under a supposition."""

    assumed: tuple[EvidenceView, ...] = ()
    changes: tuple[BeliefChange, ...] = ()
    leader_before: LocalizedText | None = None
    leader_confidence_before: float = 0.0
    leader_after: LocalizedText | None = None
    leader_confidence_after: float = 0.0
    unresolved: tuple[str, ...] = ()


@dataclass(frozen=True)
class HelpAnswer:
    """How to look at an item; no items: what the assistant can do."""

    items: tuple[RankedRecommendation, ...] = ()
    conclusion: ConclusionView | None = None
    text: str = ""


@dataclass(frozen=True)
class DataAnswer:
    """A data question this installation cannot compute; the tickets it can name."""

    text: str = ""
    tickets: tuple[TicketReference, ...] = ()


@dataclass(frozen=True)
class Answer:
    """The answer to one question; exactly one field is set."""

    progress: ProgressAnswer | None = None
    hypotheses: HypothesesAnswer | None = None
    relations: RelationsAnswer | None = None
    history: HistoryAnswer | None = None
    reasoning: ReasoningAnswer | None = None
    what_if: WhatIfAnswer | None = None
    help: HelpAnswer | None = None
    data: DataAnswer | None = None
