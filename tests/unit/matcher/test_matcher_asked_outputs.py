"""The outputs of the shipped checks, as people paste them back: each is judged by its own check's rule."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import NO_TOPICS, MessageReader
from services.matcher.model import Standing, Verdict
from services.matcher.training.texts import load_shipped_library

NOW = 1795500000.0
FOREIGN_KEYS = """ schema_name | child_table | parent_table |      conname       | fk_columns | child_rows
-------------+-------------+--------------+--------------------+------------+------------
 public      | order_items | orders       | order_items_ord_fk | order_id   |   48230112
(1 row)"""


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return MessageReader(load_shipped_library())


def readings_of(reader: MessageReader, message: str, topics: Topics = NO_TOPICS) -> dict[str, tuple[str, str]]:
    found = [item.reading for item in reader.read(message, topics, NOW).readings]
    return {
        each.phenomenon_id: (each.verdict.name if each.verdict else "", each.standing.name if each.standing else "")
        for each in found
    }


def counted(reader: MessageReader, message: str, topics: Topics = NO_TOPICS) -> set[tuple[str, Verdict | None]]:
    found = [item.reading for item in reader.read(message, topics, NOW).readings]
    return {(each.phenomenon_id, each.verdict) for each in found if each.standing is Standing.COUNTS}


@pytest.mark.parametrize("words", ["started after we added a bunch of child tables", "磁盘好像要满了", "pg_wal 610G"])
@pytest.mark.parametrize("asked", ["P-0106", "P-0016", "P-0131"])
def test_an_output_without_words_answers_no_open_question(reader: MessageReader, words: str, asked: str) -> None:
    """What the person said before is not taken for the answer to the value that was asked for."""
    found = readings_of(reader, FOREIGN_KEYS, Topics(asked=asked, words=words))
    assert asked not in found


@pytest.mark.parametrize("pending", [(), ("P-0091",), ("P-0108", "P-0091")])
def test_rows_that_their_rule_leaves_open_are_asked_about(reader: MessageReader, pending: tuple[str, ...]) -> None:
    """The rows of a check that only a person can judge to the end are proposed, whether asked for or not."""
    assert readings_of(reader, FOREIGN_KEYS, Topics(pending=pending)) == {"P-0091": ("CONFIRMED", "PROPOSED")}
    small = FOREIGN_KEYS.replace("48230112", "    4823")
    assert counted(reader, small, Topics(pending=pending)) == {("P-0091", Verdict.DENIED)}


@pytest.mark.parametrize(
    "cell", ["2026-10-21 11:02:07.112+00", "2026-11-24 05:59:58", "2026-11-24T05:59:58Z", "2026-11-24"]
)
@pytest.mark.parametrize(
    "heading", ["xact_age", "age", "prepared", "count", "max_connections", "replay_lag", "xact_start", "pct"]
)
def test_a_point_in_time_is_no_number(reader: MessageReader, cell: str, heading: str) -> None:
    """A time, whatever the heading above it, is no length, no count and no share."""
    single = f" {heading}\n----------\n {cell}\n(1 row)"
    listed = f" pid | state | {heading}\n-----+-------+------\n 12 | active | {cell}\n(1 row)"
    asked = Topics(pending=("P-0024", "P-0044", "P-0029", "P-0134"))
    for message in (single, listed):
        for topics in (NO_TOPICS, asked):
            found = [item.reading for item in reader.read(message, topics, NOW).readings]
            assert {each.phenomenon_id for each in found if each.standing is Standing.COUNTS} <= {"P-0029"}
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


@pytest.mark.parametrize("report", [VACUUM, OLD, '信息:  "orders": 已扫描 30000 页, containing 0 dead rows'])
@pytest.mark.parametrize("before", ["", "vacuum verbose:\n", "跑了下 vacuum:\n", "shop=# vacuum verbose orders;\n"])
def test_what_vacuum_reports_of_one_table_denies_nothing(reader: MessageReader, report: str, before: str) -> None:
    """Zeros in the report of VACUUM or ANALYZE are of one table and its sample; only trouble in it counts."""
    assert counted(reader, before + report.format(dead=0)) == set()
    if "{dead}" in report:
        assert counted(reader, before + report.format(dead=58000000)) == {("P-0069", Verdict.CONFIRMED)}


MOST = " max_connections\n-----------------\n 500\n(1 row)"
COUNTED = "select count(*) from pg_stat_activity;\n count\n-------\n {}\n(1 row)"
SIZES = "$ du -sh pg_wal base log\n{}\tpg_wal\n210G\tbase\n3.1G\tlog"
WAL_SIZE = " max_wal_size\n--------------\n 16GB\n(1 row)"


@pytest.mark.parametrize(
    ("first", "second", "pending", "verdict"),
    [
        (MOST, COUNTED.format(497), "P-0044", Verdict.CONFIRMED),
        (COUNTED.format(497), MOST, "P-0044", Verdict.CONFIRMED),
        (COUNTED.format(41), MOST, "P-0044", Verdict.DENIED),
        ("we have 497 connections open", MOST, "P-0044", Verdict.CONFIRMED),
        ("现在连接数 497", MOST, "P-0044", Verdict.CONFIRMED),
        (SIZES.format("812G"), WAL_SIZE, "P-0129", Verdict.CONFIRMED),
        (SIZES.format("812G"), "max_wal_size 是 16GB", "P-0129", Verdict.CONFIRMED),
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


@pytest.mark.parametrize("message", [MOST, "max_connections is 500", "max_connections 设的 500"])
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


@pytest.mark.parametrize("plan", [NODE.format("cost=0.29..8.31 rows=0 width=0) ("), NODE.format(""), "", "它的计划:"])
@pytest.mark.parametrize("table", ["", " on order_items"])
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
