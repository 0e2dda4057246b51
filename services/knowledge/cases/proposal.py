"""A closed case proposed for learning, as stored in the site library: `proposals/<id>.json`."""

from __future__ import annotations

import hashlib
from typing import Literal

from dbdiag.knowledge.v1.knowledge_types import ProposalState as ProposalState
from dbdiag.knowledge.v1.knowledge_types import ReviewDecision
from pydantic import BaseModel, ConfigDict, Field

Decision = ReviewDecision
Verdict = Literal["confirmed", "denied", "unknown"]
Origin = Literal["person", "check", "import"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CaseEvidence(_Part):
    """One answer of the case, and who gave it."""

    phenomenon_id: str
    verdict: Verdict
    score: float = 1.0
    origin: Origin = "person"
    words: str = ""


class ClosedCase(_Part):
    """The outcome of a session: either a known root cause or the description of a new one."""

    session_id: str
    case: int = 1
    snapshot_id: str = ""
    complaint: str = ""
    evidence: tuple[CaseEvidence, ...] = ()
    root_cause_id: str = ""
    new_root_cause_description: str = ""
    solution: str = ""


class Proposal(_Part):
    """A redacted case and its review. Times are seconds since 1970, UTC."""

    proposal_id: str
    case: ClosedCase
    state: ProposalState = ProposalState.OPEN
    quarantined: bool = False
    held_out: bool = False
    proposed_at: int = 0
    reviewer: str = ""
    review_reason: str = ""
    reviewed_at: int = 0
    redacted_count: int = Field(default=0, ge=0)

    @property
    def ticket_id(self) -> str:
        """The id of its ticket once accepted."""
        return f"CASE-{self.proposal_id.removeprefix('PR-')}"

    @property
    def teaches(self) -> bool:
        """True if the case is part of the library."""
        return self.state is ProposalState.ACCEPTED and not self.held_out


def proposal_id_of(session_id: str, case: int) -> str:
    """The id of a case's proposal; it depends on the case alone, not on who closes it or when."""
    return f"PR-{_digest(f'{session_id}/{case}')[:12]}"


def is_held_out(proposal_id: str, share: float) -> bool:
    """True if a proposal belongs to the held-out share, which its id alone decides."""
    return int(_digest(proposal_id)[:8], 16) / 2**32 < share


def is_automatic(evidence: tuple[CaseEvidence, ...]) -> bool:
    """True if most of the evidence did not come from a person."""
    return 2 * sum(item.origin != "person" for item in evidence) > len(evidence)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
