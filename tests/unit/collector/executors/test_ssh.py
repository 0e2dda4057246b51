from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest

from lang.expressions import Reads, Row, Value
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.collector import Collector
from services.collector.evidence.evidence_store import Recorder
from services.collector.executors.host.executor import HostExecutor
from services.collector.executors.host.proc import FILES
from services.collector.executors.host.proc_copy import copy_proc
from services.collector.executors.host.ssh import SshExecutor
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.gate import Gate, Limits
from services.collector.model import CheckCall, CheckOutcome, CollectRequest, CollectResponse, value_of
from services.collector.targets.connections import SshTarget
from services.collector.targets.registry import Targets
from services.collector.targets.schema import parse_entry
from tests.support.cases import for_each
from tests.support.servers.ssh import PASSWORD, Process, SshServer, by_shell, openssh, ssh_server

pytestmark = pytest.mark.sampled

CHECKS = shipped().checks
COPIED = {*FILES, "processes", "groups"}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[SshServer]:
    async with ssh_server(tmp_path) as running:
        yield running


async def looked(target: SshTarget, check: str = "host.files", **change: object) -> Reads:
    """One look, with a connection of its own."""
    async with SshExecutor(target, time.monotonic) as look:
        return await look.read(CHECKS[check].model_copy(update=change), {})


def signals(check: str, reads: Reads) -> dict[str, Value]:
    """What a look comes to."""
    return {signal.name: value_of(signal) for signal in judge(CHECKS[check], reads)[0]}


async def test_a_host_looks_the_same_from_afar(server: SshServer) -> None:
    """Every source and program of the catalogue gives over SSH the signals that it gives on the host itself."""
    compared = [check for check in CHECKS.values() if check.engine == "host" and (check.argv or check.source in COPIED)]
    assert len(compared) >= 8
    async with SshExecutor(server.target, time.monotonic) as look:
        for check in compared:
            once = check.model_copy(update={"reads": 1, "timeout_seconds": 20})
            try:
                here = await HostExecutor(time.monotonic).read(once, {})
            except CheckFailed as absent:
                with pytest.raises(CheckFailed, match=absent.reason):
                    await look.read(once, {})
                continue
            there = await look.read(once, {})
            assert {tuple(sorted(row)) for row in there.last} == {tuple(sorted(row)) for row in here.last}, check.id
    assert len(server.connections) == 1


async def test_checks_share_a_connection(server: SshServer) -> None:
    """Many looked at together wait together, with one connection and no more channels than a server admits."""
    names = ["host.files", "host.cpu", "host.memory", "host.processes", "host.disks", "host.network"] * 3
    async with SshExecutor(server.target, time.monotonic) as look:
        once = [CHECKS[name].model_copy(update={"reads": 1, "timeout_seconds": 30}) for name in names]
        assert all(reads.last for reads in await asyncio.gather(*(look.read(check, {}) for check in once)))
    assert len(server.connections) == 1
    assert 2 <= server.most_at_once <= 8


async def test_what_the_host_starts_is_counted_alone(server: SshServer) -> None:
    """While it is counted how many processes a host starts, nothing else is run there."""
    names = ["host.files", "host.cpu", "host.memory", "host.processes", "host.disks", "host.cpu", "host.network"]
    alone: list[bool] = []

    async def watched(process: Process) -> None:
        if "/proc/loadavg" in (process.command or ""):
            alone.append(server.running == 1)
        await asyncio.sleep(0.05)
        await by_shell(process)
        if "/proc/loadavg" in (process.command or ""):
            alone.append(server.running == 1)

    server.answer = watched
    async with SshExecutor(server.target, time.monotonic) as look:
        twice = [
            CHECKS[name].model_copy(update={"reads": 2, "interval_seconds": 0.2, "timeout_seconds": 30})
            for name in names
        ]
        assert all(reads.last for reads in await asyncio.gather(*(look.read(check, {}) for check in twice)))
    assert alone == [True] * 8


async def test_processes_are_seen_from_afar(server: SshServer) -> None:
    """A process has over SSH the descriptors, the limit, the threads and the memory that it has on the host."""
    own = await looked(server.target, "host.processes", reads=1, timeout_seconds=20)
    here = await HostExecutor(time.monotonic).read(CHECKS["host.processes"].model_copy(update={"reads": 1}), {})
    parent = float(os.getppid())
    [there, same] = [next(row for row in reads.last if row["pid"] == parent) for reads in (own, here)]
    assert any(row["pid"] == float(os.getpid()) for row in own.last)
    for name in ("name", "descriptors", "descriptor_limit", "threads"):
        assert there[name] == same[name]
    assert number(there, "rss_bytes") == pytest.approx(number(same, "rss_bytes"), rel=0.2)


