"""By what a diagnosis in this process judges: the library of a target's kind, and of whatever else looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.cli.looking_parts import EngineMind
from gateway.looking.report import Words

if TYPE_CHECKING:
    from services.knowledge.settings import KnowledgeSettings
    from services.knowledge.store import SnapshotStore


@dataclass(frozen=True)
class Knowledge:
    """The engine's library of a snapshot, its words, and the snapshot itself."""

    snapshot_id: str
    content: bytes
    mind: EngineMind
    words: Words


def knowledge_of(data_dir: Path, snapshot_id: str = "", engines: Sequence[str] = ()) -> Knowledge:
    """A stored snapshot; the current one when none is named, published as a start of the services would.

    engines: that look at the target. Where the configured libraries do not speak of what one of them sees, the library
    that ships for it is joined to what the others need. What is current stays. Raises NotFound for a snapshot that is
    not stored.
    """
    from gateway.cli.knowledge_files import settings_of, store_of
    from services.engine.reasoner import open_library
    from services.engine.snapshot import read_snapshot
    from services.knowledge.compile import read_snapshot as read_document

    settings = settings_of(data_dir)
    store = store_of(settings)
    try:
        identity = snapshot_id or _for_engines(store, settings, engines)
        content = store.read(identity)
    finally:
        store.close()
    library = open_library(read_snapshot(content, identity))
    return Knowledge(identity, content, EngineMind(library), Words.of(read_document(content)))


def _for_engines(store: SnapshotStore, settings: KnowledgeSettings, engines: Sequence[str]) -> str:
    from services.knowledge.publishing import build, publish_at_startup
    from services.knowledge.shipped import of_engine

    configured = settings.library_paths()
    wanted = [of_engine(engine) for engine in engines or ("",)]
    parts = []
    if any(own is None or own in configured for own in wanted):
        parts.append(publish_at_startup(store, configured).snapshot_id)
    for own in dict.fromkeys(own for own in wanted if own is not None and own not in configured):
        parts.append(build(store, [own], author="diagnose", reason=f"the library of {own.name}").snapshot_id)
    return reduce(partial(_joined, store), parts)


def _joined(store: SnapshotStore, first: str, other: str) -> str:
    """Both snapshots as one; made once."""
    from services.knowledge.compile import snapshot_id
    from services.knowledge.joining import MARK, join

    mark = f"{MARK}-{snapshot_id(f'{first} {other}'.encode())}"
    known = store.with_fingerprint(mark)
    if known is None:
        content = join(store.read(first), store.read(other))
        known = store.add(content, author="diagnose", reason="two libraries as one", fingerprint=mark)
    return known.snapshot_id
