"""What the engine is asked and what it answers: dbdiag.engine.v1 as the gateway holds it."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.language import LocalizedText, Verdict
from gateway.views import SolutionStep, TicketReference


@dataclass(frozen=True)
class Evidence:
    """One active answer."""

    phenomenon_id: str
    verdict: Verdict
    score: float | None = None


@dataclass(frozen=True)
class Hint:
    """A suspicion: lifts what is shown, never the belief."""

    root_cause_id: str
    boost: float


@dataclass(frozen=True)
class DiagnoseRequest:
    """The whole active evidence."""

    snapshot_id: str
    evidence: tuple[Evidence, ...] = ()
    hints: tuple[Hint, ...] = ()
    max_hypotheses: int = 0
    max_recommendations: int = 0
    threshold: float | None = None
    excluded_phenomenon_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contribution:
    """What one piece of evidence did for one cause, in bits."""

    phenomenon_id: str
    verdict: Verdict
    score: float
    bits: float
    likelihood: float = 0.0
    base_rate: float = 0.0
    ticket_hits: int = 0
    ticket_count: int = 0
    ticket_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hypothesis:
    """A cause and the belief in it."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    effective_confidence: float
    boost: float = 0.0
    prior: float = 0.0
    contributions: tuple[Contribution, ...] = ()


@dataclass(frozen=True)
class Belief:
    """A belief in one cause."""

    root_cause_id: str
    confidence: float


@dataclass(frozen=True)
class Outcome:
    """The leading beliefs after an answer."""

    probability: float
    beliefs: tuple[Belief, ...] = ()


@dataclass(frozen=True)
class Recommendation:
    """A question and what each answer would do."""

    phenomenon_id: str
    name: LocalizedText
    information_gain_bits: float
    rank_score: float = 0.0
    cost: int = 1
    related_root_cause_ids: tuple[str, ...] = ()
    confidence_if_yes: float = 0.0
    confidence_if_no: float = 0.0
    if_yes: Outcome | None = None
    if_no: Outcome | None = None


@dataclass(frozen=True)
class Conclusion:
    """A cause held certain enough to act on."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    supporting_phenomenon_ids: tuple[str, ...] = ()
    conflicting_phenomenon_ids: tuple[str, ...] = ()
    unchecked_phenomenon_ids: tuple[str, ...] = ()
    unexplained_phenomenon_ids: tuple[str, ...] = ()
    ticket_ids: tuple[str, ...] = ()
    # The cause that explains the unexplained best, and the belief in it given those alone.
    second_root_cause_id: str | None = None
    second_confidence: float | None = None


@dataclass(frozen=True)
class Contradiction:
    """Two answers that no cause explains together, in bits."""

    first_phenomenon_id: str
    second_phenomenon_id: str
    bits: float = 0.0


@dataclass(frozen=True)
class Diagnosis:
    """The engine's answer."""

    snapshot_id: str
    engine_version: str
    hypotheses: tuple[Hypothesis, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    conclusion: Conclusion | None = None
    other_confidence: float = 0.0
    entropy_bits: float = 0.0
    surprise_bits: float = 0.0
    root_cause_count: int = 0
    contradiction: Contradiction | None = None


@dataclass(frozen=True)
class Overturn:
    """A single answer that would change the leader."""

    phenomenon_id: str
    verdict_then: Verdict
    leader_then: str
    confidence_then: float
    verdict_now: Verdict | None = None


@dataclass(frozen=True)
class Unchecked:
    """A typical phenomenon of the cause that is still open."""

    phenomenon_id: str
    likelihood: float
    confidence_if_yes: float
    confidence_if_no: float


@dataclass(frozen=True)
class Explanation:
    """One cause taken apart."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    other_confidence: float = 0.0
    prior_odds_bits: float = 0.0
    posterior_odds_bits: float = 0.0
    contributions: tuple[Contribution, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    overturns: tuple[Overturn, ...] = ()
    question: Recommendation | None = None
    rank: int = 0


@dataclass(frozen=True)
class Change:
    """A belief before and after an edit."""

    root_cause_id: str
    name: LocalizedText
    confidence_before: float
    confidence_after: float


@dataclass(frozen=True)
class WhatIf:
    """Beliefs as they are and as edited."""

    changes: tuple[Change, ...] = ()
    leader_after: str = ""
    leader_confidence_after: float = 0.0
    leader_before: str = ""
    leader_confidence_before: float = 0.0


@dataclass(frozen=True)
class Phenomenon:
    """One thing a person can see."""

    phenomenon_id: str
    name: LocalizedText
    description: LocalizedText = LocalizedText()
    observe_kind: str = ""
    how: LocalizedText = LocalizedText()
    present_when: LocalizedText = LocalizedText()
    versions: str = ""
    cost: int = 1
    base_rate: float = 0.0
    ticket_count: int = 0
    complaint: bool = False


@dataclass(frozen=True)
class RootCause:
    """Something a person can fix."""

    root_cause_id: str
    name: LocalizedText
    category: str = ""
    mechanism: LocalizedText = LocalizedText()
    solution: tuple[SolutionStep, ...] = ()
    verify: LocalizedText = LocalizedText()
    references: tuple[str, ...] = ()
    prior: float = 0.0
    tickets: tuple[TicketReference, ...] = ()


@dataclass(frozen=True)
class Relation:
    """A link."""

    phenomenon_id: str
    root_cause_id: str
    likelihood: float
    strength: str = ""
    reason: LocalizedText = LocalizedText()
    ticket_hits: int = 0
    ticket_count: int = 0


@dataclass(frozen=True)
class LoadedSnapshot:
    """A snapshot an engine has loaded."""

    snapshot_id: str
    current: bool = False
    phenomenon_count: int = 0
    root_cause_count: int = 0
    link_count: int = 0
    ticket_count: int = 0
