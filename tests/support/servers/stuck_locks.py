"""A PostgreSQL in which a prepared transaction that nobody ends keeps two sessions waiting: a fault to look for."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import psycopg

from tests.support.servers.postgres import postgres

# Behind a transaction that nobody is about to finish: prepared a while ago.
_STUCK = """
SELECT count(*) FROM pg_locks CROSS JOIN pg_prepared_xacts x
WHERE NOT granted AND clock_timestamp() - x.prepared > interval '2.5 seconds'
"""

CAUSE, WAITERS, FORGOTTEN = "RC-0005", "P-0021", "P-0029"


@contextlib.contextmanager
def stuck_locks() -> Iterator[str]:
    """Runs the server until the block ends; the value connects as a reader."""
    # What is unsafe for the sake of speed would be a finding of its own.
    with postgres(fsync="on") as dsn:
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("CREATE TABLE account (id int PRIMARY KEY, n int)")
            connection.execute("INSERT INTO account SELECT i, 0 FROM generate_series(1, 9) i")
            connection.execute("CREATE ROLE looker LOGIN IN ROLE pg_monitor")
            connection.execute("BEGIN")
            connection.execute("UPDATE account SET n = 1 WHERE id = 1")
            connection.execute("PREPARE TRANSACTION 'forgotten'")
        waiters = [threading.Thread(target=_wait, args=(dsn,), daemon=True) for _ in range(2)]
        for waiter in waiters:
            waiter.start()
        _until_they_wait(dsn)
        yield dsn.replace("user=postgres", "user=looker")
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("ROLLBACK PREPARED 'forgotten'")
        for waiter in waiters:
            waiter.join(10)


def _wait(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("UPDATE account SET n = 2 WHERE id = 1")


def _until_they_wait(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        for _ in range(100):
            waiting = connection.execute(_STUCK).fetchone()
            if waiting is not None and waiting[0] >= 2:
                return
            time.sleep(0.05)
    raise AssertionError("the sessions that should wait do not")
