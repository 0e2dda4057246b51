"""Faults of settings, of files that stay, and of connections and statements that are more than SQL."""

from __future__ import annotations

import contextlib
import random

import psycopg
from psycopg import sql

from faultlab.lab import Lab
from faultlab.sessions import Connection
from faultlab.shop import CUSTOMERS

_FREEZE_MAX_AGE = 100_000


def roll_back_prepared(lab: Lab) -> None:
    """Rolls back every prepared transaction of the database, which unblocks its waiters."""
    for (gid,) in lab.run("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"):
        lab.run(sql.SQL("ROLLBACK PREPARED {}").format(sql.Literal(gid)))


def shrink_cache(lab: Lab) -> None:
    """Restarts the server with the smallest cache."""
    lab.set(shared_buffers="1MB")
    lab.restart()


def restore_cache(lab: Lab) -> None:
    """Restarts the server with its own cache, unless it has it."""
    if lab.run("SELECT setting FROM pg_settings WHERE name = 'shared_buffers'") == [("128",)]:
        lab.reset("shared_buffers")
        lab.restart()


def use_up_ids(lab: Lab) -> None:
    """A prepared transaction keeps old transaction ids alive while many more are used."""
    lab.set(autovacuum_freeze_max_age=str(_FREEZE_MAX_AGE))
    lab.restart()
    lab.as_application(
        "CREATE TABLE transfers (id int)",
        "BEGIN",
        "INSERT INTO transfers VALUES (1)",
        "PREPARE TRANSACTION 'transfer-1'",
    )
    # Every block with an exception handler that writes uses its own transaction id.
    lab.as_application(
        "CREATE TABLE ticks (n int)",
        """DO $$ BEGIN FOR n IN 1..150000 LOOP
        BEGIN INSERT INTO ticks VALUES (n); EXCEPTION WHEN division_by_zero THEN NULL; END;
        END LOOP; END $$""",
    )


def freeze_ids(lab: Lab) -> None:
    """Drops the tables and freezes what is left."""
    lab.run("DROP TABLE IF EXISTS transfers, ticks")
    if lab.run("SELECT setting FROM pg_settings WHERE name = 'autovacuum_freeze_max_age'") == [(str(_FREEZE_MAX_AGE),)]:
        lab.run("VACUUM FREEZE")
        lab.reset("autovacuum_freeze_max_age")
        lab.restart()


def log_everything(lab: Lab) -> None:
    """Logs every statement, and runs long ones."""
    lab.set(log_statement="all", log_min_duration_statement="0")

    def talk(connection: Connection) -> None:
        # A literal in the text, as applications without bind parameters send it.
        connection.execute(f"SELECT length('{'l' * 2000}')".encode())

    lab.sessions.loop("webapp", talk, count=4)


def empty_logs(lab: Lab) -> None:
    """Logs as before, and removes what was logged."""
    lab.reset("log_statement", "log_min_duration_statement")
    if lab.server is None:
        return
    lab.run("SELECT pg_rotate_logfile()")
    current = lab.run("SELECT pg_current_logfile()")[0][0]
    for file in (lab.server.data / "server_log").glob("*.log"):
        # The open file must stay, but can be truncated.
        file.write_bytes(b"") if str(current).endswith(file.name) else file.unlink()


def exhaust_connections(lab: Lab) -> None:
    """Pools of modest size use up every connection slot."""
    for pool in ("webapp-pool", "order-pool", "report-pool", "mobile-pool"):
        for _ in range(40):
            try:
                lab.sessions.hold(pool, "SELECT 1")
            except psycopg.OperationalError:
                return
    raise RuntimeError("160 more sessions did not exhaust the connections")


def churn_connections(lab: Lab) -> None:
    """Connects anew for each statement."""

    def visit() -> None:
        with contextlib.closing(lab.sessions.connect("php-fpm")) as connection:
            connection.execute("SELECT name FROM customers WHERE id = 5")

    lab.sessions.repeat(visit, count=2)


def list_one_by_one(lab: Lab) -> None:
    """Asks for each row of a page by itself."""

    def page(connection: Connection) -> None:
        ids = random.sample(range(1, CUSTOMERS), 400)
        for customer in ids:
            connection.execute("SELECT email FROM customers WHERE id = %s", [customer])

    lab.sessions.loop("order-list", page, count=2)


def build_useless_indexes(lab: Lab) -> None:
    """A duplicate, one that nobody uses, and one that is invalid."""
    lab.as_application(
        "CREATE INDEX orders_customer_id_again ON orders (customer_id)",
        "CREATE INDEX orders_note_created ON orders (note, created)",
    )
    with lab.sessions.connect("migration") as connection:
        try:
            connection.execute("CREATE UNIQUE INDEX CONCURRENTLY orders_total_unique ON orders (total)")
        except psycopg.errors.UniqueViolation:
            return
    raise RuntimeError("a unique index over duplicates was built")
