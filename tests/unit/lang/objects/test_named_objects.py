"""Objects that whole messages name: in words, in statements and in pasted rows."""

from __future__ import annotations

import pytest

from lang.objects import PID, Role, bind, later_role, names_to_bind
from lang.objects.named_objects import objects_named
from tests.support.cases import for_each

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


@for_each(
    ("message", "expected"),
    [
        ("是 events 表 灌了 3 亿行", ("table", "events")),
        ("the orders table is huge", ("table", "orders")),
        ("估 1 行实际 200 万行，表 events", ("table", "events")),
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


@for_each(
    "message",
    [
        "the big table is slow",
        "which table should i analyze",
        "哪个表要 analyze",
        "analyze helped",
        "the explain analyze one never ends",
        "ran the analyze thing already",
        "same batch from cron at 2",
        "wal is 5x of normal, says a guy from storage",
        "the index is missing",
        "没有这张表",
        "锁表 alter 卡住了",
        "慢的表 top 10",
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
    bound = {"pid": "30172", "ddl_pid": "31544", "table": "orders", "whose": "30172>->idle"}
    assert names_to_bind(objects_named(SESSIONS)) == bound


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


QUEUE = """
 pid  | state               | wait_event_type | {by} | query
------+---------------------+-----------------+------------+----------------------------------
 4711 | active              | Client          | {{}}         | UPDATE orders SET a = 1
 4802 | active              | Lock            | {{4711}}     | {head}
 4810 | active              | Lock            | {{4802,4711}}| SELECT * FROM orders WHERE id = 7
"""


@for_each("by", ["blocked_by", "pg_blocking_pids", "blocking_pids", "blockers_pids"])
def test_the_root_the_head_and_the_end_of_a_queue_are_told_apart(by: str) -> None:
    """Who waits and blocks is the head, who only blocks holds the others up, who only waits is the last."""
    found = {each.name: each for each in objects_named(QUEUE.format(by=by, head="UPDATE orders SET b = 2"))}
    assert (found["4711"].culprit, found["4711"].role) == (True, Role.UNKNOWN)
    assert (found["4802"].culprit, found["4802"].role) == (False, Role.HEAD)
    assert (found["4810"].culprit, found["4810"].role) == (False, Role.LAST)
    altered = objects_named(QUEUE.format(by=by, head="ALTER TABLE orders ADD c int"))
    assert names_to_bind(altered) == {"pid": "4711", "ddl_pid": "4802", "table": "orders"}


def test_a_ddl_in_the_way_is_to_be_cancelled_not_ended_as_the_old_transaction() -> None:
    """A blocker whose own statement is a DDL fills the blank of the DDL, and not that of the session to end."""
    rows = """
 blocked_pid | blocked_statement               | blocking_pid | current_statement_in_blocking_process
-------------+---------------------------------+--------------+--------------------------------------
        7100 | update invoices set paid = true |         7044 | ALTER TABLE invoices ADD CONSTRAINT c
"""
    names = names_to_bind(objects_named(rows))
    assert (names.get("ddl_pid"), names.get("pid")) == ("7044", None)


@for_each(
    ("message", "role"),
    [
        ("ALTER TABLE orders ADD COLUMN since 10 min, waits for lock. pid 7781", Role.DDL),
        ("pid 7781 在跑 alter table orders，等锁", Role.DDL),
        ("pid 7781 blocks the ALTER TABLE orders", Role.UNKNOWN),
        ("alter table orders 被 pid 7781 挡住", Role.UNKNOWN),
        ("pid 7781 is idle in transaction, the alter table waits", Role.UNKNOWN),
    ],
)
def test_a_session_that_is_said_to_change_a_table_does(message: str, role: Role) -> None:
    """The one session beside a DDL is the one that runs it, unless the words make it the one in the way."""
    (session,) = [each for each in objects_named(message) if each.kind == "pid"]
    assert session.role is role


def test_rows_of_two_sessions_give_each_its_own_role() -> None:
    """In a row of a waiting and a blocking session the statement of one says nothing of the other."""
    rows = """
 blocked_pid | blocked_query                   | blocking_pid | blocking_query
-------------+---------------------------------+--------------+-----------------------
        4802 | ALTER TABLE orders ADD c int    |         4711 | SELECT 1
        4810 | SELECT * FROM orders            |         4802 | ALTER TABLE orders ADD c int
"""
    found = {each.name: each for each in objects_named(rows)}
    assert found["4711"].culprit
    assert found["4802"].role is Role.DDL
    assert found["4810"].role is Role.LAST


@for_each(
    "message",
    [
        "ALTER TABLE orders ADD CONSTRAINT fk1 FOREIGN KEY (customer_id) REFERENCES customers (id)",
        "orders.customer_id references customers, no index. DELETE FROM customers WHERE id = 5 is slow",
        "orders has a foreign key on customers, column customer_id",
        "orders 的 customer_id 外键指向 customers，删 customers 很慢",
        'SELECT 1 FROM ONLY "public"."orders" x WHERE $1 OPERATOR(pg_catalog.=) "customer_id" FOR KEY SHARE OF x',
        " child_table | parent_table | fk_columns\n-------------+--------------+---\n orders | customers | customer_id",
        " table_name | column_name | referenced\n------------+-------------+---\n orders     | customer_id | customers",
    ],
)
def test_an_index_for_a_foreign_key_belongs_to_its_child(message: str) -> None:
    """The child and its column fill the blanks of the index, and the parent never stands for a table."""
    names = names_to_bind(objects_named(f"DELETE FROM customers WHERE id = 1 takes 30 s\n\n{message}"))
    index = bind("CREATE INDEX CONCURRENTLY <name> ON <child> (<fk_column>);", names)
    assert index == "CREATE INDEX CONCURRENTLY <name> ON orders (customer_id);"
    assert "PUBLIC" in message.upper() or names.get("table") == "orders"


@for_each("message", ["the foreign key is fine", "it references the docs", "外键没问题", "orders to ship"])
def test_words_of_keys_without_names_are_no_sides(message: str) -> None:
    """What names no two tables is no foreign key."""
    assert not {kind for kind, _ in named(message)} & {"child", "parent", "fk_column"}


HEADLESS = """ 5120 | flyway   | {4410} | active | ALTER TABLE orders ADD COLUMN gift_note text
 5133 | checkout | {5120} | active | INSERT INTO orders (customer_id, cart_id, total_cents, statu
 5136 | checkout | {5120} | active | UPDATE orders SET status = $1, updated_at = now() WHERE id ="""
OWN = "select pid, application_name app, pg_blocking_pids(pid), state, left(query,60) q from pg_stat_activity;"


@for_each("above", ["", "found this:\n", "我自己查的：\n", f"{OWN}\n"])
def test_rows_without_a_heading_tell_the_roles_of_sessions(above: str) -> None:
    """The DDL in the queue, who is in its way and who only waits, with the query that printed them or without."""
    seen = {each.name: each for each in objects_named(above + HEADLESS) if each.kind == "pid"}
    assert (seen["5120"].role, seen["5120"].culprit, seen["4410"].culprit) == (Role.DDL, False, True)
    assert {seen[name].role for name in ("5133", "5136")} == {Role.LAST}


@for_each(
    ("message", "column"),
    [
        ("ALTER TABLE invoices ADD FOREIGN KEY (customer_id) REFERENCES customers (id)", "customer_id"),
        ("invoices.customer_id has no index, 80 million rows", "customer_id"),
        ("invoices.customer_id 上没有索引", "customer_id"),
        ("order_items.photo_to_id references photos", "photo_to_id"),
    ],
)
def test_a_column_is_taken_whole(message: str, column: str) -> None:
    """A name is never cut where a word such as "to" stands inside of it."""
    assert [each.name for each in objects_named(message) if each.kind == "fk_column"] == [column]


@pytest.mark.parametrize("message", ["create index on invoices (customer_id)?", "invoices(customer_id) is missing one"])
def test_half_a_name_is_no_side_of_a_foreign_key(message: str) -> None:
    """A statement that refers to nothing names no parent."""
    assert not any(each.kind == "parent" for each in objects_named(message))


def test_what_replicates_is_a_standby_and_no_application() -> None:
    """The application_name of a row about replication is a standby, and that of a synchronous one is what is set."""
    head = " application_name | state | sync_state | flush_lag\n------+------+------+------\n"
    rows = f"{head} standby1 | streaming | sync | 0.5\n"
    assert {("standby", "standby1"), ("sync_names", "standby1")} <= named(rows)
    assert not any(kind == "app" for kind, _ in named(rows))
    assert ("app", "billing") in named(" pid | application_name | state\n-----+-----+-----\n 4711 | billing | active\n")


@for_each(
    ("message", "ddl", "held"),
    [
        ("the ALTER TABLE orders (pid 5120) is waiting for pid 4410", "5120", "4410"),
        ("迁移的 ALTER（进程 5120）在等 4410", "5120", "4410"),
        ("5133 is blocked by 4410", "", "4410"),
        ("waiting for 300 s already", "", ""),
    ],
)
def test_words_place_sessions_in_the_queue(message: str, ddl: str, held: str) -> None:
    """The session of a DDL and the one that is waited for are told apart by the words at them."""
    seen = objects_named(message)
    assert [each.name for each in seen if each.role is Role.DDL] == ([ddl] if ddl else [])
    assert [each.name for each in seen if each.culprit] == ([held] if held else [])


ROOT = """
 root_pid | application_name | state               | waiters | last_query
----------+------------------+---------------------+---------+-------------------------------
    18833 | settle-job       | idle in transaction |      31 | SELECT id FROM account FOR UPDATE
"""
TUPLE = """
 locktype      | relation | waiters | blocked_by
---------------+----------+---------+-------------------------
 transactionid |          |       9 | {{18833}}
 tuple         | account  |      23 | {{20117,20342},{20342}}
"""
GROUPED = """
 locktype      | waiters | blocked_by
---------------+---------+------------------------
 transactionid |       9 | {18833,20117,20342}
"""
IDLE = """
 pid   | state               | query
-------+---------------------+-----------------
 30172 | idle in transaction | SELECT 1
 18833 | idle in transaction | SELECT 2
"""


@for_each(
    "message",
    [
        TUPLE,
        f"{GROUPED}\n\n{ROOT}",
        f"{ROOT}\n\n{GROUPED}",
        f"{IDLE}\n\n pid | pg_blocking_pids\n-----+-----\n 20117 | {{18833}}\n",
        f"{IDLE}\n\n  pid  | pg_blocking_pids | wait_event\n 20117 | {{18833}}          | relation\n",
        f"{IDLE}\n\n18833 blocks the alter",
        f"{IDLE}\n\n就是 18833 一直堵着",
    ],
)
def test_the_one_that_all_wait_for_is_the_only_one_to_end(message: str) -> None:
    """Who is named as the root, or as in the way, goes before who waits as well and before who is only idle."""
    assert names_to_bind(objects_named(message))["pid"] == "18833"


@for_each("question", ["does 18833 block it?", "18833 blocks it?", "read 18833 blocks", "18833 堵着吗？"])
def test_a_question_or_a_count_puts_nobody_in_the_way(question: str) -> None:
    """What is asked of a session, and what is counted, is not told of it."""
    assert not any(each.culprit for each in objects_named(question))


@for_each("name", ["prod", "staging", "production", "everyone", "the", "tonight"])
@for_each("words", ["analyze on {}", "vacuum {}", "update {}", "表 {}", "loaded rows into {}", "给 {} 加一列"])
def test_environments_and_people_are_no_tables(words: str, name: str) -> None:
    """A word for an environment, a time or people names no table, whatever verb it stands after."""
    assert not named(words.format(name))


@for_each(
    ("condition", "key"),
    [
        ("(lower((email)::text) = $1)", "lower(email)"),
        ("((email)::text = 'a@b.c'::text)", "email"),
        ("(customer_id = 42)", "customer_id"),
        ("((u.status = 'new'::text) AND (u.created_at > now()))", "status, created_at"),
        ("((created_at)::date = '2024-01-01'::date)", "((created_at)::date)"),
        ("((id)::numeric = '12'::numeric)", "((id)::numeric)"),
    ],
)
@for_each("how", ["<table> (<column>)", "<table> (lower(<column>))", "<table> ((<column>::numeric))"])
def test_an_index_is_on_what_the_filter_of_a_whole_scan_compares(how: str, condition: str, key: str) -> None:
    """The table and the expression of a pasted filter fill an index, whatever other tables were named."""
    plan = (
        f" Seq Scan on users u  (cost=0.00..1 rows=1 width=8)\n   Filter: {condition}\n   Rows Removed by Filter: 9\n"
    )
    names = names_to_bind(objects_named(f"select * from orders;\n\n{plan}"))
    assert bind(f"CREATE INDEX <name> ON {how};", names) == f"CREATE INDEX <name> ON users ({key});"
    assert names["table"] == "users"


@for_each("condition", ["((a = 1) OR (b = 2))", "(a IS NULL)", "(a = b)", "(random() < '0.5'::numeric)"])
def test_a_filter_that_no_index_fits_fills_nothing(condition: str) -> None:
    """Alternatives, two columns and conditions without a value leave the blank open."""
    plan = f" Seq Scan on users  (cost=0.00..1 rows=1 width=8)\n   Filter: {condition}\n"
    assert "key" not in names_to_bind(objects_named(plan))


def test_a_filter_told_within_a_sentence_is_read_to_its_end() -> None:
    """What stands behind the bracket of a filter is no part of it."""
    said = "计划是 Seq Scan on users, Filter: (lower((email)::text) = $1), rows removed 4百多万"
    assert names_to_bind(objects_named(said))["key"] == "users (lower(email))"


ON_ONE_TABLE = """
  pid  | state  | wait_event_type | wait_event |   age    |                       query
-------+--------+-----------------+------------+----------+----------------------------------------------------
 20311 | active | IO              | DataFileRead | 01:52:07 | select c.region from customers c join orders
 21877 | active | Lock            | relation   | 00:11:48 | ALTER TABLE customers ADD COLUMN loyalty_tier text
 21902 | active | Lock            | relation   | 00:11:45 | SELECT * FROM customers WHERE id = $1
"""


def test_the_only_session_on_the_table_that_others_wait_for_is_in_the_way() -> None:
    """Where the rows tell no blockers, the one session that works on that table and does not wait is to be ended."""
    names = names_to_bind(objects_named(ON_ONE_TABLE))
    assert bind("SELECT pg_terminate_backend(:root_pid);", names) == "SELECT pg_terminate_backend(20311);"
    assert names["ddl_pid"] == "21877"
    two = ON_ONE_TABLE + " 20444 | active | IO | DataFileRead | 03:00:07 | select * from customers\n"
    assert "pid" not in names_to_bind(objects_named(two))


@for_each(
    "word", ["since", "after", "the", "on", "for", "now", "until", "during", "then", "because", "ago", "which", "hours"]
)
@for_each(
    "frame", ["did anyone run analyze {} the load", "{} 表 很慢", "loaded 3 M rows into {} orders", "vacuum {} lunch"]
)
def test_words_of_grammar_and_time_are_no_objects(word: str, frame: str) -> None:
    """A word that relates others or tells when is never offered as an object; what else is named fills the blank."""
    assert all(name != word for _, name in named(frame.format(word)))
    both = objects_named(f"select * from orders\n\n{frame.format(word)}")
    assert names_to_bind(both)["table"] == "orders"


@for_each(
    ("message", "held"),
    [
        ("its always the same guy on top, 18733, everyone waits for him", "18733"),
        ("it is 18733. the others are all stuck behind it.", "18733"),
        ("one single session is blocking everybody, 18733", "18733"),
        ('looked up 18733, it says "idle in transaction", sitting there since 1h32. who is it', "18733"),
        ("所有人都在等 18733", "18733"),
        ("18733 一直排在最前面", "18733"),
        ("查到是18733。大家都卡在它后面", "18733"),
        ("查了下 18733 是 idle in transaction 挂了一个半小时", "18733"),
        (" 18733 | app | idle in transaction | 01:32:10", "18733"),
        ("is 18733 blocking everyone?", ""),
        ("18733 是不是堵住了所有人", ""),
        ("nobody waits for 18733", ""),
        ("没人在等 18733", ""),
        ("18733 is not blocking everyone", ""),
        ("18733 and 20114, everyone waits for him", ""),
        ("5000 rows, everyone waits for him", ""),
        ("300 sessions, all wait for one lock", ""),
    ],
)
def test_the_session_that_words_put_in_the_way_holds_the_others_up(message: str, held: str) -> None:
    """A bare number that all wait for, or that is idle in a transaction is to be acted on; a question tells none."""
    assert [each.name for each in objects_named(message) if each.kind == PID and each.culprit] == [held] * bool(held)


ALTERING = """
  pid  | usename | state  | wait_event_type | wait_event | age | query
-------+---------+--------+-----------------+------------+-----+-------
 18822 | report  | active | IO   | DataFileRead | 02:04:11.553  | SELECT c.region, sum(o.total) FROM custo
 20411 | deploy  | active | Lock | relation | 00:17:42.118904 | ALTER TABLE customers ADD COLUMN tier text
 20455 | app     | active | Lock | relation | 00:17:40.902113 | SELECT id FROM customers WHERE id = $1
 20460 | app     | active | Lock | relation | 00:17:39.417220 | UPDATE customers SET last_seen = now()
"""
LEAKING = """
 application_name | state  | count | max_idle
------------------+--------+-------+-----------------
 billing          | idle   |   187 | 06:41:12.530112
 billing          | active |     3 | 00:00:00.012
 web-frontend     | idle   |     4 | 00:00:07.19
 psql             | active |     1 |
"""


def test_the_oldest_that_waits_for_nobody_is_in_the_way() -> None:
    """Where a statement is cut off before its table, the one older session that waits for nobody is the root."""
    bound = names_to_bind(objects_named(f"here:\n{ALTERING}"))
    assert (bound["pid"], bound["ddl_pid"]) == ("18822", "20411")


@pytest.mark.parametrize("younger", ["00:17:00", "00:00:02"])
def test_a_younger_session_is_not_taken_for_the_root(younger: str) -> None:
    """A session that began after the queue did is not what the queue waits for."""
    assert "pid" not in names_to_bind(objects_named(f"here:\n{ALTERING.replace('02:04:11.553', younger)}"))


def test_the_application_with_most_connections_is_the_one() -> None:
    """Of the applications in an output, the one with far more connections fills the blank."""
    assert names_to_bind(objects_named(f"got this:\n{LEAKING}"))["app"] == "billing"
    assert "app" not in names_to_bind(objects_named(f"got this:\n{LEAKING.replace('187', '5')}"))


@for_each(
    "said",
    [
        "we have 2 replicas btw, pg-b and pg-c",
        "备库有两个，pg_b 和 pg_c",
        "standby pg_b is dead. pg_c is async and streaming",
    ],
)
def test_standbys_that_are_named_fill_the_list(said: str) -> None:
    """Standbys named in words are those that commits may wait for; nobody's names are made up."""
    step = "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (<standbys>)';"
    assert "ANY 1 (pg_b, pg_c)" in bind(step, names_to_bind(objects_named(said)))
    assert bind(step, names_to_bind(objects_named("commits hang"))) == step


AGGREGATE = """ GroupAggregate  (cost=1893.21..1894.11 rows=40 width=48)
   Group Key: c.region
   ->  Sort  (cost=1893.21..1893.31 rows=40 width=24)
         Sort Key: c.region
         ->  Nested Loop  (cost=1.00..1892.15 rows=40 width=24)
               ->  Seq Scan on orders o  (cost=0.56..161.36 rows=40 width=16)
               ->  Index Scan using customers_pkey on customers c  (cost=0.43..8.45 rows=1 width=24)
                     Index Cond: (id = o.customer_id)"""


@for_each(
    "message",
    [
        AGGREGATE,
        f"here it is\n\n{AGGREGATE}",
        "select c.region from orders o join customers c on c.id = o.customer_id",
        "table o is big: SELECT 1 FROM orders AS o LEFT JOIN customers c ON true WHERE 1 = 1",
    ],
)
def test_what_a_statement_calls_a_table_is_no_table(message: str) -> None:
    """The aliases of a statement or its plan name no tables, and a plan's arrows refer to none."""
    tables = {each.name for each in objects_named(message) if each.kind in ("table", "child", "parent")}
    assert tables == {"orders", "customers"}


@pytest.mark.parametrize("state", ["idle in transaction", "active"])
def test_the_role_of_a_remedy_is_that_of_the_culprit(state: str) -> None:
    """A step for the role of an application names that of the session in the way, and no other one."""
    rows = f"""
  pid  | usename  | application_name |        state        | wait_event_type | xact_age |              query
-------+----------+------------------+---------------------+-----------------+----------+---------------------------------
 18733 | backend  | backoffice       | {state:19} | Client          | 02:04:51 | update orders set status = 'x'
 20411 | shop     | checkout         | active              | Lock            | 00:00:51 | update orders set status = 'y'
"""
    step = "ALTER ROLE app_role SET idle_in_transaction_session_timeout = '60s'; -- <app>"
    names = names_to_bind(objects_named(rows))
    assert bind(step, names) == "ALTER ROLE backend SET idle_in_transaction_session_timeout = '60s'; -- backoffice"
    assert bind(step, {}) == step


WRAPAROUND = """
 waiter |     waiting_statement    | autovacuum_pid |                        autovacuum
--------+--------------------------+----------------+----------------------------------------------------------
  11873 | ALTER TABLE events ADD x |           9120 | autovacuum: VACUUM public.events (to prevent wraparound)
"""
BLOCKED = """
  pid  | blocked_by |                   query                    |                 blocking_query
-------+------------+--------------------------------------------+--------------------------------------------------
 11873 | {9120}     | ALTER TABLE events ADD COLUMN x text       | autovacuum: VACUUM events (to prevent wraparound)
"""


@for_each(
    "message",
    [
        WRAPAROUND,
        BLOCKED,
        "the ALTER (pid 11873) waits behind an autovacuum (pid 9120)",
        "ALTER 是会话 11873，9120 是防回卷的 autovacuum",
        f"{WRAPAROUND}\n11873 is blocked by 9120",
    ],
)
def test_an_autovacuum_is_never_the_session_of_a_ddl_nor_one_to_terminate(message: str) -> None:
    """Rows and words settle which session is the DDL's and which is the worker's; the worker fills no other blank."""
    bound = names_to_bind(objects_named(message))
    assert bound["autovacuum_pid"] == "9120"
    assert bound.get("ddl_pid", "11873") == "11873"
    assert bound.get(PID) is None
    assert bind("SELECT pg_cancel_backend(:autovacuum_pid);", bound) == "SELECT pg_cancel_backend(9120);"


def test_what_the_server_does_stays_its_own_whatever_is_told_later() -> None:
    """A worker that was shown as such is no DDL and no session to end by a later word."""
    assert later_role("autovacuum", "holds") == later_role("autovacuum", "ddl") == "autovacuum"
    assert later_role("holds", "autovacuum") == "autovacuum"


def test_the_role_of_the_session_in_the_way_fills_the_statements_of_roles() -> None:
    """A row of the session tells whose it is, though another output told that it is in the way."""
    row = "  pid  | usename | state  | query\n-------+---------+--------+--------------------\n"
    bound = names_to_bind(
        objects_named(f"20411 is blocked by 18822\n\n{row} 18822 | finance | active | SELECT sum(x) FROM orders\n")
    )
    assert (
        bind("ALTER ROLE app_role RESET idle_session_timeout", bound) == "ALTER ROLE finance RESET idle_session_timeout"
    )
    assert bind("VACUUM (FREEZE) big_table;", {"table": "events"}) == "VACUUM (FREEZE) events;"


def test_a_table_with_its_schema_and_without_is_one() -> None:
    """The same table is no choice of two."""
    assert names_to_bind(objects_named("events 表写不进去，autovacuum: VACUUM public.events"))["table"] == "events"


@for_each(
    "message",
    [
        "does that make the vacuum write faster?",
        "ok i leave the vacuum alone",
        "让 vacuum 慢点，别写满盘",
        "is an analyze enough",
        "the source reads binlog.004917, the relay log is db-r2-relay-bin.000233",
    ],
)
def test_a_word_of_a_sentence_is_no_object(message: str) -> None:
    """A verb names a table only as in a statement, and the file of a source or a relay log fills no blank."""
    assert not [each for each in objects_named(message) if each.kind in ("table", "binlog")]


@for_each("message", ["VACUUM events;", "vacuum (verbose) events;", "跑了 analyze events", "vacuum booking_line"])
def test_a_statement_names_its_table(message: str) -> None:
    """Capitals, a semicolon, brackets, who ran it or a name of several parts tell a statement."""
    assert {name for kind, name in named(message) if kind == "table"} & {"events", "booking_line"}


APPLIERS = """
| Id | User        | Host      | db   | Command | Time | State          | Info                                       |
+----+-------------+-----------+------+---------+------+----------------+--------------------------------------------+
| 61 | system user |           | shop | Query   | 4391 | altering table | ALTER TABLE items ADD COLUMN promo_id INT |
| 62 | bi_report   | 10.0.0.40 | shop | Query   |    3 | executing      | SELECT 1 FROM orders                       |
"""


def test_a_thread_that_replays_is_none_to_end() -> None:
    """What runs as the system user of MySQL is the server's own, whatever statement it replays."""
    seen = objects_named(APPLIERS)
    assert [each.role for each in seen if each.name == "61"] == [Role.APPLIER]
    assert not {PID, "ddl_pid"} & names_to_bind(seen).keys()
