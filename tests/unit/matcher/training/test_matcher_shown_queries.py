"""Rows of a query that the person was given tell what is there, and what is not: each value as it stands."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

import gateway.turn
from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from services.matcher.training.texts import load_shipped_library

ACTIVITY = """  pid  | usename | state  | wait_event_type |  wait_event  |       age       | blocked_by | query
-------+---------+--------+-----------------+--------------+-----------------+------------+-------
 22107 | shop    | active | IO              | DataFileRead | {age} | {{}}         | SELECT o.status FROM orders o
 22410 | shop    | active |                 |              | 00:00:00.003121 | {{}}         | UPDATE sessions SET a = 1
(2 rows)"""
CONNECTIONS = """ usename | application_name | client_addr | state  | sessions | unchanged_over_1h | waiting_for_locks \
| oldest_transaction | max_connections
---------+------------------+-------------+--------+----------+---+---+--------------------+-----------------
 shop    |                  | 10.20.3.15  | active |       13 | 0 | {waiting} | 00:00:00.041       | 500
 shop    |                  | 10.20.3.15  | idle   |        7 | 0 | 0 |                    | 500
(2 rows)"""
OWN = """ pid  | state  |       age       | query
-------+--------+-----------------+-------
 22107 | active | {age} | SELECT o.status FROM orders o"""
LOOKS = yaml.safe_load((Path(gateway.turn.__file__).parent / "opening" / "looks.yaml").read_text())["looks"][
    "postgresql"
]
LONG, IDLE, LOCKS, SYNC, NEAR_MAX = "P-0024", "P-0023", "P-0021", "P-0139", "P-0044"


@cache
def reader() -> MessageReader:
    return MessageReader(load_shipped_library())


def verdicts(text: str, *asked: str, looks: tuple[str, ...] = ()) -> dict[str, Verdict | None]:
    shown = tuple(LOOKS[look] for look in looks)
    found = reader().read(text, Topics(pending=asked, shown=shown), 0.0).readings
    counted = (item.reading for item in found if item.reading.standing is Standing.COUNTS)
    return {each.phenomenon_id: each.verdict for each in counted}


@pytest.mark.parametrize("asked", [(), (LONG, IDLE)])
def test_an_age_is_read_as_it_stands(asked: tuple[str, ...]) -> None:
    """Eleven seconds are no hour, whichever check was asked for; an hour and a half is one."""
    short = verdicts(ACTIVITY.format(age="00:00:11.402117"), *asked, looks=("activity",))
    assert [short.get(name) for name in (LONG, IDLE, LOCKS)] == [Verdict.DENIED] * 3
    old = verdicts(ACTIVITY.format(age="01:31:11.402117"), *asked, looks=("activity",))
    assert (old[LONG], old[IDLE]) == (Verdict.CONFIRMED, Verdict.DENIED)


def test_rows_that_contradict_a_check_are_not_its_own() -> None:
    """A check that lists only old transactions did not print one of eleven seconds; what the rows omit stays open."""
    assert LONG not in verdicts(OWN.format(age="00:00:11.4"), LONG)
    assert verdicts(OWN.format(age="02:00:11.4"), LONG)[LONG] is Verdict.CONFIRMED


def test_counted_sessions_deny_what_they_do_not_show() -> None:
    """All sessions by state: nobody waits for a lock, no transaction is old, and 20 of 500 connections are few."""
    shown = verdicts(CONNECTIONS.format(waiting=0), looks=("connections",))
    assert [shown.get(name) for name in (LONG, IDLE, LOCKS, SYNC, NEAR_MAX)] == [Verdict.DENIED] * 5
    assert verdicts(CONNECTIONS.format(waiting=7), looks=("connections",))[LOCKS] is Verdict.CONFIRMED


def test_the_limit_beside_counts_is_not_asked_for() -> None:
    """Where nobody knows the query, the sum of the sessions is compared with the limit in the same rows."""
    assert verdicts(CONNECTIONS.format(waiting=0))[NEAR_MAX] is Verdict.DENIED
