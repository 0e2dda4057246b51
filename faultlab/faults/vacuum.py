"""Faults of clean-up: what vacuum may not remove, is not asked to, or cannot freeze."""

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
    # Every block with a handler that writes takes a transaction id of its own.
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
    Fault(
        "held_xmin",
        "长事务的快照拖住清理，表膨胀",
        "An open snapshot keeps vacuum from removing rows",
        "RC-0028",
        8,
        _held_xmin,
        _drop_carts,
    ),
    Fault(
        "table_bloat",
        "表的自动清理被关闭而膨胀",
        "A table bloats with autovacuum switched off",
        "RC-0026",
        2,
        _table_bloat,
        _drop_stock,
    ),
    Fault(
        "index_bloat",
        "大量删除后索引只剩空页",
        "After a mass delete an index is mostly empty pages",
        "RC-0025",
        2,
        _index_bloat,
        _drop_tokens,
    ),
    Fault(
        "wraparound",
        "事务号年龄超过冻结上限",
        "Transaction ids older than the freeze limit",
        "RC-0030",
        3,
        _wraparound,
        _restore_ids,
        release=roll_back_prepared,
        needs=Needs.EMBEDDED,
    ),
)
