"""Outputs that are not whole: rows left out, columns left out or renamed, no heading. What they can decide, they do."""

from __future__ import annotations

from functools import cache

import pytest

from lang.judging.dialogue import Topics
from services.knowledge.library.shipped_libraries import FOLDER
from services.knowledge.snapshots.compile import compile_libraries, snapshot_id
from services.matcher.index.entries import read_snapshot
from services.matcher.message_reader import MessageReader
from services.matcher.model import Reading, Standing, Verdict
from tests.support.cases import for_each

IDLE_FOR_HOURS, NEAR_THE_LIMIT, IN_TRANSACTION, WORKERS_BUSY = "P-0045", "P-0044", "P-0023", "P-0067"
NO_TIMEOUT, ONE_STATEMENT = "P-0050", "P-0101"
# 28 November 2026, 06:00 of the universal time.
NOW = 1795845600.0


@cache
def reader() -> MessageReader:
    """The reader of the shipped library."""
    content = compile_libraries([FOLDER / "postgresql"])
    return MessageReader(read_snapshot(content, snapshot_id(content)))


def read(message: str, *asked: str) -> dict[str, Reading]:
    """What a message says of each phenomenon, where these checks were asked for."""
    found = reader().read(message, Topics(pending=asked), NOW)
    return {item.reading.phenomenon_id: item.reading for item in found.readings}


def counted(message: str, *asked: str) -> dict[str, Verdict | None]:
    """What counts of it."""
    return {name: item.verdict for name, item in read(message, *asked).items() if item.standing is Standing.COUNTS}


@for_each("rest", [" ...\n(371 rows)", "(371 rows)", "…\n(371 行记录)"])
def test_rows_left_out_are_like_the_last_one_that_is_shown(rest: str) -> None:
    """Dots and a footer that counts more rows stand for rows like those above: of one user, idle for hours."""
    rows = "\n".join(f" {pid} | billing | idle | 02:5{pid % 5}:11 | SELECT 1" for pid in range(20117, 20121))
    message = f"  pid  | usename | state | state_age | query\n-------+---------+---+---+---\n{rows}\n{rest}"
    assert counted(message)[IDLE_FOR_HOURS] is Verdict.CONFIRMED


def test_few_rows_of_which_none_is_left_out_are_no_more_than_they_are() -> None:
    """The same four rows with a footer that counts four decide nothing."""
    rows = "\n".join(f" {pid} | billing | idle | 02:5{pid % 5}:11" for pid in range(20117, 20121))
    assert IDLE_FOR_HOURS not in read(f" pid | usename | state | state_age\n---+---+---+---\n{rows}\n(4 rows)")


@for_each("age", ["state_age", "idle_for", "oldest", "longest_idle", "max"])
def test_a_count_by_user_with_its_age_decides(age: str) -> None:
    """Where no application is told, the connections of one user are those of one application."""
    message = f"usename | state | count | {age}\nbilling | idle | 371 | 02:54:11\norders | idle | 42 | 00:00:31"
    assert counted(message)[IDLE_FOR_HOURS] is Verdict.CONFIRMED
    assert IDLE_FOR_HOURS not in read(message.replace("371", "11").replace("42", "9"))


@for_each("who", ["usename", "client_addr", "application_name"])
def test_the_sum_of_a_count_by_anything_lacks_only_its_whole(who: str) -> None:
    """A list that counts all sessions tells how many there are; what is missing is the limit."""
    found = read(f"{who} | count\nbilling | 371\norders | 42\n | 5")[NEAR_THE_LIMIT]
    assert found.standing is Standing.NEEDS_BASE
    assert found.words.endswith("413")
    assert found.missing.zh == "最大连接数"


@for_each(
    ("asked", "message", "verdict"),
    [
        (NEAR_THE_LIMIT, "client_connections | max | pct\n493 | 500 | 98.6", Verdict.CONFIRMED),
        (NEAR_THE_LIMIT, "used | pct\n103 | 20.6", Verdict.DENIED),
        (IDLE_FOR_HOURS, "usename | idle | over_1h | longest_idle\nbilling | 371 | 340 | 02:54:11", Verdict.CONFIRMED),
        (IDLE_FOR_HOURS, "idle | idle_over_1h | longest\n371 | 340 | 02:54:11", Verdict.CONFIRMED),
        (IDLE_FOR_HOURS, "prod | billing | | 10.2.3.1 | 371 | 340 | 02:54:11", Verdict.CONFIRMED),
        (WORKERS_BUSY, "workers_running | workers_allowed\n1 | 3", Verdict.DENIED),
        (
            NO_TIMEOUT,
            "server | idle_in_transaction_session_timeout | 0\nnow | idle in transaction for over a minute | 4",
            Verdict.CONFIRMED,
        ),
        (NO_TIMEOUT, "timeout is 0, and\n now | idle in transaction for over a minute | 1", Verdict.CONFIRMED),
    ],
)
def test_the_columns_that_a_rule_needs_are_enough(asked: str, message: str, verdict: Verdict) -> None:
    """A check that was asked for is judged by the columns that are there, under their names, shorter ones or none."""
    assert counted(message, asked)[asked] is verdict


