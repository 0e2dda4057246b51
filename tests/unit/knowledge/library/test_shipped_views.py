"""What people paste of their own decides what the shipped PostgreSQL library knows of it."""

from __future__ import annotations

from functools import cache

import pytest

from lang.pastes import Check, CheckIndex, judge_paste
from tests.support.shipped_libraries import shipped_library

RELATION = """ pid | state | wait_event_type | wait_event | age | query
---+---+---+---+---+---
 11873 | active | Lock | relation | 00:21:44 | ALTER TABLE events ADD COLUMN a text
 12011 | active | Lock | relation | 00:21:39 | INSERT INTO events (ts) VALUES ($1
 12013 | active | Lock | relation | 00:21:39 | INSERT INTO events (ts) VALUES ($1
"""
SAME = """ pid | wait_event_type | wait_event | dur | query
---+---+---+---+---
 21877 | IO | DataFileRead | 00:00:37.4 | SELECT o.* FROM orders o WHERE o.coupon_code = $1
 21902 |  |  | 00:00:35.0 | SELECT o.* FROM orders o WHERE o.coupon_code = $1
 21915 | IO | DataFileRead | 00:00:31.7 | SELECT o.* FROM orders o WHERE o.coupon_code = $1
 22034 | IO | DataFileRead | 00:00:18.2 | SELECT o.* FROM orders o WHERE o.coupon_code = $1
"""
MEMBERS = """+ Cluster: shop (7283910023451123) ----+---------+----+-----------+
| Member | Host       | Role    | State   | TL | Lag in MB |
+--------+------------+---------+---------+----+-----------+
| node1  | 10.2.0.11  | Leader  | running | 14 |           |
| node2  | 10.2.0.12  | Replica | {state:7} |    |   unknown |
+--------+------------+---------+---------+----+-----------+
"""
CHECKPOINTS = """shop=# show max_wal_size;
 max_wal_size
--------------
 1GB
shop=# select checkpoints_timed, checkpoints_req from pg_stat_bgwriter;
 checkpoints_timed | checkpoints_req
-------------------+-----------------
              8211 |           19874
so its ok then?"""


@cache
def index() -> CheckIndex:
    library = shipped_library("postgresql")
    checks = (
        Check(
            phenomenon_id=entry.id,
            how=tuple(entry.observe.texts.values()),
            rows=entry.observe.rows,
            views=entry.observe.views,
        )
        for entry in library.phenomena.values()
    )
    return CheckIndex.of(checks, library.views.values())


def told(message: str, *asked: str) -> set[tuple[str, str, str]]:
    found = judge_paste(message, index(), asked).findings
    return {(one.phenomenon_id, one.verdict, one.standing) for one in found}


def test_waits_for_a_table_are_no_waits_for_rows() -> None:
    """Sessions that all wait for a relation speak against row locks; beside waits for rows they do not."""
    assert ("P-0420", "denied", "counts") in told(RELATION)
    assert not any(name == "P-0420" for name, _, _ in told(RELATION.replace("relation", "tuple", 1)))


def test_one_statement_many_times_is_worth_a_question() -> None:
    """The same long statement in several sessions is offered as the one that leads; its waits are not those of all."""
    assert told(SAME) == {("P-0101", "confirmed", "proposed")}
    assert not any(name == "P-0101" for name, _, _ in told(SAME.replace("| IO |", "| Lock |")))


@pytest.mark.parametrize(("state", "down"), [("stopped", True), ("crashed", True), ("running", False)])
def test_a_member_that_is_down_is_a_standby_that_is_missing(state: str, down: bool) -> None:
    """A replica that the cluster's manager lists as stopped is a standby that should be there."""
    assert (("P-0140", "confirmed", "counts") in told(MEMBERS.format(state=state))) is down


def test_values_one_below_the_other_are_all_read() -> None:
    """A value without a footer does not hide the output below it."""
    assert ("P-0121", "confirmed", "counts") in told(CHECKPOINTS)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("box has 16 cores. ran ur thing:", {("P-0046", "denied", "counts")}),
        ("机器是 16 核", {("P-0046", "denied", "counts")}),
        ("nproc says 4", {("P-0046", "confirmed", "proposed")}),
    ],
)
def test_active_sessions_are_compared_with_the_cores_told(words: str, verdict: set[tuple[str, str, str]]) -> None:
    """The number of cores beside the output decides that the sessions are few, and makes many of them likely."""
    rows = " active | on_cpu | waiting_for_locks\n---+---+---\n 31 | 14 | 0\n(1 row)"
    assert told(f"{words}\n{rows}", "P-0046") == verdict
