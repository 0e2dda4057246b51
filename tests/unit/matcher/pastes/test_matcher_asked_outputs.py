"""The outputs of the shipped checks, as people paste them back: each is judged by its own check's rule."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import NO_TOPICS, MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

NOW = 1795500000.0
FOREIGN_KEYS = """ schema_name | child_table | parent_table |      conname       | fk_columns | child_rows
-------------+-------------+--------------+--------------------+------------+------------
 public      | order_items | orders       | order_items_ord_fk | order_id   |   48230112
(1 row)"""


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def readings_of(reader: MessageReader, message: str, topics: Topics = NO_TOPICS) -> dict[str, tuple[str, str]]:
    found = [item.reading for item in reader.read(message, topics, NOW).readings]
    return {
        each.phenomenon_id: (each.verdict.name if each.verdict else "", each.standing.name if each.standing else "")
        for each in found
    }


def counted(reader: MessageReader, message: str, topics: Topics = NO_TOPICS) -> set[tuple[str, Verdict | None]]:
    found = [item.reading for item in reader.read(message, topics, NOW).readings]
    return {(each.phenomenon_id, each.verdict) for each in found if each.standing is Standing.COUNTS}


@for_each("words", ["started after we added a bunch of child tables", "磁盘好像要满了", "pg_wal 610G"])
@for_each("asked", ["P-0106", "P-0016", "P-0131"])
def test_an_output_without_words_answers_no_open_question(reader: MessageReader, words: str, asked: str) -> None:
    """What the person said before is not taken for the answer to the value that was asked for."""
    found = readings_of(reader, FOREIGN_KEYS, Topics(asked=asked, words=words))
    assert asked not in found


@for_each("pending", [(), ("P-0091",), ("P-0108", "P-0091")])
def test_rows_that_their_rule_leaves_open_are_asked_about(reader: MessageReader, pending: tuple[str, ...]) -> None:
    """The rows of a check that only a person can judge to the end are proposed, whether asked for or not."""
    assert readings_of(reader, FOREIGN_KEYS, Topics(pending=pending)) == {"P-0091": ("CONFIRMED", "PROPOSED")}
    small = FOREIGN_KEYS.replace("48230112", "    4823")
    assert counted(reader, small, Topics(pending=pending)) == {("P-0091", Verdict.DENIED)}


@for_each("cell", ["2026-10-21 11:02:07.112+00", "2026-11-24 05:59:58", "2026-11-24T05:59:58Z", "2026-11-24"])
@for_each("heading", ["xact_age", "age", "prepared", "count", "max_connections", "replay_lag", "xact_start", "pct"])
def test_a_point_in_time_is_no_number(reader: MessageReader, cell: str, heading: str) -> None:
    """A time, whatever the heading above it, is no length, no count and no share."""
    single = f" {heading}\n----------\n {cell}\n(1 row)"
    listed = f" pid | state | {heading}\n-----+-------+------\n 12 | active | {cell}\n(1 row)"
    asked = Topics(pending=("P-0024", "P-0044", "P-0029", "P-0134"))
    for message in (single, listed):
        for topics in (NO_TOPICS, asked):
            found = [item.reading for item in reader.read(message, topics, NOW).readings]
            started = {"P-0029"} | ({"P-0024"} if heading == "xact_start" else set())
            assert {each.phenomenon_id for each in found if each.standing is Standing.COUNTS} <= started
            assert not any("17925" in each.value or "e+09" in each.value for each in found)


VACUUM = """INFO:  vacuuming "shop.public.orders"
INFO:  finished vacuuming "shop.public.orders": index scans: 0
pages: 0 removed, 812331 remain, 812331 scanned (100.00% of total)
tuples: 0 removed, 61023311 remain, {dead} are dead but not yet removable, oldest xmin: 81231133
index scan not needed: 0 pages from table (0.00% of total) had 0 dead item identifiers removed
system usage: CPU: user: 0.12 s, system: 0.00 s, elapsed: 12.40 s
INFO:  analyzing "public.orders"
INFO:  "orders": scanned 30000 of 812331 pages, containing 2259000 live rows and 0 dead rows; 30000 rows in sample
VACUUM"""
OLD = """INFO:  table "orders": found 0 removable, 61023311 nonremovable row versions in 812331 out of 812331 pages
DETAIL:  {dead} dead row versions cannot be removed yet, oldest xmin: 812331
There were 0 unused item identifiers."""


@for_each("report", [VACUUM, OLD, '信息:  "orders": 已扫描 30000 页, containing 0 dead rows'])
@for_each("before", ["", "vacuum verbose:\n", "跑了下 vacuum:\n", "shop=# vacuum verbose orders;\n"])
def test_what_vacuum_reports_of_one_table_denies_nothing(reader: MessageReader, report: str, before: str) -> None:
    """Zeros in the report of VACUUM or ANALYZE are of one table and its sample; only trouble in it counts."""
    assert counted(reader, before + report.format(dead=0)) == set()
    if "{dead}" in report:
        assert counted(reader, before + report.format(dead=58000000)) == {("P-0069", Verdict.CONFIRMED)}


MOST = " max_connections\n-----------------\n 500\n(1 row)"
COUNTED = "select count(*) from pg_stat_activity;\n count\n-------\n {}\n(1 row)"
SIZES = "$ du -sh pg_wal base log\n{}\tpg_wal\n210G\tbase\n3.1G\tlog"
WAL_SIZE = " max_wal_size\n--------------\n 16GB\n(1 row)"


@for_each(
    ("first", "second", "pending", "verdict"),
    [
        (MOST, COUNTED.format(497), "P-0044", Verdict.CONFIRMED),
        (COUNTED.format(497), MOST, "P-0044", Verdict.CONFIRMED),
        (COUNTED.format(41), MOST, "P-0044", Verdict.DENIED),
        ("we have 497 connections open", MOST, "P-0044", Verdict.CONFIRMED),
        ("现在连接数 497", MOST, "P-0044", Verdict.CONFIRMED),
        (SIZES.format("81G"), WAL_SIZE, "P-0129", Verdict.CONFIRMED),
        (SIZES.format("81G"), "max_wal_size 是 16GB", "P-0129", Verdict.CONFIRMED),
        (SIZES.format("12G"), WAL_SIZE, "P-0129", Verdict.DENIED),
    ],
)
def test_a_value_and_its_whole_are_joined_across_messages(
    reader: MessageReader, first: str, second: str, pending: str, verdict: Verdict
) -> None:
    """A count, or the size of a directory, and what it is a part of decide in either order, said or pasted."""
    topics = Topics(pending=(pending,), before=(first,))
    assert (pending, verdict) in counted(reader, second, topics)
    assert pending not in {name for name, _ in counted(reader, first, Topics(pending=(pending,)))}
    assert (pending, verdict) in counted(reader, f"{first}\n{second}")


@for_each("message", [MOST, "max_connections is 500", "max_connections 设的 500"])
def test_the_whole_of_what_was_asked_asks_for_the_part(reader: MessageReader, message: str) -> None:
    """After the most connections allowed, how many are used is asked, and the number alone then decides."""
    assert readings_of(reader, message, Topics(pending=("P-0044", "P-0045"))) | {"P-0059": ("", "")} == {
        "P-0044": ("", "NEEDS_BASE"),
        "P-0059": ("", ""),
    }
    words = "max_connections 500"
    assert ("P-0044", Verdict.CONFIRMED) in counted(reader, "497", Topics(asked="P-0044", words=words))
    assert ("P-0044", Verdict.DENIED) in counted(reader, "就 41 个", Topics(asked="P-0044", words=words))


def test_a_count_without_a_name_is_proposed_for_what_was_asked(reader: MessageReader) -> None:
    """A value whose heading names another thing is not."""
    topics = Topics(pending=("P-0021",))
    assert readings_of(reader, " count\n-------\n 37\n(1 row)", topics) == {"P-0021": ("CONFIRMED", "PROPOSED")}
    assert "P-0021" not in readings_of(reader, " work_mem_kb\n-------\n 37\n(1 row)", topics)


NODE = "Delete on orders  ({}actual time=0.112..0.113 rows=0 loops=1)"
BELOW = """Planning Time: 0.121 ms
Trigger for constraint order_items_fk{}: time={} calls=1
Execution Time: 4825.220 ms"""


@for_each("plan", [NODE.format("cost=0.29..8.31 rows=0 width=0) ("), NODE.format(""), "", "它的计划:"])
@for_each("table", ["", " on order_items"])
def test_triggers_below_a_plan_are_read_with_their_names(reader: MessageReader, plan: str, table: str) -> None:
    """With or without costs, or copied without the plan, the slowest trigger is named, and its table where printed."""
    message = f"{plan}\n{BELOW.format(table, '4812.331')}"
    (found,) = [each.reading for each in reader.read(message).readings if each.reading.phenomenon_id == "P-0090"]
    assert (found.verdict, found.standing) == (Verdict.CONFIRMED, Standing.COUNTS)
    assert "trigger_name = order_items_fk" in found.value
    assert ("trigger_table = order_items" in found.value) is bool(table)
    assert not [name for name, _ in counted(reader, f"{plan}\n{BELOW.format(table, '0.331')}") if name == "P-0090"]


def test_a_trigger_line_alone_is_asked_about(reader: MessageReader) -> None:
    """Its share is not known without the run time; within a sentence its number of calls is no share."""
    line = "Trigger for constraint order_items_fk: time=4812.331 calls=1"
    assert readings_of(reader, line) == {"P-0090": ("CONFIRMED", "PROPOSED")}
    assert counted(reader, f"explain says {line}, 4.8 s in all") == set()


def test_a_list_of_all_slots_without_rows_denies_what_is_about_slots(reader: MessageReader) -> None:
    """Where no slot is, none is lost and none retains WAL; an excerpt says nothing of the rest."""
    heading = " slot_name | active | wal_status\n-----------+--------+------------\n(0 rows)"
    every = f"select slot_name, active, wal_status from pg_replication_slots;\n{heading}"
    assert counted(reader, every) == {("P-0132", Verdict.DENIED), ("P-0133", Verdict.DENIED)}
    assert counted(reader, every.replace("slots;", "slots where active;")) == set()


DELETE_PLAN = """ Delete on customers  (cost=0.43..8.45 rows=0 width=0) (actual time=0.061..0.062 rows=0 loops=1)
   ->  Index Scan using customers_pkey on customers  (cost=0.43..8.45 rows=1 width=6) (actual rows=1 loops=1)
 Planning Time: 0.112 ms
 Trigger for constraint invoices_customer_id_fkey: time=39800.114 calls=1
 Execution Time: 39800.671 ms"""


@for_each(
    "said",
    [
        "NO sync standby, one async replica only. did this in a rolled back txn:",
        "we have no standby, so:",
        "there is one replica, explain says",
        "没有备库，我自己跑的:",
        "就一个从库，计划:",
    ],
)
def test_words_that_a_standby_is_or_is_not_there_place_no_output_on_it(reader: MessageReader, said: str) -> None:
    """Only "on the standby" and its like make an output another system's."""
    assert ("P-0090", Verdict.CONFIRMED) in counted(reader, f"{said}\n{DELETE_PLAN}")
    assert ("P-0090", Verdict.CONFIRMED) not in counted(reader, f"on the standby, explain says:\n{DELETE_PLAN}")


