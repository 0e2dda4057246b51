"""WAL faults: checkpoints too frequent, WAL kept too long, or never archived."""

from __future__ import annotations

from faultlab.fault import Fault
from faultlab.lab import Lab
from faultlab.sessions import Connection

_SLOT = "reporting_feed"
_BULK = (
    "CREATE TABLE imports (id int, line text)",
    "INSERT INTO imports SELECT n, repeat('i', 900) FROM generate_series(1, 60000) n",
)


def _drop_imports(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS imports")


def _frequent_checkpoints(lab: Lab) -> None:
    lab.set(max_wal_size="32MB", min_wal_size="32MB")
    lab.as_application("CREATE TABLE imports (id int, line text)")

    def load(connection: Connection) -> None:
        connection.execute("INSERT INTO imports SELECT n, repeat('i', 900) FROM generate_series(1, 10000) n")
        connection.execute("TRUNCATE imports")

    lab.sessions.loop("importer", load)


def _restore_checkpoints(lab: Lab) -> None:
    lab.reset("max_wal_size", "min_wal_size")
    _drop_imports(lab)


def _inactive_slot(lab: Lab) -> None:
    lab.run("SELECT pg_create_physical_replication_slot(%s, true)", [_SLOT])
    lab.as_application(*_BULK)
    lab.run("SELECT pg_switch_wal()")


def _lost_slot(lab: Lab) -> None:
    lab.set(max_slot_wal_keep_size="16MB", max_wal_size="32MB", min_wal_size="32MB")
    _inactive_slot(lab)
    lab.run("CHECKPOINT")
    lab.run("SELECT pg_switch_wal()")
    lab.run("CHECKPOINT")


def _drop_slot(lab: Lab) -> None:
    lab.run("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = %s", [_SLOT])
    _drop_imports(lab)
    lab.reset("max_slot_wal_keep_size", "max_wal_size", "min_wal_size")
    lab.run("CHECKPOINT")


def _failing_archiver(lab: Lab) -> None:
    lab.set(archive_command="exit 1")
    lab.as_application("CREATE TABLE imports (id int, line text)")

    def write(connection: Connection) -> None:
        connection.execute("INSERT INTO imports SELECT n, repeat('i', 900) FROM generate_series(1, 2000) n")
        lab.sessions.rest(0.2)

    lab.run("SELECT pg_switch_wal()")
    lab.sessions.loop("importer", write)


def _restore_archiver(lab: Lab) -> None:
    lab.reset("archive_command")
    _drop_imports(lab)
    lab.run("SELECT pg_switch_wal()")


def _tiny_commits(lab: Lab) -> None:
    lab.as_application("CREATE TABLE clicks (id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz)")
    lab.sessions.loop("tracker", lambda c: c.execute("INSERT INTO clicks (at) VALUES (now())"), count=24)


def _drop_clicks(lab: Lab) -> None:
    lab.run("DROP TABLE IF EXISTS clicks")


FAULTS = (
    Fault("frequent_checkpoints", 8, _frequent_checkpoints, _restore_checkpoints),
    Fault("inactive_slot", 2, _inactive_slot, _drop_slot),
    Fault("lost_slot", 4, _lost_slot, _drop_slot),
    Fault("failing_archiver", 6, _failing_archiver, _restore_archiver),
    Fault("tiny_commits", 4, _tiny_commits, _drop_clicks),
)
