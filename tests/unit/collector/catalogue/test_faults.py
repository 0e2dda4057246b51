from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator

import psycopg
import pytest

from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.executors.postgres.executor import PostgresExecutor
from services.collector.failures import CheckFailed
from services.collector.model import Verdict
from services.collector.targets.connections import PostgresTarget
from tests.support.servers.postgres import postgres

READER = "dbdiag_ro"
# What the test's own server is: it runs without fsync.
SETTINGS_OF_THE_TEST = {"P-0349", "P-0168"}


@pytest.fixture(scope="module")
def dsn() -> Iterator[str]:
    """A healthy server with some data, and a reader that has pg_monitor and the sequences."""
    with postgres() as superuser:
        with psycopg.connect(superuser, autocommit=True) as admin:
            admin.execute("CREATE EXTENSION pg_stat_statements")
            admin.execute("CREATE EXTENSION pgstattuple")
            admin.execute("CREATE TABLE orders (id serial PRIMARY KEY, note text)")
            admin.execute("INSERT INTO orders (note) SELECT 'n' || i FROM generate_series(1, 20000) i")
            admin.execute("SELECT pg_stat_force_next_flush()")
            admin.execute("VACUUM (ANALYZE) orders")
            admin.execute(f"CREATE ROLE {READER} LOGIN IN ROLE pg_monitor")
            admin.execute(f"GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO {READER}")
        yield superuser


def seen(dsn: str, *checks: str, lanes: int = 1) -> dict[str, Verdict | None]:
    """What these checks say, read as the reader; what is confirmed by one is not taken back by another."""
    target = PostgresTarget("t", dsn.replace("user=postgres", f"user={READER}"))
    wanted = [check for check in shipped().checks.values() if check.engine == "postgres" and check.id in checks]

    verdicts: dict[str, Verdict | None] = {}
    left = iter(wanted)

    async def look() -> None:
        async with PostgresExecutor(target, time.monotonic) as opened:
            for check in left:
                with contextlib.suppress(CheckFailed):
                    for finding in judge(check, await opened.read(check, {}))[1]:
                        if verdicts.get(finding.phenomenon_id) is not Verdict.CONFIRMED:
                            verdicts[finding.phenomenon_id] = finding.verdict

    async def look_in_lanes() -> None:
        await asyncio.gather(*(look() for _ in range(lanes)))

    asyncio.run(look_in_lanes())
    return verdicts


def confirmed(dsn: str, *checks: str, lanes: int = 1) -> set[str]:
    found = seen(dsn, *checks, lanes=lanes)
    return {phenomenon for phenomenon, verdict in found.items() if verdict is Verdict.CONFIRMED}


@contextlib.contextmanager
def sessions(dsn: str, *statements: str) -> Iterator[None]:
    """One session for each statement, running it in a transaction that stays open until the block ends."""
    opened = [psycopg.connect(dsn) for _ in statements]

    def run(connection: psycopg.Connection, statement: str) -> None:
        with contextlib.suppress(psycopg.Error):
            connection.execute(statement.encode())

    runs = [threading.Thread(target=run, args=pair) for pair in zip(opened, statements, strict=True)]
    try:
        for thread in runs:
            thread.start()
            thread.join(0.2)
        yield
    finally:
        for connection in opened:
            connection.cancel()
        for thread in runs:
            thread.join(5)
        for connection in opened:
            connection.close()


def test_a_healthy_server_shows_no_fault(dsn: str) -> None:
    """Every check on a server that has just been started and loaded: nothing is confirmed but how it is set up."""
    rates = "pg.rates"
    others = [check.id for check in shipped().checks.values() if check.engine == "postgres" and check.id != rates]
    found = confirmed(dsn, rates) | confirmed(dsn, *others, lanes=4)
    assert found - SETTINGS_OF_THE_TEST == set()


