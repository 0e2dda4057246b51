"""Looks at a MySQL server: one connection, every statement alone in a read-only transaction, two clocks.

The guard against writing is the catalogue: only its texts run, by id. Behind it stand the account, a session that is
read-only, START TRANSACTION READ ONLY, max_execution_time and lock_wait_timeout, and a deadline on this side: a second
connection ends the statement by KILL QUERY; where that does not help, the connection is cut. A session is known by its
connect attribute program_name, by which checks leave it out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.reads import Reads, Row
from services.collector.failures import LookFailed, TargetUnreachable

if TYPE_CHECKING:
    from services.collector.executors.mysql_session import MysqlSession

CONNECT_SECONDS = 5
# The server's own clock ends a statement first; this one is for a server that no longer does.
GRACE_SECONDS = 0.5
# Major times 100 plus minor.
OLDEST_VERSION = 800

_NO_SLOT = (1040, 1203, 1226)
_REASONS = {
    1044: "missing_privilege",
    1142: "missing_privilege",
    1143: "missing_privilege",
    1227: "missing_privilege",
    1370: "missing_privilege",
    1054: "column_not_there",
    1049: "relation_not_there",
    1109: "relation_not_there",
    1146: "relation_not_there",
    1305: "function_not_there",
    1193: "not_available_here",
    1381: "not_available_here",
    1205: "locked",
    1317: "timed_out",
    3024: "timed_out",
    1290: "write_refused",
    1792: "write_refused",
    1235: "not_supported",
}


Tls = Literal["verify-full", "verify-ca", "off"]
Rows = tuple[tuple[Row, ...], bool]


@dataclass(frozen=True)
class MysqlTarget:
    """How to get there. socket: a path, instead of address and port; password: never shown."""

    target_id: str
    address: str
    port: int
    user: str
    socket: Path | None = None
    tls: Tls = "verify-full"
    ca_file: Path | None = None
    password: str = field(default="", repr=False)


class MysqlLook:
    """One open connection to a target. Use as `async with MysqlLook(target, clock) as look`.

    Checks may be read at the same time: their transactions take turns on the connection, and they wait together.
    """

    def __init__(self, target: MysqlTarget, clock: Callable[[], float], connect_seconds: int = CONNECT_SECONDS) -> None:
        self._target = target
        self._clock = clock
        self._connect_seconds = connect_seconds
        self._session: MysqlSession | None = None
        self._turn = asyncio.Lock()
        self.version = 0

    async def __aenter__(self) -> MysqlLook:
        await self._connect()
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._let_go()

    def statement(self, check: CatalogueCheck) -> str:
        """The text that a check runs on this version."""
        return check.statement(self.version) or ""

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises LookFailed; the connection is good afterwards, or made anew by the next."""
        statement = check.statement(self.version)
        if statement is None:
            major, minor = divmod(self.version, 100)
            raise LookFailed("version_not_supported", f"{check.id} has no statement for MySQL {major}.{minor}")
        started, reads, truncated = self._clock(), [], False
        for number in range(check.reads):
            if number:
                await asyncio.sleep(check.interval_seconds)
            async with self._turn:
                rows, cut = await self._one_read(check, statement)
            reads.append(rows)
            truncated = truncated or cut
            if number == 0:
                started = self._clock()
        return Reads(tuple(reads), self._clock() - started, check.key, truncated)

    async def _connect(self) -> MysqlSession:
        try:
            import pymysql

            from services.collector.executors.mysql_session import MysqlSession
        except ModuleNotFoundError:
            message = f"looking at {self._target.target_id}: PyMySQL is not installed; the extra `mysql` brings it"
            raise TargetUnreachable(message, "extra_missing") from None
        try:
            async with asyncio.timeout(2 * self._connect_seconds):
                session = await asyncio.to_thread(MysqlSession, self._target, self._connect_seconds)
        except (pymysql.MySQLError, OSError, ValueError, RuntimeError, LookupError, AssertionError) as error:
            raise _unreachable(self._target.target_id, error) from None
        self.version = session.version
        if session.is_mariadb or self.version < OLDEST_VERSION:
            session.cut()
            raise TargetUnreachable(
                f"{self._target.target_id} runs {session.told}; MySQL 8.0 is the oldest that is read"
            )
        self._session = session
        return session

    def _let_go(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()

    async def _one_read(self, check: CatalogueCheck, statement: str) -> Rows:
        import pymysql

        session = self._session or await self._connect()
        work = asyncio.ensure_future(asyncio.to_thread(session.rows, statement, _limits(check)))
        try:
            done, _ = await asyncio.wait({work}, timeout=check.timeout_seconds + GRACE_SECONDS)
            if not done:
                raise LookFailed(
                    "timed_out", f"no answer within {check.timeout_seconds:g} s, and the server did not end it itself"
                )
            rows = work.result()
        except pymysql.MySQLError as error:
            if not session.is_open:
                self._session = None
            raise _failed(error) from None
        except (LookFailed, asyncio.CancelledError):
            self._session = None
            await _abandon(session, work)
            raise
        if not session.is_open:
            self._session = None
        return rows


def _limits(check: CatalogueCheck) -> tuple[float, int, int]:
    return check.timeout_seconds, check.max_rows, check.max_bytes


async def _abandon(session: MysqlSession, work: asyncio.Future[Rows]) -> None:
    """Ends the statement on the server; where that does not help either, the connection is cut from this side."""
    killing = asyncio.ensure_future(asyncio.to_thread(session.kill_query))
    await asyncio.wait({killing}, timeout=1)
    await asyncio.wait({work}, timeout=GRACE_SECONDS)
    session.cut()
    await asyncio.gather(work, killing, return_exceptions=True)


def _unreachable(target_id: str, error: Exception) -> TargetUnreachable:
    number, said = _told(error)
    if number in _NO_SLOT:
        return TargetUnreachable(f"{target_id} has no free connection slot: {said}", "no_connection_slot")
    return TargetUnreachable(f"connecting to {target_id}: {said}")


def _failed(error: Exception) -> LookFailed:
    number, said = _told(error)
    return LookFailed(_REASONS.get(number, "look_failed"), said)


def _told(error: Exception) -> tuple[int, str]:
    args: tuple[Any, ...] = error.args
    number = args[0] if args and isinstance(args[0], int) else 0
    said = " ".join(str(args[1] if len(args) > 1 else error).split()) or type(error).__name__
    return number, f"{said} ({number})" if number else said
