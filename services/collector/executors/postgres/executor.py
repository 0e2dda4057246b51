"""Runs checks on a PostgreSQL server: one connection, every statement alone in a read-only transaction, two clocks.

The guard against writing is the catalogue: only its texts run, by id. Behind it stand the role, BEGIN READ ONLY with a
SELECT before anything else (so that no later statement can make the transaction writable again), a SELECT from the
statement in parentheses (so that it can only be a SELECT), a release of the session's locks behind it (a ROLLBACK keeps
them), the extended protocol (one statement a call), statement_timeout and lock_timeout set for the transaction, and a
deadline on this side that cancels. Names are looked up in pg_catalog alone, for a check of an extension in its schema
as well, so that nothing a user made is called in its stead. Its own sessions and statements carry a mark, by which
checks leave them out.

Planning costs the server more than reading does: a statement is prepared once, and its further reads find the plan.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import NamedTuple, cast

import psycopg
from psycopg import errors, pq, sql

from lang.expressions import Reads, Row, Rows
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.catalogue.verdicts import plain
from services.collector.executors.postgres.failures import read_any_encoding, statement_failure, unreachable
from services.collector.executors.repeated_reads import read_repeatedly
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.targets.connections import PostgresTarget

APPLICATION_NAME = "dbdiag"
MARK = "/* dbdiag */"
UNLOCK = f"SELECT {MARK} pg_catalog.pg_advisory_unlock_all()"
CONNECT_SECONDS = 5
LOCK_TIMEOUT_MS = 200
# The server's own clock ends a statement first; this one is for a server that no longer does.
GRACE_SECONDS = 0.5
OLDEST_VERSION = 14
_OPTIONS = "-c client_min_messages=error -c default_transaction_read_only=on -c search_path=pg_catalog -c jit=off"
_SERVER_FACTS = """
SELECT pg_is_in_recovery() AS in_recovery, e.extname::text AS extension, quote_ident(n.nspname) AS place
FROM (SELECT 1) AS one LEFT JOIN pg_extension e ON true LEFT JOIN pg_namespace n ON n.oid = e.extnamespace
"""
_MOST_EXTENSIONS = 200


class _Limits(NamedTuple):
    """Limits of one read. place: the schema of the extension that it needs, quoted."""

    seconds: float
    max_rows: int
    max_bytes: int
    place: str | None = None

    def as_statement(self) -> sql.Composed:
        """Sets the limits for the transaction, by the SELECT after which it can no longer be made writable."""
        path = f"pg_catalog, {self.place}" if self.place else "pg_catalog"
        settings = {"statement_timeout": int(self.seconds * 1000), "lock_timeout": LOCK_TIMEOUT_MS, "search_path": path}
        each = [
            sql.SQL("pg_catalog.set_config({}, {}, true)").format(name, str(value)) for name, value in settings.items()
        ]
        return sql.SQL("SELECT {} pg_catalog.pg_backend_pid(), {}").format(sql.SQL(MARK), sql.SQL(", ").join(each))


class _Prepared(NamedTuple):
    """A prepared statement: its name on the server, and the PREPARE that defines it."""

    name: str
    text: str


class PostgresExecutor:
    """One open connection to a target. Use as `async with PostgresExecutor(target, clock) as executor`.

    Checks may be read at the same time: their transactions take turns on the connection, and they wait together.
    """

    def __init__(
        self, target: PostgresTarget, clock: Callable[[], float], connect_seconds: int = CONNECT_SECONDS
    ) -> None:
        self._target = target
        self._clock = clock
        self._connect_seconds = connect_seconds
        self._connection: psycopg.AsyncConnection | None = None
        self._turn = asyncio.Lock()
        self.version = 0
        self.in_recovery = False
        self._extensions: dict[str, str] = {}
        # With the server process: behind a pooler the next transaction may use another one.
        self._prepared: set[tuple[int, str]] = set()

    async def __aenter__(self) -> PostgresExecutor:
        # If connecting fails halfway, no session stays open.
        async with contextlib.AsyncExitStack() as undo:
            undo.push_async_callback(self.close)
            await self._connect()
            undo.pop_all()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()

    @property
    def is_open(self) -> bool:
        """True if there is a connection, as far as this side knows."""
        return self._connection is not None and not self._connection.closed

    async def reconnect(self) -> None:
        """Makes an idle connection usable again, with a new one if it does not answer. Raises TargetUnreachable."""
        async with contextlib.AsyncExitStack() as undo:
            undo.push_async_callback(self.close)
            with contextlib.suppress(CheckFailed):
                await self._inspect_server()
                undo.pop_all()
        if not self.is_open:
            await self.__aenter__()

    async def _connect(self) -> None:
        try:
            self._connection = await asyncio.wait_for(self._open_connection(), self._connect_seconds + 1)
        except (psycopg.Error, TimeoutError) as error:
            raise unreachable(self._target.target_id, error) from None
        self.version = self._connection.info.server_version // 10_000
        if self.version < OLDEST_VERSION:
            raise TargetUnreachable(
                "target_unreachable.too_old",
                target=self._target.target_id,
                server=f"PostgreSQL {self.version}",
                oldest=OLDEST_VERSION,
            )
        await self._inspect_server()

    async def _inspect_server(self) -> None:
        rows, _ = await self._read_once(_SERVER_FACTS, {}, _Limits(2.0, _MOST_EXTENSIONS, 65_536))
        self.in_recovery = bool(rows[0]["in_recovery"])
        self._extensions = {str(row["extension"]): str(row["place"]) for row in rows if row["extension"] is not None}

    async def _open_connection(self) -> psycopg.AsyncConnection:
        connection = await psycopg.AsyncConnection.connect(
            self._target.conninfo,
            autocommit=True,
            application_name=APPLICATION_NAME,
            connect_timeout=self._connect_seconds,
            options=_OPTIONS,
            # This module prepares by itself: the driver forgets prepared statements at each ROLLBACK.
            prepare_threshold=None,
        )
        return read_any_encoding(connection)

    async def close(self) -> None:
        """Closes the connection; closing twice does no harm."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error, TimeoutError):
                await asyncio.wait_for(connection.close(), 1)

    def statement(self, check: CatalogueCheck) -> str:
        """The text that a check runs on this version."""
        return check.statement(self.version) or ""

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises CheckFailed; the connection is good afterwards, or made anew by the next."""
        statement = check.statement(self.version)
        if statement is None:
            server = f"PostgreSQL {self.version}"
            raise CheckFailed("version_not_supported.no_statement", check=check.id, server=server)
        if check.role == "primary" and self.in_recovery:
            raise CheckFailed("role_not_supported.for_primary", check=check.id)
        if check.role == "standby" and not self.in_recovery:
            raise CheckFailed("role_not_supported.for_standby", check=check.id)
        limits = _Limits(check.timeout_seconds, check.max_rows, check.max_bytes, self._extensions.get(check.extension))

        async def read_once() -> Rows:
            async with self._turn:
                if not self.is_open:
                    await self._connect()
                return await self._read_once(statement, parameters, limits)

        return await read_repeatedly(check, self._clock, read_once)

    async def _read_once(self, statement: str, parameters: Mapping[str, str], limits: _Limits) -> Rows:
        work = asyncio.ensure_future(self._transaction(statement, parameters, limits))
        done, _ = await asyncio.wait({work}, timeout=limits.seconds + GRACE_SECONDS)
        if not done:
            await self._abandon(work)
            raise CheckFailed("timed_out.not_ended", seconds=f"{limits.seconds:g}")
        try:
            return work.result()
        except psycopg.Error as error:
            raise statement_failure(error) from None

    async def _abandon(self, work: asyncio.Future[Rows]) -> None:
        """Cancels on the server; if that does not help either, closes the connection from this side."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error, TimeoutError):
                await asyncio.wait_for(connection.cancel_safe(timeout=1), 1)
        done, _ = await asyncio.wait({work}, timeout=GRACE_SECONDS)
        if not done and connection is not None:
            connection.pgconn.finish()
            work.cancel()
        with contextlib.suppress(psycopg.Error, asyncio.CancelledError, OSError):
            await work
        if connection is not None and not connection.closed:
            connection.pgconn.finish()

    async def _transaction(self, statement: str, parameters: Mapping[str, str], limits: _Limits) -> Rows:
        assert self._connection is not None
        # Only the catalogue's texts, by id: no text written by a model or a person gets here.
        filler = psycopg.AsyncClientCursor(self._connection)
        prepared = _prepared(filler.mogrify(statement.encode(), parameters) if parameters else statement, limits)
        async with self._connection.cursor() as cursor:
            try:
                return await self._attempt(cursor, prepared, limits)
            except (errors.DuplicatePreparedStatement, errors.InvalidSqlStatementName):
                # Behind a pooler other clients share the server process: retry once, now that this is known.
                return await self._attempt(cursor, prepared, limits)

    async def _attempt(self, cursor: psycopg.AsyncCursor, prepared: _Prepared, limits: _Limits) -> Rows:
        await _run(cursor, "BEGIN READ ONLY")
        try:
            await _run(cursor, limits.as_statement())
            process = int((await cursor.fetchone() or (0,))[0])
            await self._prepare(cursor, process, prepared)
            try:
                return await _capped(cursor, prepared.name, limits)
            except errors.InvalidSqlStatementName:
                self._prepared.discard((process, prepared.name))
                raise
        finally:
            await self._end()

    async def _prepare(self, cursor: psycopg.AsyncCursor, process: int, prepared: _Prepared) -> None:
        if (known := (process, prepared.name)) in self._prepared:
            return
        try:
            await _run(cursor, prepared.text)
        except errors.DuplicatePreparedStatement:
            self._prepared.add(known)
            raise
        self._prepared.add(known)

    async def _end(self) -> None:
        """Rolls back and releases advisory locks; a connection in any other state is not used again."""
        connection = self._connection
        if connection is None:
            return
        state = pq.TransactionStatus(connection.pgconn.transaction_status)
        # Inside where that can be, so that the server does not count it as one more transaction.
        order = {pq.TransactionStatus.INTRANS: (UNLOCK, "ROLLBACK"), pq.TransactionStatus.INERROR: ("ROLLBACK", UNLOCK)}
        for statement in order.get(state, ()):
            await connection.execute(statement, binary=True)
        if connection.pgconn.transaction_status != pq.TransactionStatus.IDLE:
            connection.pgconn.finish()


