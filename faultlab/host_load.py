"""`python -m faultlab.host_load KIND`: a process that burdens its host, until standard input ends.

Prints `ready` as soon as the burden is there, or why it cannot be made. It dies with the process that started it,
whatever happens to that.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable

from faultlab import host_memory, host_network
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
    host_network.allow_descriptors(_DESCRIPTOR_LIMIT)
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
    "unclosed_sockets": lambda: in_background(host_network.leave_unclosed()),
    "refused_calls": lambda: in_background(host_network.call_again_and_again()),
    "full_backlog": lambda: in_background(host_network.crowd()),
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


if __name__ == "__main__":
    main()
