"""Runs the console blocks of docs/knowledge.md; `python -m tests.support.figures.console_blocks` writes them anew."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "knowledge.md"
_BLOCK = re.compile(r"```console\n(?P<body>.*?)```", re.DOTALL)
_ID = re.compile(r"sha256:[0-9a-f]+")


def rerun(page: str, folder: Path) -> str:
    """The page with the output that its commands give in an empty folder; ids of snapshots are shortened."""
    (folder / "services").symlink_to(ROOT / "services")
    with contextlib.chdir(folder):
        return _BLOCK.sub(lambda block: f"```console\n{_session(block['body'])}```", page)


def _session(body: str) -> str:
    commands = [line.removeprefix("$ ") for line in body.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{_ID.sub('sha256:…', _output(command))}" for command in commands)


def _output(command: str) -> str:
    if not command.startswith("dbdiag "):
        return subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout
    from gateway.cli.main import main

    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(io.StringIO()):
        main(shlex.split(command)[1:])
    return written.getvalue()


if __name__ == "__main__":
    os.environ |= {"LOGNAME": "ada", "LC_ALL": "C.UTF-8"}
    with tempfile.TemporaryDirectory() as name:
        PAGE.write_text(rerun(PAGE.read_text(encoding="utf-8"), Path(name)), encoding="utf-8")
