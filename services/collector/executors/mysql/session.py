"""One session of a MySQL server, by PyMySQL; every method blocks, so it is called in a thread."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
from typing import Any

import pymysql
from pymysql.cursors import SSCursor

from lang.expressions import Row, Rows
from services.collector.catalogue.verdicts import plain
from services.collector.targets.connections import MysqlTarget

PROGRAM_NAME = "dbdiag"
MARK = "/* dbdiag */"
# The least that the server takes.
LOCK_TIMEOUT_SECONDS = 1
# Hard read timeout of an open connection.
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
        """Drops the rest of the result, which PyMySQL would otherwise read when the cursor is closed."""
        if self._result is not None:
            self._result.unbuffered_active = False
        self._result = self.connection = None


class MysqlSession:
    """Read-only from the start. version: major times 100 plus minor; described: in the server's own words."""

    def __init__(self, target: MysqlTarget, connect_seconds: int) -> None:
        self._target = target
        self._connect_seconds = connect_seconds
        self._connection = self._open_connection()
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(f"SET SESSION {', '.join(_SETTINGS)}")
                cursor.execute(f"SELECT {MARK} @@version, @@version_comment")
                [(version, comment)] = cursor.fetchall()
        except BaseException:
            self.cut()
            raise
        # PyMySQL has no public setting for a read timeout other than the one for connecting.
        self._connection._read_timeout = _READ_SECONDS
        self.described = f"{version} ({comment})"
        self.is_mariadb = "mariadb" in self.described.lower()
        found = re.match(r"(\d+)\.(\d+)", version)
        self.version = int(found[1]) * 100 + int(found[2]) if found else 0

    @property
    def is_open(self) -> bool:
        """True if the connection can be used again."""
        return bool(self._connection.open)

    def rows(self, statement: str, limits: tuple[float, int, int]) -> Rows:
        """The rows of a statement up to the caps, and whether there were more. limits: seconds, rows and bytes."""
        seconds, max_rows, max_bytes = limits
        cursor = _Streamed(self._connection)
        try:
            cursor.execute(f"SET SESSION max_execution_time = {int(seconds * 1000)}, sql_select_limit = {max_rows + 1}")
            cursor.execute("START TRANSACTION READ ONLY")
            # The catalogue's texts, by id: nothing that a model or a person wrote comes here.
            cursor.execute(_marked(statement))
            rows, cut = _capped(cursor, max_rows, max_bytes)
            if cut:
                # The rest of the result may be endless: reconnecting is cheaper.
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
            other = self._open_connection()
            try:
                other.cursor().execute(f"KILL QUERY {self._connection.thread_id()}")
            finally:
                other.close()

    def close(self) -> None:
        """Closes the connection."""
        with contextlib.suppress(pymysql.MySQLError, OSError):
            self._connection.close()

    def cut(self) -> None:
        """Cuts the connection from this side, even under a thread that is reading from it."""
        # PyMySQL has no public access to the socket, and closing alone does not wake a reader.
        wire = getattr(self._connection, "_sock", None)
        if wire is not None:
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
        self.close()

    def _end(self, cursor: _Streamed) -> None:
        if self._connection.open:
            cursor.execute("ROLLBACK")
            cursor.close()

    def _open_connection(self) -> Any:
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
    """No TLS on a local socket; otherwise TLS with verification, unless the target says otherwise."""
    if target.socket is not None or target.tls == "off":
        return {"ssl_disabled": True}
    context = ssl.create_default_context(cafile=str(target.ca_file) if target.ca_file else None)
    context.check_hostname = target.tls == "verify-full"
    return {"ssl": context}


def _marked(statement: str) -> str:
    return re.sub(r"^\s*(SELECT|WITH)\b", rf"\1 {MARK}", statement, count=1, flags=re.IGNORECASE)


def _capped(cursor: SSCursor, max_rows: int, max_bytes: int) -> Rows:
    """The rows as they arrive, up to the caps; rows beyond them are never kept in memory."""
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
