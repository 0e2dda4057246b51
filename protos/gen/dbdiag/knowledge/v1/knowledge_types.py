"""The types of dbdiag/knowledge/v1/knowledge.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from dbdiag.frozen import dataclass, set_field

from dbdiag.vocabulary import ListSnapshotsRequest, Verdict

__all__ = [
    "BeliefPreview",
    "CaseEvidence",
    "ChangeKind",
    "DiffSnapshotsRequest",
    "DiffSnapshotsResponse",
    "EvidenceOrigin",
    "GetProposalRequest",
    "GetProposalResponse",
    "GetSnapshotRequest",
    "GetSnapshotResponse",
    "ImportHeader",
    "ImportTicketsRequest",
    "ImportTicketsResponse",
    "ListProposalsRequest",
    "ListProposalsResponse",
    "ListSnapshotsRequest",
    "ListSnapshotsResponse",
    "ListTicketsRequest",
    "ListTicketsResponse",
    "PrepareSnapshotRequest",
    "PrepareSnapshotResponse",
    "Proposal",
    "ProposalState",
    "ProposeCaseRequest",
    "ProposeCaseResponse",
    "Publication",
    "PublishSnapshotRequest",
    "PublishSnapshotResponse",
    "RejectedTicket",
    "ReviewDecision",
    "ReviewProposalRequest",
    "ReviewProposalResponse",
    "SnapshotChange",
    "SnapshotManifest",
    "TicketRecord",
    "Verdict",
]


class ChangeKind(StrEnum):
    """`dbdiag.knowledge.v1.ChangeKind`."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class EvidenceOrigin(StrEnum):
    """`dbdiag.knowledge.v1.EvidenceOrigin`."""

    # A person said it.
    PERSON = "person"
    # A check on a live system found it.
    CHECK = "check"
    # Imported, and reviewed by no one.
    IMPORT = "import"


class ProposalState(StrEnum):
    """`dbdiag.knowledge.v1.ProposalState`."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ReviewDecision(StrEnum):
    """`dbdiag.knowledge.v1.ReviewDecision`."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True)
class SnapshotManifest:
    """What a snapshot holds and where it came from."""

    snapshot_id: str = ""
    phenomenon_count: int = 0
    root_cause_count: int = 0
    link_count: int = 0
    ticket_count: int = 0
    parent_ids: tuple[str, ...] = ()
    author: str = ""
    reason: str = ""
    # Seconds since 1970, UTC. Not part of the hash.
    published_at_unix_seconds: int = 0
    size_bytes: int = 0

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, phenomenon_count=phenomenon_count, root_cause_count=root_cause_count, link_count=link_count, ticket_count=ticket_count, parent_ids=parent_ids, author=author, reason=reason, published_at_unix_seconds=published_at_unix_seconds, size_bytes=size_bytes):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "phenomenon_count", phenomenon_count)
            set_field(self, "root_cause_count", root_cause_count)
            set_field(self, "link_count", link_count)
            set_field(self, "ticket_count", ticket_count)
            set_field(self, "parent_ids", parent_ids)
            set_field(self, "author", author)
            set_field(self, "reason", reason)
            set_field(self, "published_at_unix_seconds", published_at_unix_seconds)
            set_field(self, "size_bytes", size_bytes)


@dataclass(frozen=True)
class ImportHeader:
    """`dbdiag.knowledge.v1.ImportHeader`."""

    # json, jsonl, csv or xlsx.
    format: str = ""
    # The export's name, for the report.
    source_name: str = ""
    # Which column is what: the YAML text of a mapping. Empty where the header or the keys are known.
    mapping: str = ""

    if not TYPE_CHECKING:

        def __init__(self, format=format, source_name=source_name, mapping=mapping):
            set_field(self, "format", format)
            set_field(self, "source_name", source_name)
            set_field(self, "mapping", mapping)


@dataclass(frozen=True)
class ImportTicketsRequest:
    """`dbdiag.knowledge.v1.ImportTicketsRequest`."""

    # First message of the stream.
    header: ImportHeader | None = None
    chunk: bytes | None = None

    if not TYPE_CHECKING:

        def __init__(self, header=header, chunk=chunk):
            set_field(self, "header", header)
            set_field(self, "chunk", chunk)