def number(row: Row, name: str) -> float:
    """A value that is a number."""
    value = row[name]
    assert isinstance(value, float)
    return value


def test_openssh_is_looked_at_in_the_same_way(tmp_path: Path) -> None:
    """OpenSSH's server answers every host check; its key is checked, and another key than the known one is refused."""
    with openssh(tmp_path) as target:
        for check in ("host.processes", "host.filesystems"):
            assert signals(check, asyncio.run(looked(target, check, reads=1, timeout_seconds=20)))
        stranger = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
        target.known_hosts.write_text(f"[127.0.0.1]:{target.port} {stranger}")
        with pytest.raises(TargetUnreachable) as refused:
            asyncio.run(looked(target))
    assert refused.value.reason == "host_key_not_verified"


@pytest.mark.parametrize("known", ["another key", "nobody", "no file"])
async def test_an_unknown_host_is_told_nothing(server: SshServer, known: str) -> None:
    """A host key that is not the known one, or not known at all, ends the connection before any login is tried."""
    stranger = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    path = server.target.known_hosts
    path.write_text(f"[127.0.0.1]:{server.port} {stranger}" if known == "another key" else "")
    if known == "no file":
        path.unlink()
    with pytest.raises(TargetUnreachable) as refused:
        await looked(server.by_password)
    assert refused.value.reason == ("target_unreachable" if known == "no file" else "host_key_not_verified")
    assert str(path) in refused.value.message
    assert (server.attempts, server.commands) == ([], [])


async def test_a_login_that_is_refused_is_told_without_its_secret(server: SshServer, tmp_path: Path) -> None:
    """A key that the host does not take, a wrong password and a key that cannot be read are told apart."""
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(str(tmp_path / "other"))
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(
        str(tmp_path / "locked"), "pkcs8-pem", passphrase="right"
    )
    wrong = "wrong-" + PASSWORD
    for target, reason in (
        (replace(server.target, key_file=tmp_path / "other"), "login_refused"),
        (replace(server.by_password, password=wrong), "login_refused"),
        (replace(server.target, key_file=tmp_path / "locked", password=wrong), "key_not_readable"),
        (replace(server.target, key_file=tmp_path / "absent"), "target_unreachable"),
        (replace(server.target, port=1), "target_unreachable"),
    ):
        with pytest.raises(TargetUnreachable) as refused:
            await looked(target)
        assert refused.value.reason == reason
        assert wrong not in str(refused.value) + repr(target)
    assert server.commands == []


async def test_a_password_and_a_locked_key_open(server: SshServer, tmp_path: Path) -> None:
    """One can log in by a password, and by a key that is itself locked with one."""
    assert (await looked(server.by_password)).last
    key = asyncssh.read_private_key(str(tmp_path / "user_key"))
    key.write_private_key(str(tmp_path / "locked"), "pkcs8-pem", passphrase=PASSWORD)
    assert (await looked(replace(server.target, key_file=tmp_path / "locked", password=PASSWORD))).last


async def test_a_connection_cut_in_the_middle_is_made_anew(server: SshServer) -> None:
    """What was being read is unknown for that reason; the next check connects again, and sees."""

    async def cut(process: Process) -> None:
        process.stdout.write(b"Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/a 1 1 ")
        server.answer = None
        server.connections[-1].abort()

    server.answer = cut
    async with SshExecutor(server.target, time.monotonic) as look:
        with pytest.raises(CheckFailed) as lost:
            await look.read(CHECKS["host.filesystems"], {})
        assert lost.value.reason == "connection_lost"
        assert (await look.read(CHECKS["host.files"], {})).last
    assert len(server.connections) == 2


async def test_a_host_that_goes_away_is_unreachable_from_then_on(tmp_path: Path) -> None:
    """When the connection cannot be made anew, that is what the next check says."""
    async with ssh_server(tmp_path) as server:
        look = await SshExecutor(server.target, time.monotonic).__aenter__()
        server.connections[-1].abort()
    with pytest.raises(CheckFailed):
        await look.read(CHECKS["host.files"], {})
    with pytest.raises(TargetUnreachable):
        await look.read(CHECKS["host.files"], {})


