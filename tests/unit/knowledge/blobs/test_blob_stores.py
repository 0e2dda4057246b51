"""The same properties of every kind of store: a folder, a real PostgreSQL, a real S3-compatible server."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dbdiag.knowledge.v1 import knowledge_pb2, knowledge_pb2_grpc

from services.chassis import channel
from services.chassis.errors import DependencyDown, InvalidInput, NotFound, Precondition
from services.chassis.server import Host
from services.knowledge.app import KnowledgeApp
from services.knowledge.blobs.backends import open_blobs
from services.knowledge.blobs.port import BlobStore
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots import retention
from services.knowledge.snapshots.compile import compile_libraries, snapshot_id
from services.knowledge.snapshots.publish import publish_at_startup
from services.knowledge.snapshots.store import SnapshotStore
from tests.support.examples import every
from tests.support.running.forked import server
from tests.support.running.publishers import TURNS, content, publish_many
from tests.support.sample_libraries import write_library
from tests.support.servers.postgres import postgres
from tests.support.servers.s3 import CREDENTIALS, s3

pytestmark = pytest.mark.sampled

KINDS = ("folder", "postgresql", "s3")
_NUMBERS = itertools.count()
NewPlace = Callable[[], str]


@pytest.fixture(scope="session")
def servers() -> Iterator[dict[str, str]]:
    """Places by kind, with `{}` for what tells one store from the next."""
    with postgres() as dsn, s3() as endpoint:
        options = dict(part.split("=", 1) for part in dsn.split())
        yield {
            "postgresql": f"postgresql://postgres:pg-secret@/{{}}?host={options['host']}",
            "s3": f"s3://snapshots/{{}}/inner?endpoint={endpoint}",
            "dsn": dsn,
        }


@pytest.fixture(params=KINDS)
def new_place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NewPlace:
    """Makes the place of an empty store of one kind."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    if request.param == "folder":
        return lambda: str(tmp_path / f"store{next(_NUMBERS)}")
    servers: dict[str, str] = request.getfixturevalue("servers")

    def made() -> str:
        name = f"store{next(_NUMBERS)}"
        if request.param == "postgresql":
            _make_database(servers["dsn"], name)
        return servers[request.param].format(name)

    return made


@pytest.fixture
def place(new_place: NewPlace) -> str:
    """The place of an empty store."""
    return new_place()


@pytest.fixture
def blobs(place: str) -> Iterator[BlobStore]:
    """An empty blobs of one kind."""
    opened = open_blobs(place)
    yield opened
    opened.close()


@pytest.fixture
def store(blobs: BlobStore) -> SnapshotStore:
    """An empty store whose clock goes up by a second with every look."""
    ticks = itertools.count(1_000)
    return SnapshotStore(blobs, lambda: next(ticks))


def _make_database(dsn: str, name: str) -> None:
    psycopg = pytest.importorskip("psycopg", reason="the package psycopg is not installed")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")


def add(store: SnapshotStore, number: int) -> str:
    """A stored snapshot."""
    return store.add(content(number), author="ada", reason="test", fingerprint=f"mark{number}").snapshot_id


def published(store: SnapshotStore, *numbers: int) -> list[str]:
    """Snapshots published one after the other."""
    found = [add(store, number) for number in numbers]
    for identity in found:
        store.publish(identity, author="ada", reason="next")
    return found


def test_a_piece_is_there_whole_or_not_at_all(blobs: BlobStore) -> None:
    """What was written is read again, replaced, listed under its prefix, and gone after it was removed."""
    assert blobs.read("a.json") is None
    assert blobs.names() == []
    blobs.write("a.json", b"1")
    blobs.write("a.json", "二\0".encode())
    blobs.write("deep/b", b"")
    assert (blobs.read("a.json"), blobs.read("deep/b")) == ("二\0".encode(), b"")
    assert (blobs.names(), blobs.names("deep/"), blobs.names("a"), blobs.names("x")) == (
        ["a.json"], ["deep/b"], ["a.json"], []
    )  # fmt: skip
    for _ in range(2):
        blobs.remove("a.json")
    assert (blobs.read("a.json"), blobs.names()) == (None, [])


def test_a_large_piece_comes_back(blobs: BlobStore) -> None:
    """Megabytes are kept as they are, bytes of any value."""
    large = bytes(range(256)) * 20_000
    blobs.write("large", large)
    assert blobs.read("large") == large


