"""Which snapshots may go: never the current one, one it came from, one that a session is pinned to, or a new one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from services.chassis.errors import InvalidInput
from services.knowledge.store import SnapshotStore


@dataclass(frozen=True)
class Kept:
    """A snapshot that stays, and why: current, parent, pinned or recent."""

    snapshot_id: str
    why: str


@dataclass(frozen=True)
class Retention:
    """What stays and what goes, both the newest first."""

    kept: tuple[Kept, ...]
    removed: tuple[str, ...]
    freed_bytes: int


def plan(store: SnapshotStore, keep: int, pinned: Collection[str]) -> Retention:
    """What keeping `keep` snapshots beside the current one comes to; nothing is removed.

    Kept are the current snapshot, the `keep` before it that rolling back goes through, the `keep` newest but for
    previews, and the pinned ones.
    """
    if keep < 0:
        raise InvalidInput(f"keeping {keep} snapshots: give a number from 0 on")
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


def apply(store: SnapshotStore, wanted: Retention) -> None:
    """Removes what was planned; one that has become current meanwhile stays."""
    for identity in wanted.removed:
        if identity != store.current_id():
            store.remove(identity)
