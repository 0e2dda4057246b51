"""`dbdiag knowledge snapshots`, `rollback` and `prune`: what was published, going back, and what may go."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from gateway.cli import failures
from gateway.cli.conversation import printable
from gateway.cli.knowledge_files import DATA_DIR, JSON, author_name, settings_of, show, store_of
from gateway.cli.knowledge_words import counted, say
from gateway.cli.numbers import WholeNumber

_SHORT = 19


@click.command()
@DATA_DIR
@JSON
def snapshots(data_dir: Path | None, as_json: bool) -> int:
    """List the snapshots, newest first, and what was published when, by whom and why."""
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
        f"{': ' + printable(item.reason) if item.reason else ''}"
        for item in record
    ]
    show(as_json, body, lines or [say("no_snapshot", place=store.place)])
    return failures.DONE if manifests else failures.FELL_SHORT


@click.command()
@click.argument("snapshot", metavar="[SNAPSHOT_ID]", required=False)
@click.option("--reason", required=True, help="Why; it is kept with the snapshots.")
@DATA_DIR
@JSON
def rollback(snapshot: str | None, reason: str, data_dir: Path | None, as_json: bool) -> int:
    """Go back to what was current before, or to a snapshot by its id or its first digits.

    Sessions that are open stay on the snapshot they began with.
    """
    store = store_of(settings_of(data_dir))
    previous = store.current_id()
    wanted = store.resolve(snapshot) if snapshot else None
    manifest = store.rollback(wanted, author=author_name(), reason=reason)
    lines = [manifest.snapshot_id, say("rolled_back", previous=previous or say("none"))]
    show(as_json, asdict(manifest) | {"previous_snapshot_id": previous}, lines)
    return failures.DONE


@click.command()
@click.option(
    "--keep", type=WholeNumber(min=0), required=True, help="So many of the newest, and of those before the current one."
)
@click.option("--dry-run", is_flag=True, help="Only tell what would go.")
@click.option("--no-sessions", is_flag=True, help="There are no sessions that could be pinned to one.")
@DATA_DIR
@JSON
def prune(keep: int, dry_run: bool, no_sessions: bool, data_dir: Path | None, as_json: bool) -> int:
    """Remove old snapshots.

    Never the current one, never one a session is pinned to, never one of those that rolling back would reach first.
    """
    from services.knowledge import retention

    store = store_of(settings_of(data_dir))
    pinned = set() if no_sessions else asyncio.run(_pinned(data_dir))
    wanted = retention.plan(store, keep, pinned)
    if not dry_run:
        retention.apply(store, wanted)
    lines = [f"{say('keep')} {item.snapshot_id[:_SHORT]} {item.why}" for item in wanted.kept]
    lines += [f"{say('remove')} {identity[:_SHORT]}" for identity in wanted.removed]
    gone = counted(len(wanted.removed), "snapshot")
    lines.append(say("would_remove" if dry_run else "removed", snapshots=gone, bytes=wanted.freed_bytes))
    show(as_json, asdict(wanted) | {"dry_run": dry_run}, lines)
    return failures.DONE


async def _pinned(data_dir: Path | None) -> set[str]:
    """The snapshots that sessions are pinned to.

    Raises DependencyDown when the sessions cannot be read, InvalidInput when none are here: they may be elsewhere.
    """
    from gateway.cli.session_files import opened_sessions
    from services.chassis.errors import InvalidInput

    async with opened_sessions(data_dir) as store:
        if store is None:
            raise InvalidInput(
                "looking for what sessions are pinned to: there are none in this data folder; name where they are with "
                "--data-dir or DBDIAG_SESSIONS_URL, or say --no-sessions",
                reason="sessions_not_found",
            )
        return await store.pinned()


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
