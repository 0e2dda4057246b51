"""Converts between the room's types and protobuf messages."""

from __future__ import annotations

import json

from dbdiag.knowledge.v1 import knowledge_pb2 as pb

from services.chassis.messages import from_plain, to_plain
from services.chassis.problems import verbatim
from services.knowledge.cases.case_learning import Preview
from services.knowledge.cases.proposal import (
    CaseEvidence,
    ClosedCase,
    Decision,
    Origin,
    Proposal,
    ProposalState,
    Verdict,
)
from services.knowledge.model import (
    Change,
    ChangeKind,
    ImportReport,
    Manifest,
    Publication,
    RejectedTicket,
    SnapshotCounts,
)

_KINDS = {
    ChangeKind.ADDED: pb.CHANGE_KIND_ADDED,
    ChangeKind.REMOVED: pb.CHANGE_KIND_REMOVED,
    ChangeKind.CHANGED: pb.CHANGE_KIND_CHANGED,
}
_VERDICTS: dict[Verdict, pb.Verdict.ValueType] = {
    "confirmed": pb.VERDICT_CONFIRMED,
    "denied": pb.VERDICT_DENIED,
    "unknown": pb.VERDICT_UNKNOWN,
}
_ORIGINS: dict[Origin, pb.EvidenceOrigin.ValueType] = {
    "person": pb.EVIDENCE_ORIGIN_PERSON,
    "check": pb.EVIDENCE_ORIGIN_CHECK,
    "import": pb.EVIDENCE_ORIGIN_IMPORT,
}
_STATES = {
    ProposalState.OPEN: pb.PROPOSAL_STATE_OPEN,
    ProposalState.ACCEPTED: pb.PROPOSAL_STATE_ACCEPTED,
    ProposalState.REJECTED: pb.PROPOSAL_STATE_REJECTED,
}
DECISIONS = {pb.REVIEW_DECISION_ACCEPT: Decision.ACCEPT, pb.REVIEW_DECISION_REJECT: Decision.REJECT}
_VERDICTS_BACK = {number: verdict for verdict, number in _VERDICTS.items()}
_ORIGINS_BACK = {number: origin for origin, number in _ORIGINS.items()}
STATES_BACK = {number: state for state, number in _STATES.items()}
_KINDS_BACK = {number: kind for kind, number in _KINDS.items()}


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


def manifest_from_wire(message: pb.SnapshotManifest) -> Manifest:
    """The manifest as a caller knows it: stored_at 0 and no fingerprint."""
    return Manifest(
        snapshot_id=message.snapshot_id,
        counts=SnapshotCounts(
            message.phenomenon_count, message.root_cause_count, message.link_count, message.ticket_count
        ),
        parent_ids=tuple(message.parent_ids),
        author=message.author,
        reason=message.reason,
        stored_at=0,
        published_at=message.published_at_unix_seconds,
        size_bytes=message.size_bytes,
        fingerprint="",
    )


def change_to_wire(change: Change) -> pb.SnapshotChange:
    """One difference."""
    return pb.SnapshotChange(
        kind=_KINDS[change.kind],
        entity_type=change.entity_type,
        entity_id=change.entity_id,
        fields=change.fields,
        strength_before=change.strength_before,
        strength_after=change.strength_after,
    )


