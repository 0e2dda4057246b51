"""Converts between the room's types and protobuf messages; those of the contract itself by the chassis' codec."""

from __future__ import annotations

import json

from dbdiag.knowledge.v1 import knowledge_pb2 as pb
from dbdiag.knowledge.v1 import knowledge_types as types

from services.chassis.messages import to_plain
from services.chassis.wire import from_wire, to_wire
from services.knowledge.cases.proposal import CaseEvidence, ClosedCase, Proposal
from services.knowledge.library.schema import TicketEntry
from services.knowledge.model import ImportReport, Manifest, Publication, RejectedTicket

__all__ = ["from_wire", "to_wire"]


def manifest_to_wire(manifest: Manifest) -> pb.SnapshotManifest:
    """The public part of a manifest; storage time and fingerprint stay in the store."""
    return pb.SnapshotManifest(
        snapshot_id=manifest.snapshot_id,
        phenomenon_count=manifest.counts.phenomena,
        root_cause_count=manifest.counts.root_causes,
        link_count=manifest.counts.links,
        ticket_count=manifest.counts.tickets,
        parent_ids=manifest.parent_ids,
        author=manifest.author,
        reason=manifest.reason,
        published_at_unix_seconds=manifest.published_at,
        size_bytes=manifest.size_bytes,
    )


def ticket_to_wire(ticket: TicketEntry) -> pb.TicketRecord:
    """What a record says of a ticket."""
    said = ticket.metadata
    return pb.TicketRecord(
        ticket_id=ticket.ticket_id,
        root_cause_id=ticket.root_cause_id or "",
        description=ticket.description,
        engine=said.db_type,
        version=said.version,
        module=said.module,
        severity=said.severity,
        created_at=said.created_at,
        phenomenon_ids=sorted({one.phenomenon_id for one in ticket.anomalies if one.phenomenon_id}),
        finding=ticket.root_cause,
        solution=ticket.solution,
    )


def publication_to_wire(published: Publication) -> pb.Publication:
    """One publication."""
    return pb.Publication(
        number=published.number,
        snapshot_id=published.snapshot_id,
        before_snapshot_id=published.before,
        author=published.author,
        reason=published.reason,
        at_unix_seconds=published.at,
        rollback=published.rollback,
    )


def rejected_to_wire(rejected: RejectedTicket) -> pb.RejectedTicket:
    """One refused record."""
    return pb.RejectedTicket(
        record=rejected.record,
        ticket_id=rejected.ticket_id,
        field=rejected.field,
        reason=rejected.reason.text(),
        line=rejected.line,
        reason_json=json.dumps(to_plain(rejected.reason), ensure_ascii=False),
    )


def report_to_wire(report: ImportReport) -> pb.ImportTicketsResponse:
    """The counts of an import."""
    return pb.ImportTicketsResponse(
        ticket_count=report.tickets,
        new_ticket_count=report.new_tickets,
        anomaly_count=report.anomalies,
        merged_anomaly_count=report.merged_anomalies,
        new_phenomenon_count=report.new_phenomena,
        new_root_cause_count=report.new_root_causes,
        unclear_count=report.unclear,
        rejected=[rejected_to_wire(item) for item in report.rejected],
        ticket_without_anomalies_count=report.tickets_without_anomalies,
    )


def case_from_wire(message: pb.ProposeCaseRequest) -> ClosedCase:
    """A proposed case. Defaults: case 1; evidence of verdict unknown, origin import and score 1."""
    case = from_wire(message, types.ProposeCaseRequest)
    evidence = tuple(
        CaseEvidence(
            phenomenon_id=item.phenomenon_id,
            verdict=item.verdict.value if item.verdict else "unknown",
            score=item.score or 1.0,
            origin=item.origin.value if item.origin else "import",
            words=item.words,
        )
        for item in case.evidence
    )
    return ClosedCase(**vars(case) | {"case": case.case or 1, "evidence": evidence})


def proposal_to_wire(proposal: Proposal) -> pb.Proposal:
    """A proposal with its redacted words."""
    evidence = tuple(
        types.CaseEvidence(
            item.phenomenon_id, types.Verdict(item.verdict), item.score, types.EvidenceOrigin(item.origin), item.words
        )
        for item in proposal.case.evidence
    )
    found = types.Proposal(
        proposal.proposal_id,
        proposal.state,
        **dict(proposal.case) | {"evidence": evidence},
        quarantined=proposal.quarantined,
        held_out=proposal.held_out,
        proposed_at_unix_seconds=proposal.proposed_at,
        reviewer=proposal.reviewer,
        review_reason=proposal.review_reason,
        reviewed_at_unix_seconds=proposal.reviewed_at,
        ticket_id=proposal.ticket_id,
        redacted_count=proposal.redacted_count,
    )
    return to_wire(found, pb.Proposal)
