"""The library entries of an accepted case: a ticket, and a root cause if the case describes a new one."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

from services.knowledge.cases.proposal import Proposal
from services.knowledge.library.load import Library
from services.knowledge.library.schema import (
    Anomaly,
    RootCauseEntry,
    SolutionStep,
    Text,
    TicketEntry,
    TicketMetadata,
    Untranslated,
)

_HAN = re.compile(r"[一-鿿]")
_STEP = re.compile(r"^\s*(?:\d+[.)、]|[-*•])\s*")
_NAME_CHARACTERS = 80
CATEGORY = "UNSORTED"


def ticket_of(proposal: Proposal, library: Library) -> TicketEntry:
    """The case as a ticket: the confirmed phenomena in the reporter's words, its origin as metadata."""
    case = proposal.case
    anomalies = tuple(
        Anomaly(
            description=item.words.strip() or library.phenomena[item.phenomenon_id].name.zh,
            phenomenon_id=item.phenomenon_id,
        )
        for item in case.evidence
        if item.verdict == "confirmed" and item.phenomenon_id in library.phenomena
    )
    known = library.root_causes.get(case.root_cause_id)
    words = case.new_root_cause_description.strip() or (known.name.zh if known else case.root_cause_id)
    return TicketEntry(
        ticket_id=proposal.ticket_id,
        metadata=_provenance(proposal),
        description=case.complaint.strip() or next((item.description for item in anomalies), words),
        root_cause=words,
        root_cause_id=case.root_cause_id,
        solution=case.solution,
        anomalies=anomalies,
    )


def cause_of(identity: str, description: str, solution: str) -> RootCauseEntry:
    """The root cause that a case is the first to describe; a person translates and categorises it later."""
    words = " ".join(description.split())
    missing: Untranslated = "en" if _HAN.search(words) else "zh"
    name = words if len(words) <= _NAME_CHARACTERS else words[: _NAME_CHARACTERS - 1] + "…"
    steps = [_STEP.sub("", line).strip() for line in solution.splitlines()]
    return RootCauseEntry(
        id=identity,
        name=_both(name),
        category=CATEGORY,
        mechanism=_both(words),
        solution=tuple(SolutionStep(do=_both(step), risk="medium") for step in steps if step),
        untranslated=missing,
    )


def ticket_line(ticket: TicketEntry) -> bytes:
    """A ticket as a line of a library's JSONL file."""
    return (json.dumps(ticket.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False) + "\n").encode()


def _provenance(proposal: Proposal) -> TicketMetadata:
    return TicketMetadata.model_validate(
        {
            "created_at": _time(proposal.proposed_at),
            "proposal_id": proposal.proposal_id,
            "session_id": proposal.case.session_id,
            "snapshot_id": proposal.case.snapshot_id,
            "reviewer": proposal.reviewer,
            "reviewed_at": _time(proposal.reviewed_at) if proposal.reviewed_at else "",
        }
    )


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _both(text: str) -> Text:
    return Text(zh=text, en=text)
