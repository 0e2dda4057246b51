"""Statement faults: too frequent, too expensive, or badly planned."""

from __future__ import annotations

import random

from faultlab.fault import Fault, Needs
from faultlab.lab import Lab
from faultlab.sessions import Connection
from faultlab.shop import CUSTOMERS

_VISITS = (
    "CREATE TABLE visits (id int, customer_id int, page int) WITH (autovacuum_enabled = off)",
    "INSERT INTO visits SELECT n, n, n FROM generate_series(1, 100) n",
    "ANALYZE visits",
    "INSERT INTO visits SELECT n, n % 10, n % 10 FROM generate_series(1, 19900) n",
)


def _missing_index(lab: Lab) -> None:
    lab.run("DROP INDEX IF EXISTS orders_customer_id")

    def step(connection: Connection) -> None:
        connection.execute("SELECT id, total FROM orders WHERE customer_id = %s", [random.randint(1, CUSTOMERS)])

    lab.sessions.loop("webapp", step, count=2)


def _restore_index(lab: Lab) -> None:
    lab.run("CREATE INDEX IF NOT EXISTS orders_customer_id ON orders (customer_id)")


def _stale_statistics(lab: Lab) -> None:
    lab.as_application(*_VISITS)
    lab.sessions.loop(
        "report",
        lambda c: c.execute(
            "SELECT count(*) FROM visits a JOIN visits b USING (customer_id) JOIN visits c ON c.page = b.page "
            "WHERE a.id < 5000 AND c.id < 500"
        ),
    )


def _drop_visits(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS visits")


def _small_work_mem(lab: Lab) -> None:
    lab.set(work_mem="64kB")
    lab.sessions.loop(
        "report",
        lambda c: c.execute("SELECT count(*) FROM (SELECT note, total FROM orders ORDER BY total, note, id) sorted"),
        count=2,
    )


def _reset_work_mem(lab: Lab) -> None:
    lab.reset("work_mem")


def _long_query(lab: Lab) -> None:
    lab.sessions.loop(
        "report", lambda c: c.execute("SELECT count(*) FROM orders o, customers c WHERE o.total * 2 > c.balance + o.id")
    )


def _n_plus_one(lab: Lab) -> None:
    def page(connection: Connection) -> None:
        ids = random.sample(range(1, CUSTOMERS), 400)
        for customer in ids:
            connection.execute("SELECT email FROM customers WHERE id = %s", [customer])

    lab.sessions.loop("order-list", page, count=2)


def _large_offset(lab: Lab) -> None:
    def page(connection: Connection) -> None:
        offset = random.randint(100_000, 190_000)
        connection.execute("SELECT id, total FROM orders ORDER BY id LIMIT 20 OFFSET %s", [offset])

    lab.sessions.loop("admin-ui", page, count=2)


def _big_scan(lab: Lab) -> None:
    lab.as_application(
        "CREATE TABLE audit_trail AS SELECT n AS id, n % 1000 AS actor, repeat('a', 900) AS detail "
        "FROM generate_series(1, 180000) n",
        "ANALYZE audit_trail",
    )

    def search(connection: Connection) -> None:
        connection.execute("SELECT count(*) FROM audit_trail WHERE actor = %s", [random.randint(0, 999)])

    lab.sessions.loop("admin-ui", search, count=2)


def _drop_audit_trail(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS audit_trail")


def _small_cache(lab: Lab) -> None:
    lab.set(shared_buffers="1MB")
    lab.restart()


def _reset_cache(lab: Lab) -> None:
    if lab.run("SELECT setting FROM pg_settings WHERE name = 'shared_buffers'") == [("128",)]:
        lab.reset("shared_buffers")
        lab.restart()


FAULTS = (
    Fault("missing_index", 8, _missing_index, _restore_index),
    Fault("stale_statistics", 5, _stale_statistics, _drop_visits),
    Fault("small_work_mem", 5, _small_work_mem, _reset_work_mem),
    Fault("long_query", 5, _long_query),
    Fault("n_plus_one", 5, _n_plus_one),
    Fault("large_offset", 5, _large_offset),
    Fault("big_scan", 8, _big_scan, _drop_audit_trail),
    Fault("small_shared_buffers", 5, _small_cache, _reset_cache, needs=Needs.EMBEDDED),
)
