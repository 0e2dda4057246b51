"""Vacuum faults: rows that vacuum cannot remove, never visits, or cannot freeze."""

from __future__ import annotations

from faultlab.fault import Fault, Needs
from faultlab.faults.locks import roll_back_prepared
from faultlab.lab import Lab

_FREEZE_MAX_AGE = 100_000


def _held_xmin(lab: Lab) -> None:
    lab.as_application(
        "CREATE TABLE carts (id int PRIMARY KEY, items int NOT NULL)",
        "INSERT INTO carts SELECT n, 0 FROM generate_series(1, 20000) n",
        "ANALYZE carts",
    )
    lab.sessions.hold("report", "BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT count(*) FROM customers")
    lab.sessions.loop("webapp", lambda c: c.execute("UPDATE carts SET items = items + 1"))


def _drop_carts(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS carts")


def _table_bloat(lab: Lab) -> None:
    lab.as_application(
        "CREATE TABLE stock (id int PRIMARY KEY, amount int NOT NULL, note text) WITH (autovacuum_enabled = off)",
        "INSERT INTO stock SELECT n, 0, repeat('s', 200) FROM generate_series(1, 60000) n",
        "ANALYZE stock",
        *(["UPDATE stock SET amount = amount + 1"] * 3),
    )


def _drop_stock(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS stock")


def _index_bloat(lab: Lab) -> None:
    lab.as_application(
        "CREATE TABLE tokens (id uuid PRIMARY KEY, bucket int NOT NULL)",
        "INSERT INTO tokens SELECT gen_random_uuid(), n % 20 FROM generate_series(1, 200000) n",
        "DELETE FROM tokens WHERE bucket > 0",
        "VACUUM ANALYZE tokens",
    )


def _drop_tokens(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS tokens")


def _wraparound(lab: Lab) -> None:
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


def _restore_ids(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS transfers, ticks")
    if lab.run("SELECT setting FROM pg_settings WHERE name = 'autovacuum_freeze_max_age'") == [(str(_FREEZE_MAX_AGE),)]:
        lab.run("VACUUM FREEZE")
        lab.reset("autovacuum_freeze_max_age")
        lab.restart()


FAULTS = (
    Fault("held_xmin", 8, _held_xmin, _drop_carts),
    Fault("table_bloat", 2, _table_bloat, _drop_stock),
    Fault("index_bloat", 2, _index_bloat, _drop_tokens),
    Fault("wraparound", 3, _wraparound, _restore_ids, release=roll_back_prepared, needs=Needs.EMBEDDED),
)