def _prepared(statement: str, limits: _Limits) -> _Prepared:
    """The name is the text's own. Only a SELECT can stand in parentheses: no other statement gets to run, nor one that
    a read-only transaction lets through and that leaves something behind (ANALYZE, PREPARE TRANSACTION)."""
    text = f"AS SELECT {MARK} * FROM (\n{statement}\n) AS rows LIMIT {limits.max_rows + 1}"
    name = f"dbdiag_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return _Prepared(name, f"PREPARE {name} {text}")


async def _run(cursor: psycopg.AsyncCursor, statement: str | sql.Composed) -> None:
    """Uses the extended protocol, as every request for binary results does: one statement a call."""
    await cursor.execute(statement.encode() if isinstance(statement, str) else statement, binary=True)


async def _capped(cursor: psycopg.AsyncCursor, name: str, limits: _Limits) -> Rows:
    """The rows as they arrive, up to the caps; rows beyond them are never kept in memory."""
    rows: list[Row] = []
    size = 0
    records = cast("AsyncGenerator[tuple[object, ...]]", cursor.stream(f"EXECUTE {MARK} {name}".encode()))
    async with contextlib.aclosing(records) as stream:
        async for record in stream:
            names = [column.name for column in cursor.description or ()]
            row = {name: plain(value) for name, value in zip(names, record, strict=True)}
            size += sum(len(str(value)) for value in row.values())
            if len(rows) >= limits.max_rows or size > limits.max_bytes:
                return tuple(rows), True
            rows.append(row)
    return tuple(rows), False
