"""What a closed case is to the knowledge service: dbdiag.knowledge.v1 as the gateway holds it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateway.language import Verdict


class EvidenceOrigin(StrEnum):
    """Who gave an answer: a person, a check on a live system, or an import that nobody looked at."""

    PERSON = "person"
    CHECK = "check"
    IMPORT = "import"


class ProposalState(StrEnum):
    """Where a proposal stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ReviewDecision(StrEnum):
    """What a person decides."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True)
class CaseEvidence:
    """One answer of the case."""

    phenomenon_id: str
    verdict: Verdict
    score: float
    origin: EvidenceOrigin
    words: str = ""


@dataclass(frozen=True)
class ProposeCaseRequest:
    """A closed case; one of root_cause_id and new_root_cause_description."""

    session_id: str
    case: int
    snapshot_id: str
    complaint: str
    evidence: tuple[CaseEvidence, ...]
    root_cause_id: str = ""
    new_root_cause_description: str = ""
    solution: str = ""


@dataclass(frozen=True)
class Proposal:
    """A closed case that is offered to learn from, with its words as they are kept."""

    proposal_id: str
    state: ProposalState
    session_id: str
    case: int
    snapshot_id: str
    complaint: str
    evidence: tuple[CaseEvidence, ...]
    root_cause_id: str
    new_root_cause_description: str
    solution: str
    quarantined: bool
    held_out: bool
    proposed_at_unix_seconds: int
    reviewer: str
    review_reason: str
    reviewed_at_unix_seconds: int
    ticket_id: str
    redacted_count: int


@dataclass(frozen=True)
class ProposalSnapshots:
    """A proposal, and the libraries' snapshots without it and with it."""

    proposal: Proposal
    without_snapshot_id: str
    with_snapshot_id: str


@dataclass(frozen=True)
class ReviewProposalRequest:
    """A person's decision."""

    proposal_id: str
    decision: ReviewDecision
    reviewer: str
    reason: str = ""
    release_quarantine: bool = False
    root_cause_id: str = ""


@dataclass(frozen=True)
class Reviewed:
    """A decided proposal; ticket_id when it teaches, published_snapshot_id when that is done at once."""

    proposal: Proposal
    ticket_id: str
    published_snapshot_id: str
