"""Burdens on memory, each inside a control group of its own, so that the host itself never runs short."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from services.chassis.errors import Precondition
from services.chassis.problems import verbatim

_MB = 1024 * 1024
_LEAK_LIMIT = 700 * _MB
# So much it has when it begins, and so much more a second.
_LEAK_START = 280 * _MB
_LEAK_STEP = 2 * _MB
_STEP_SECONDS = 0.4
_SMALL_LIMIT = 96 * _MB
_NEEDED = 160 * _MB
_PAUSE_SECONDS = 0.5
_END_SECONDS = 2
_NAME = "faultlab-"
# Version 1 keeps memory apart; in version 2 there is one tree.
_ROOTS = (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup"))
_LIMITS = ("memory.limit_in_bytes", "memory.max")


def leak_again_and_again() -> Callable[[], None]:
    """A service that leaks until it is killed, and is started again. Raises OSError where no group can be made."""
    return _kept_running("leak", _group(_LEAK_LIMIT))


def need_too_much_again_and_again() -> Callable[[], None]:
    """A service that needs more than its group may have. Raises OSError where no group can be made."""
    return _kept_running("too_much", _group(_SMALL_LIMIT))


def leak() -> None:
    """Takes memory, and never gives any back."""
    kept = [_taken(_LEAK_START)]
    while True:
        kept.append(_taken(_LEAK_STEP))
        time.sleep(_STEP_SECONDS)


def need_too_much() -> None:
    """Needs all of it at once."""
    kept = _taken(_NEEDED)
    while kept:
        time.sleep(_PAUSE_SECONDS)


def tidy() -> None:
    """Kills the processes in this process's group, and removes empty groups of this kind."""
    own = [root / f"{_NAME}{os.getpid()}" for root in _ROOTS]
    deadline = time.monotonic() + _END_SECONDS
    while any(_end(folder) for folder in own) and time.monotonic() < deadline:
        time.sleep(0.02)
    for folder in (folder for root in _ROOTS for folder in root.glob(f"{_NAME}*")):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _end(folder: Path) -> bool:
    """True if the group still had a process."""
    with contextlib.suppress(OSError):
        pids = [int(line) for line in (folder / "cgroup.procs").read_text().split()]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        return bool(pids)
    return False


def _taken(size: int) -> bytearray:
    """Memory that was written to, so that it is there."""
    memory = bytearray(size)
    memory[::4096] = b"x" * len(memory[::4096])
    return memory


def _group(limit: int) -> Path:
    tidy()
    root = next((root for root in _ROOTS if (root / "cgroup.procs").exists()), None)
    if root is None:
        raise Precondition("fault_not_made.no_groups")
    folder = root / f"{_NAME}{os.getpid()}"
    try:
        folder.mkdir()
        file = next(folder / name for name in _LIMITS if (folder / name).exists())
        file.write_text(str(limit))
    except (OSError, StopIteration) as error:
        tidy()
        raise Precondition("fault_not_made.no_limit", folder=str(root), why=verbatim(error)) from None
    return folder


def _kept_running(kind: str, group: Path) -> Callable[[], None]:
    def run() -> None:
        while True:
            # Its standard input ends with this process, and then it ends too.
            child = subprocess.Popen(
                [sys.executable, "-m", "faultlab.host_memory", kind, str(group)], stdin=subprocess.PIPE
            )
            child.wait()
            time.sleep(_PAUSE_SECONDS)

    return run


def main() -> None:
    """Enters the group before it takes anything, then works until its input ends or the kernel kills it."""
    # Where the group is gone its maker is gone as well.
    with contextlib.suppress(FileNotFoundError):
        (Path(sys.argv[2]) / "cgroup.procs").write_text(str(os.getpid()))
        in_background({"leak": leak, "too_much": need_too_much}[sys.argv[1]])
        while os.read(0, 1024):
            pass
    os._exit(0)


def in_background(action: Callable[[], object]) -> None:
    """Runs an action in a daemon thread."""
    threading.Thread(target=action, daemon=True).start()


if __name__ == "__main__":
    main()