def test_a_connection_that_broke_is_opened_again(servers: dict[str, str]) -> None:
    """After the server ended its connections, or the store was closed, the next use goes on."""
    psycopg = pytest.importorskip("psycopg", reason="the package psycopg is not installed")
    _make_database(servers["dsn"], name := f"store{next(_NUMBERS)}")
    blobs = open_blobs(servers["postgresql"].format(name))
    store = SnapshotStore(blobs, lambda: 1.0)
    (first,) = published(store, 1)
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(servers["dsn"], autocommit=True) as connection:
        assert len(connection.execute(ended, (name,)).fetchall()) == 1
    assert store.read(first) == content(1)
    blobs.close()
    assert published(store, 2) == [store.current_id()]
    blobs.close()


def test_only_the_first_creates(blobs: BlobStore) -> None:
    """A second creation under the same name is told so and changes nothing."""
    assert blobs.create("publications/1", b"one")
    assert not blobs.create("publications/1", b"two")
    assert blobs.read("publications/1") == b"one"


def test_what_was_stored_comes_back_after_a_start(store: SnapshotStore, place: str) -> None:
    """Another process that opens the store finds the snapshots, their manifests, and who published which."""
    one, two = published(store, 1, 2)
    blobs = open_blobs(place)
    again = SnapshotStore(blobs, lambda: 0.0)
    assert again.read(one) == content(1)
    assert again.manifests() == store.manifests()
    assert [item.snapshot_id for item in again.manifests()] == [two, one]
    assert (again.current_id(), again.resolve("previous"), again.lineage()) == (two, one, (two, one))
    assert again.with_fingerprint("mark1") == store.manifest(one)
    assert again.publications() == store.publications()
    blobs.close()


def test_changed_bytes_are_refused_at_every_read(store: SnapshotStore, blobs: BlobStore) -> None:
    """A snapshot whose bytes were edited is neither given out nor published, however often one tries."""
    identity = add(store, 1)
    blobs.write(f"{identity[7:]}.json", content(2))
    for use in (lambda: store.read(identity), lambda: store.publish(identity, author="ada", reason="")) * 2:
        with pytest.raises(Precondition) as caught:
            use()
        assert caught.value.reason == "snapshot_changed"
    assert store.current_id() is None


def test_rolling_back_walks_through_what_was_current(store: SnapshotStore) -> None:
    """Each rollback goes one further back, an id goes straight there, and all of it stays on record with its reason."""
    one, two, three = published(store, 1, 2, 3)
    for expected in (two, one):
        store.rollback(None, author="bob", reason="wrong beliefs")
        assert store.current_id() == expected
    with pytest.raises(Precondition, match="nothing was published before"):
        store.rollback(None, author="bob", reason="once more")
    store.rollback(three, author="bob", reason="it was right after all")
    assert store.lineage() == (three, one)
    kept = [(item.snapshot_id, item.before, item.reason, item.rollback) for item in store.publications()[3:]]
    assert kept == [
        (two, three, "wrong beliefs", True),
        (one, two, "wrong beliefs", True),
        (three, one, "it was right after all", True),
    ]


def test_a_rollback_needs_a_reason_and_a_known_id(store: SnapshotStore) -> None:
    """Without a reason, or to an id that is not there, nothing changes."""
    published(store, 1, 2)
    current = store.current_id()
    with pytest.raises(InvalidInput, match="reason"):
        store.rollback(None, author="bob", reason=" ")
    with pytest.raises(NotFound):
        store.rollback("sha256:" + "0" * 64, author="bob", reason="back")
    assert store.current_id() == current


def test_publishers_at_once_lose_nothing(store: SnapshotStore, place: str) -> None:
    """Of processes that publish at once each publication is on record, each names the one before it, one is current."""
    for number, turn in itertools.product(range(3), range(TURNS)):
        add(store, 10 * number + turn)
    context = server()
    start = context.Event()
    processes = [
        context.Process(target=publish_many, args=(place, number, start, dict(os.environ))) for number in range(3)
    ]
    for process in processes:
        process.start()
    start.set()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    record = store.publications()
    assert len(record) == 3 * TURNS
    assert [item.number for item in record] == list(range(1, 3 * TURNS + 1))
    assert [item.before for item in record[1:]] == [item.snapshot_id for item in record[:-1]]
    assert store.current_id() == record[-1].snapshot_id


