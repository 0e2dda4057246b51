"""Retention: prunes snapshots that are not current, recent, pinned by a session or needed for a rollback."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from services.chassis.errors import InvalidInput
from services.knowledge.snapshots.store import SnapshotStore


@dataclass(frozen=True)
class Kept:
    """A snapshot to keep, and the reason: current, parent, pinned or recent."""

    snapshot_id: str
    why: str


@dataclass(frozen=True)
class Retention:
    """Snapshots to keep and to remove, newest first."""

    kept: tuple[Kept, ...]
    removed: tuple[str, ...]
    freed_bytes: int


def plan_pruning(store: SnapshotStore, keep: int, pinned: Collection[str]) -> Retention:
    """Plans the removal of old snapshots without removing any.

    Kept are the current snapshot, the `keep` rollback targets before it, the `keep` newest ones other than previews,
    and the pinned ones.
    """
    if keep < 0:
        raise InvalidInput("invalid_request.kept_count", count=keep)
    manifests = store.manifests()
    lineage = store.lineage()
    made = [item.snapshot_id for item in manifests if not item.is_preview]
    reasons = dict.fromkeys(made[:keep], "recent")
    reasons |= dict.fromkeys(pinned, "pinned")
    reasons |= dict.fromkeys(lineage[1 : keep + 1], "parent")
    reasons |= dict.fromkeys(lineage[:1], "current")
    goes = [item for item in manifests if item.snapshot_id not in reasons]
    stays = tuple(Kept(item.snapshot_id, reasons[item.snapshot_id]) for item in manifests if item not in goes)
    return Retention(stays, tuple(item.snapshot_id for item in goes), sum(item.size_bytes for item in goes))


def prune(store: SnapshotStore, wanted: Retention) -> None:
    """Removes the planned snapshots, except one that has become current in the meantime."""
    for identity in wanted.removed:
        if identity != store.current_id():
            store.remove(identity)
