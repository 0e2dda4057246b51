"""The healthy shop into which faults are injected: its tables, its accounts and its light load."""

from __future__ import annotations

import random
import time

from faultlab.sessions import Connection, Sessions

APPLICATION_USER = "shop"
READER = "dbdiag_ro"
_TRANSACTIONS_A_SECOND = 250
_WORKERS = 2

CUSTOMERS = 20_000
ORDERS = 200_000

TABLES = f"""
CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, email text NOT NULL, balance numeric NOT NULL)
    WITH (fillfactor = 80);
CREATE TABLE orders (id int PRIMARY KEY, customer_id int NOT NULL, total numeric NOT NULL, note text NOT NULL,
    created timestamptz NOT NULL);
CREATE TABLE events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer_id int NOT NULL, kind text NOT NULL,
    at timestamptz NOT NULL DEFAULT now());
INSERT INTO customers SELECT n, 'customer ' || n, 'c' || n || '@shop.example', n % 1000
    FROM generate_series(1, {CUSTOMERS}) n;
INSERT INTO orders SELECT n, 1 + n % {CUSTOMERS}, n % 500, repeat('x', 60), now() - n * interval '1 second'
    FROM generate_series(1, {ORDERS}) n;
CREATE INDEX orders_customer_id ON orders (customer_id);
"""
# What a read-only diagnosis needs, and no more.
READER_RIGHTS = f"""
GRANT pg_monitor TO {READER};
ALTER ROLE {READER} SET default_transaction_read_only = on;
GRANT TEMPORARY ON DATABASE {{database}} TO {APPLICATION_USER};
REVOKE TEMPORARY ON DATABASE {{database}} FROM PUBLIC;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO {READER};
ALTER DEFAULT PRIVILEGES FOR ROLE {APPLICATION_USER} IN SCHEMA public GRANT SELECT ON SEQUENCES TO {READER};
"""

# From PostgreSQL 16 on: a diagnosis gets in where the application no longer does.
RESERVED_RIGHTS = f"GRANT pg_use_reserved_connections TO {READER}"
RESERVED_SINCE = 160_000


class Workload:
    """About 250 transactions a second, by primary key and by index."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def start(self) -> None:
        """Begins; returns at once."""
        for seed in range(_WORKERS):
            self._sessions.loop("webapp", _Visitor(self._sessions, seed).step)

    def stop(self) -> None:
        """Ends its sessions."""
        self._sessions.end()


class _Visitor:
    """One paced stream of transactions."""

    def __init__(self, sessions: Sessions, seed: int) -> None:
        self._sessions = sessions
        self._chance = random.Random(seed)
        self._next = time.monotonic()

    def step(self, connection: Connection) -> None:
        """One transaction, then a rest until the next is due; what was missed while blocked is not made up for."""
        customer = self._chance.randint(1, CUSTOMERS)
        kind = self._chance.random()
        if kind < 0.5:
            connection.execute("SELECT name, balance FROM customers WHERE id = %s", [customer])
        elif kind < 0.85:
            connection.execute("SELECT id, total FROM orders WHERE customer_id = %s LIMIT 20", [customer])
        elif kind < 0.95:
            connection.execute("UPDATE customers SET balance = balance + 1 WHERE id = %s", [customer])
        else:
            connection.execute("INSERT INTO events (customer_id, kind) VALUES (%s, 'view')", [customer])
        now = time.monotonic()
        self._next = max(self._next + _WORKERS / _TRANSACTIONS_A_SECOND, now - 0.1)
        self._sessions.rest(max(0.0, self._next - now))
