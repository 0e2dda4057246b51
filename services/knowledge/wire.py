"""Between the room's words and its messages: pairs of pure functions."""

from __future__ import annotations

from dbdiag.knowledge.v1 import knowledge_pb2 as pb

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
_KINDS_BACK = {number: kind for kind, number in _KINDS.items()}


def manifest_to_wire(manifest: Manifest) -> pb.SnapshotManifest:
    """What callers see of a manifest; when it was stored and from which files stays in the store."""
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
        reason=rejected.reason,
        line=rejected.line,
    )


def rejected_from_wire(message: pb.RejectedTicket) -> RejectedTicket:
    """One refused record."""
    return RejectedTicket(message.record, message.ticket_id, message.field, message.reason, message.line)


def report_to_wire(report: ImportReport) -> pb.ImportTicketsResponse:
    """What an import did."""
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
    """What an import did."""
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