DISK = """Device r/s w/s rkB/s wkB/s r_await w_await aqu-sz %util
sdb 2.1 38.0 33.6 912.4 180.22 {} 8.12 {}"""


@for_each("place", ["备库那台我ssh上去了：", "on the standby:", "iostat from the replica:"])
def test_what_iostat_shows_of_the_standby_is_of_its_disk(reader: MessageReader, place: str) -> None:
    """The disk of the standby has a phenomenon of its own; that of this host is another one."""
    slow, fast = DISK.format("203.51", "99.80"), DISK.format("3.51", "19.80")
    assert counted(reader, f"{place}\n{slow}") == {("P-0401", Verdict.CONFIRMED)}
    assert counted(reader, f"{place}\n{fast}") == {("P-0401", Verdict.DENIED)}
    assert not {name for name, _ in counted(reader, f"iostat:\n{slow}")} & {"P-0401"}


@for_each(
    ("said", "is_here"),
    [
        ("备库那台的盘 w_await 203ms，util 99.8%", False),
        ("the disk on the standby has w_await 203 ms, util 99.8 %", False),
        ("从库上 w_await 203ms，cpu 97%，util 99.8%", False),
        ("备库那台没事，主库的盘 util 99.8%", True),
        ("磁盘 util 99.8%", True),
    ],
)
def test_a_sentence_that_is_about_the_standby_stays_there(reader: MessageReader, said: str, is_here: bool) -> None:
    """The values after "on the standby" are of it until the sentence names this system."""
    assert (("P-0011", Verdict.CONFIRMED) in counted(reader, said)) is is_here
    assert ("P-0008", Verdict.CONFIRMED) not in counted(reader, said)


