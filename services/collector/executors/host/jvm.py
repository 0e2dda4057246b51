"""Runs checks on one JVM of a host: the JDK's own tools by argv; a thread dump as rows, one for each thread.

Glossary: a worker is a thread that takes tasks from an executor; it is idle while it waits for one. A pool is the
workers whose names differ only in their number.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from lang.expressions import Reads, Row, Rows, Value
from services.chassis.problems import Misfit
from services.collector.catalogue.schema import JVM_PROGRAMS, CatalogueCheck
from services.collector.executors.host.machine import Machine
from services.collector.executors.repeated_reads import read_repeatedly
from services.collector.failures import CheckFailed
from services.collector.targets.connections import Jvm

# In the argv of a check: the id of the JVM's process.
PID = "{pid}"
_LIST = ("jps", "-lm")
_LIST_SECONDS = 10.0
_LIST_BYTES = 262_144
_NUMBER = re.compile(r"-?\d+([.,]\d+)?")
_HEAD = re.compile(r'^"(?P<name>.*)" (?:#\d+ )?(?:\[\d+\] )?(?P<rest>.*\bnid=.*)$')
_CPU = re.compile(r"\bcpu=([\d.]+)ms")
_THREAD = re.compile(r"\btid=(0x[0-9a-f]+)")
_STATE = re.compile(r"^\s+java\.lang\.Thread\.State: (\w+)")
_FRAME = re.compile(r"^\s+at (?P<call>[^(]+)")
_WAITS = re.compile(r"^\s+- (?:waiting to lock|parking to wait for) +<(?P<lock>0x[0-9a-f]+)> \(an? (?P<kind>.+)\)")
_DEADLOCK = re.compile(r"^Found (?:one|\d+) Java-level deadlocks?[.:]", re.MULTILINE)
_THREAD_NUMBER = re.compile(r"[-# ]?\d+$")
_COLLECTOR = re.compile(r"GC Thread|G1 |VM Thread|ParGC|CMS|Concurrent Mark|Z[A-Z]\w+|XWorker|Shenandoah")
# Frames of a thread that takes tasks from an executor, and of one that waits for the next.
_WORKER = re.compile(r"ThreadPoolExecutor\$Worker\.run|ForkJoinWorkerThread\.run|QueuedThreadPool|\.TaskThread")
_IDLE = re.compile(
    r"ThreadPoolExecutor\.getTask|ForkJoinPool\.(?:awaitWork|runWorker$)|QueuedThreadPool\.idleJobPoll|ReservedThread"
)
_BUSY = re.compile(r"ThreadPoolExecutor\.runWorker|ForkJoinTask\.doExec|QueuedThreadPool\.runJob")
_SOCKET_READ = re.compile(
    r"socketRead0|NioSocketImpl\.(?:park|read|implRead|connect)|SocketDispatcher\.read|Net\.(?:poll|connect)"
)
# Clients of what another service offers: HTTP, databases, caches, queues.
_CLIENT = re.compile(
    r"HttpURLConnection|sun\.net\.www\.http|jdk\.internal\.net\.http|apache\.(?:hc\.client|http\.impl)|okhttp3"
    r"|org\.postgresql\.|com\.mysql\.|oracle\.jdbc|redis\.clients|lettuce|com\.rabbitmq|io\.grpc\.(?:stub|internal)"
)
# A lock that one thread owns, as `synchronized` has; a queue's or a latch's condition is none.
_OWNED = re.compile(r"Lock\$(?:Non)?[Ff]airSync|ReentrantReadWriteLock")


class JvmExecutor:
    """Runs checks on one JVM of a machine."""

    def __init__(self, jvm: Jvm, machine: Machine, clock: Callable[[], float]) -> None:
        self._jvm = jvm
        self._machine = machine
        self._clock = clock
        self._pid = jvm.pid

    def statement(self, check: CatalogueCheck) -> str:
        """The program of a check."""
        return " ".join(check.argv).replace(PID, str(self._pid or PID))

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises CheckFailed."""
        if check.argv[0] not in JVM_PROGRAMS:
            raise CheckFailed("program_not_allowed", program=check.argv[0], known=JVM_PROGRAMS)
        self._pid = self._pid or await self._find_process()
        argv = tuple(part.replace(PID, str(self._pid)) for part in check.argv)
        try:
            if argv[0] == "jstat":
                output, cut = await self._run_tool(argv, check.timeout_seconds, check.max_bytes)
                return _samples(output, cut)
            return await read_repeatedly(check, self._clock, lambda: self._read_dump(check, argv))
        except Misfit as misfit:
            why = misfit.message
            raise CheckFailed("not_available_here.jvm_tool", program=argv[0], pid=self._pid, why=why) from None

    async def _read_dump(self, check: CatalogueCheck, argv: tuple[str, ...]) -> Rows:
        output, cut = await self._run_tool(argv, check.timeout_seconds, check.max_bytes)
        return rows(output, cut), cut

    async def _find_process(self) -> int:
        """The process that the target means. Raises CheckFailed where none or more than one fits."""
        output, _ = await self._run_tool(_LIST, _LIST_SECONDS, _LIST_BYTES)
        fitting = [pid for pid, names in _listed(output) if self._jvm.main in names]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            raise CheckFailed("not_available_here.no_such_jvm", name=self._jvm.main)
        pids = tuple(map(str, fitting))
        raise CheckFailed("not_available_here.several_jvms", count=len(fitting), name=self._jvm.main, pids=pids)

    async def _run_tool(self, argv: tuple[str, ...], seconds: float, max_bytes: int) -> tuple[str, bool]:
        program = f"{self._jvm.home}/bin/{argv[0]}" if self._jvm.home else argv[0]
        try:
            async with asyncio.timeout(seconds + self._machine.way_seconds):
                return await self._machine.run_program((program, *argv[1:]), max_bytes)
        except TimeoutError:
            raise CheckFailed("timed_out.program", program=argv[0], seconds=f"{seconds:g}") from None


