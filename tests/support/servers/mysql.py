"""A real MySQL server, where one is installed: private folder, loopback and unix socket only, gone afterwards."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymysql
import pytest

from services.collector.targets.connections import MysqlTarget

# Names a mysqld where none is on the path.
VARIABLE = "MYSQLD"
READER, PASSWORD = "dbdiag_ro", "hunter2-mysql"
_OPTIONS = (
    "--mysqlx=OFF",
    "--max-connections=40",
    "--sync-binlog=0",
    "--innodb-flush-log-at-trx-commit=2",
    "--innodb-buffer-pool-size=64M",
    "--innodb-doublewrite=OFF",
    "--secure-file-priv=NULL",
)
_READER = f"""
CREATE USER {READER} IDENTIFIED BY '{PASSWORD}'; GRANT PROCESS, REPLICATION CLIENT ON *.* TO {READER};
GRANT SERVICE_CONNECTION_ADMIN ON *.* TO {READER}; GRANT SELECT ON performance_schema.* TO {READER};
CREATE DATABASE shop; CREATE USER app IDENTIFIED BY 'app'; GRANT ALL ON shop.* TO app
"""


@dataclass(frozen=True)
class MysqlServer:
    """A running server. admin_port: answers those who administer it, also when no connection is free."""

    folder: Path
    port: int
    admin_port: int

    def target(self, **change: Any) -> MysqlTarget:
        """How the reader gets there."""
        fields = {"target_id": "stock", "address": "127.0.0.1", "port": self.port, "user": READER, "tls": "off"}
        return MysqlTarget(**{**fields, "password": PASSWORD, **change})

    def connect(self, user: str = "app", password: str = "app", **options: Any) -> pymysql.Connection[Any]:
        """A session of the application, or of the administrator `root` without a password."""
        database = "shop" if user == "app" else None
        where = str(self.folder / "socket")
        return pymysql.connect(
            unix_socket=where, user=user, password=password, database=database, autocommit=True, **options
        )

    def run(self, *statements: str, user: str = "app", password: str = "app") -> None:
        """Runs each statement by a session of its own."""
        with contextlib.closing(self.connect(user, password)) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    @contextlib.contextmanager
    def running(self, *statements: str) -> Iterator[None]:
        """Runs each by a session of its own, one after the other; joined at the end, when nothing holds them."""
        threads = [threading.Thread(target=self.run, args=(statement,)) for statement in statements]
        try:
            for number, thread in enumerate(threads, 1):
                thread.start()
                self.wait_for("command = 'Query'", number)
            yield
        finally:
            for thread in threads:
                thread.join(30)

    def wait_for(self, condition: str, count: int, user: str = "app") -> None:
        """Waits for so many sessions of a user of which the condition holds; until none is left where it is 0."""
        ends = time.monotonic() + 30
        statement = f"SELECT count(*) FROM performance_schema.processlist WHERE user = '{user}' AND ({condition})"
        with contextlib.closing(self.connect("root", "")) as connection, connection.cursor() as cursor:
            while time.monotonic() < ends:
                cursor.execute(statement)
                [(found,)] = cursor.fetchall()
                if found >= count > 0 or found == count == 0:
                    return
                time.sleep(0.05)
        raise TimeoutError(f"{count} sessions of {user} with {condition}")


@contextlib.contextmanager
def mysql() -> Iterator[MysqlServer]:
    """Runs a server until the block ends. Skips where none is installed, or where it is a MariaDB."""
    program = os.environ.get(VARIABLE) or shutil.which("mysqld", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.skip(f"no MySQL server: mysqld is not on the path, and {VARIABLE} names none")
    if "mariadb" in _run([program, "--version"]).lower():
        pytest.skip(f"{program} is a MariaDB, which is not looked at")
    # A short path outside pytest's folders: a socket's path is limited.
    with tempfile.TemporaryDirectory(prefix="dbdiag-my-") as name:
        folder = Path(name)
        common = [program, "--no-defaults", f"--datadir={folder}/data", *(["--user=root"] if os.geteuid() == 0 else [])]
        _run([*common, "--innodb-flush-method=nosync", "--initialize-insecure"])
        server = MysqlServer(folder, *_free_ports())
        command = [*common, *_OPTIONS, f"--socket={folder}/socket", f"--port={server.port}", "--bind-address=127.0.0.1"]
        command += [f"--admin-port={server.admin_port}", "--admin-address=127.0.0.1", f"--pid-file={folder}/pid"]
        with (
            (folder / "log").open("w") as log,
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log) as running,
        ):
            try:
                _wait(server, running)
                server.run(*_READER.split(";"), user="root", password="")
                yield server
            finally:
                running.kill()


def _free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]


def _wait(server: MysqlServer, running: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + 60
    while not _answers(server):
        if running.poll() is not None or time.monotonic() > ends:
            raise RuntimeError((server.folder / "log").read_text(encoding="utf-8"))
        time.sleep(0.1)


def _answers(server: MysqlServer) -> bool:
    if not (server.folder / "socket").exists():
        return False
    try:
        server.connect("root", "").close()
    except pymysql.MySQLError:
        return False
    return True


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.stdout