STATES = """        state        | count
---------------------+-------
 idle                |   {}
 active              |    21
 idle in transaction |     4
                     |     7"""


@for_each("limit", ["max_connections is 1000", "max_connections 是 1000", "最大连接数 1000"])
def test_sessions_counted_by_state_are_the_connections_in_use(reader: MessageReader, limit: str) -> None:
    """Their sum, without background processes, is judged with the limit, said before, beside or after."""
    for idle, verdict in ((958, Verdict.CONFIRMED), (120, Verdict.DENIED)):
        table = f"my own query:\n\n{STATES.format(idle)}\n\nso?"
        assert ("P-0044", verdict) in counted(reader, f"{limit}\n{table}")
        assert ("P-0044", verdict) in counted(reader, table, Topics(before=(limit,)))
        assert ("P-0044", verdict) in counted(reader, limit, Topics(before=(table,), pending=("P-0044",)))
        assert readings_of(reader, table)["P-0044"] == ("", "NEEDS_BASE")
    refused = f"FATAL:  sorry, too many clients already\n{limit}"
    assert ("P-0044", Verdict.CONFIRMED) in counted(reader, STATES.format(958), Topics(before=(refused,)))
    some = f"select state, count(*) from pg_stat_activity where usename = 'app' group by 1;\n{STATES.format(958)}"
    assert not {name for name, _ in counted(reader, some, Topics(before=(limit,)))} & {"P-0044"}