async def test_output_without_end_stops_at_the_cap(server: SshServer) -> None:
    """Whole lines to the cap are kept and it is said that there was more; the connection is good afterwards."""
    written = 0

    async def flood(process: Process) -> None:
        nonlocal written
        process.stdout.write(b"Filesystem 1024-blocks Used Available Capacity Mounted on\n")
        with contextlib.suppress(BrokenPipeError):
            while not process.is_closing():
                process.stdout.write(b"/dev/a 100 50 50 50% /a\n" * 1000)
                written += 24_000
                await process.stdout.drain()

    server.answer = flood
    async with SshExecutor(server.target, time.monotonic) as look:
        reads = await look.read(CHECKS["host.filesystems"].model_copy(update={"max_rows": 5000}), {})
        server.answer = None
        assert (await look.read(CHECKS["host.files"], {})).last
    assert reads.truncated
    assert {row["mounted"] for row in reads.last} == {"/a"}
    assert written < 8_000_000


async def test_a_program_that_hangs_is_left(server: SshServer) -> None:
    """Its check is unknown after its time, and the next is answered."""

    async def hang(process: Process) -> None:
        server.answer = None
        await asyncio.sleep(60)

    server.answer = hang
    async with SshExecutor(server.target, time.monotonic, way_seconds=0.5) as look:
        with pytest.raises(CheckFailed) as late:
            await look.read(CHECKS["host.filesystems"].model_copy(update={"timeout_seconds": 0.3}), {})
        assert late.value.reason == "timed_out"
        assert (await look.read(CHECKS["host.files"], {})).last


async def test_a_look_that_is_cancelled_ends_its_program(server: SshServer) -> None:
    """When nobody waits any more the channel is closed, so that the other end stops."""
    began, ended = asyncio.Event(), asyncio.Event()

    async def wait(process: Process) -> None:
        began.set()
        await process.wait_closed()
        ended.set()

    server.answer = wait
    async with SshExecutor(server.target, time.monotonic) as look:
        work = asyncio.ensure_future(look.read(CHECKS["host.filesystems"], {}))
        await began.wait()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        await asyncio.wait_for(ended.wait(), 5)


@pytest.mark.parametrize(
    "word", ["a b", "$(id)", "`id`", "';id;'", '"', "a\nb", "*", "~", "\\", "!!", "-n", "", "|id", "字"]
)
async def test_no_word_is_read_by_the_remote_shell(server: SshServer, word: str) -> None:
    """Each word of an argv arrives at the program as it stands, whatever a shell would make of it."""
    async with SshExecutor(server.target, time.monotonic) as look:
        output, cut = await look._machine.run_program(("printf", "%s|", "--", word), 1000)
    assert (output, cut) == (f"--|{word}|", False)


async def test_a_missing_program_is_named(server: SshServer) -> None:
    """A program that the host does not have is unknown with its name, and nothing else fails."""
    async with SshExecutor(server.target, time.monotonic) as look:
        with pytest.raises(CheckFailed, match="not_available_here: no-such-program"):
            await look._machine.run_program(("no-such-program",), 1000)


@pytest.mark.parametrize(
    "output",
    [
        "==> /proc/../../tmp/evil <==\nx",
        "==> /proc//etc/passwd <==\nx",
        "==> /proc/stat <==\n",
        "",
        "\x00\xff\n==> x <==",
        "1" * 9000,
    ],
)
async def test_a_host_that_lies_writes_no_file_here(tmp_path: Path, output: str) -> None:
    """Only the files that were asked for are written, whatever the other end says that it sends."""

    async def lie(argv: tuple[str, ...], most: int) -> tuple[str, bool]:
        return output, False

    async with copy_proc("cpu", lie) as folder:
        assert {str(path.relative_to(folder)) for path in folder.rglob("*")} <= {"stat", "loadavg"}
    async with copy_proc("processes", lie) as folder:
        assert {path.name for path in folder.rglob("*")} <= {"page_size", "uptime"}


def groups_at(path: str) -> Callable[[tuple[str, ...], int], Awaitable[tuple[str, bool]]]:
    """A host that says it has a control group there, and a proper one."""

    async def tell(argv: tuple[str, ...], most: int) -> tuple[str, bool]:
        return f"/sys/fs/cgroup{path}/memory.max:7\n/sys/fs/cgroup/b:c/cpu.max:max 100000\n", False

    return tell