def change_from_wire(message: pb.SnapshotChange) -> Change:
    """One difference."""
    return Change(
        _KINDS_BACK[message.kind],
        message.entity_type,
        message.entity_id,
        tuple(message.fields),
        message.strength_before,
        message.strength_after,
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


def publication_from_wire(message: pb.Publication) -> Publication:
    """One publication."""
    return Publication(
        message.number,
        message.snapshot_id,
        message.before_snapshot_id,
        message.author,
        message.reason,
        message.at_unix_seconds,
        message.rollback,
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


def rejected_from_wire(message: pb.RejectedTicket) -> RejectedTicket:
    """One refused record; of an older peer, the reason in its own words."""
    reason = from_plain(json.loads(message.reason_json)) if message.reason_json else verbatim(message.reason)
    return RejectedTicket(message.record, message.ticket_id, message.field, reason, message.line)


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


def report_from_wire(message: pb.ImportTicketsResponse) -> ImportReport:
    """The counts of an import."""
    return ImportReport(
        tickets=message.ticket_count,
        new_tickets=message.new_ticket_count,
        anomalies=message.anomaly_count,
        merged_anomalies=message.merged_anomaly_count,
        new_phenomena=message.new_phenomenon_count,
        new_root_causes=message.new_root_cause_count,
        unclear=message.unclear_count,
        rejected=tuple(rejected_from_wire(item) for item in message.rejected),
        tickets_without_anomalies=message.ticket_without_anomalies_count,
    )


def evidence_to_wire(evidence: CaseEvidence) -> pb.CaseEvidence:
    """One answer of a case."""
    return pb.CaseEvidence(
        phenomenon_id=evidence.phenomenon_id,
        verdict=_VERDICTS[evidence.verdict],
        score=evidence.score,
        origin=_ORIGINS[evidence.origin],
        words=evidence.words,
    )


def evidence_from_wire(message: pb.CaseEvidence) -> CaseEvidence:
    """One answer of a case. Defaults: verdict unknown, origin import, score 1."""
    return CaseEvidence(
        phenomenon_id=message.phenomenon_id,
        verdict=_VERDICTS_BACK.get(message.verdict, "unknown"),
        score=message.score or 1.0,
        origin=_ORIGINS_BACK.get(message.origin, "import"),
        words=message.words,
    )


def case_from_wire(request: pb.ProposeCaseRequest) -> ClosedCase:
    """A proposed case."""
    return ClosedCase(
        session_id=request.session_id,
        case=request.case or 1,
        snapshot_id=request.snapshot_id,
        complaint=request.complaint,
        evidence=tuple(evidence_from_wire(item) for item in request.evidence),
        root_cause_id=request.root_cause_id,
        new_root_cause_description=request.new_root_cause_description,
        solution=request.solution,
    )


def proposal_to_wire(proposal: Proposal) -> pb.Proposal:
    """A proposal with its redacted words."""
    case = proposal.case
    return pb.Proposal(
        proposal_id=proposal.proposal_id,
        state=_STATES[proposal.state],
        session_id=case.session_id,
        case=case.case,
        snapshot_id=case.snapshot_id,
        complaint=case.complaint,
        evidence=[evidence_to_wire(item) for item in case.evidence],
        root_cause_id=case.root_cause_id,
        new_root_cause_description=case.new_root_cause_description,
        solution=case.solution,
        quarantined=proposal.quarantined,
        held_out=proposal.held_out,
        proposed_at_unix_seconds=proposal.proposed_at,
        reviewer=proposal.reviewer,
        review_reason=proposal.review_reason,
        reviewed_at_unix_seconds=proposal.reviewed_at,
        ticket_id=proposal.ticket_id,
        redacted_count=proposal.redacted_count,
    )


def proposal_from_wire(message: pb.Proposal) -> Proposal:
    """A proposal with its redacted words."""
    case = ClosedCase(
        session_id=message.session_id,
        case=message.case,
        snapshot_id=message.snapshot_id,
        complaint=message.complaint,
        evidence=tuple(evidence_from_wire(item) for item in message.evidence),
        root_cause_id=message.root_cause_id,
        new_root_cause_description=message.new_root_cause_description,
        solution=message.solution,
    )
    return Proposal(
        proposal_id=message.proposal_id,
        case=case,
        state=STATES_BACK[message.state],
        quarantined=message.quarantined,
        held_out=message.held_out,
        proposed_at=message.proposed_at_unix_seconds,
        reviewer=message.reviewer,
        review_reason=message.review_reason,
        reviewed_at=message.reviewed_at_unix_seconds,
        redacted_count=message.redacted_count,
    )


def preview_to_wire(proposal: Proposal, preview: Preview) -> pb.GetProposalResponse:
    """A proposal and the snapshots that preview its effect."""
    return pb.GetProposalResponse(
        proposal=proposal_to_wire(proposal),
        without_snapshot_id=preview.without_id,
        with_snapshot_id=preview.with_id,
    )
