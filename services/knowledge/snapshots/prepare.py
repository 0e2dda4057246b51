"""The snapshot that a target is judged by: the current one, the shipped library of its kind, or several as one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from pathlib import Path

from services.knowledge.library.shipped_libraries import of_engine
from services.knowledge.snapshots.compile import snapshot_id
from services.knowledge.snapshots.merge import MARK, join
from services.knowledge.snapshots.publish import build
from services.knowledge.snapshots.store import SnapshotStore

_AUTHOR = "diagnose"


def prepare(store: SnapshotStore, current: str, configured: Sequence[Path], engines: Sequence[str]) -> str:
    """The id of the snapshot for a target whose checks use these engines, stored and not published.

    The current snapshot serves the engines that the configured libraries cover; each other engine adds the library that
    ships for it.
    """
    libraries = [of_engine(engine) for engine in engines] or [None]
    extra = [path for path in dict.fromkeys(libraries) if path is not None and path not in configured]
    parts = [current] if any(path not in extra for path in libraries) else []
    for path in extra:
        parts.append(build(store, [path], author=_AUTHOR, reason=f"the library of {path.name}").snapshot_id)
    return reduce(partial(_joined, store), parts)


def _joined(store: SnapshotStore, first: str, other: str) -> str:
    """Both snapshots as one, joined at most once."""
    mark = f"{MARK}-{snapshot_id(f'{first} {other}'.encode())}"
    known = store.with_fingerprint(mark)
    if known is None:
        content = join(store.read(first), store.read(other))
        known = store.add(content, author=_AUTHOR, reason="two libraries as one", fingerprint=mark)
    return known.snapshot_id
