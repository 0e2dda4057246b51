"""Lock faults: long waits, their blockers, and deadlocks."""

from __future__ import annotations

from psycopg import sql

from faultlab.fault import Fault
from faultlab.lab import Lab
from faultlab.sessions import Connection

_COUNTERS = (
    "CREATE TABLE counters (id int PRIMARY KEY, hits bigint NOT NULL) WITH (fillfactor = 50)",
    "INSERT INTO counters SELECT n, 0 FROM generate_series(1, 100) n",
)


def _drop_counters(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS counters")


def _lock_chain(lab: Lab) -> None:
    lab.sessions.hold("batch-job", "BEGIN", "UPDATE customers SET balance = balance + 1 WHERE id = 1")
    lab.sessions.background(
        "order-api",
        "BEGIN",
        "UPDATE customers SET balance = balance + 1 WHERE id = 2",
        "UPDATE customers SET balance = balance + 1 WHERE id = 1",
    )
    lab.sessions.rest(0.5)
    lab.sessions.background("webapp", "UPDATE customers SET balance = balance + 1 WHERE id = 2", count=4)


def _blocked_ddl(lab: Lab) -> None:
    lab.sessions.hold("report", "BEGIN", "SELECT total FROM orders WHERE id = 1")
    lab.sessions.background("migration", "ALTER TABLE orders ADD COLUMN channel text")
    lab.sessions.rest(0.5)
    lab.sessions.background("webapp", "SELECT total FROM orders WHERE id = 2", count=6)


def _undo_ddl(lab: Lab) -> None:
    lab.run("ALTER TABLE orders DROP COLUMN IF EXISTS channel")


def _deadlocks(lab: Lab) -> None:
    lab.as_application(*_COUNTERS)
    lab.set(deadlock_timeout="100ms")
    for first, second in ((1, 2), (2, 1)):
        lab.sessions.loop("transfer", _Transfer(lab, first, second).step, count=2)


class _Transfer:
    """Locks two rows, one after the other."""

    def __init__(self, lab: Lab, first: int, second: int) -> None:
        self._lab = lab
        self._order = (first, second)

    def step(self, connection: Connection) -> None:
        """One transfer; a deadlock's victim rolls back."""
        connection.execute("BEGIN")
        for row in self._order:
            connection.execute("UPDATE counters SET hits = hits + 1 WHERE id = %s", [row])
            self._lab.sessions.rest(0.01)
        connection.execute("COMMIT")


def _restore_deadlocks(lab: Lab) -> None:
    lab.reset("deadlock_timeout")
    _drop_counters(lab)


def _hot_row(lab: Lab) -> None:
    lab.as_application(*_COUNTERS)

    def step(connection: Connection) -> None:
        connection.execute("BEGIN")
        connection.execute("UPDATE counters SET hits = hits + 1 WHERE id = 7")
        lab.sessions.rest(0.02)
        connection.execute("COMMIT")

    lab.sessions.loop("webapp", step, count=12)


def _orphaned(lab: Lab) -> None:
    lab.as_application(
        "BEGIN", "UPDATE customers SET balance = balance + 1 WHERE id = 3", "PREPARE TRANSACTION 'payment-4711'"
    )
    lab.sessions.background("webapp", "UPDATE customers SET balance = balance + 1 WHERE id = 3", count=2)


def roll_back_prepared(lab: Lab) -> None:
    """Rolls back every prepared transaction of the database, which unblocks its waiters."""
    for (gid,) in lab.run("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"):
        lab.run(sql.SQL("ROLLBACK PREPARED {}").format(sql.Literal(gid)))


def _retries(lab: Lab) -> None:
    lab.as_application("CREATE TABLE receipts (id int PRIMARY KEY)", "INSERT INTO receipts VALUES (1)")

    def step(connection: Connection) -> None:
        lab.sessions.rest(0.01)
        connection.execute("INSERT INTO receipts VALUES (1)")

    lab.sessions.loop("importer", step, count=2)


def _drop_receipts(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS receipts")


FAULTS = (
    Fault("lock_chain", 5, _lock_chain),
    Fault("blocked_ddl", 5, _blocked_ddl, _undo_ddl),
    Fault("deadlocks", 5, _deadlocks, _restore_deadlocks),
    Fault("hot_row", 3, _hot_row, _drop_counters),
    Fault("orphaned_prepared", 5, _orphaned, release=roll_back_prepared),
    Fault("error_retries", 5, _retries, _drop_receipts),
)
