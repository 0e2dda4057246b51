"""An output tells all that it shows, whichever check it was asked for, in the words that were pasted."""

from __future__ import annotations

from functools import cache

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Reading, Standing, Verdict
from services.matcher.training.texts import load_shipped_library

ROOT = """ root_pid | usename | application_name | state | transaction_age | waiters | last_query
----------+---------+------------------+-------+-----------------+---------+------------
 9120 | {user} | {app} | {state} | {age} | 83 | {query}
(1 row)"""
VACUUM = ROOT.format(
    user="", app="", state="active", age="05:03:12.77", query="autovacuum: VACUUM t (to prevent wraparound)"
)
IDLE = ROOT.format(user="bo", app="bo", state="idle in transaction", age="01:32:07.88", query="SELECT id FROM account")
QUEUE = """  pid  | application_name | state  | wait_event_type | wait_event |   xact_age   | blocked_by | query
-------+------------------+--------+-----------------+------------+--------------+------------+-------
 9120 |{app} | {state} | | | 05:07:12.1 | {{}} | {query}
 11873 | psql | active | Lock | relation | 00:20:41.118 | {{9120}} | ALTER TABLE events ADD a int
 12004 | app | active | Lock | relation | 00:20:33.904 | {{11873}} | INSERT INTO events VALUES (1)
 12007 | app | active | Lock | relation | 00:20:33.120 | {{11873}} | INSERT INTO events VALUES (1)
(4 rows)"""
SCAN = "Seq Scan on orders  (cost=0.00..{cost} rows={rows} width=24)"
PLAN = f""" Sort  (cost=2841553.20..2841553.31 rows=44 width=24)
   Sort Key: created_at DESC
   ->  {SCAN}
         Filter: {{condition}}
(4 rows)"""


@cache
def reader() -> MessageReader:
    return MessageReader(load_shipped_library())


def read(text: str, *asked: str) -> dict[str, Reading]:
    found = (item.reading for item in reader().read(text, Topics(pending=asked), 0.0).readings)
    return {each.phenomenon_id: each for each in found if each.verdict is Verdict.CONFIRMED}


def counted(text: str, *asked: str) -> set[str]:
    return {name for name, each in read(text, *asked).items() if each.standing is Standing.COUNTS}


def copies(count: int, age: str = "00:00:39.2") -> str:
    rows = "\n".join(
        f" {41000 + each} | shop | shop-web | 10.2.0.14 | active | {age} | SELECT id FROM orders WHERE coupon_code = $1"
        for each in range(count)
    )
    return f" pid | usename | application_name | client_addr | state | in_transaction | statement\n{'-' * 30}\n{rows}"


@pytest.mark.parametrize("asked", [(), ("P-0025",)])
def test_the_root_of_a_queue_tells_what_it_is(asked: tuple[str, ...]) -> None:
    """A vacuum against wraparound that others wait for holds a DDL up; an idle transaction there is open that long."""
    assert {"P-0025", "P-0073", "P-0042", "P-0021"} <= counted(VACUUM, *asked)
    assert {"P-0025", "P-0023", "P-0024", "P-0021"} <= counted(IDLE, *asked)


def test_a_queue_tells_its_only_root() -> None:
    """The one session that waits for nobody holds all others up, and what it runs says why."""
    of_vacuum = QUEUE.format(app="", state="active", query="autovacuum: VACUUM events (to prevent wraparound)")
    assert {"P-0025", "P-0073", "P-0042", "P-0022", "P-0021"} <= counted(of_vacuum)
    of_idle = counted(QUEUE.format(app="psql", state="idle in transaction", query="SELECT 1"))
    assert {"P-0025", "P-0023", "P-0024", "P-0022"} <= of_idle
    assert "P-0042" not in of_idle


def test_many_rows_of_one_statement_are_copies_of_it() -> None:
    """Ten at once stack up, four may be the one that leads; a web shop's statements are no scheduled job."""
    assert "P-0297" in counted(copies(10))
    few = read(copies(4), "P-0180")
    assert few["P-0101"].standing is Standing.PROPOSED
    assert few.keys().isdisjoint(("P-0180", "P-0297"))


def test_a_few_of_many_sessions_idle_for_hours_stand_for_those_left_out() -> None:
    """People paste the head of a long list, and how many more there are; without that it is worth a question."""
    rows = "\n".join(f" 221{each} | billing | idle | 01:5{each}:10.1 | SELECT 1" for each in range(5))
    head = " pid | app | state | idle_for | left\n-----+-----+------+------+-----\n"
    assert read(f"{head}{rows}\n(141 more)")["P-0045"].standing is Standing.COUNTS
    assert read(f"{head}{rows}")["P-0045"].standing is Standing.PROPOSED


def test_a_plan_that_was_not_run_shows_a_selective_scan_by_its_cost() -> None:
    """What reads millions of pages for a few rows throws nearly all away; a subplan may cost as much by itself."""
    plan = PLAN.format(cost="2841552.00", rows=44, condition="(coupon_code = 'A'::text)")
    found = read(plan)["P-0077"]
    assert found.standing is Standing.COUNTS
    assert found.words == SCAN.format(cost="2841552.00", rows=44)
    unsure = read(PLAN.format(cost="2841552.00", rows=44, condition="(SubPlan 1)"))["P-0077"]
    assert unsure.standing is Standing.PROPOSED
    limited = " Limit  (cost=0.00..2841552.00 rows=1 width=39)\n   ->  " + SCAN
    for rows, standing in ((1, Standing.COUNTS), (900, Standing.PROPOSED)):
        text = limited.format(cost="2841552.00", rows=rows) + "\n         Filter: (voucher = 'A'::text)"
        assert read(text)["P-0077"].standing is standing
    assert "P-0077" not in counted(PLAN.format(cost="80000.00", rows=44, condition="(a = 1)"))


def test_what_server_the_application_reaches_is_told_by_recovery() -> None:
    """As an answer of that check it counts, also with a column left out; else it is any standby's."""
    table = " pg_is_in_recovery | inet_server_addr\n-------------------+------------------\n {} | 10.20.3.11\n(1 row)"
    assert "P-0171" in counted(table.format("t"), "P-0171")
    assert "P-0171" not in read(table.format("t"))
    assert "P-0171" not in read(table.format("f"), "P-0171")


@pytest.mark.parametrize(("other", "differs"), [("UPDATE orders SET a = 1", True), ("UPDATE stock SET qty = 2", False)])
def test_a_deadlock_report_tells_whether_its_statements_differ(other: str, differs: bool) -> None:
    """Two statements on two tables are not one bulk statement; of the same table it is left open."""
    report = f"""2024-06-12 09:41:07.332 CST [20817] ERROR:  deadlock detected
2024-06-12 09:41:07.332 CST [20817] DETAIL:  Process 20817 waits for ShareLock on transaction 88.
	Process 20833 waits for ShareLock on transaction 87.
	Process 20817: UPDATE stock SET qty = qty - 1 WHERE sku = 'A1093'
	Process 20833: {other}
2024-06-12 09:41:07.332 CST [20817] HINT:  See server log for query details."""
    found = [item.reading for item in reader().read(report, Topics(pending=("P-0242",)), 0.0).readings]
    assert any(each.phenomenon_id == "P-0027" for each in found)
    assert differs == any(each.phenomenon_id == "P-0242" and each.verdict is Verdict.DENIED for each in found)
