"""What people paste of their own decides what the shipped PostgreSQL library knows of it."""

from __future__ import annotations

from functools import cache

from lang.pastes import Check, CheckIndex, judge_paste
from tests.support.cases import for_each
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


def test_one_statement_in_most_sessions_leads() -> None:
    """The same long statement in most of the sessions is the one that leads; its waits are not those of all."""
    assert told(SAME) == {("P-0101", "confirmed", "counts")}
    assert not any(name == "P-0101" for name, _, _ in told(SAME.replace("| IO |", "| Lock |")))


@for_each(("state", "down"), [("stopped", True), ("crashed", True), ("running", False)])
def test_a_member_that_is_down_is_a_standby_that_is_missing(state: str, down: bool) -> None:
    """A replica that the cluster's manager lists as stopped is a standby that should be there."""
    assert (("P-0140", "confirmed", "counts") in told(MEMBERS.format(state=state))) is down


def test_values_one_below_the_other_are_all_read() -> None:
    """A value without a footer does not hide the output below it."""
    assert ("P-0121", "confirmed", "counts") in told(CHECKPOINTS)


@for_each(
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


QUEUE = """SELECT pid, state, wait_event_type, now() - xact_start AS age, left(query, 80) AS query FROM pg_stat_activity
WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid() ORDER BY xact_start LIMIT {limit};
 pid | state | wait_event_type | age | query
---+---+---+---+---
 18233 | active | IO | {age} | SELECT c.region, sum(o.amount) FROM customers c
 20911 | active | Lock | 00:13:40 | ALTER TABLE customers ADD COLUMN marketing_opt_in boolean
(2 rows)
"""


@for_each(
    ("age", "limit", "verdict"), [("00:47:12", 30, "denied"), ("01:47:12", 30, "confirmed"), ("00:47:12", 2, None)]
)
def test_all_transactions_tell_that_none_is_old(age: str, limit: int, verdict: str | None) -> None:
    """A list of all sessions that work denies an old transaction if none is one; a list that its limit cut does not."""
    found = {verdict for name, verdict, _ in told(QUEUE.format(age=age, limit=limit)) if name == "P-0024"}
    assert found == ({verdict} if verdict else set())


@for_each(
    "words",
    [
        "谁问回滚了。。 pg_stat_replication我在主库查了,一行都没有,空的",
        "ran pg_stat_replication on the primary, no rows",
        "select * from pg_stat_replication;\n(0 rows)",
    ],
)
def test_an_empty_view_is_told_in_any_form(words: str) -> None:
    """That a view has no rows is the same result whether it is pasted or told in words; a question tells nothing."""
    assert told(words) == {("P-0140", "confirmed", "counts")}
    assert told("is pg_stat_replication empty?") == set()


STATISTICS = """   relname   | n_live_tup | n_mod_since_analyze |    last_autoanalyze    | last_analyze
-------------+------------+---------------------+------------------------+--------------
 order_lines |  412883017 |{changed:>20} | 2024-05-09 03:12:44+00 |
(1 row)
"""


@for_each(
    ("changed", "verdict", "standing"),
    [
        (901277, "denied", "counts"),
        (40127733, "confirmed", "proposed"),
        (60127733, "confirmed", "proposed"),
        (90127733, "confirmed", "counts"),
    ],
)
def test_old_statistics_are_judged_by_the_share_that_changed(changed: int, verdict: str, standing: str) -> None:
    """The rows changed since ANALYZE decide by their share; a smaller share of many millions is worth a question."""
    assert told(STATISTICS.format(changed=changed)) == {("P-0081", verdict, standing)}


PLAN = """                 QUERY PLAN
----------------------------------------------
 GroupAggregate  (cost=1.13..17.22 rows=1 width=72)
   ->  Nested Loop  (cost=1.13..17.19 rows={rows} width=40)
         ->  Index Scan using order_lines_day_idx on order_lines l  (cost=0.57..8.59 rows={rows} width=24)
         ->  Index Scan using customers_pkey on customers c  (cost=0.56..8.58 rows=1 width=24)
"""


def test_a_nested_loop_over_one_estimated_row_is_worth_a_question() -> None:
    """A plan without run times that expects one row in a nested loop may be one whose estimates are wrong."""
    assert ("P-0080", "confirmed", "proposed") in told(PLAN.format(rows=1))
    assert not any(name == "P-0080" for name, _, _ in told(PLAN.format(rows=40)))


def test_waits_in_a_listing_alone_record_no_waits_for_rows() -> None:
    """Waits for rows count only as the output of their own check; in another listing they are asked about."""
    assert ("P-0420", "confirmed", "counts") not in told(RELATION.replace("relation", "tuple"))