class Dying:
    """A blobs that ends the process's life at the n-th change, before or after the change came through."""

    def __init__(self, blobs: BlobStore, survived: int, after: bool) -> None:
        self._blobs, self._left, self._after = blobs, survived, after
        self.place = blobs.place
        self.read, self.names, self.remove, self.close = blobs.read, blobs.names, blobs.remove, blobs.close

    def write(self, name: str, content: bytes) -> None:
        self._change(lambda: self._blobs.write(name, content))

    def create(self, name: str, content: bytes) -> bool:
        return bool(self._change(lambda: self._blobs.create(name, content)))

    def _change(self, change: Callable[[], object]) -> object:
        dies = self._left == 0
        self._left -= 1
        result = None if dies and not self._after else change()
        if dies:
            raise KeyboardInterrupt
        return result


@every(2)
@pytest.mark.parametrize("after", [False, True])
def test_a_crash_between_writing_and_publishing_leaves_one_whole_snapshot_current(
    new_place: NewPlace, after: bool, every: int
) -> None:
    """At whatever change a publication dies, the old snapshot or the new one is current and whole; again succeeds."""
    for survived in range(after % every, 5, every):
        blobs = open_blobs(new_place())
        store = SnapshotStore(blobs, lambda: 1.0)
        (old,) = published(store, 1)
        dying = SnapshotStore(Dying(blobs, survived, after), lambda: 1.0)
        with pytest.raises(KeyboardInterrupt):
            published(dying, 2)
        new = snapshot_id(content(2))
        through = survived + after > 3
        assert store.current_id() == (new if through else old)
        assert store.read(store.current_id() or "")
        assert published(store, 2) == [new] == [store.current_id()]
        assert blobs.read("current") == new.encode()
        assert [item.snapshot_id for item in store.publications()] == [old, new]
        blobs.close()


def test_a_start_completes_what_a_crash_left(store: SnapshotStore, blobs: BlobStore, tmp_path: Path) -> None:
    """When a publication died before `current` named it, the next start lets it."""
    published(store, 1, 2)
    blobs.write("current", snapshot_id(content(1)).encode())
    publish_at_startup(store, [tmp_path])
    assert blobs.read("current") == (store.current_id() or "").encode() == snapshot_id(content(2)).encode()


def test_retention_keeps_what_somebody_needs(store: SnapshotStore) -> None:
    """The current snapshot, parents within the number, the newest and pinned ones stay; a plan removes nothing."""
    one, two, three, four = published(store, 1, 2, 3, 4)
    store.rollback(two, author="bob", reason="back")
    five = add(store, 5)
    preview = store.add(content(6), author="preview", reason="of a case", fingerprint="").snapshot_id
    wanted = retention.plan_pruning(store, 1, {three, "sha256:" + "9" * 64})
    assert {item.snapshot_id: item.why for item in wanted.kept} == {
        two: "current", one: "parent", three: "pinned", five: "recent"
    }  # fmt: skip
    assert wanted.removed == (preview, four)
    assert wanted.freed_bytes == 2 * len(content(4))
    assert store.read(four)
    retention.prune(store, wanted)
    with pytest.raises(NotFound):
        store.read(four)
    assert [item.snapshot_id for item in store.manifests()] == [five, two, three, one]
    assert len(store.publications()) == 5
    with pytest.raises(Precondition, match="current"):
        store.remove(two)


def test_a_removal_and_a_publication_at_once_leave_the_current_snapshot_there(
    store: SnapshotStore, blobs: BlobStore
) -> None:
    """A snapshot that is removed while it is being published is put back by the publication."""
    identity = add(store, 1)

    class Removing(Dying):
        def create(self, name: str, content: bytes) -> bool:
            created = self._blobs.create(name, content)
            for piece in (f"{identity[7:]}.manifest.json", f"{identity[7:]}.json"):
                self._blobs.remove(piece)
            return created

    SnapshotStore(Removing(blobs, -1, False), lambda: 1.0).publish(identity, author="ada", reason="")
    assert store.current_id() == identity
    assert store.read(identity) == content(1)


