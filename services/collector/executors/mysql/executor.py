"""Runs checks on a MySQL server: one connection, every statement alone in a read-only transaction, two clocks.

The guard against writing is the catalogue: only its texts run, by id. Behind it stand the account, a session that is
read-only, START TRANSACTION READ ONLY, max_execution_time and lock_wait_timeout, and a deadline on this side: a second
connection ends the statement by KILL QUERY; where that does not help, the connection is cut. A session is known by its
connect attribute program_name, by which checks leave it out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from lang.expressions import Reads, Rows
from services.chassis.problems import verbatim
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.executors.repeated_reads import read_repeatedly
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.targets.connections import MysqlTarget

if TYPE_CHECKING:
    from services.collector.executors.mysql.session import MysqlSession

CONNECT_SECONDS = 5
# The server's own timeout ends a statement first; this one is for a server that no longer does.
GRACE_SECONDS = 0.5
# Major times 100 plus minor.
OLDEST_VERSION = 800

_NO_SLOT = (1040, 1203, 1226)
_FAILURES = {
    1044: "missing_privilege.server",
    1142: "missing_privilege.server",
    1143: "missing_privilege.server",
    1227: "missing_privilege.server",
    1370: "missing_privilege.server",
    1054: "column_not_there.server",
    1049: "relation_not_there.server",
    1109: "relation_not_there.server",
    1146: "relation_not_there.server",
    1305: "function_not_there.server",
    1193: "not_available_here.server",
    1381: "not_available_here.server",
    1205: "locked.server",
    1317: "timed_out.server",
    3024: "timed_out.server",
    1290: "write_refused.server",
    1792: "write_refused.server",
    1235: "not_supported.server",
}


class MysqlExecutor:
    """One open connection to a target. Use as `async with MysqlExecutor(target, clock) as executor`.

    Checks may be read at the same time: their transactions take turns on the connection, and they wait together.
    """

    def __init__(self, target: MysqlTarget, clock: Callable[[], float], connect_seconds: int = CONNECT_SECONDS) -> None:
        self._target = target
        self._clock = clock
        self._connect_seconds = connect_seconds
        self._session: MysqlSession | None = None
        self._turn = asyncio.Lock()
        self.version = 0

    async def __aenter__(self) -> MysqlExecutor:
        await self._connect()
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._disconnect()

    def statement(self, check: CatalogueCheck) -> str:
        """The text that a check runs on this version."""
        return check.statement(self.version) or ""

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises CheckFailed; the connection is good afterwards, or made anew by the next."""
        statement = check.statement(self.version)
        if statement is None:
            major, minor = divmod(self.version, 100)
            server = f"MySQL {major}.{minor}"
            raise CheckFailed("version_not_supported.no_statement", check=check.id, server=server)

        async def read_once() -> Rows:
            async with self._turn:
                return await self._read_once(check, statement)

        return await read_repeatedly(check, self._clock, read_once)

    async def _connect(self) -> MysqlSession:
        try:
            import pymysql

            from services.collector.executors.mysql.session import MysqlSession
        except ModuleNotFoundError:
            target = self._target.target_id
            raise TargetUnreachable("extra_missing.target", target=target, package="PyMySQL", extra="mysql") from None
        try:
            async with asyncio.timeout(2 * self._connect_seconds):
                session = await asyncio.to_thread(MysqlSession, self._target, self._connect_seconds)
        except (pymysql.MySQLError, OSError, ValueError, RuntimeError, LookupError, AssertionError) as error:
            raise _unreachable(self._target.target_id, error) from None
        self.version = session.version
        if session.is_mariadb or self.version < OLDEST_VERSION:
            session.cut()
            target = self._target.target_id
            raise TargetUnreachable(
                "target_unreachable.too_old", target=target, server=session.described, oldest="MySQL 8.0"
            )
        self._session = session
        return session

    def _disconnect(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()

    async def _read_once(self, check: CatalogueCheck, statement: str) -> Rows:
        import pymysql

        session = self._session or await self._connect()
        work = asyncio.ensure_future(asyncio.to_thread(session.rows, statement, _limits(check)))
        try:
            done, _ = await asyncio.wait({work}, timeout=check.timeout_seconds + GRACE_SECONDS)
            if not done:
                raise CheckFailed("timed_out.not_ended", seconds=f"{check.timeout_seconds:g}")
            rows = work.result()
        except pymysql.MySQLError as error:
            if not session.is_open:
                self._session = None
            raise _failed(error) from None
        except (CheckFailed, asyncio.CancelledError):
            self._session = None
            await _abandon(session, work)
            raise
        if not session.is_open:
            self._session = None
        return rows


def _limits(check: CatalogueCheck) -> tuple[float, int, int]:
    return check.timeout_seconds, check.max_rows, check.max_bytes


async def _abandon(session: MysqlSession, work: asyncio.Future[Rows]) -> None:
    """Kills the statement on the server; if that does not help either, cuts the connection from this side."""
    killing = asyncio.ensure_future(asyncio.to_thread(session.kill_query))
    await asyncio.wait({killing}, timeout=1)
    await asyncio.wait({work}, timeout=GRACE_SECONDS)
    session.cut()
    await asyncio.gather(work, killing, return_exceptions=True)


def _unreachable(target_id: str, error: Exception) -> TargetUnreachable:
    number, said = _number_and_words(error)
    if number in _NO_SLOT:
        return TargetUnreachable("no_connection_slot", target=target_id, why=verbatim(said))
    return TargetUnreachable("target_unreachable.connecting", target=target_id, why=verbatim(said))


def _failed(error: Exception) -> CheckFailed:
    number, said = _number_and_words(error)
    return CheckFailed(_FAILURES.get(number, "look_failed.server"), words=said)


def _number_and_words(error: Exception) -> tuple[int, str]:
    args: tuple[Any, ...] = error.args
    number = args[0] if args and isinstance(args[0], int) else 0
    said = " ".join(str(args[1] if len(args) > 1 else error).split()) or type(error).__name__
    return number, f"{said} ({number})" if number else said
