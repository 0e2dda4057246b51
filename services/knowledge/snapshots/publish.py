"""Publishes library files: compiles only after changes, never overrides a person's publication."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from services.knowledge.library.load import fingerprint
from services.knowledge.library.shipped_libraries import FOLDER
from services.knowledge.model import Manifest
from services.knowledge.snapshots.compile import COMPILER_VERSION, compile_library
from services.knowledge.snapshots.store import SnapshotStore
from services.knowledge.sql_texts import load_admitted

STARTUP = "startup"


def build(store: SnapshotStore, paths: Sequence[Path], *, author: str, reason: str) -> Manifest:
    """The stored, not yet published snapshot of the libraries; compiled only when their files changed.

    Raises InvalidLibrary, also for refused SQL.
    """
    mark = _mark(paths)
    known = store.with_fingerprint(mark)
    if known is not None:
        return known
    return store.add(compile_admitted(paths), author=author, reason=reason, fingerprint=mark)


def compile_admitted(paths: Sequence[Path]) -> bytes:
    """The canonical bytes of libraries whose SQL is admitted. Raises InvalidLibrary."""
    return compile_library(load_admitted(paths, trusted=FOLDER))


def publish_at_startup(store: SnapshotStore, paths: Sequence[Path]) -> Manifest:
    """The current snapshot after a start: the libraries' own, unless a person has published one.

    Raises InvalidLibrary when the libraries have to be compiled and cannot.
    """
    current = store.current_id()
    if current is not None:
        store.point()
        manifest = store.manifest(current)
        known = store.with_fingerprint(_mark(paths)) if manifest.author == STARTUP else manifest
        if known == manifest:
            return manifest
    built = build(store, paths, author=STARTUP, reason="libraries at start-up")
    return store.publish(built.snapshot_id, author=STARTUP, reason="libraries at start-up")


def _mark(paths: Sequence[Path]) -> str:
    return f"{COMPILER_VERSION}-{fingerprint(paths)}"
