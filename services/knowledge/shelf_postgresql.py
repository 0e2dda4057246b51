"""A shelf in PostgreSQL: one table, a row a piece. The extra `postgresql` brings psycopg."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from services.knowledge.shelf import missing_extra, unreachable

try:
    import psycopg
except ImportError as _error:
    raise missing_extra("postgresql", _error) from _error

TABLE = "dbdiag_snapshots"
_CONNECT_SECONDS = 5
_STATEMENT = "30s"
# Held while the table is made: CREATE TABLE IF NOT EXISTS alone fails when two do it at once. Spells "dbdiag".
_MAKING = 0x646264696167
_CREATE = f"CREATE TABLE IF NOT EXISTS {TABLE} (name text PRIMARY KEY, content bytea NOT NULL)"
_WRITE = (
    f"INSERT INTO {TABLE} (name, content) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET content = excluded.content"
)
Result = TypeVar("Result")


class PostgresqlShelf:
    """See Shelf. One connection, used by one thread at a time; one that broke is opened anew once.

    The unique key is the lock of publishers: of two inserts of one name the second waits and then does nothing.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.place = _without_password(url)
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None

    def read(self, name: str) -> bytes | None:
        """See Shelf."""
        rows = self._run(f"SELECT content FROM {TABLE} WHERE name = %s", (name,), lambda cursor: cursor.fetchall())
        return bytes(rows[0][0]) if rows else None

    def write(self, name: str, content: bytes) -> None:
        """See Shelf."""
        self._run(_WRITE, (name, content), lambda cursor: None)

    def create(self, name: str, content: bytes) -> bool:
        """See Shelf."""
        statement = f"INSERT INTO {TABLE} (name, content) VALUES (%s, %s) ON CONFLICT (name) DO NOTHING"
        # An insert whose connection broke is not repeated: it may have come through.
        return self._run(statement, (name, content), lambda cursor: bool(cursor.rowcount == 1), again=False)

    def remove(self, name: str) -> None:
        """See Shelf."""
        self._run(f"DELETE FROM {TABLE} WHERE name = %s", (name,), lambda cursor: None)

    def names(self, prefix: str = "") -> list[str]:
        """See Shelf."""
        statement = f"SELECT name FROM {TABLE} WHERE starts_with(name, %s)"
        rows = self._run(statement, (prefix,), lambda cursor: cursor.fetchall())
        return sorted(name for (name,) in rows if "/" not in name[len(prefix) :])

    def close(self) -> None:
        """See Shelf."""
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
        # No prepared statements: a pooler in transaction mode may stand between.
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


def _why(error: psycopg.Error) -> str:
    """What the server said; of a connection string that cannot be read nothing, for it may hold a password."""
    if isinstance(error, psycopg.ProgrammingError) and error.sqlstate is None:
        return "its URL cannot be read"
    return " ".join(str(error).split())[:300]
