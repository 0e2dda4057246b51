"""The store of snapshots and what a start-up does with it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from services.chassis.errors import InvalidInput, NotFound, Precondition
from services.knowledge.blobs.backends import open_blobs
from services.knowledge.library.load import InvalidLibrary
from services.knowledge.library.shipped_libraries import POSTGRESQL
from services.knowledge.model import Manifest
from services.knowledge.snapshots import publish
from services.knowledge.snapshots.compile import compile_libraries, snapshot_id
from services.knowledge.snapshots.store import SnapshotStore
from tests.support.sample_libraries import phenomenon, tree_hash, write_library


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    """An empty store whose clock goes up by a second with every look."""
    ticks = count(1_000)
    return SnapshotStore(open_blobs(tmp_path / "store"), lambda: next(ticks))


def stored(store: SnapshotStore, library: Path) -> str:
    """A library's snapshot, stored but not published."""
    return publish.build(store, [library], author="ada", reason="test").snapshot_id


def test_what_was_stored_comes_back(store: SnapshotStore, tmp_path: Path) -> None:
    """The bytes are those that were compiled, and the manifest counts what is in them."""
    library = write_library(tmp_path / "library")
    identity = stored(store, library)
    assert store.read(identity) == compile_libraries([library])
    manifest = store.manifest(identity)
    assert (manifest.counts.phenomena, manifest.counts.links, manifest.published_at) == (1, 1, 0)
    assert manifest.size_bytes == len(store.read(identity))


def test_publishing_twice_changes_nothing(store: SnapshotStore, tmp_path: Path) -> None:
    """The second publication of the current snapshot leaves every byte of the store as it was."""
    identity = stored(store, write_library(tmp_path / "library"))
    first = store.publish(identity, author="ada", reason="one")
    before = tree_hash(tmp_path / "store")
    assert store.publish(identity, author="bob", reason="two") == first
    assert tree_hash(tmp_path / "store") == before


def test_snapshots_come_newest_first_and_know_their_parent(store: SnapshotStore, tmp_path: Path) -> None:
    """The list is by publication, the newest first; a first publication records what was current before it."""
    old = stored(store, write_library(tmp_path / "a"))
    new = stored(store, write_library(tmp_path / "b", phenomena=[phenomenon(cost=2)]))
    store.publish(old, author="ada", reason="")
    store.publish(new, author="ada", reason="")
    assert [manifest.snapshot_id for manifest in store.manifests()] == [new, old]
    assert store.manifest(new).parent_ids == (old,)
    assert store.resolve("previous") == old
    store.publish(old, author="ada", reason="back")
    assert store.current_id() == old
    assert store.manifest(old).parent_ids == ()


def test_changed_bytes_are_never_given_out(store: SnapshotStore, tmp_path: Path) -> None:
    """A snapshot file that was edited is refused on reading and on publishing, naming what to do."""
    identity = stored(store, write_library(tmp_path / "library"))
    (file,) = [path for path in (tmp_path / "store").glob("*.json") if "manifest" not in path.name]
    file.write_bytes(file.read_bytes().replace(b"slow", b"fast"))
    for use in (lambda: store.read(identity), lambda: store.publish(identity, author="ada", reason="")):
        with pytest.raises(Precondition, match="no longer fit its name") as caught:
            use()
        assert caught.value.reason == "snapshot_changed"


def test_an_unknown_snapshot_is_not_found(store: SnapshotStore) -> None:
    """Reading, publishing and resolving what is not there says where it was looked for."""
    identity = "sha256:" + "0" * 64
    for use in (
        lambda: store.read(identity),
        lambda: store.resolve("00"),
        lambda: store.resolve("current"),
        lambda: store.resolve("previous"),
    ):
        with pytest.raises(NotFound, match="store") as caught:
            use()
        assert caught.value.reason == "snapshot_not_found"


