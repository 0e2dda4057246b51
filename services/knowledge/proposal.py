"""A closed case that is offered to learn from, as it lies in the site library: `proposals/<id>.json`."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Verdict = Literal["confirmed", "denied", "unknown"]
Origin = Literal["person", "check", "import"]


class ProposalState(StrEnum):
    """Where a proposal stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class Decision(StrEnum):
    """What a person decides."""

    ACCEPT = "accept"
    REJECT = "reject"


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
    """What a session came to. One of root_cause_id and new_root_cause_description is given."""

    session_id: str
    case: int = 1
    snapshot_id: str = ""
    complaint: str = ""
    evidence: tuple[CaseEvidence, ...] = ()
    root_cause_id: str = ""
    new_root_cause_description: str = ""
    solution: str = ""


class Proposal(_Part):
    """A closed case without its secrets, and what became of it. Times are seconds since 1970, UTC."""

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
        """The ticket it is when it was accepted."""
        return f"CASE-{self.proposal_id.removeprefix('PR-')}"

    @property
    def teaches(self) -> bool:
        """Whether it is part of the library."""
        return self.state is ProposalState.ACCEPTED and not self.held_out


def proposal_id_of(session_id: str, case: int) -> str:
    """The same case has the same proposal, whoever closes it and whenever."""
    return f"PR-{_digest(f'{session_id}/{case}')[:12]}"


def is_held_out(proposal_id: str, share: float) -> bool:
    """Whether a proposal belongs to the share that never teaches: by its id alone."""
    return int(_digest(proposal_id)[:8], 16) / 2**32 < share


def is_automatic(evidence: tuple[CaseEvidence, ...]) -> bool:
    """Whether most of the evidence is not a person's."""
    return 2 * sum(item.origin != "person" for item in evidence) > len(evidence)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
