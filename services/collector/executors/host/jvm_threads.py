"""A thread dump of a JVM as rows: one for each thread, with what it waits for and what its pool is doing.

Glossary: a worker is a thread that takes tasks from an executor; it is idle while it waits for one. A pool is the
workers whose names differ only in their number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lang.expressions import Row, Value
from services.chassis.problems import Misfit

_HEAD = re.compile(r'^"(?P<name>.*)" (?:#\d+ )?(?:\[\d+\] )?(?P<rest>.*\bnid=.*)$')
_CPU = re.compile(r"\bcpu=([\d.]+)ms")
_THREAD = re.compile(r"\btid=(0x[0-9a-f]+)")
_STATE = re.compile(r"^\s+java\.lang\.Thread\.State: (\w+)")
_FRAME = re.compile(r"^\s+at (?P<call>[^(]+)")
_WAITS = re.compile(r"^\s+- (?:waiting to lock|parking to wait for) +<(?P<lock>0x[0-9a-f]+)> \(an? (?P<kind>.+)\)")
_DEADLOCK = re.compile(r"^Found (?:one|\d+) Java-level deadlocks?[.:]", re.MULTILINE)
_NUMBER = re.compile(r"[-# ]?\d+$")

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
        return _NUMBER.sub("", self.name) if self.worker else ""


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
