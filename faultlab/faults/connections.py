"""Faults of connections: too many, never given back, or never kept."""

from __future__ import annotations

import contextlib

import psycopg

from faultlab.fault import Fault
from faultlab.lab import Lab

_LEAKED = 70


def _exhaustion(lab: Lab) -> None:
    """Pools that each look modest take every place there is."""
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
    Fault(
        "connection_exhaustion",
        "各连接池之和用尽 max_connections",
        "The pools together use up max_connections",
        "RC-0009",
        3,
        _exhaustion,
    ),
    Fault("connection_leak", "应用不归还连接", "An application never gives connections back", "RC-0008", 5, _leak),
    Fault("connection_churn", "每次访问都新建连接", "A new connection for every statement", "RC-0010", 4, _churn),
)
