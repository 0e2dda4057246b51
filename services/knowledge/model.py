"""The room's words: manifest, change, report. Frozen, and free of any transport."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class SnapshotCounts:
    """How many of each a snapshot holds."""

    phenomena: int
    root_causes: int
    links: int
    tickets: int


@dataclass(frozen=True)
class Manifest:
    """What a snapshot holds and where it came from; not part of its hash.

    stored_at and published_at: seconds since 1970, UTC; published_at is 0 as long as nobody published it. fingerprint
    names the library files it was compiled from.
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
        """Whether nothing but a preview was made of it."""
        return self.author == PREVIEW and self.published_at == 0


@dataclass(frozen=True)
class Publication:
    """One time a snapshot was made the current one. before: what was current until then, empty for nothing.

    number counts from 1; at: seconds since 1970, UTC; rollback: it went back to an earlier one.
    """

    number: int
    snapshot_id: str
    before: str
    author: str
    reason: str
    at: int
    rollback: bool = False


# The author of snapshots that were only made to show what a change would do.
PREVIEW = "preview"


class ChangeKind(StrEnum):
    """What happened to an entity between two snapshots."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True)
class Change:
    """One difference. entity_type: phenomenon, root_cause, link (`cause/phenomenon`) or ticket; fields when changed.

    strength_before and strength_after are a link's; empty for anything else, and where there was or is no link.
    """

    kind: ChangeKind
    entity_type: str
    entity_id: str
    fields: tuple[str, ...] = ()
    strength_before: str = ""
    strength_after: str = ""


@dataclass(frozen=True)
class RejectedTicket:
    """A record that was not imported. record: position in the export, line: where it begins there, both from 1.

    Of a table both are the line, or the row of the sheet. line is 0 where it is not known.
    """

    record: int
    ticket_id: str
    field: str
    reason: str
    line: int = 0


@dataclass(frozen=True)
class ImportReport:
    """What an import did. tickets: records accepted, new or known; merged: anomalies that joined a phenomenon.

    tickets_without_anomalies: new ones in whose text nothing unusual was found; a snapshot leaves them out.
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