@dataclass(frozen=True)
class RejectedTicket:
    """A record that was not imported."""

    # Position in the export, from 1.
    record: int = 0
    ticket_id: str = ""
    field: str = ""
    # In English.
    reason: str = ""
    # Where it begins in the export, from 1; the row of a sheet. 0 where it is not known.
    line: int = 0
    # The reason as a JSON object {"key", "details"}, for rendering it in another language.
    reason_json: str = ""

    if not TYPE_CHECKING:

        def __init__(self, record=record, ticket_id=ticket_id, field=field, reason=reason, line=line, reason_json=reason_json):
            set_field(self, "record", record)
            set_field(self, "ticket_id", ticket_id)
            set_field(self, "field", field)
            set_field(self, "reason", reason)
            set_field(self, "line", line)
            set_field(self, "reason_json", reason_json)


@dataclass(frozen=True)
class ImportTicketsResponse:
    """`dbdiag.knowledge.v1.ImportTicketsResponse`."""

    ticket_count: int = 0
    new_ticket_count: int = 0
    anomaly_count: int = 0
    merged_anomaly_count: int = 0
    new_phenomenon_count: int = 0
    new_root_cause_count: int = 0
    # Decisions a person should look at, in the review file.
    unclear_count: int = 0
    rejected: tuple[RejectedTicket, ...] = ()
    # New tickets in whose text nothing unusual was found; no snapshot has them.
    ticket_without_anomalies_count: int = 0

    if not TYPE_CHECKING:

        def __init__(self, ticket_count=ticket_count, new_ticket_count=new_ticket_count, anomaly_count=anomaly_count, merged_anomaly_count=merged_anomaly_count, new_phenomenon_count=new_phenomenon_count, new_root_cause_count=new_root_cause_count, unclear_count=unclear_count, rejected=rejected, ticket_without_anomalies_count=ticket_without_anomalies_count):
            set_field(self, "ticket_count", ticket_count)
            set_field(self, "new_ticket_count", new_ticket_count)
            set_field(self, "anomaly_count", anomaly_count)
            set_field(self, "merged_anomaly_count", merged_anomaly_count)
            set_field(self, "new_phenomenon_count", new_phenomenon_count)
            set_field(self, "new_root_cause_count", new_root_cause_count)
            set_field(self, "unclear_count", unclear_count)
            set_field(self, "rejected", rejected)
            set_field(self, "ticket_without_anomalies_count", ticket_without_anomalies_count)


@dataclass(frozen=True)
class GetSnapshotRequest:
    """`dbdiag.knowledge.v1.GetSnapshotRequest`."""

    # Empty for the current snapshot.
    snapshot_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id):
            set_field(self, "snapshot_id", snapshot_id)


@dataclass(frozen=True)
class GetSnapshotResponse:
    """`dbdiag.knowledge.v1.GetSnapshotResponse`."""

    manifest: SnapshotManifest | None = None
    # At most 1 MiB.
    chunk: bytes | None = None

    if not TYPE_CHECKING:

        def __init__(self, manifest=manifest, chunk=chunk):
            set_field(self, "manifest", manifest)
            set_field(self, "chunk", chunk)


@dataclass(frozen=True)
class PrepareSnapshotRequest:
    """`dbdiag.knowledge.v1.PrepareSnapshotRequest`."""

    # As ListChecks of the collector returns them, the target's own first. None: the current snapshot.
    engines: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, engines=engines):
            set_field(self, "engines", engines)


@dataclass(frozen=True)
class PrepareSnapshotResponse:
    """`dbdiag.knowledge.v1.PrepareSnapshotResponse`."""

    snapshot_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id):
            set_field(self, "snapshot_id", snapshot_id)


@dataclass(frozen=True)
class Publication:
    """One time a snapshot was made the current one."""

    # From 1.
    number: int = 0
    snapshot_id: str = ""
    # What was current until then; empty for nothing.
    before_snapshot_id: str = ""
    author: str = ""
    reason: str = ""
    at_unix_seconds: int = 0
    rollback: bool = False

    if not TYPE_CHECKING:

        def __init__(self, number=number, snapshot_id=snapshot_id, before_snapshot_id=before_snapshot_id, author=author, reason=reason, at_unix_seconds=at_unix_seconds, rollback=rollback):
            set_field(self, "number", number)
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "before_snapshot_id", before_snapshot_id)
            set_field(self, "author", author)
            set_field(self, "reason", reason)
            set_field(self, "at_unix_seconds", at_unix_seconds)
            set_field(self, "rollback", rollback)


