"""Schema faults: useless or missing indexes, costly triggers, too many partitions, exhausted sequences."""

from __future__ import annotations

import itertools
import random

import psycopg

from faultlab.fault import Fault
from faultlab.lab import Lab
from faultlab.sessions import Connection
from faultlab.shop import CUSTOMERS

_PARTITIONS = 800
# A transaction cannot lock more objects than the lock table holds.
_AT_ONCE = 40


def _useless_indexes(lab: Lab) -> None:
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


def _drop_useless(lab: Lab) -> None:
    lab.run("DROP INDEX IF EXISTS orders_customer_id_again, orders_note_created, orders_total_unique")


def _foreign_key(lab: Lab) -> None:
    lab.as_application(
        "CREATE TABLE baskets (id int PRIMARY KEY)",
        "INSERT INTO baskets SELECT generate_series(1, 100000)",
        "CREATE TABLE basket_lines (id int PRIMARY KEY, basket_id int REFERENCES baskets ON DELETE CASCADE)",
        "INSERT INTO basket_lines SELECT n, 1 + n % 1000 FROM generate_series(1, 200000) n",
        "ANALYZE baskets, basket_lines",
    )
    doomed = itertools.count(100_000, -1)
    lab.sessions.loop("cleanup", lambda c: c.execute("DELETE FROM baskets WHERE id = %s", [next(doomed)]))


def _drop_baskets(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS basket_lines, baskets")


def _partitions(lab: Lab) -> None:
    lab.as_application(
        "CREATE TABLE readings (at date NOT NULL, sensor int NOT NULL) PARTITION BY RANGE (at)",
        f"""DO $$ BEGIN FOR n IN 0..{_PARTITIONS - 1} LOOP
        EXECUTE format('CREATE TABLE readings_%s PARTITION OF readings FOR VALUES FROM (%L) TO (%L)',
                       n, date '2024-01-01' + n, date '2024-01-02' + n);
        IF n % {_AT_ONCE} = 0 THEN COMMIT; END IF;
        END LOOP; END $$""",
        "INSERT INTO readings SELECT date '2024-01-01' + n % 800, n FROM generate_series(1, 20000) n",
        "ANALYZE readings",
    )

    def latest(connection: Connection) -> None:
        connection.execute("SELECT count(*) FROM readings WHERE sensor = %s", [random.randint(1, 20_000)])

    lab.sessions.loop("dashboard", latest, count=2)


def _drop_partitions(lab: Lab) -> None:
    lab.run(
        f"""DO $$ DECLARE child regclass; done int := 0; BEGIN
        FOR child IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = to_regclass('readings') LOOP
        EXECUTE format('DROP TABLE %s', child); done := done + 1;
        IF done % {_AT_ONCE} = 0 THEN COMMIT; END IF;
        END LOOP; END $$"""
    )
    lab.run("DROP TABLE IF EXISTS readings")


def _slow_trigger(lab: Lab) -> None:
    lab.as_application(
        """CREATE FUNCTION audit_customer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM count(*) FROM orders WHERE note LIKE '%' || NEW.email || '%'; RETURN NEW; END $$""",
        "CREATE TABLE members AS SELECT id, email, balance FROM customers",
        "ALTER TABLE members ADD PRIMARY KEY (id)",
        "CREATE TRIGGER audit AFTER UPDATE ON members FOR EACH ROW EXECUTE FUNCTION audit_customer()",
    )

    def update(connection: Connection) -> None:
        member = random.randint(1, CUSTOMERS)
        connection.execute("UPDATE members SET balance = balance + 1 WHERE id = %s", [member])

    lab.sessions.loop("webapp", update, count=2)


def _drop_trigger(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS members")
    lab.run("DROP FUNCTION IF EXISTS audit_customer")


def _temp_tables(lab: Lab) -> None:
    def churn(connection: Connection) -> None:
        connection.execute("CREATE TEMP TABLE scratch (id int PRIMARY KEY, note text)")
        connection.execute("DROP TABLE scratch")

    lab.sessions.loop("etl", churn, count=2)


def _sequence(lab: Lab) -> None:
    lab.as_application(
        "CREATE TABLE tickets (id serial PRIMARY KEY, subject text)",
        "SELECT setval('tickets_id_seq', 2140000000)",
        "INSERT INTO tickets (subject) VALUES ('printer')",
    )


def _drop_tickets(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS tickets")


FAULTS = (
    Fault("useless_indexes", 4, _useless_indexes, _drop_useless),
    Fault("foreign_key_without_index", 6, _foreign_key, _drop_baskets),
    Fault("many_partitions", 6, _partitions, _drop_partitions),
    Fault("slow_trigger", 6, _slow_trigger, _drop_trigger),
    Fault("temp_tables", 5, _temp_tables),
    Fault("sequence_exhaustion", 4, _sequence, _drop_tickets),
)