@pytest.mark.parametrize(
    "place",
    [
        "postgresql://ada:hunter2@127.0.0.1:1/none?connect_timeout=2",
        "postgresql://ada:hunter2@127.0.0.1:1/none?nonsense=hunter2",
        "s3://snapshots/x?endpoint=http://127.0.0.1:1",
    ],
)
def test_a_server_that_is_gone_is_told_without_a_secret(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that does not answer is a dependency that is down, named without password or key."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(DependencyDown) as caught:
        SnapshotStore(open_blobs(place), lambda: 1.0).current_id()
    assert caught.value.reason == "knowledge_store_unreachable"
    secrets = ("hunter2", *CREDENTIALS.values())
    assert not any(secret in caught.value.message for secret in secrets)
    assert not any(secret in open_blobs(place).place for secret in secrets)


@pytest.mark.parametrize(
    "place", ["ftp://host/x", "s3://key:hunter2@bucket/x", "s3:///x", "s3://bucket/x?secret=hunter2"]
)
def test_a_place_that_is_none_is_refused_without_a_secret(place: str) -> None:
    """Another kind of URL, one without a bucket, and one with a key in it are wrong settings."""
    with pytest.raises(InvalidInput) as caught:
        open_blobs(place)
    assert "hunter2" not in caught.value.message


@pytest.mark.parametrize(("place", "module"), [("postgresql://host/db", "psycopg"), ("s3://bucket/x", "boto3")])
def test_a_store_whose_client_is_not_installed_names_the_extra(
    place: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without psycopg or boto3 the other stores work, and the one that needs it says what to install."""
    extra = place.split(":")[0]
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"services.knowledge.blobs.{extra}", raising=False)
    with pytest.raises(InvalidInput, match=rf"install dbdiag\[{extra}\]"):
        open_blobs(place)


async def test_the_service_serves_from_every_store(place: str, tmp_path: Path) -> None:
    """Started on an empty store, the service publishes its library there and gives the snapshot out over gRPC."""
    library = write_library(tmp_path / "library")
    settings = KnowledgeSettings(knowledge_libraries=str(library), knowledge_store=place)
    host = Host([KnowledgeApp(settings, lambda: 1.0)], settings)
    await host.start()
    try:
        async with channel.connect(host.address) as opened:
            stub: Any = knowledge_pb2_grpc.KnowledgeServiceStub(opened)
            parts = [part async for part in stub.GetSnapshot(knowledge_pb2.GetSnapshotRequest(), timeout=20)]
    finally:
        await host.stop()
    assert b"".join(part.chunk for part in parts) == compile_libraries([library])


def test_a_store_without_conditional_writes_is_not_published_to(
    servers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An S3 store that writes over what it was told not to is found out before anything is published."""
    from services.knowledge.blobs.s3 import S3Blobs

    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    put = S3Blobs._put
    monkeypatch.setattr(S3Blobs, "_put", lambda self, name, content, **conditions: put(self, name, content))
    store = SnapshotStore(open_blobs(servers["s3"].format(f"store{next(_NUMBERS)}")), lambda: 1.0)
    with pytest.raises(Precondition) as caught:
        published(store, 1)
    assert caught.value.reason == "no_conditional_writes"
    assert store.current_id() is None


def test_a_store_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    """A folder with `current` and manifests that tell of publications themselves keeps its order and its parents."""
    blobs = open_blobs(tmp_path)
    store = SnapshotStore(blobs, lambda: 50.0)
    one, two = add(store, 1), add(store, 2)
    for identity, parents, at in ((one, "[]", 10), (two, f'["{one}"]', 20)):
        name = f"{identity[7:]}.manifest.json"
        text = (blobs.read(name) or b"").decode().replace('"published_at":0', f'"published_at":{at}')
        blobs.write(name, text.replace('"parent_ids":[]', f'"parent_ids":{parents}').encode())
    blobs.write("current", f"{two}\n".encode())
    again = SnapshotStore(blobs, lambda: 60.0)
    assert (again.current_id(), again.lineage()) == (two, (two, one))
    assert [item.snapshot_id for item in again.manifests()] == [two, one]
    again.rollback(None, author="ada", reason="back")
    assert (again.current_id(), again.lineage()) == (one, (one,))
    assert [item.number for item in again.publications()] == [1, 2, 3]