@for_each("path", ["/../../x", "/a/../../../x", "", "/..", "//etc"])
async def test_a_group_that_lies_beside_the_others_is_not_copied(path: str) -> None:
    """Control groups are written below their own folder, whatever they are called there."""
    async with copy_proc("groups", groups_at(path)) as folder:
        root = folder.parent
        found = {str(file.relative_to(root)) for file in root.rglob("*") if file.is_file()}
        assert all(name.startswith("sys/fs/cgroup/") and ".." not in name for name in found)
        assert (root / "sys/fs/cgroup/b:c/cpu.max").read_text() == "max 100000"


async def test_what_cannot_be_kept_here_says_so() -> None:
    """A name that this machine does not take is a reason like any other."""
    with pytest.raises(CheckFailed, match="not_available_here: keeping a copy"):
        await copy_proc("groups", groups_at("/" + "a" * 300)).__aenter__()


async def test_a_copy_that_is_given_up_leaves_nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that is ended while its copy is being written ends quietly, and its folder goes."""
    monkeypatch.setattr("services.collector.executors.host.proc_copy._MEMORY", str(tmp_path))
    many = range(1, 200)

    async def tell(argv: tuple[str, ...], most: int) -> tuple[str, bool]:
        if argv[0] == "ls" and "/proc" in argv:
            return "\n".join(map(str, many)), False
        return (
            ("".join(f"\n==> {path} <==\n1\n" for path in argv if "stat" in path), False)
            if argv[0] == "head"
            else ("", False)
        )

    async def copy() -> None:
        async with copy_proc("processes", tell):
            await asyncio.sleep(60)

    work = asyncio.ensure_future(copy())
    while not any(tmp_path.glob("*/proc/1/stat")):
        await asyncio.sleep(0.001)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert list(tmp_path.iterdir()) == []


async def test_what_is_not_read_over_ssh_says_so() -> None:
    """A source that only the host itself can be asked for is unknown with that reason."""

    async def never(argv: tuple[str, ...], most: int) -> tuple[str, bool]:
        raise AssertionError(argv)

    with pytest.raises(CheckFailed, match="not_over_ssh"):
        await copy_proc("something_else", never).__aenter__()


def collector(server: SshServer, folder: Path) -> Collector:
    """A collector of a database that is not there, and of its host, by password."""
    host = {"id": "db1", "kind": "ssh", "address": "127.0.0.1", "port": server.port, "user": "dbdiag"}
    host |= {"known_hosts": server.target.known_hosts, "password_env": "SSH_SECRET"}
    database = {"id": "orders", "kind": "postgres", "conninfo": "host=127.0.0.1 port=1 dbname=x", "host": "db1"}
    targets = Targets((parse_entry(host), parse_entry(database)), {"SSH_SECRET": PASSWORD})
    recorder = Recorder(folder / "report", str, lambda: 9.0)
    return Collector(shipped(), targets, Gate(shipped(), Limits(), time.monotonic), recorder, str, time.monotonic)


async def collected(built: Collector, target: str, *checks: str) -> list[CollectResponse]:
    """What comes of these checks."""
    request = CollectRequest("s", target, checks=tuple(map(CheckCall, checks)))
    return [item async for item in built.collect(request)]


async def test_a_database_is_looked_at_with_its_host(
    server: SshServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Host checks of a database go to the host that it names; the password is in no result, no record and no log."""
    caplog.set_level(logging.DEBUG)
    built = collector(server, tmp_path)
    assert built.targets.engines("orders") == ("postgres", "host")
    database, *host = await collected(built, "orders", "pg.locks", "host.files", "host.filesystems")
    assert (database.outcome, database.reason.split(":")[0]) == (CheckOutcome.FAILED, "target_unreachable")
    assert {result.outcome for result in host} == {CheckOutcome.DONE}
    assert (len(server.connections), server.attempts) == (1, ["dbdiag"])
    kept = "".join(path.read_text() for path in (tmp_path / "report").rglob("*") if path.is_file())
    assert PASSWORD not in kept + repr(host) + caplog.text
    assert "file_systems" in kept


async def test_a_host_that_refuses_leaves_the_database_standing(server: SshServer, tmp_path: Path) -> None:
    """Host checks of a database whose host refuses the login are unknown, and say that it was the host."""
    server.target.known_hosts.write_text("")
    [refused] = await collected(collector(server, tmp_path), "orders", "host.files")
    assert refused.reason.startswith("host_key_not_verified: its host: connecting to db1")
