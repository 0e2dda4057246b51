"""What `jvm/` has was recorded from `faultlab/jvm/Burden.java` on OpenJDK 17; dumps of a kind are 2 s apart."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from faultlab.jvm import SOURCE, command
from lang.expressions import Reads
from services.chassis.errors import InvalidInput
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.executors.host import jvm
from services.collector.executors.host.jvm import JvmExecutor
from services.collector.executors.host.machine import LocalMachine
from services.collector.executors.host.ssh import SshExecutor
from services.collector.failures import CheckFailed
from services.collector.model import Verdict
from services.collector.targets.connections import Jvm
from services.collector.targets.registry import read_targets
from tests.support.cases import for_each
from tests.support.servers.ssh import Process, ssh_server

RECORDED = Path(__file__).parent / "jvm"
CHECKS = shipped().checks
THREADS, COLLECTIONS = CHECKS["java.threads"], CHECKS["java.collections"]
LISTED = "4711 com.example.Orders --password=hunter2\n4712 /opt/shop/shop.jar\n4713 jdk.jcmd/sun.tools.jps.Jps -lm\n"


class Recorded:
    """A machine whose programs write what was recorded; see Machine."""

    way_seconds = 0.0

    def __init__(self, *written: str, cut: bool = False) -> None:
        self._written = list(written)
        self._cut = cut
        self.ran: list[tuple[str, ...]] = []

    def files(self, source: str) -> AbstractAsyncContextManager[Path]:
        """Nothing of a JVM is read from files."""
        raise AssertionError(source)

    async def run_program(self, argv: tuple[str, ...], max_bytes: int) -> tuple[str, bool]:
        """See Machine."""
        self.ran.append(argv)
        return self._written.pop(0), self._cut


def clock(step: float = 1.0) -> Callable[[], float]:
    """A clock that goes on by a step each time it is looked at."""
    moments = iter(range(10_000))
    return lambda: next(moments) * step


def looked(machine: Recorded, check: str, jvm: Jvm | None = None) -> Reads:
    """One look at the JVM 4711, with as many dumps as were recorded and no wait between them."""
    asked = CHECKS[check].model_copy(update={"interval_seconds": 0, "reads": 2 if check == "java.threads" else 1})
    return asyncio.run(JvmExecutor(jvm or Jvm(pid=4711), machine, clock(2.0)).read(asked, {}))


def verdicts(kind: str) -> dict[str, Verdict | None]:
    """What the recorded output of a kind says."""
    if kind in ("heap_small", "allocation"):
        reads = looked(Recorded((RECORDED / f"{kind}.txt").read_text()), "java.collections")
        return {item.phenomenon_id: item.verdict for item in judge(COLLECTIONS, reads)[1]}
    dumps = [(RECORDED / f"{kind}_{number}.txt").read_text() for number in (1, 2)]
    return {item.phenomenon_id: item.verdict for item in judge(THREADS, looked(Recorded(*dumps), "java.threads"))[1]}


@for_each(
    ("kind", "confirmed", "denied"),
    [
        ("deadlock", {"P-3044", "P-3045", "P-3048"}, {"P-3062", "P-3063", "P-3039", "P-3013"}),
        ("hot_lock", {"P-3043", "P-3045"}, {"P-3044", "P-3062", "P-3063", "P-3039"}),
        ("pool_starved", {"P-3045", "P-3048"}, {"P-3044", "P-3043", "P-3062", "P-3063"}),
        ("slow_dependency", {"P-3062", "P-3063", "P-3045", "P-3048"}, {"P-3044", "P-3043", "P-3039"}),
        ("heap_small", {"P-3036", "P-3038"}, set()),
        ("allocation", {"P-3042"}, {"P-3036", "P-3038"}),
    ],
)
def test_a_fault_of_a_jvm_is_told_from_the_others(kind: str, confirmed: set[str], denied: set[str]) -> None:
    """Each recorded fault confirms what shows it, nothing else, and denies what shows the others."""
    found = verdicts(kind)
    assert {name for name, verdict in found.items() if verdict is Verdict.CONFIRMED} == confirmed
    assert denied <= {name for name, verdict in found.items() if verdict is Verdict.DENIED}


def test_an_idle_pool_is_not_full() -> None:
    """Workers that wait for a task are idle, whatever their number."""
    rows = jvm.rows((RECORDED / "slow_dependency_1.txt").read_text())
    waiting = (
        (RECORDED / "pool_starved_1.txt")
        .read_text()
        .replace("java.util.concurrent.ThreadPoolExecutor.runWorker", "java.util.concurrent.ThreadPoolExecutor.getTask")
    )
    assert {row["pool_idle"] for row in rows if row["worker"]} == {0.0}
    assert {row["pool_idle"] for row in jvm.rows(waiting) if row["worker"]} == {8.0}


def test_an_old_jvm_does_not_tell_what_its_threads_use() -> None:
    """Without the CPU of each thread what depends on it is unknown, and the rest is seen as ever."""
    dump = re.sub(r" cpu=\S+ms elapsed=\S+s", "", (RECORDED / "deadlock_1.txt").read_text())
    found = {
        item.phenomenon_id: item.verdict for item in judge(THREADS, looked(Recorded(dump, dump), "java.threads"))[1]
    }
    assert {found[name] for name in ("P-3039", "P-3048", "P-3003")} == {Verdict.UNKNOWN}
    assert found["P-3044"] is Verdict.CONFIRMED


def test_a_dump_that_was_cut_says_nothing_of_deadlocks() -> None:
    """Deadlocks stand at the end of a dump: where it was cut they are unknown, not absent."""
    dump = (RECORDED / "pool_starved_1.txt").read_text()
    reads = looked(Recorded(dump, dump, cut=True), "java.threads")
    found = {item.phenomenon_id: item.verdict for item in judge(THREADS, reads)[1]}
    assert reads.truncated
    assert found["P-3044"] is Verdict.UNKNOWN


@pytest.mark.parametrize("name", ["com.example.Orders", "shop.jar"])
def test_a_jvm_is_found_by_what_it_was_started_with(name: str) -> None:
    """The main class or the file name of the jar names the process; of its arguments nothing is kept."""
    machine = Recorded(LISTED, (RECORDED / "allocation.txt").read_text())
    look = JvmExecutor(Jvm(main=name, home="/opt/jdk"), machine, clock())
    asyncio.run(look.read(COLLECTIONS, {}))
    pid = "4711" if name.endswith("Orders") else "4712"
    assert machine.ran == [("/opt/jdk/bin/jps", "-lm"), ("/opt/jdk/bin/jstat", "-gcutil", "-t", pid, "500", "11")]
    assert "hunter2" not in repr(look.__dict__)
    assert look.statement(COLLECTIONS) == f"jstat -gcutil -t {pid} 500 11"


@for_each(
    ("written", "said"),
    [
        (("",), "no JVM that this user may see runs Orders"),
        (("1 a.Orders\n2 b.Other\n3 a.Orders\n",), r"2 JVMs run a.Orders \(1, 3\); name one by its pid"),
        (("7 a.Orders\n", ""), "jstat of process 7: it wrote no samples; is it a JVM"),
        (("7 a.Orders\n", "7 not found\n"), "it wrote no samples"),
    ],
)
def test_a_jvm_that_cannot_be_looked_at_is_unknown_with_the_reason(written: tuple[str, ...], said: str) -> None:
    """None, or more than one, or one that does not answer: the reason says what was looked for and what to do."""
    jvm = Jvm(main="Orders" if not written[0] else "a.Orders")
    with pytest.raises(CheckFailed, match=said) as failed:
        looked(Recorded(*written), "java.collections", jvm)
    assert failed.value.reason == "not_available_here"


def test_only_programs_of_the_list_are_run() -> None:
    """A check that names another program runs nothing."""
    machine = Recorded()
    with pytest.raises(CheckFailed, match="program_not_allowed"):
        asyncio.run(
            JvmExecutor(Jvm(pid=1), machine, clock()).read(THREADS.model_copy(update={"argv": ("jmap", "1")}), {})
        )
    assert machine.ran == []


@pytest.mark.parametrize(
    "java",
    ["{}", "{pid: 1, main: A}", "{main: 'A; rm'}", "{main: A, home: jdk}", "{pid: -1}", "{main: A, shell: x}"],
)
def test_a_jvm_that_is_not_named_rightly_is_refused(tmp_path: Path, java: str) -> None:
    """The targets file names one JVM by one thing; anything else is told with the target's number."""
    (tmp_path / "targets.yaml").write_text(f"targets: [{{id: a, kind: host, java: {java}}}]")
    with pytest.raises(InvalidInput, match="target 1"):
        read_targets(tmp_path / "targets.yaml", {})