@dataclass(frozen=True)
class ListSnapshotsResponse:
    """`dbdiag.knowledge.v1.ListSnapshotsResponse`."""

    snapshots: tuple[SnapshotManifest, ...] = ()
    current_snapshot_id: str = ""
    # The latest hundred publications and rollbacks, the oldest first.
    publications: tuple[Publication, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshots=snapshots, current_snapshot_id=current_snapshot_id, publications=publications):
            set_field(self, "snapshots", snapshots)
            set_field(self, "current_snapshot_id", current_snapshot_id)
            set_field(self, "publications", publications)


@dataclass(frozen=True)
class DiffSnapshotsRequest:
    """`dbdiag.knowledge.v1.DiffSnapshotsRequest`."""

    from_snapshot_id: str = ""
    to_snapshot_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, from_snapshot_id=from_snapshot_id, to_snapshot_id=to_snapshot_id):
            set_field(self, "from_snapshot_id", from_snapshot_id)
            set_field(self, "to_snapshot_id", to_snapshot_id)


@dataclass(frozen=True)
class SnapshotChange:
    """One difference. Links are named `root_cause_id/phenomenon_id`."""

    kind: ChangeKind | None = None
    # phenomenon, root_cause, link or ticket.
    entity_type: str = ""
    entity_id: str = ""
    fields: tuple[str, ...] = ()
    # The strength of a link before and after; empty for anything else, and where there was or is no link.
    strength_before: str = ""
    strength_after: str = ""

    if not TYPE_CHECKING:

        def __init__(self, kind=kind, entity_type=entity_type, entity_id=entity_id, fields=fields, strength_before=strength_before, strength_after=strength_after):
            set_field(self, "kind", kind)
            set_field(self, "entity_type", entity_type)
            set_field(self, "entity_id", entity_id)
            set_field(self, "fields", fields)
            set_field(self, "strength_before", strength_before)
            set_field(self, "strength_after", strength_after)


@dataclass(frozen=True)
class DiffSnapshotsResponse:
    """`dbdiag.knowledge.v1.DiffSnapshotsResponse`."""

    # By entity type, then id.
    changes: tuple[SnapshotChange, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, changes=changes):
            set_field(self, "changes", changes)


@dataclass(frozen=True)
class PublishSnapshotRequest:
    """`dbdiag.knowledge.v1.PublishSnapshotRequest`."""

    # Empty: compile the library and publish the result.
    snapshot_id: str = ""
    author: str = ""
    reason: str = ""
    # Goes back: to snapshot_id, or, when that is empty, to what was current before. Needs a reason.
    rollback: bool = False

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, author=author, reason=reason, rollback=rollback):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "author", author)
            set_field(self, "reason", reason)
            set_field(self, "rollback", rollback)


@dataclass(frozen=True)
class PublishSnapshotResponse:
    """`dbdiag.knowledge.v1.PublishSnapshotResponse`."""

    manifest: SnapshotManifest = SnapshotManifest()
    previous_snapshot_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, manifest=manifest, previous_snapshot_id=previous_snapshot_id):
            set_field(self, "manifest", manifest)
            set_field(self, "previous_snapshot_id", previous_snapshot_id)


@dataclass(frozen=True)
class CaseEvidence:
    """`dbdiag.knowledge.v1.CaseEvidence`."""

    # At most once in a case.
    phenomenon_id: str = ""
    verdict: Verdict | None = None
    # How surely the words meant it, in (0, 1]. 0: 1.
    score: float = 0.0
    # Unspecified: no one's, as after an import.
    origin: EvidenceOrigin | None = None
    words: str = ""

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, verdict=verdict, score=score, origin=origin, words=words):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "verdict", verdict)
            set_field(self, "score", score)
            set_field(self, "origin", origin)
            set_field(self, "words", words)