def _listed(output: str) -> list[tuple[int, frozenset[str]]]:
    """Each JVM's process and the names it goes by. Of what it was started with nothing else is kept."""
    found = []
    for line in output.splitlines():
        pid, _, rest = line.partition(" ")
        words = rest.split()
        if pid.isdigit() and words:
            # A single source file is run by the compiler's main class, and stands after it.
            source = words[1:2] if words[0].endswith("javac.launcher.Main") else []
            names = {words[0], *(part.rpartition("/")[2] for part in (words[0], *source))}
            found.append((int(pid), frozenset(names)))
    return found


def _samples(output: str, cut: bool) -> Reads:
    """The lines of `jstat -t` below their heading, each a read of its own; the first column is the JVM's clock."""
    lines = [line.split() for line in output.splitlines() if line.strip()]
    if len(lines) < 2 or lines[0][0] != "Timestamp":
        raise Misfit("not_available_here.no_samples")
    names = [name.lower() for name in lines[0]]
    rows: list[Row] = [dict(zip(names, map(_cell, line), strict=True)) for line in lines[1:] if len(line) == len(names)]
    first, last = rows[0]["timestamp"], rows[-1]["timestamp"]
    seconds = last - first if isinstance(first, float) and isinstance(last, float) else 0.0
    return Reads(tuple((row,) for row in rows), seconds, (), cut)


def _cell(text: str) -> Value:
    """A number, with either decimal sign; None for the dash of what this collector does not have."""
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None


@dataclass
class _Thread:
    """One thread while its lines are read. lock: what it waits to own, as an address; empty for none."""

    name: str
    rest: str
    state: str = ""
    lock: str = ""
    calls: list[str] = field(default_factory=list)

    def has(self, pattern: re.Pattern[str]) -> bool:
        return any(pattern.search(call) for call in self.calls)

    @property
    def worker(self) -> bool:
        return self.has(_WORKER)

    @property
    def idle(self) -> bool:
        return self.worker and (self.has(_IDLE) or not self.has(_BUSY))

    @property
    def pool(self) -> str:
        return _THREAD_NUMBER.sub("", self.name) if self.worker else ""


def rows(dump: str, cut: bool = False) -> tuple[Row, ...]:
    """A row for each thread of a dump. cut: its end, which tells of deadlocks, was not read.

    Raises Misfit for anything that is no thread dump.
    """
    threads = list(_threads(dump))
    if not threads:
        raise Misfit("not_available_here.no_thread_dump")
    waiters = Counter(thread.lock for thread in threads if thread.lock)
    sizes = Counter(thread.pool for thread in threads if thread.worker)
    idle = Counter(thread.pool for thread in threads if thread.idle)
    deadlocks = None if cut else float(len(_DEADLOCK.findall(dump)))
    return tuple(
        _row(thread)
        | {
            "lock_waiters": float(waiters[thread.lock]) if thread.lock else 0.0,
            "pool_size": float(sizes[thread.pool]) if thread.worker else 0.0,
            "pool_idle": float(idle[thread.pool]) if thread.worker else 0.0,
            "deadlocks": deadlocks,
        }
        for thread in threads
    )


def _row(thread: _Thread) -> dict[str, Value]:
    cpu, identity = _CPU.search(thread.rest), _THREAD.search(thread.rest)
    waits = thread.worker and not thread.idle and thread.has(_SOCKET_READ)
    return {
        "name": thread.name,
        "thread": identity[1] if identity else "",
        "cpu_ms": float(cpu[1]) if cpu else None,
        "state": thread.state,
        "collector": _COLLECTOR.match(thread.name) is not None,
        "worker": thread.worker,
        "idle": thread.idle,
        "pool": thread.pool,
        "lock": thread.lock,
        "in_network_read": waits,
        "in_call_out": waits and thread.has(_CLIENT),
        "place": " < ".join(thread.calls[:4]),
    }


def _threads(dump: str) -> Iterator[_Thread]:
    """The threads in their order; what follows them, on deadlocks, repeats some and is left out."""
    thread: _Thread | None = None
    for line in dump.splitlines():
        if _DEADLOCK.match(line):
            break
        if head := _HEAD.match(line):
            if thread:
                yield thread
            thread = _Thread(head["name"], head["rest"])
        elif thread:
            _take(thread, line)
    if thread:
        yield thread


def _take(thread: _Thread, line: str) -> None:
    if state := _STATE.match(line):
        thread.state = state[1]
    elif frame := _FRAME.match(line):
        thread.calls.append(frame["call"])
    elif (waits := _WAITS.match(line)) and ("waiting to lock" in line or _OWNED.search(waits["kind"])):
        thread.lock = waits["lock"]