QUEUE = """ 5120 | flyway   | {4410}      | active | ALTER TABLE orders ADD COLUMN gift_note text
 5133 | checkout | {5120}      | active | INSERT INTO orders (customer_id, cart_id, total_cents, statu
 5136 | checkout | {5120}      | active | UPDATE orders SET status = $1, updated_at = now() WHERE id =
(3 rows)"""
OWN = "select pid, application_name app, pg_blocking_pids(pid), state, left(query,60) q from pg_stat_activity limit 6;"


@for_each("above", ["", "found this on the wiki:\n", "我自己查的：\n", f"{OWN}\n", f"again:\n\n{OWN}\n"])
def test_an_array_of_sessions_tells_who_is_in_the_way(reader: MessageReader, above: str) -> None:
    """Rows without a heading show waiters and the DDL among them, with the query that printed them or without."""
    assert counted(reader, above + QUEUE) == {("P-0021", Verdict.CONFIRMED), ("P-0022", Verdict.CONFIRMED)}
    columns = QUEUE.replace("{4410}", "{1,2}").replace("{5120}", "{3}")
    assert above.endswith(f"{OWN}\n") or counted(reader, above + columns) == set()


WALSENDER = " standby1 | streaming | sync | 00:00:00.0021 | 00:00:00.512 | 00:00:00.519"
SENDERS = "select application_name,state,sync_state,write_lag,flush_lag,replay_lag from pg_stat_replication;"


@for_each("before", ["", "备库在的，我刚看复制：\n", "it is there, look:\n"])
def test_a_row_below_a_query_has_the_columns_of_its_list(reader: MessageReader, before: str) -> None:
    """The query names the columns, although the row alone would tell only some of them."""
    assert ("P-0400", Verdict.CONFIRMED) in counted(reader, f"{before}{SENDERS}\n{WALSENDER}")
    swapped = SENDERS.replace("write_lag,flush_lag", "flush_lag,write_lag")
    assert ("P-0400", Verdict.CONFIRMED) not in counted(reader, f"{before}{swapped}\n{WALSENDER}")


@for_each(
    ("asked", "said", "verdict"),
    [
        ("P-0081", "上面那行你没看到？改动 267.8%", Verdict.CONFIRMED),
        ("P-0081", "267 % of it changed", Verdict.CONFIRMED),
        ("P-0081", "改动才 3%", Verdict.DENIED),
        ("P-0400", "sync，flush_lag 512ms，大于100ms", Verdict.CONFIRMED),
        ("P-0400", "flush_lag is 512 ms", Verdict.CONFIRMED),
        ("P-0045", "none of them is idle for hours, the oldest is 50 minutes", Verdict.DENIED),
        ("P-0045", "没有空闲几小时的", Verdict.DENIED),
        ("P-0045", "none are idle that long", Verdict.DENIED),
    ],
)
def test_values_in_the_words_of_the_check_that_was_asked_for(
    reader: MessageReader, asked: str, said: str, verdict: Verdict
) -> None:
    """They are its answer; where nothing was asked, words so general say nothing of it."""
    assert (asked, verdict) in counted(reader, said, Topics(pending=(asked,)))
    assert asked not in {name for name, _ in counted(reader, said)}


@for_each(
    ("words", "verdict"),
    [
        ("so yes. will it lock invoices?", Verdict.CONFIRMED),
        ("3 rows only, but it counts", Verdict.CONFIRMED),
        ("所以算有，怎么处理", Verdict.CONFIRMED),
        ("that's a no then", Verdict.DENIED),
        ("慢的不是 orders，不算有", Verdict.DENIED),
        ("这算有吗", None),
        ("is that a yes?", None),
        ("算有吧", None),
        ("what now?", None),
    ],
)
def test_what_a_person_makes_of_an_open_output_decides_it(
    reader: MessageReader, words: str, verdict: Verdict | None
) -> None:
    """Beside the output that was asked for, "so yes" and "不算有" are the answer; a question or a guess is none."""
    row = " public | order_items | orders | order_items_ord_fk | order_id | 48230112"
    for output in (row, FOREIGN_KEYS):
        found = counted(reader, f"first row:\n{output}\n{words}", Topics(pending=("P-0091",)))
        assert {told for name, told in found if name == "P-0091"} == ({verdict} if verdict else set())
