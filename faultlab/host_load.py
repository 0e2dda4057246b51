"""`python -m faultlab.host_load KIND`: a process that burdens its host, until standard input ends.

Prints `ready` as soon as the burden is there, or why it cannot be made. It dies with the process that started it,
whatever happens to that.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable

from faultlab import host_memory
from faultlab.host_memory import in_background
from services.chassis.errors import DbdiagError
from services.chassis.messages import to_plain
from services.chassis.problems import verbatim

_DESCRIPTOR_LIMIT = 4096
_DESCRIPTORS = 3900
_LEAK_SECONDS = 0.5
_THREADS = 2100
_MOST_THREADS = 2300
_STACK_BYTES = 65_536
_WRITTEN_BYTES = 40 * 1024 * 1024
_ROUNDS = 100_000
_FORKERS = 2
_NICER = 5
_HERE = "127.0.0.1"
_CONNECTION_LIMIT = 1024
_UNCLOSED = 550
_MOST_UNCLOSED = 900
_CALL_SECONDS = 0.002
_KNOCK_SECONDS = 0.05
_WAITING = 4


def _cpu() -> None:
    """One core, fully."""
    in_background(_spin)


def _spin() -> None:
    while True:
        sum(range(_ROUNDS))


def _io() -> None:
    """Writes and syncs without rest."""
    in_background(_write)


def _write() -> None:
    content = os.urandom(_WRITTEN_BYTES)
    # A file without a name is gone with its process.
    with tempfile.TemporaryFile() as file:
        while True:
            file.seek(0)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())


def _descriptors() -> None:
    """Has nearly as many open files as it may, and opens one more again and again."""
    allow_descriptors(_DESCRIPTOR_LIMIT)
    for _ in range(_DESCRIPTORS - len(os.listdir("/proc/self/fd"))):
        os.dup(1)
    in_background(_open_more)


def _open_more() -> None:
    # At the limit each further one fails, as in any program that leaks.
    with contextlib.suppress(OSError):
        while True:
            os.dup(1)
            time.sleep(_LEAK_SECONDS)


def _threads() -> None:
    """Starts threads that wait for one lock for ever, and more and more of them."""
    threading.stack_size(_STACK_BYTES)
    lock = threading.Lock()
    lock.acquire()

    def start(count: int, pause: float) -> None:
        for _ in range(count):
            in_background(lock.acquire)
            time.sleep(pause)

    start(_THREADS, 0)
    in_background(lambda: start(_MOST_THREADS - _THREADS, _LEAK_SECONDS))


def _forks() -> None:
    """Starts program after program that ends at once, more than a hundred a second."""
    os.nice(_NICER)
    for _ in range(_FORKERS):
        in_background(_fork)


def _fork() -> None:
    while True:
        subprocess.run(["/bin/true"], check=False, stdin=subprocess.DEVNULL)


KINDS: dict[str, Callable[[], None]] = {
    "cpu": _cpu,
    "io": _io,
    "descriptors": _descriptors,
    "threads": _threads,
    "forks": _forks,
    "memory": lambda: in_background(host_memory.leak_again_and_again()),
    "memory_limit": lambda: in_background(host_memory.need_too_much_again_and_again()),
    "unclosed_sockets": lambda: in_background(leave_unclosed()),
    "refused_calls": lambda: in_background(call_again_and_again()),
    "full_backlog": lambda: in_background(crowd()),
}


def main() -> None:
    """Burdens the host until standard input ends."""
    try:
        KINDS[sys.argv[1]]()
    except (DbdiagError, OSError) as error:
        message = error.as_message if isinstance(error, DbdiagError) else verbatim(error)
        print(json.dumps(to_plain(message), ensure_ascii=False), flush=True)
        return
    print("ready", flush=True)
    while os.read(0, 1024):
        pass
    host_memory.tidy()
    # Without waiting for threads that never end.
    os._exit(0)


def allow_descriptors(limit: int) -> None:
    """Sets this process's limit of open files, up to the hard limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def leave_unclosed() -> Callable[[], None]:
    """A service that leaks sockets in CLOSE_WAIT: it never closes its side after the client disconnects."""
    allow_descriptors(_CONNECTION_LIMIT)
    service = socket.create_server((_HERE, 0), backlog=16)
    kept = [_hung_up(service) for _ in range(_UNCLOSED)]

    def run() -> None:
        while len(kept) < _MOST_UNCLOSED:
            kept.append(_hung_up(service))
            time.sleep(_LEAK_SECONDS)

    return run


def _hung_up(service: socket.socket) -> socket.socket:
    caller = socket.create_connection(service.getsockname())
    taken, _ = service.accept()
    caller.close()
    return taken


def call_again_and_again() -> Callable[[], None]:
    """Retries connections to a missing service some hundred times a second."""
    with socket.create_server((_HERE, 0)) as gone:
        address = gone.getsockname()

    def run() -> None:
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(address, timeout=1).close()
            time.sleep(_CALL_SECONDS)

    return run


def crowd() -> Callable[[], None]:
    """Clients of a service with a tiny backlog that never accepts."""
    service = socket.create_server((_HERE, 0), backlog=1)
    address = service.getsockname()

    def run() -> None:
        waiting: list[socket.socket] = []
        while service.fileno() >= 0:
            caller = socket.socket()
            caller.setblocking(False)
            caller.connect_ex(address)
            waiting.append(caller)
            if len(waiting) > _WAITING:
                waiting.pop(_WAITING // 2).close()
            time.sleep(_KNOCK_SECONDS)

    return run


if __name__ == "__main__":
    main()
