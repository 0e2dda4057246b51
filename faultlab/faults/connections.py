"""Faults of connections and statements that are more than SQL: pools, logins, many queries a page, a failing build."""

from __future__ import annotations

import contextlib
import random

import psycopg

from faultlab.lab import Lab
from faultlab.sessions import Connection
from faultlab.shop import CUSTOMERS


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
