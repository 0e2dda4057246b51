"""`dbdiag knowledge snapshots`, `rollback` and `prune`."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from gateway.cli import output
from gateway.cli.chat.conversation import strip_controls
from gateway.cli.knowledge.files import author_name, count_things, say, settings_of, store_of
from gateway.cli.options import DATA_DIR, JSON, WholeNumber
from gateway.cli.output import show

_SHORT = 19


@click.command()
@DATA_DIR
@JSON
def snapshots(data_dir: Path | None, as_json: bool) -> int:
    """List the snapshots, newest first, and the record of publications."""
    store = store_of(settings_of(data_dir))
    manifests, record, current = store.manifests(), store.publications(), store.current_id()
    body = {
        "current_snapshot_id": current,
        "snapshots": [asdict(item) for item in manifests],
        "publications": [asdict(item) for item in record],
    }
    lines = [
        f"{'*' if item.snapshot_id == current else ' '} {item.snapshot_id[:_SHORT]}  "
        + say("counts", **asdict(item.counts))
        for item in manifests
    ]
    lines += [
        f"{item.number}. {_day(item.at)} {item.author} "
        f"{say('rolled_back_to' if item.rollback else 'published_to')} {item.snapshot_id[:_SHORT]}"
        f"{': ' + strip_controls(item.reason) if item.reason else ''}"
        for item in record
    ]
    show(as_json, body, lines or [say("no_snapshot", place=store.place)])
    return output.DONE if manifests else output.FELL_SHORT


@click.command()
@click.argument("snapshot", metavar="[SNAPSHOT_ID]", required=False)
@click.option("--reason", required=True, help="The reason; it is recorded with the publication.")
@DATA_DIR
@JSON
def rollback(snapshot: str | None, reason: str, data_dir: Path | None, as_json: bool) -> int:
    """Make the previous snapshot current again, or the one with this id (or its first digits).

    Open sessions stay on the snapshot they started with.
    """
    store = store_of(settings_of(data_dir))
    previous = store.current_id()
    wanted = store.resolve(snapshot) if snapshot else None
    manifest = store.rollback(wanted, author=author_name(), reason=reason)
    lines = [manifest.snapshot_id, say("rolled_back", previous=previous or say("none"))]
    show(as_json, asdict(manifest) | {"previous_snapshot_id": previous}, lines)
    return output.DONE


@click.command()
@click.option(
    "--keep",
    type=WholeNumber(min=0),
    required=True,
    help="Keep this many of the newest, and of those before the current one.",
)
@click.option("--dry-run", is_flag=True, help="Only print what would be removed.")
@click.option("--no-sessions", is_flag=True, help="Assume that no session is pinned to a snapshot.")
@DATA_DIR
@JSON
def prune(keep: int, dry_run: bool, no_sessions: bool, data_dir: Path | None, as_json: bool) -> int:
    """Remove old snapshots.

    Keeps the current one, those that sessions are pinned to, and those that a rollback would reach first.
    """
    from services.knowledge.files import retention

    store = store_of(settings_of(data_dir))
    pinned = set() if no_sessions else asyncio.run(_list_pinned(data_dir))
    wanted = retention.plan_pruning(store, keep, pinned)
    if not dry_run:
        retention.prune(store, wanted)
    lines = [f"{say('keep')} {item.snapshot_id[:_SHORT]} {item.why}" for item in wanted.kept]
    lines += [f"{say('remove')} {identity[:_SHORT]}" for identity in wanted.removed]
    gone = count_things(len(wanted.removed), "snapshot")
    lines.append(say("would_remove" if dry_run else "removed", snapshots=gone, bytes=wanted.freed_bytes))
    show(as_json, asdict(wanted) | {"dry_run": dry_run}, lines)
    return output.DONE


async def _list_pinned(data_dir: Path | None) -> set[str]:
    """The snapshots that sessions are pinned to.

    Raises DependencyDown if the sessions cannot be read, and InvalidInput if none are here.
    """
    from gateway.cli.tools.session_files import open_sessions
    from services.chassis.errors import InvalidInput

    async with open_sessions(data_dir) as store:
        if store is None:
            raise InvalidInput("sessions_not_found")
        return await store.pinned()


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