@for_each(
    ("since", "standing"),
    [
        ("2026-11-28 06:52:11+01", Standing.COUNTS),
        ("2026-11-28 05:52:11", Standing.PROPOSED),
        ("2026-11-26 05:52:11", Standing.COUNTS),
        ("2026-11-28 06:58:11+01", None),
    ],
)
def test_the_clock_decides_how_old_a_transaction_is(since: str, standing: Standing | None) -> None:
    """A start with its zone is so long ago; one without may be off by hours, and is asked about where these matter."""
    message = f" pid | usename | state | xact_start\n 18832 | mkeller | idle in transaction | {since}"
    found = read(message).get(IN_TRANSACTION)
    assert (found and found.standing) is standing


def test_one_statement_in_most_rows_is_the_one_that_dominates() -> None:
    """A statement that more than half of the busy sessions run counts; one of several does not."""
    rows = "\n".join(f" {pid} | active | 00:00:4{pid % 9} | SELECT a FROM coupons" for pid in range(8121, 8126))
    message = (
        f" pid | state | age | query\n-----+---+---+---\n{rows}\n 8160 | active | 00:00:04 | UPDATE carts SET a = 1"
    )
    assert counted(message)[ONE_STATEMENT] is Verdict.CONFIRMED
    others = "\n".join(f" {pid} | active | 00:00:31 | UPDATE t{pid} SET a = 1" for pid in range(9000, 9009))
    assert ONE_STATEMENT not in counted(f"{message}\n{others}")


SLOW = """ pid | state | age | query
-----+-------+-----+------
 8121 | active | 00:00:41 | SELECT id, status FROM coupons WHERE coupon_code = $1
 8133 | active | 00:00:39 | SELECT id, status FROM coupons WHERE coupon_code = $1
 8140 | active | 00:00:02 | SELECT a FROM users WHERE id = $1"""
INDEXES = """ indexname | indexdef
-----------+----------
 coupons_pkey | CREATE UNIQUE INDEX coupons_pkey ON public.coupons USING btree (id)
 coupons_user | CREATE INDEX coupons_user ON public.coupons USING btree ({})"""
DESCRIBED = """Indexes:
    "coupons_pkey" PRIMARY KEY, btree (id)
    "coupons_user" btree ({})"""


@for_each("shown", [INDEXES, DESCRIBED])
@for_each(
    ("columns", "verdict"),
    [("user_id", Verdict.CONFIRMED), ("user_id, coupon_code", Verdict.CONFIRMED), ("coupon_code", Verdict.DENIED)],
)
def test_a_list_of_indexes_is_compared_with_the_slow_statement(shown: str, columns: str, verdict: Verdict) -> None:
    """What the statement of most rows filters by, shown before or beside, leads one of the indexes or none."""
    message = shown.format(columns)
    found = reader().read(message, Topics(pending=("P-0078",), before=(SLOW,)))
    told = {item.reading.phenomenon_id: item.reading for item in found.readings}
    assert (told["P-0078"].verdict, told["P-0078"].standing) == (verdict, Standing.COUNTS)
    assert counted(f"{SLOW}\n\n{message}")["P-0078"] is verdict
    assert "P-0078" not in counted(message)


@for_each("condition", ["state like 'idle in t%'", "state = 'idle in transaction'"])
@for_each("form", [" pid  | ?column?\n------+-----\n {} | {}", " {} | {}"])
def test_what_a_condition_leaves_need_not_stand_in_the_rows(condition: str, form: str) -> None:
    """A state that the query asks for is that of each row, whether the heading was copied or not."""
    query = f"select pid, now()-xact_start from pg_stat_activity where {condition} limit 3"
    assert counted(f"{query}\n{form.format(9911, '00:31:02.1')}")[IN_TRANSACTION] is Verdict.CONFIRMED
    assert IN_TRANSACTION not in read(f"{query}\n{form.format(9911, '00:01:02.1')}")


def test_a_column_is_told_by_its_values() -> None:
    """A `wait` of Lock is the type of what is waited for: such sessions lead in no time, they wait for locks."""
    rows = "\n".join(f" 77{each} | active | Lock | 00:41:02 | SELECT a FROM t FOR UPDATE" for each in range(14, 18))
    found = counted(f" pid | state | wait | age | q\n{rows}")
    assert found["P-0021"] is Verdict.CONFIRMED
    assert ONE_STATEMENT not in found


@pytest.mark.parametrize("rows", ["max_wal_size | 1GB", " max_wal_size | 1GB\n checkpoint_timeout | 5min"])
def test_settings_without_a_heading_are_read_as_said(rows: str) -> None:
    """One row of pg_settings or several, the heading left out."""
    assert counted(rows)["P-0123"] is Verdict.CONFIRMED


def test_whose_output_it_is_tells_nothing_of_its_own() -> None:
    """A label before a table answers no question; what another system's sessions do is not of this one."""
    table = "client_addr | state | replay_lag\n10.0.0.7 | streaming | 00:21:44"
    assert "P-0141" not in read(f"主库上\n{table}", "P-0141")
    other = "pid | state | xact_start | query\n771 | active | 2026-11-28 03:10:00+00 | SELECT 1"
    assert "P-0024" in counted(other)
    assert "P-0024" not in counted(f"备库 pg_stat_activity\n{other}")
