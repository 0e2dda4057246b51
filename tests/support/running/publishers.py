"""What publishes small snapshots, in processes of its own too: those import this module and no test."""

from __future__ import annotations

import os
from collections.abc import Mapping
from multiprocessing.synchronize import Event

from services.knowledge.blobs.backends import open_blobs
from services.knowledge.snapshots.compile import snapshot_id, to_canonical
from services.knowledge.snapshots.store import SnapshotStore

TURNS = 4


def content(number: int) -> bytes:
    """The bytes of a small snapshot, another one for each number."""
    ticket = {"id": f"T-{number}", "root_cause": "RC-0001", "phenomena": ["P-0001"], "description": "慢"}
    return to_canonical({"format": "dbdiag.snapshot.v1", "phenomena": [], "root_causes": [], "tickets": [ticket]})


def publish_many(place: str, number: int, start: Event, environment: Mapping[str, str]) -> None:
    """Once started, publishes the stored snapshots of this publisher's numbers."""
    # The server that forks this process may be older than the store's credentials.
    os.environ.update(environment)
    store = SnapshotStore(open_blobs(place), lambda: 1.0)
    start.wait()
    for turn in range(TURNS):
        store.publish(snapshot_id(content(10 * number + turn)), author=f"p{number}", reason="")
    store.close()