def test_a_holder_of_row_locks_is_seen_and_named(dsn: str) -> None:
    """A transaction left open behind which others wait: a constant blocker that does nothing."""
    update = "UPDATE orders SET note = 'x' WHERE id = 1"
    with sessions(dsn, update, update, update, update):
        time.sleep(0.5)
        found = confirmed(dsn, "pg.locks")
    assert {"P-0021", "P-0025", "P-0023"} <= found
    assert not {"P-0026", "P-0030", "P-0022"} & found


@pytest.mark.slow
def test_a_ddl_in_the_queue_is_seen(dsn: str) -> None:
    """A reader left open, a DDL behind it, and readers behind the DDL."""
    read = "SELECT count(*) FROM orders"
    with sessions(dsn, read, "ALTER TABLE orders ADD COLUMN extra int", read, read):
        time.sleep(0.5)
        found = confirmed(dsn, "pg.locks")
    assert {"P-0021", "P-0022", "P-0025", "P-0248"} <= found


@pytest.mark.slow
def test_an_orphaned_prepared_transaction_is_seen(dsn: str) -> None:
    """Waiters whose blocker is no session, and the prepared transaction that it is."""
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("BEGIN")
        admin.execute("UPDATE orders SET note = 'p' WHERE id = 2")
        admin.execute("PREPARE TRANSACTION 'left'")
        try:
            with sessions(dsn, "UPDATE orders SET note = 'q' WHERE id = 2"):
                time.sleep(2)
                found = seen(dsn, "pg.locks")
        finally:
            admin.execute("ROLLBACK PREPARED 'left'")
    assert (found["P-0030"], found["P-0029"]) == (Verdict.CONFIRMED, Verdict.CONFIRMED)
    assert found["P-0025"] is Verdict.DENIED


def test_faults_of_structure_are_seen(dsn: str) -> None:
    """Invalid and duplicate indexes, a foreign key without one, autovacuum off, a sequence near its end."""
    made = [
        "CREATE TABLE lines (id int, order_id int REFERENCES orders, w int) WITH (autovacuum_enabled = off)",
        "INSERT INTO lines SELECT i, i % 20000 + 1, 1 FROM generate_series(1, 80000) i",
        "CREATE INDEX lines_id_1 ON lines (id)",
        "CREATE INDEX lines_id_2 ON lines (id)",
        "ANALYZE lines",
        "SELECT setval('orders_id_seq', 2140000000)",
    ]
    with psycopg.connect(dsn, autocommit=True) as admin:
        for statement in made:
            admin.execute(statement.encode())
        with contextlib.suppress(psycopg.errors.UniqueViolation):
            admin.execute("CREATE UNIQUE INDEX CONCURRENTLY lines_w ON lines (w)")
        found = confirmed(dsn, "pg.schema", "pg.tables")
        admin.execute("DROP TABLE lines")
        admin.execute("SELECT setval('orders_id_seq', 20000)")
    assert {"P-0096", "P-0095", "P-0091", "P-0066", "P-0099"} <= found


def test_a_sequence_that_cannot_be_read_is_unknown_and_not_healthy(dsn: str) -> None:
    """Without the right to read it a sequence shows null: the finding says so, and denies nothing."""
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("CREATE SEQUENCE hidden")
        found = seen(dsn, "pg.schema")
        admin.execute("DROP SEQUENCE hidden")
    assert found["P-0099"] is Verdict.UNKNOWN


@pytest.mark.slow
def test_rates_are_seen_in_two_reads(dsn: str) -> None:
    """New connections, rollbacks and temporary files come by the second, and only while they come."""
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute("SET work_mem = '64kB'")
                connection.execute("SELECT count(*) FROM (SELECT note FROM orders a ORDER BY note DESC, id) s")
                for _ in range(5):
                    with contextlib.suppress(psycopg.errors.UniqueViolation):
                        connection.execute("INSERT INTO orders (id) VALUES (1)")

    running = threading.Thread(target=churn)
    running.start()
    time.sleep(0.5)
    found = confirmed(dsn, "pg.rates")
    stop.set()
    running.join()
    assert {"P-0057", "P-0087"} <= found
