"""Processes that are named as nobody would name them are seen all the same."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from services.collector.executors.host.proc import SOURCES

# Bytes that are no text, a bracket as in the line of the kernel, a space, and letters of another script.
NAMES = {b"caf\xe9\xff": "caf��", b"a) R (b": "a) R (b", "订单".encode(): "订单"}


@pytest.mark.parametrize("name", NAMES)
def test_a_process_is_seen_whatever_its_name(name: bytes, tmp_path: Path) -> None:
    """It stands among the processes, with a sign for each byte that is no letter."""
    program = os.path.join(os.fsencode(tmp_path), name)
    shutil.copy(os.fsencode(Path(shutil.which("dash") or "/bin/sh").resolve()), program)
    with subprocess.Popen([program, "-c", "read line"], stdin=subprocess.PIPE) as process:
        try:
            rows = {row["pid"]: row for row in SOURCES["processes"](Path("/proc"))}
            assert rows[float(process.pid)]["name"] == NAMES[name]
        finally:
            process.kill()
