"""Blobs in PostgreSQL: one table with a row per blob. The extra `postgresql` brings psycopg."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from services.chassis.messages import Detail, Message
from services.knowledge.blobs.port import missing_extra, unreachable

try:
    import psycopg
except ImportError as _error:
    raise missing_extra("postgresql", _error) from _error

TABLE = "dbdiag_snapshots"
_CONNECT_SECONDS = 5
_STATEMENT = "30s"
# Lock held while creating the table: concurrent CREATE TABLE IF NOT EXISTS can fail. Spells "dbdiag".
_MAKING = 0x646264696167
_CREATE = f"CREATE TABLE IF NOT EXISTS {TABLE} (name text PRIMARY KEY, content bytea NOT NULL)"
_WRITE = (
    f"INSERT INTO {TABLE} (name, content) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET content = excluded.content"
)
Result = TypeVar("Result")


class PostgresqlBlobs:
    """See BlobStore. One connection, used by one thread at a time; a broken connection is reopened once.

    The unique key serialises publishers: of two inserts of one name the second waits and then does nothing.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.place = _without_password(url)
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None

    def read(self, name: str) -> bytes | None:
        rows = self._run(f"SELECT content FROM {TABLE} WHERE name = %s", (name,), lambda cursor: cursor.fetchall())
        return bytes(rows[0][0]) if rows else None

    def write(self, name: str, content: bytes) -> None:
        self._run(_WRITE, (name, content), lambda cursor: None)

    def create(self, name: str, content: bytes) -> bool:
        statement = f"INSERT INTO {TABLE} (name, content) VALUES (%s, %s) ON CONFLICT (name) DO NOTHING"
        # Not retried on a broken connection: the insert may have succeeded.
        return self._run(statement, (name, content), lambda cursor: bool(cursor.rowcount == 1), again=False)

    def remove(self, name: str) -> None:
        self._run(f"DELETE FROM {TABLE} WHERE name = %s", (name,), lambda cursor: None)

    def names(self, prefix: str = "") -> list[str]:
        statement = f"SELECT name FROM {TABLE} WHERE starts_with(name, %s)"
        rows = self._run(statement, (prefix,), lambda cursor: cursor.fetchall())
        return sorted(name for (name,) in rows if "/" not in name[len(prefix) :])

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _run(
        self, statement: str, values: tuple[object, ...], take: Callable[[Any], Result], *, again: bool = True
    ) -> Result:
        with self._lock:
            try:
                return take(self._open().execute(statement, values))
            except psycopg.OperationalError as error:
                if not again or self._connection is None or not self._connection.broken:
                    raise unreachable(self.place, _why(error)) from error
            except psycopg.Error as error:
                raise unreachable(self.place, _why(error)) from error
            self._connection = None
            try:
                return take(self._open().execute(statement, values))
            except psycopg.Error as error:
                raise unreachable(self.place, _why(error)) from error

    def _open(self) -> psycopg.Connection[Any]:
        if self._connection is not None and not self._connection.closed:
            return self._connection
        # No prepared statements, for poolers in transaction mode.
        made: psycopg.Connection[Any] = psycopg.connect(
            self._url, autocommit=True, connect_timeout=_CONNECT_SECONDS, prepare_threshold=None
        )
        with made.transaction():
            made.execute(f"SET LOCAL statement_timeout = '{_STATEMENT}'")
            made.execute("SELECT pg_advisory_xact_lock(%s)", (_MAKING,))
            if made.execute("SELECT to_regclass(%s)", (TABLE,)).fetchone() == (None,):
                made.execute(_CREATE)
        self._connection = made
        return made


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"


def _why(error: psycopg.Error) -> Detail:
    """The server's words; nothing of a connection string that cannot be parsed, since it may hold a password."""
    if isinstance(error, psycopg.ProgrammingError) and error.sqlstate is None:
        return Message("blob_failure.address")
    return " ".join(str(error).split())[:300]
