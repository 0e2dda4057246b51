"""Connection faults: too many, never returned, or never pooled."""

from __future__ import annotations

import contextlib

import psycopg

from faultlab.fault import Fault
from faultlab.lab import Lab

_LEAKED = 70


def _exhaustion(lab: Lab) -> None:
    """Pools of modest size use up every connection slot."""
    for pool in ("webapp-pool", "order-pool", "report-pool", "mobile-pool"):
        for _ in range(40):
            try:
                lab.sessions.hold(pool, "SELECT 1")
            except psycopg.OperationalError:
                return
    raise RuntimeError("160 more sessions did not exhaust the connections")


def _leak(lab: Lab) -> None:
    for _ in range(_LEAKED):
        lab.sessions.hold("order-api", "SELECT total FROM orders WHERE id = 1")


def _churn(lab: Lab) -> None:
    def visit() -> None:
        with contextlib.closing(lab.sessions.connect("php-fpm")) as connection:
            connection.execute("SELECT name FROM customers WHERE id = 5")

    lab.sessions.repeat(visit, count=2)


FAULTS = (
    Fault("connection_exhaustion", 3, _exhaustion),
    Fault("connection_leak", 5, _leak),
    Fault("connection_churn", 4, _churn),
)