def test_only_a_target_with_a_jvm_has_checks_of_one(tmp_path: Path) -> None:
    """Without `java` a host has no checks of a JVM."""
    (tmp_path / "targets.yaml").write_text(
        "targets: [{id: a, kind: host, java: {main: Orders.jar}}, {id: b, kind: host}]"
    )
    targets = read_targets(tmp_path / "targets.yaml", {})
    assert targets.engines("a") == ("host", "java")
    assert targets.engines("b") == ("host",)


async def test_a_jvm_of_another_host_is_looked_at_over_ssh(tmp_path: Path) -> None:
    """The same programs run over there, each word quoted, and what they write is read as it is here."""

    async def answer(process: Process) -> None:
        output = LISTED if "jps" in (process.command or "") else (RECORDED / "deadlock_1.txt").read_text()
        process.stdout.write(output.encode())
        process.exit(0)

    async with ssh_server(tmp_path) as server:
        server.answer = answer
        asked = THREADS.model_copy(update={"reads": 1})
        async with SshExecutor(server.target, time.monotonic, jvm=Jvm(main="shop.jar")) as look:
            findings = judge(THREADS, await look.read(asked, {}))[1]
            assert look.statement(THREADS) == "jstack 4712"
    assert next(item.verdict for item in findings if item.phenomenon_id == "P-3044") is Verdict.CONFIRMED
    assert [command.partition(" timeout ")[2].split(maxsplit=1)[1] for command in server.commands] == [
        "jps -lm",
        "jstack 4712",
    ]


@contextlib.asynccontextmanager
async def burdened(kind: str) -> AsyncIterator[None]:
    """A real JVM with a real fault in it while the block lasts."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command(kind, "-Xmx64m"), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"ready\n"
        try:
            yield
        finally:
            running.communicate(timeout=10)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("jstack"), reason="no JDK is installed here")
async def test_a_real_jvm_is_seen() -> None:
    """The tools of the JDK that is here find a JVM by its source file and see its deadlock and its collections."""
    async with burdened("deadlock"):
        look = JvmExecutor(Jvm(main=SOURCE.name), LocalMachine(), time.monotonic)
        threads = judge(THREADS, await look.read(THREADS, {}))[1]
        collections = judge(COLLECTIONS, await look.read(COLLECTIONS, {}))[1]
    assert next(item.verdict for item in threads if item.phenomenon_id == "P-3044") is Verdict.CONFIRMED
    assert next(item.verdict for item in collections if item.phenomenon_id == "P-3036") is Verdict.DENIED