@dataclass(frozen=True)
class ProposeCaseRequest:
    """`dbdiag.knowledge.v1.ProposeCaseRequest`."""

    session_id: str = ""
    snapshot_id: str = ""
    complaint: str = ""
    evidence: tuple[CaseEvidence, ...] = ()
    # One of the two: a known cause, or the description of a new one.
    root_cause_id: str = ""
    new_root_cause_description: str = ""
    solution: str = ""
    # Which case of the session, from 1; 0 is 1.
    case: int = 0

    if not TYPE_CHECKING:

        def __init__(self, session_id=session_id, snapshot_id=snapshot_id, complaint=complaint, evidence=evidence, root_cause_id=root_cause_id, new_root_cause_description=new_root_cause_description, solution=solution, case=case):
            set_field(self, "session_id", session_id)
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "complaint", complaint)
            set_field(self, "evidence", evidence)
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "new_root_cause_description", new_root_cause_description)
            set_field(self, "solution", solution)
            set_field(self, "case", case)


@dataclass(frozen=True)
class Proposal:
    """A closed case that is offered to learn from, with its words as they are kept: secrets left out."""

    proposal_id: str = ""
    state: ProposalState | None = None
    session_id: str = ""
    case: int = 0
    # The snapshot that the session was pinned to.
    snapshot_id: str = ""
    complaint: str = ""
    evidence: tuple[CaseEvidence, ...] = ()
    # A new cause has an id already; it is in the library once the proposal is accepted.
    root_cause_id: str = ""
    new_root_cause_description: str = ""
    solution: str = ""
    # Its evidence was mostly not a person's: accepting it needs release_quarantine.
    quarantined: bool = False
    # It never teaches: it is kept to see how well the rest does.
    held_out: bool = False
    proposed_at_unix_seconds: int = 0
    # Of the last decision.
    reviewer: str = ""
    review_reason: str = ""
    reviewed_at_unix_seconds: int = 0
    # The ticket that it is, or would be.
    ticket_id: str = ""
    # How many secrets were left out of its words.
    redacted_count: int = 0

    if not TYPE_CHECKING:

        def __init__(self, proposal_id=proposal_id, state=state, session_id=session_id, case=case, snapshot_id=snapshot_id, complaint=complaint, evidence=evidence, root_cause_id=root_cause_id, new_root_cause_description=new_root_cause_description, solution=solution, quarantined=quarantined, held_out=held_out, proposed_at_unix_seconds=proposed_at_unix_seconds, reviewer=reviewer, review_reason=review_reason, reviewed_at_unix_seconds=reviewed_at_unix_seconds, ticket_id=ticket_id, redacted_count=redacted_count):
            set_field(self, "proposal_id", proposal_id)
            set_field(self, "state", state)
            set_field(self, "session_id", session_id)
            set_field(self, "case", case)
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "complaint", complaint)
            set_field(self, "evidence", evidence)
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "new_root_cause_description", new_root_cause_description)
            set_field(self, "solution", solution)
            set_field(self, "quarantined", quarantined)
            set_field(self, "held_out", held_out)
            set_field(self, "proposed_at_unix_seconds", proposed_at_unix_seconds)
            set_field(self, "reviewer", reviewer)
            set_field(self, "review_reason", review_reason)
            set_field(self, "reviewed_at_unix_seconds", reviewed_at_unix_seconds)
            set_field(self, "ticket_id", ticket_id)
            set_field(self, "redacted_count", redacted_count)


@dataclass(frozen=True)
class ListProposalsRequest:
    """`dbdiag.knowledge.v1.ListProposalsRequest`."""

    # Unspecified: all.
    state: ProposalState | None = None

    if not TYPE_CHECKING:

        def __init__(self, state=state):
            set_field(self, "state", state)


@dataclass(frozen=True)
class ListProposalsResponse:
    """`dbdiag.knowledge.v1.ListProposalsResponse`."""

    proposals: tuple[Proposal, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, proposals=proposals):
            set_field(self, "proposals", proposals)


@dataclass(frozen=True)
class GetProposalRequest:
    """`dbdiag.knowledge.v1.GetProposalRequest`."""

    proposal_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, proposal_id=proposal_id):
            set_field(self, "proposal_id", proposal_id)


@dataclass(frozen=True)
class GetProposalResponse:
    """`dbdiag.knowledge.v1.GetProposalResponse`."""

    proposal: Proposal = Proposal()
    # The libraries as they are without this case, and with it; stored, not published. The same for a case held out.
    without_snapshot_id: str = ""
    with_snapshot_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, proposal=proposal, without_snapshot_id=without_snapshot_id, with_snapshot_id=with_snapshot_id):
            set_field(self, "proposal", proposal)
            set_field(self, "without_snapshot_id", without_snapshot_id)
            set_field(self, "with_snapshot_id", with_snapshot_id)


