"""Manifests, publications and import reports, with the fields of their files and texts; the rest is the contract's."""

from __future__ import annotations

from dataclasses import dataclass

from dbdiag.knowledge.v1.knowledge_types import ChangeKind as ChangeKind
from dbdiag.knowledge.v1.knowledge_types import SnapshotChange

from services.chassis.messages import Message

Change = SnapshotChange


@dataclass(frozen=True)
class SnapshotCounts:
    """The number of entries in a snapshot, by kind."""

    phenomena: int
    root_causes: int
    links: int
    tickets: int


@dataclass(frozen=True)
class Manifest:
    """The contents and origin of a snapshot; not part of its hash.

    stored_at and published_at: seconds since 1970, UTC; published_at is 0 until the snapshot is published. fingerprint
    identifies the library files it was compiled from.
    """

    snapshot_id: str
    counts: SnapshotCounts
    parent_ids: tuple[str, ...]
    author: str
    reason: str
    stored_at: int
    published_at: int
    size_bytes: int
    fingerprint: str

    @property
    def is_preview(self) -> bool:
        """True if the snapshot only ever served as a preview."""
        return self.author == PREVIEW and self.published_at == 0


@dataclass(frozen=True)
class Publication:
    """One publication of a snapshot. before: the snapshot that was current until then, empty for the first one.

    number counts from 1; at: seconds since 1970, UTC; rollback: the publication went back to an earlier snapshot.
    """

    number: int
    snapshot_id: str
    before: str
    author: str
    reason: str
    at: int
    rollback: bool = False


# The author of snapshots that only preview a change.
PREVIEW = "preview"


@dataclass(frozen=True)
class RejectedTicket:
    """A record that was not imported. record: its position in the export, line: its first line, both from 1.

    For a table both are the line or the row of the sheet. line is 0 if unknown.
    """

    record: int
    ticket_id: str
    field: str
    reason: Message
    line: int = 0

    def as_object(self) -> dict[str, object]:
        """As it is in JSON: the reason in English."""
        return vars(self) | {"reason": self.reason.text()}


@dataclass(frozen=True)
class ImportReport:
    """The counts of an import. tickets: accepted records, new or known; merged: anomalies that joined a phenomenon.

    tickets_without_anomalies: new tickets whose text mentions nothing unusual; snapshots leave them out.
    """

    tickets: int = 0
    new_tickets: int = 0
    anomalies: int = 0
    merged_anomalies: int = 0
    new_phenomena: int = 0
    new_root_causes: int = 0
    unclear: int = 0
    rejected: tuple[RejectedTicket, ...] = ()
    tickets_without_anomalies: int = 0
