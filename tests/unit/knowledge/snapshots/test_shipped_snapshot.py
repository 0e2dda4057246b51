from __future__ import annotations

from pathlib import Path

import pytest

from services.knowledge.blobs.backends import open_blobs
from services.knowledge.library.shipped_libraries import POSTGRESQL
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots import publish
from services.knowledge.snapshots.publish import compile_admitted, publish_at_startup
from services.knowledge.snapshots.shipped_snapshot import find_shipped, make_shipped, mark_of
from services.knowledge.snapshots.store import SnapshotStore


def test_the_shipped_snapshot_is_that_of_the_shipped_library() -> None:
    """It has the bytes that compiling today's files gives; if not, run `python -m services.knowledge.snapshots`."""
    assert find_shipped(mark_of((POSTGRESQL,))) == compile_admitted((POSTGRESQL,))


def test_a_first_start_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the default settings the shipped snapshot is published as it is."""

    def compile_admitted(*_: object) -> bytes:
        raise AssertionError("compiling the shipped library again")

    monkeypatch.setattr(publish, "compile_admitted", compile_admitted)
    store = SnapshotStore(open_blobs(str(tmp_path)), lambda: 0.0)
    manifest = publish_at_startup(store, KnowledgeSettings().library_paths())
    assert store.read(manifest.snapshot_id) == find_shipped(mark_of((POSTGRESQL,)))


def test_another_mark_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was made from other inputs is not used."""
    monkeypatch.setattr("services.knowledge.snapshots.shipped_snapshot.FILE", tmp_path / "other.snapshot")
    (tmp_path / "other.snapshot").write_bytes(make_shipped("5-abc", b"{}"))
    assert find_shipped("5-abc") == b"{}"
    assert find_shipped("5-abd") is None
