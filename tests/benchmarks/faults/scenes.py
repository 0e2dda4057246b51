"""Scenes beyond one fault alone: two faults at once, harmless oddities, and oddities beside a fault.

The criteria are fixed here, before anything runs. Two faults: one true cause leads and the other is among the
first three. An oddity alone: healthy. An oddity beside a fault: the fault's true cause leads.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from faultlab.fault import Act, nothing
from faultlab.lab import Lab
from faultlab.sessions import Connection

_POOLS = ("webapp-pool", "order-pool", "report-pool")


@dataclass(frozen=True)
class Oddity:
    """Something unusual but harmless. settle: seconds until it is fully established."""

    start: Act
    restore: Act = nothing
    settle: float = 3.0


@dataclass(frozen=True)
class Scene:
    """Faults and oddities that are injected together."""

    name: str
    faults: tuple[str, ...] = ()
    oddity: Oddity | None = None


def _drop(*tables: str) -> Act:
    def drop(lab: Lab) -> None:
        for table in tables:
            lab.run("DROP TABLE IF EXISTS " + table)

    return drop


def _big_table(lab: Lab) -> None:
    lab.as_application(
        "CREATE TABLE archive AS SELECT n AS id, repeat('b', 900) AS line FROM generate_series(1, 200000) n",
        "ALTER TABLE archive ADD PRIMARY KEY (id)",
        "ANALYZE archive",
    )


def _idle_sessions(lab: Lab) -> None:
    for _ in range(12):
        lab.sessions.hold("back-office", "SELECT total FROM orders WHERE id = 1")


def _used_pools(lab: Lab) -> None:
    def now_and_then(connection: Connection) -> None:
        connection.execute("SELECT total FROM orders WHERE id = %s", [random.randint(1, 100_000)])
        lab.sessions.rest(random.uniform(0.5, 3))

    for pool in _POOLS:
        lab.sessions.loop(pool, now_and_then, count=26)


def _burst(lab: Lab) -> None:
    """A burst of sorts, updates and errors that is over before the diagnosis."""
    lab.as_application(
        "CREATE TABLE prices (id int PRIMARY KEY, amount int NOT NULL)",
        "INSERT INTO prices SELECT n, 0 FROM generate_series(1, 30000) n",
        "ANALYZE prices",
        *(["UPDATE prices SET amount = amount + 1"] * 2),
        "SET work_mem = '64kB'",
        "SELECT count(*) FROM (SELECT note FROM orders ORDER BY total, note, id) sorted",
    )
    with lab.sessions.connect("importer") as connection:
        for _ in range(200):
            connection.execute("INSERT INTO prices VALUES (1, 1) ON CONFLICT DO NOTHING")


def _new_slot(lab: Lab) -> None:
    lab.run("SELECT pg_create_physical_replication_slot('standby_to_be', true)")


def _drop_slot(lab: Lab) -> None:
    lab.run("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'standby_to_be'")


def _sleeper(lab: Lab) -> None:
    lab.sessions.background("cron", "SELECT pg_sleep(120)")


def _short_waits(lab: Lab) -> None:
    """Two sessions that briefly block each other, like two users of one account."""

    def step(connection: Connection) -> None:
        connection.execute("UPDATE customers SET balance = balance + 1 WHERE id = 77")
        lab.sessions.rest(0.05)

    lab.sessions.loop("webapp", step, count=2)


def _short_transactions(lab: Lab) -> None:
    """A job that keeps a transaction open for a second while it computes."""

    def step(connection: Connection) -> None:
        connection.execute("BEGIN")
        connection.execute("SELECT total FROM orders WHERE id = 5")
        lab.sessions.rest(1)
        connection.execute("COMMIT")
        lab.sessions.rest(0.2)

    lab.sessions.loop("worker", step, count=2)


def _temporary_table(lab: Lab) -> None:
    lab.sessions.hold("analyst", "CREATE TEMP TABLE draft AS SELECT * FROM customers", "ANALYZE draft")


def _small_report(lab: Lab) -> None:
    def step(connection: Connection) -> None:
        connection.execute("SELECT count(*), sum(balance) FROM customers")
        lab.sessions.rest(1)

    lab.sessions.loop("report", step)


def _unused_index(lab: Lab) -> None:
    """An unused index for tomorrow's release."""
    lab.as_application("CREATE INDEX customers_email ON customers (email)")


def _drop_index(lab: Lab) -> None:
    lab.run("DROP INDEX IF EXISTS customers_email")


def _empty_partitions(lab: Lab) -> None:
    lab.as_application(
        "CREATE TABLE metrics (at date NOT NULL) PARTITION BY RANGE (at)",
        """DO $$ BEGIN FOR n IN 0..29 LOOP EXECUTE format('CREATE TABLE metrics_%s PARTITION OF metrics FOR VALUES
        FROM (%L) TO (%L)', n, date '2026-01-01' + n, date '2026-01-02' + n); END LOOP; END $$""",
    )


ODDITIES = {
    "a big table": Oddity(_big_table, _drop("archive"), 8),
    "a few idle sessions": Oddity(_idle_sessions, settle=5),
    "pools that are used": Oddity(_used_pools, settle=6),
    "a burst that ended": Oddity(_burst, _drop("prices"), 3),
    "a slot just made": Oddity(_new_slot, _drop_slot, 2),
    "a job that sleeps": Oddity(_sleeper, settle=6),
    "short waits for a row": Oddity(_short_waits),
    "transactions of a second": Oddity(_short_transactions),
    "a temporary table": Oddity(_temporary_table),
    "a report of a small table": Oddity(_small_report),
    "an index not used yet": Oddity(_unused_index, _drop_index),
    "a few partitions": Oddity(_empty_partitions, _drop("metrics")),
}
PAIRS = (
    ("missing_index", "connection_leak"),
    ("lock_chain", "table_bloat"),
    ("n_plus_one", "inactive_slot"),
    ("small_work_mem", "failing_archiver"),
    ("connection_churn", "held_xmin"),
    ("deadlocks", "sequence_exhaustion"),
    ("hot_row", "index_bloat"),
    ("large_offset", "log_growth"),
    ("orphaned_prepared", "temp_tables"),
    ("slow_trigger", "frequent_checkpoints"),
)
BESIDE = (
    ("a few idle sessions", "missing_index"),
    ("a slot just made", "lock_chain"),
    ("a big table", "connection_exhaustion"),
    ("a burst that ended", "deadlocks"),
    ("pools that are used", "small_work_mem"),
    ("transactions of a second", "inactive_slot"),
    ("a job that sleeps", "hot_row"),
    ("an index not used yet", "n_plus_one"),
)
SCENES = (
    *(Scene(" + ".join(pair), pair) for pair in PAIRS),
    *(Scene(name, oddity=oddity) for name, oddity in ODDITIES.items()),
    *(Scene(f"{fault} beside {oddity}", (fault,), ODDITIES[oddity]) for oddity, fault in BESIDE),
)
Judge = Callable[[Scene], bool]
