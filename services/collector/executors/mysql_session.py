"""One session of a MySQL server, by PyMySQL; every method blocks, so it is called in a thread."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
from typing import Any

import pymysql
from pymysql.cursors import SSCursor

from services.collector.catalogue.reads import Row, plain
from services.collector.executors.mysql import MysqlTarget, Rows

PROGRAM_NAME = "dbdiag"
MARK = "/* dbdiag */"
# The least that the server takes.
LOCK_TIMEOUT_SECONDS = 1
# Once it is connected, a server that says nothing for so long is given up, whatever else was tried.
_READ_SECONDS = 60
_SETTINGS = (
    "sql_mode = ''",
    "time_zone = 'SYSTEM'",
    "transaction_read_only = ON",
    "transaction_isolation = 'READ-COMMITTED'",
    "tmp_table_size = 16777216",
    f"lock_wait_timeout = {LOCK_TIMEOUT_SECONDS}",
    f"innodb_lock_wait_timeout = {LOCK_TIMEOUT_SECONDS}",
)


class _Streamed(SSCursor):
    _result: Any
    connection: Any

    def abandon(self) -> None:
        """Without this the rest of a result would be read when it is no longer used."""
        if self._result is not None:
            self._result.unbuffered_active = False
        self._result = self.connection = None


class MysqlSession:
    """Connected and read-only from the start. version: major times 100 plus minor; told: as the server says it."""

    def __init__(self, target: MysqlTarget, connect_seconds: int) -> None:
        self._target = target
        self._connect_seconds = connect_seconds
        self._connection = self._opened()
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(f"SET SESSION {', '.join(_SETTINGS)}")
                cursor.execute(f"SELECT {MARK} @@version, @@version_comment")
                [(version, comment)] = cursor.fetchall()
        except BaseException:
            self.cut()
            raise
        # There is no public way to another time than the one for connecting.
        self._connection._read_timeout = _READ_SECONDS
        self.told = f"{version} ({comment})"
        self.is_mariadb = "mariadb" in self.told.lower()
        found = re.match(r"(\d+)\.(\d+)", version)
        self.version = int(found[1]) * 100 + int(found[2]) if found else 0

    @property
    def is_open(self) -> bool:
        """Whether it can be used once more."""
        return bool(self._connection.open)

    def rows(self, statement: str, limits: tuple[float, int, int]) -> Rows:
        """What a statement shows, until a cap, and whether there was more. limits: seconds, rows and bytes."""
        seconds, max_rows, max_bytes = limits
        cursor = _Streamed(self._connection)
        try:
            cursor.execute(f"SET SESSION max_execution_time = {int(seconds * 1000)}, sql_select_limit = {max_rows + 1}")
            cursor.execute("START TRANSACTION READ ONLY")
            # The catalogue's texts, by id: nothing that a model or a person wrote comes here.
            cursor.execute(_marked(statement))
            rows, cut = _capped(cursor, max_rows, max_bytes)
            if cut:
                # What is left may be without end: it is cheaper to connect again.
                cursor.abandon()
                self.cut()
            else:
                self._end(cursor)
        except pymysql.MySQLError:
            with contextlib.suppress(pymysql.MySQLError):
                self._end(cursor)
            cursor.abandon()
            raise
        return rows, cut

    def kill_query(self) -> None:
        """Ends the running statement by a second connection; best effort."""
        with contextlib.suppress(pymysql.MySQLError, OSError):
            other = self._opened()
            try:
                other.cursor().execute(f"KILL QUERY {self._connection.thread_id()}")
            finally:
                other.close()

    def close(self) -> None:
        """Says goodbye."""
        with contextlib.suppress(pymysql.MySQLError, OSError):
            self._connection.close()

    def cut(self) -> None:
        """Ends the connection from this side, also under a thread that waits for it."""
        # There is no public way to it, and closing alone does not wake who reads.
        wire = getattr(self._connection, "_sock", None)
        if wire is not None:
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
        self.close()

    def _end(self, cursor: _Streamed) -> None:
        if self._connection.open:
            cursor.execute("ROLLBACK")
            cursor.close()

    def _opened(self) -> Any:
        target = self._target
        where: dict[str, Any] = {"host": target.address, "port": target.port}
        if target.socket is not None:
            where = {"unix_socket": str(target.socket)}
        return pymysql.connect(
            **where,
            user=target.user,
            password=target.password,
            program_name=PROGRAM_NAME,
            autocommit=True,
            charset="utf8mb4",
            connect_timeout=self._connect_seconds,
            read_timeout=self._connect_seconds,
            local_infile=False,
            **_encryption(target),
        )


def _encryption(target: MysqlTarget) -> dict[str, Any]:
    """A socket of this machine needs none; else it is there and verified unless the target says otherwise."""
    if target.socket is not None or target.tls == "off":
        return {"ssl_disabled": True}
    context = ssl.create_default_context(cafile=str(target.ca_file) if target.ca_file else None)
    context.check_hostname = target.tls == "verify-full"
    return {"ssl": context}


def _marked(statement: str) -> str:
    return re.sub(r"^\s*(SELECT|WITH)\b", rf"\1 {MARK}", statement, count=1, flags=re.IGNORECASE)


def _capped(cursor: SSCursor, max_rows: int, max_bytes: int) -> Rows:
    """The rows as they come, until a cap: what is beyond it is never held."""
    names = [column[0].lower() for column in cursor.description or ()]
    rows: list[Row] = []
    size = 0
    while (record := cursor.fetchone()) is not None:
        row = {name: plain(value) for name, value in zip(names, record, strict=True)}
        size += sum(len(str(value)) for value in row.values())
        if len(rows) >= max_rows or size > max_bytes:
            return tuple(rows), True
        rows.append(row)
    return tuple(rows), False
