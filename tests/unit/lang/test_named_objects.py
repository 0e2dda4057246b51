"""Objects that whole messages name: in words, in statements and in pasted rows."""

from __future__ import annotations

import pytest

from lang.objects import Role, bind, names_to_bind
from lang.objects.named_objects import objects_named

SESSIONS = """
  pid  |        state        |   age    | wait_event_type |  wait_event   |            query
-------+---------------------+----------+-----------------+---------------+-----------------------------------------
 30172 | idle in transaction | 00:41:22 | Client          | ClientRead    | select o.id from orders o where ...
 31544 | active              | 00:06:10 | Lock            | relation      | ALTER TABLE orders ADD COLUMN promo text
 31601 | active              | 00:06:02 | Lock            | relation      | SELECT * FROM orders WHERE id = $1
"""
SLOTS = """
  slot_name  | slot_type | active | retained
-------------+-----------+--------+----------
 old_bi_cdc  | logical   | f      | 412 GB
 replica_dc2 | physical  | t      | 38 MB
"""
PLAN = """
 Nested Loop  (cost=0.57..16.61 rows=1 width=84) (actual time=0.211..538112.402 rows=2104377 loops=1)
   ->  Index Scan using events_created_at_idx on events e  (cost=0.57..8.59 rows=1 width=48)
"""


def named(message: str) -> set[tuple[str, str]]:
    """The kinds and names of what a message names."""
    return {(each.kind, each.name) for each in objects_named(message)}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("是 events 表 灌了 3 亿行", ("table", "events")),
        ("the orders table is huge", ("table", "orders")),
        ("public.orders 这张表很大", ("table", "public.orders")),
        ("ALTER TABLE orders ADD COLUMN x int 卡住了", ("table", "orders")),
        ("ran analyze events, back to 2 s", ("table", "events")),
        ("drop index concurrently idx_orders_old 跑完了", ("index", "idx_orders_old")),
        ("select pg_drop_replication_slot('old_bi_cdc') 成功", ("slot", "old_bi_cdc")),
        ("ROLLBACK PREPARED 'tx_9911' done", ("gid", "tx_9911")),
        (f"explain:\n{PLAN}", ("table", "events")),
        ("pid 4711 is idle in transaction", ("pid", "4711")),
    ],
)
def test_what_a_message_names_is_found(message: str, expected: tuple[str, str]) -> None:
    """A name before or after its kind, in a statement, a call or a plan is an object of that kind."""
    assert expected in named(message)


@pytest.mark.parametrize(
    "message",
    [
        "the big table is slow",
        "which table should i analyze",
        "哪个表要 analyze",
        "analyze helped",
        "same batch from cron at 2",
        "wal is 5x of normal, says a guy from storage",
        "the index is missing",
        "没有这张表",
        "",
    ],
)
def test_words_that_name_nothing_are_no_objects(message: str) -> None:
    """Articles, verbs and places beside a kind or a statement's verb are names of nothing."""
    assert named(message) == set()


def test_a_row_tells_what_its_session_does() -> None:
    """The idle transaction holds others up, the DDL is told from it, and those that wait are neither."""
    found = {each.name: each for each in objects_named(SESSIONS)}
    assert found["30172"].culprit
    assert found["31544"].role is Role.DDL
    assert found["31601"].role is Role.WAITS
    assert names_to_bind(objects_named(SESSIONS)) == {"pid": "30172", "ddl_pid": "31544", "table": "orders"}


def test_a_slot_in_use_is_nothing_to_drop() -> None:
    """Of two slots the inactive one fills the blank, whichever comes first."""
    assert names_to_bind(objects_named(SLOTS))["slot"] == "old_bi_cdc"
    assert (
        bind("SELECT pg_drop_replication_slot('<slot>');", names_to_bind(objects_named(SLOTS))).count("old_bi_cdc") == 1
    )


def test_what_a_person_says_goes_before_what_a_plan_names() -> None:
    """Where a plan has several tables, the one that was said in words fills the blank."""
    plan = PLAN + "   ->  Index Scan using accounts_pkey on accounts a  (cost=0.43..8.02 rows=1 width=36)\n"
    assert "table" not in names_to_bind(objects_named(plan))
    assert names_to_bind(objects_named(f"events 表刚灌了数据\n{plan}"))["table"] == "events"


def test_a_name_stands_in_quotes_where_sql_takes_a_value() -> None:
    """A parameter of a statement is filled with a quoted name and a bare number; a blank takes the name as it is."""
    assert bind("application_name = :app", {"app": "billing-api"}) == "application_name = 'billing-api'"
    assert bind("pg_blocking_pids(:ddl_pid)", {"ddl_pid": "31544"}) == "pg_blocking_pids(31544)"
    assert bind("systemctl restart <service>", {"app": "billing-api"}) == "systemctl restart billing-api"
    assert bind("id::app_id", {"app": "x"}) == "id::app_id"
