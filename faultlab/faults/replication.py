"""Replication faults of a primary and one standby, which exists only for the fault."""

from __future__ import annotations

import contextlib
import time

import psycopg

from faultlab.lab import Lab
from faultlab.server import Server
from faultlab.sessions import Connection

_SLOT = "standby_1"
_STANDBY_SLOT = "SELECT count(*) FROM pg_replication_slots WHERE slot_name = %s AND active"


def _standby(lab: Lab) -> Server:
    """A standby that has caught up."""
    standby = lab.own_server().make_standby(_SLOT)
    deadline = time.monotonic() + 10
    while lab.run(_STANDBY_SLOT, [_SLOT]) != [(1,)]:
        if time.monotonic() > deadline:
            raise RuntimeError("the standby did not connect within 10 s")
        time.sleep(0.1)
    return standby


def remove_standby(lab: Lab) -> None:
    """Removes the standby, its slot and its table."""
    lab.reset("synchronous_standby_names")
    server = lab.own_server()
    standby = server.standby()
    if standby is not None:
        standby.remove()
    # The slot stays active until the server notices that its reader is gone.
    deadline = time.monotonic() + 10
    while lab.run(_STANDBY_SLOT, [_SLOT]) == [(1,)] and time.monotonic() < deadline:
        time.sleep(0.1)
    lab.run("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = %s", [_SLOT])
    lab.run("DROP TABLE IF EXISTS stream")


def _writer(lab: Lab) -> None:
    lab.as_application("CREATE TABLE stream (id int, line text)")

    def write(connection: Connection) -> None:
        connection.execute("INSERT INTO stream SELECT n, repeat('w', 900) FROM generate_series(1, 2000) n")
        lab.sessions.rest(0.1)

    lab.sessions.loop("importer", write)


def pause_replay(lab: Lab) -> None:
    """The standby receives and does not replay."""
    standby = _standby(lab)
    with psycopg.connect(standby.dsn(), autocommit=True) as connection:
        connection.execute("SELECT pg_wal_replay_pause()")
    _writer(lab)


def delay_replay(lab: Lab) -> None:
    """A long query on the standby needs the rows that vacuum removes on the primary."""
    lab.as_application(
        "CREATE TABLE stream (id int, line text)", "INSERT INTO stream SELECT n, 'x' FROM generate_series(1, 5000) n"
    )
    dsn = _standby(lab).dsn("shop")

    def report() -> None:
        with contextlib.closing(psycopg.connect(dsn, autocommit=True, application_name="report")) as connection:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            connection.execute("SELECT count(*) FROM stream")
            lab.sessions.rest(20)

    lab.sessions.repeat(report)

    def churn(connection: Connection) -> None:
        connection.execute("DELETE FROM stream")
        connection.execute("VACUUM stream")
        connection.execute("INSERT INTO stream SELECT n, 'x' FROM generate_series(1, 5000) n")
        lab.sessions.rest(0.3)

    lab.sessions.rest(1)
    lab.sessions.loop("cleanup", churn)


def kill_standby(lab: Lab) -> None:
    """The standby is gone, its slot keeps WAL."""
    _standby(lab).stop("immediate")
    _writer(lab)


def kill_synchronous_standby(lab: Lab) -> None:
    """Commits wait for a standby that is gone."""
    standby = _standby(lab)
    lab.set(synchronous_standby_names="*")
    standby.stop("immediate")


def release_commits(lab: Lab) -> None:
    """Commits wait for no standby any more."""
    lab.reset("synchronous_standby_names")