@dataclass(frozen=True)
class BeliefPreview:
    """How a belief about the case's own evidence would change."""

    root_cause_id: str = ""
    confidence_before: float = 0.0
    confidence_after: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, confidence_before=confidence_before, confidence_after=confidence_after):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "confidence_before", confidence_before)
            set_field(self, "confidence_after", confidence_after)


@dataclass(frozen=True)
class ProposeCaseResponse:
    """`dbdiag.knowledge.v1.ProposeCaseResponse`."""

    proposal_id: str = ""
    # The proposal is held back until a person looks: its evidence was mostly not a person's.
    quarantined: bool = False
    # Left empty: GetProposal names the snapshots to ask an engine with.
    preview: tuple[BeliefPreview, ...] = ()
    proposal: Proposal = Proposal()

    if not TYPE_CHECKING:

        def __init__(self, proposal_id=proposal_id, quarantined=quarantined, preview=preview, proposal=proposal):
            set_field(self, "proposal_id", proposal_id)
            set_field(self, "quarantined", quarantined)
            set_field(self, "preview", preview)
            set_field(self, "proposal", proposal)


@dataclass(frozen=True)
class ReviewProposalRequest:
    """`dbdiag.knowledge.v1.ReviewProposalRequest`."""

    proposal_id: str = ""
    decision: ReviewDecision | None = None
    reviewer: str = ""
    reason: str = ""
    # A reviewer has checked a quarantined proposal and vouches for it.
    release_quarantine: bool = False
    # When accepting: it was this known cause, whatever the proposal says. Empty: as proposed.
    root_cause_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, proposal_id=proposal_id, decision=decision, reviewer=reviewer, reason=reason, release_quarantine=release_quarantine, root_cause_id=root_cause_id):
            set_field(self, "proposal_id", proposal_id)
            set_field(self, "decision", decision)
            set_field(self, "reviewer", reviewer)
            set_field(self, "reason", reason)
            set_field(self, "release_quarantine", release_quarantine)
            set_field(self, "root_cause_id", root_cause_id)


@dataclass(frozen=True)
class ReviewProposalResponse:
    """`dbdiag.knowledge.v1.ReviewProposalResponse`."""

    proposal_id: str = ""
    decision: ReviewDecision | None = None
    # The ticket the next snapshot will hold; empty when rejected.
    ticket_id: str = ""
    proposal: Proposal = Proposal()
    # What was published at once, where that is switched on.
    published_snapshot_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, proposal_id=proposal_id, decision=decision, ticket_id=ticket_id, proposal=proposal, published_snapshot_id=published_snapshot_id):
            set_field(self, "proposal_id", proposal_id)
            set_field(self, "decision", decision)
            set_field(self, "ticket_id", ticket_id)
            set_field(self, "proposal", proposal)
            set_field(self, "published_snapshot_id", published_snapshot_id)


@dataclass(frozen=True)
class ListTicketsRequest:
    """`dbdiag.knowledge.v1.ListTicketsRequest`."""


@dataclass(frozen=True)
class TicketRecord:
    """A closed case as it was recorded; free text, empty where the record says nothing."""

    ticket_id: str = ""
    root_cause_id: str = ""
    description: str = ""
    engine: str = ""
    version: str = ""
    module: str = ""
    severity: str = ""
    created_at: str = ""
    phenomenon_ids: tuple[str, ...] = ()
    # What was found to be the cause, and what was done, in the words of the record.
    finding: str = ""
    solution: str = ""

    if not TYPE_CHECKING:

        def __init__(self, ticket_id=ticket_id, root_cause_id=root_cause_id, description=description, engine=engine, version=version, module=module, severity=severity, created_at=created_at, phenomenon_ids=phenomenon_ids, finding=finding, solution=solution):
            set_field(self, "ticket_id", ticket_id)
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "description", description)
            set_field(self, "engine", engine)
            set_field(self, "version", version)
            set_field(self, "module", module)
            set_field(self, "severity", severity)
            set_field(self, "created_at", created_at)
            set_field(self, "phenomenon_ids", phenomenon_ids)
            set_field(self, "finding", finding)
            set_field(self, "solution", solution)


@dataclass(frozen=True)
class ListTicketsResponse:
    """Some of the tickets."""

    tickets: tuple[TicketRecord, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, tickets=tickets):
            set_field(self, "tickets", tickets)