def test_first_digits_name_a_snapshot(store: SnapshotStore, tmp_path: Path) -> None:
    """`current`, a whole id, and digits that only one id begins with resolve; digits of several do not."""
    identity = stored(store, write_library(tmp_path / "a"))
    store.publish(identity, author="ada", reason="")
    assert {store.resolve(text) for text in ("current", identity, identity[:19], identity[7:20])} == {identity}
    (tmp_path / "store" / f"{identity[7:20]}{'0' * 51}.manifest.json").touch()
    with pytest.raises(InvalidInput, match="2 begin like this"):
        store.resolve(identity[:19])


@pytest.mark.parametrize("survived", range(5))
def test_a_write_that_dies_leaves_the_old_state_until_it_is_recorded(
    store: SnapshotStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, survived: int
) -> None:
    """A publication that dies before it is recorded changes nothing that is current; trying again always works.

    Five files come into being: content, manifest, fingerprint, the record (which decides), and what `current` says.
    """
    old = stored(store, write_library(tmp_path / "a"))
    store.publish(old, author="ada", reason="")
    library = write_library(tmp_path / "b", phenomena=[phenomenon(cost=2)])
    calls = count()

    def dying(change: Callable[[str, Path], None]) -> Callable[[str, Path], None]:
        def changed(source: str, target: Path) -> None:
            if next(calls) >= survived:
                raise KeyboardInterrupt
            change(source, target)

        return changed

    def publish() -> Manifest:
        return store.publish(stored(store, library), author="ada", reason="")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", dying(os.replace))
        patched.setattr(os, "link", dying(os.link))
        with pytest.raises(KeyboardInterrupt):
            publish()
    assert (store.current_id() == old) == (survived < 4)
    assert store.read(old)
    assert store.read(store.current_id() or "")
    assert not list((tmp_path / "store").rglob(".*"))
    assert publish().snapshot_id == store.current_id() == (tmp_path / "store" / "current").read_text()


def test_a_warm_start_compiles_nothing(store: SnapshotStore, tmp_path: Path) -> None:
    """With unchanged libraries a start-up publishes what it published before, without compiling, in under 100 ms."""
    first = publish.publish_at_startup(store, [POSTGRESQL])
    before = tree_hash(tmp_path / "store")
    started = time.process_time()
    assert publish.publish_at_startup(store, [POSTGRESQL]) == first
    assert time.process_time() - started < 0.1
    assert tree_hash(tmp_path / "store") == before


def test_a_start_follows_its_own_libraries(store: SnapshotStore, tmp_path: Path) -> None:
    """When the files changed since the last start, the start-up's own publication is replaced by the new one."""
    library = write_library(tmp_path / "library")
    publish.publish_at_startup(store, [library])
    write_library(library, phenomena=[phenomenon(cost=5)])
    publish.publish_at_startup(store, [library])
    assert store.current_id() == snapshot_id(compile_libraries([library]))


def test_a_start_never_overrides_a_person(store: SnapshotStore, tmp_path: Path) -> None:
    """What a person published stays current through any start, even when the libraries cannot be read any more."""
    library = write_library(tmp_path / "library")
    publish.publish_at_startup(store, [library])
    mine = stored(store, write_library(tmp_path / "mine", phenomena=[phenomenon(cost=3)]))
    store.publish(mine, author="ada", reason="ours")
    write_library(library, phenomena=[phenomenon("P-1")])
    assert publish.publish_at_startup(store, [library]).snapshot_id == mine


def test_a_first_start_with_a_broken_library_says_so(store: SnapshotStore, tmp_path: Path) -> None:
    """Nothing is published when there is nothing valid to publish."""
    with pytest.raises(InvalidLibrary):
        publish.publish_at_startup(store, [write_library(tmp_path / "x", phenomena=[phenomenon("P-1")])])
    assert store.current_id() is None


def test_a_place_that_cannot_be_written_is_told_with_its_name(tmp_path: Path) -> None:
    """Where the system does not let a snapshot be kept, that is told as a state to mend, with the place."""
    (tmp_path / "file").touch()
    write_library(tmp_path / "library")
    with pytest.raises(Precondition, match="file/store") as caught:
        stored(SnapshotStore(open_blobs(tmp_path / "file" / "store"), time.time), tmp_path / "library")
    assert caught.value.reason == "not_writable"
