from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import psycopg
import pytest

from services.collector.executors.postgres.pool import PostgresPool
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.targets.connections import PostgresTarget
from tests.support.servers.postgres import postgres

COUNT = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dbdiag'"


@pytest.fixture(scope="module")
def dsn() -> Iterator[str]:
    with postgres() as superuser:
        yield superuser


async def process(pool: PostgresPool, dsn: str) -> int:
    """The server's process that a call looks through."""
    async with pool.executor(PostgresTarget("orders", dsn), time.monotonic) as executor:
        assert executor._connection is not None
        return executor._connection.info.backend_pid


async def test_calls_in_a_row_use_one_connection(dsn: str) -> None:
    """The next call gets the connection of the one before, and no other is made."""
    pool = PostgresPool(seconds=60)
    with psycopg.connect(dsn) as witness:
        assert len({await process(pool, dsn) for _ in range(3)}) == 1
        assert witness.execute(COUNT).fetchone() == (1,)
        await pool.close()


async def test_calls_at_the_same_time_leave_one_behind(dsn: str) -> None:
    """Nobody gets a connection that another has; of several that end, one is kept and the others are closed."""
    pool = PostgresPool(seconds=60)
    target = PostgresTarget("orders", dsn)
    async with pool.executor(target, time.monotonic) as one, pool.executor(target, time.monotonic) as other:
        assert one is not other
        assert other.is_open
    assert [one.is_open, other.is_open] == [False, True]
    await pool.close()
    assert not other.is_open


async def test_what_the_server_ended_meanwhile_is_made_anew(dsn: str) -> None:
    """A kept connection that no longer answers costs the next call nothing."""
    pool = PostgresPool(seconds=60)
    before = await process(pool, dsn)
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", (before,))
    assert await process(pool, dsn) != before
    await pool.close()


async def test_an_unreachable_target_is_told_each_time() -> None:
    """Nothing is kept of a connection that was never there."""
    pool = PostgresPool(seconds=60)
    for _ in range(2):
        with pytest.raises(TargetUnreachable):
            await process(pool, "host=127.0.0.1 port=1 dbname=x")


async def test_nobody_s_connection_ends_by_itself(dsn: str) -> None:
    """After its moment a connection that nobody asked for is closed."""
    pool = PostgresPool(seconds=0)
    async with pool.executor(PostgresTarget("orders", dsn), time.monotonic) as executor:
        pass
    async with asyncio.timeout(30):
        while executor.is_open:
            await asyncio.sleep(0.01)
    assert not executor.is_open


def test_the_end_of_the_event_loop_ends_it(dsn: str) -> None:
    """A program that asks once and ends leaves no connection behind, whatever the moment is."""
    asyncio.run(process(PostgresPool(seconds=60), dsn))
    with psycopg.connect(dsn, autocommit=True) as witness:
        until = time.monotonic() + 30
        while witness.execute(COUNT).fetchone() != (0,) and time.monotonic() < until:
            time.sleep(0.01)
        assert witness.execute(COUNT).fetchone() == (0,)


async def test_an_opening_that_fails_leaves_no_session(dsn: str) -> None:
    """Where the server lets us in and then answers nothing, the session does not stay until somebody notices."""
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("CREATE ROLE shut LOGIN")
        admin.execute("REVOKE SELECT ON pg_extension FROM PUBLIC")
        pool = PostgresPool(seconds=60)
        with pytest.raises(CheckFailed, match="missing_privilege") as failed:
            await process(pool, dsn.replace("user=postgres", "user=shut"))
        admin.execute("GRANT SELECT ON pg_extension TO PUBLIC")
        until = time.monotonic() + 5
        while admin.execute(COUNT).fetchone() != (0,) and time.monotonic() < until:
            await asyncio.sleep(0.01)
        assert admin.execute(COUNT).fetchone() == (0,), failed.traceback
