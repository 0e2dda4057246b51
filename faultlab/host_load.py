"""`python -m faultlab.host_load KIND`: a process that burdens its host, until standard input ends.

Prints one line as soon as the burden is there. It dies with the process that started it, whatever happens to that.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import threading
from collections.abc import Callable

_DESCRIPTORS = 990
_DESCRIPTOR_LIMIT = 1024
_THREADS = 300
_WRITTEN_BYTES = 40 * 1024 * 1024
_ROUNDS = 100_000


def _cpu() -> None:
    """One core, fully."""
    threading.Thread(target=_spin, daemon=True).start()


def _spin() -> None:
    while True:
        sum(range(_ROUNDS))


def _io() -> None:
    """Writes and syncs without rest."""
    threading.Thread(target=_write, daemon=True).start()


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
    """Opens nearly as many files as it may."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (_DESCRIPTOR_LIMIT, hard))
    for _ in range(_DESCRIPTORS - len(os.listdir("/proc/self/fd"))):
        os.dup(1)


def _threads() -> None:
    """Many threads that wait for one lock."""
    lock = threading.Lock()
    lock.acquire()
    for _ in range(_THREADS):
        threading.Thread(target=lock.acquire, daemon=True).start()


KINDS: dict[str, Callable[[], None]] = {"cpu": _cpu, "io": _io, "descriptors": _descriptors, "threads": _threads}


def main() -> None:
    """Burdens the host until standard input ends."""
    KINDS[sys.argv[1]]()
    print("ready", flush=True)
    while os.read(0, 1024):
        pass
    # Without waiting for threads that never end.
    os._exit(0)


if __name__ == "__main__":
    main()
