"""Answers to questions, one class a kind; any part may be absent."""

from __future__ import annotations

from dataclasses import dataclass

from services.planner.model import EvidenceView, Text, Verdict
from services.planner.views import BeliefChange, ConclusionView, OverturnView, RankedRecommendation, TicketReference


@dataclass(frozen=True)
class ProgressAnswer:
    """Where the diagnosis stands."""

    rounds: int = 0
    confirmed: tuple[EvidenceView, ...] = ()
    denied: tuple[EvidenceView, ...] = ()
    unknown: tuple[EvidenceView, ...] = ()


@dataclass(frozen=True)
class HypothesisDetail:
    """A cause with what supports it and what is still missing."""

    rank: int = 0
    root_cause_id: str = ""
    name: Text = Text()
    confidence: float = 0.0
    supporting: tuple[Text, ...] = ()
    missing: tuple[Text, ...] = ()
    ticket_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class HypothesesAnswer:
    """The leading causes."""

    hypotheses: tuple[HypothesisDetail, ...] = ()
    total_count: int = 0


@dataclass(frozen=True)
class RelationView:
    """One link of the subject, with its tickets and reason."""

    entity_id: str = ""
    name: Text = Text()
    likelihood: float = 0.0
    ticket_hits: int = 0
    ticket_count: int = 0
    reason: Text = Text()


@dataclass(frozen=True)
class RelationsAnswer:
    """What leads to the subject, or what it leads to."""

    subject_id: str = ""
    subject: Text = Text()
    subject_is_root_cause: bool = False
    relations: tuple[RelationView, ...] = ()


@dataclass(frozen=True)
class HistoryEntry:
    """One line of the evidence ledger."""

    turn: int = 0
    name: Text = Text()
    verdict: Verdict = Verdict.UNSPECIFIED
    words: str = ""
    retracted: bool = False


@dataclass(frozen=True)
class HistoryAnswer:
    """What was said and checked."""

    entries: tuple[HistoryEntry, ...] = ()
    turns: int = 0


@dataclass(frozen=True)
class ReasonLine:
    """One piece of evidence and its weight for a cause."""

    phenomenon_id: str = ""
    name: Text = Text()
    verdict: Verdict = Verdict.UNSPECIFIED
    bits: float = 0.0
    ticket_hits: int = 0
    ticket_count: int = 0
    ticket_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReasoningAnswer:
    """Why this cause, or why this question."""

    root_cause_id: str = ""
    name: Text = Text()
    confidence: float = 0.0
    prior_odds_bits: float = 0.0
    posterior_odds_bits: float = 0.0
    lines: tuple[ReasonLine, ...] = ()
    unchecked: tuple[Text, ...] = ()
    overturn: OverturnView | None = None
    question: RankedRecommendation | None = None
    leads: bool = False


@dataclass(frozen=True)
class WhatIfAnswer:
    """What a supposition would change."""

    assumed: tuple[EvidenceView, ...] = ()
    changes: tuple[BeliefChange, ...] = ()
    leader_before: Text = Text()
    leader_confidence_before: float = 0.0
    leader_after: Text = Text()
    leader_confidence_after: float = 0.0
    unresolved: tuple[str, ...] = ()


@dataclass(frozen=True)
class HelpAnswer:
    """How to look at an item, what to do now, or, when empty, what the assistant can do."""

    items: tuple[RankedRecommendation, ...] = ()
    conclusion: ConclusionView | None = None
    text: str = ""


@dataclass(frozen=True)
class DataAnswer:
    """A question about records."""

    text: str = ""
    tickets: tuple[TicketReference, ...] = ()


Answer = (
    ProgressAnswer
    | HypothesesAnswer
    | RelationsAnswer
    | HistoryAnswer
    | ReasoningAnswer
    | WhatIfAnswer
    | HelpAnswer
    | DataAnswer
)
