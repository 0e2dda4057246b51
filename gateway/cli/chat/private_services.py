"""The private services of `dbdiag chat`, when none are running: a child process that ends with its parent."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from gateway.settings import ensure_writable
from services.chassis.errors import DependencyDown
from services.chassis.messages import Message
from services.chassis.problems import verbatim

START_SECONDS = 60.0
STOP_SECONDS = 15.0
LOG_NAME = "services.log"


@contextlib.contextmanager
def run_services(folder: Path) -> Iterator[str]:
    """Starts `dbdiag up` on a free port with its data in `folder`; the value is its URL. Ends it on leaving.

    Raises InvalidInput when nothing can be kept there; DependencyDown, with the last line of the log, when it does not
    come up.
    """
    ensure_writable(folder, "folder_advice.chat")
    log = folder / LOG_NAME
    command = [sys.executable, "-m", "gateway.cli", "up", "--port", "0", "--host", "127.0.0.1"]
    command += ["--data-dir", str(folder), "--json", "--attached"]
    environ = {name: value for name, value in os.environ.items() if name != "DBDIAG_URL"}
    with log.open("ab") as stderr:
        # A session of its own: Ctrl-C is for the conversation, not for the services.
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, env=environ, start_new_session=True
        )
    try:
        yield str(_welcome(child, log)["url"])
    finally:
        _stop(child)


def _welcome(child: subprocess.Popen[bytes], log: Path) -> dict[str, Any]:
    assert child.stdout is not None
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read_line, args=(child.stdout, lines), daemon=True).start()
    try:
        line = lines.get(timeout=START_SECONDS)
        welcome = json.loads(line)
    except (queue.Empty, json.JSONDecodeError) as error:
        raise DependencyDown("services_not_started", problem=_last_line(log), log=str(log)) from error
    return dict(welcome)


def _read_line(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    lines.put(stream.readline())


def _last_line(log: Path) -> Message:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    line = next((line for line in reversed(lines) if line.strip()), None)
    if line is None:
        return Message("services_not_started.silent")
    try:
        return verbatim(json.loads(line)["error"])
    except (json.JSONDecodeError, KeyError, TypeError):
        return verbatim(line)


def _stop(child: subprocess.Popen[bytes]) -> None:
    if child.stdin is not None:
        child.stdin.close()
    for insist in (child.terminate, child.kill):
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(STOP_SECONDS)
            break
        insist()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(STOP_SECONDS)
    if child.poll() is not None and child.stdout is not None:
        child.stdout.close()
