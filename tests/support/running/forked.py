"""Python modules run as processes of their own without importing anything again: forked from one that has.

A process started here is a real one, with its own id, streams, folder and environment, and ends like `python -m` does.
It differs in its cost: dbdiag's imports take seconds, and a fork of a process that has made them takes none.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import IO

_PRELOADED = "tests.support.running.preloaded"
_END_SECONDS = 20.0


class Forked:
    """A process that runs `python -m` of a module with arguments; used as a Popen of text streams is.

    stdin and stdout are pipes, stderr is appended to a file.
    """

    def __init__(self, arguments: Sequence[str], folder: Path, environ: Mapping[str, str], errors: Path) -> None:
        self.args = list(arguments)
        child_in, own_in = os.pipe()
        own_out, child_out = os.pipe()
        # Connections, because multiprocessing can hand these over; the child's ends are closed here with the block.
        with Connection(child_in, writable=False) as given, Connection(child_out, readable=False) as taken:
            work = (self.args, folder, dict(environ), errors, given, taken)
            self._process = server().Process(target=_become, args=work, daemon=True)
            self._process.start()
        self.pid = self._process.pid or 0
        self.sentinel = self._process.sentinel
        self.stdin: IO[str] = os.fdopen(own_in, "w", encoding="utf-8")
        self.stdout: IO[str] = os.fdopen(own_out, encoding="utf-8")

    def poll(self) -> int | None:
        """The exit code, negative for a signal; nothing while it runs."""
        return self._process.exitcode

    def wait(self, seconds: float | None = None) -> int:
        """The exit code, once it ended; raises TimeoutExpired."""
        self._process.join(seconds)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(self.args, seconds or 0.0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        """Sends a signal, unless the process ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Sends SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Sends SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Kills the process if it still runs, and closes the streams."""
        self.kill()
        self.wait(_END_SECONDS)
        for stream in (self.stdin, self.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def run(
    *arguments: str, folder: Path, environ: Mapping[str, str] | None = None, said: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m` of the arguments to its end, with `said` on its stdin; as subprocess.run gives it.

    environ: instead of this process's own.
    """
    with tempfile.TemporaryDirectory(prefix="dbdiag-") as name:
        errors = Path(name) / "stderr"
        process = Forked(arguments, folder, os.environ if environ is None else environ, errors)
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(said)
                process.stdin.close()
            printed = process.stdout.read()
            code = process.wait(_END_SECONDS)
        finally:
            process.close()
        return subprocess.CompletedProcess(process.args, code, printed, errors.read_text(encoding="utf-8"))


@cache
def server() -> ForkServerContext:
    """Where processes are forked from: one server for all tests of this process, started with the first."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([_PRELOADED])
    return context


def _become(
    arguments: list[str], folder: Path, environ: dict[str, str], errors: Path, given: Connection, taken: Connection
) -> None:
    """In the fork: takes over folder, environment and streams, and runs the module as the main one."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    with errors.open("ab") as log:
        for number, source in enumerate((given.fileno(), taken.fileno(), log.fileno())):
            os.dup2(source, number)
    given.close()
    taken.close()
    sys.stdin, sys.stdout = os.fdopen(0, encoding="utf-8"), os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
    warnings.simplefilter("ignore" if environ.get("PYTHONWARNINGS") == "ignore" else "default")
    sys.argv = list(arguments)
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
