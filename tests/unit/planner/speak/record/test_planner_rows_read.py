"""A pasted table that decides nothing is told by what it shows, never as something that could not be placed."""

from __future__ import annotations

import pytest

from lang.objects import bind, names_to_bind
from lang.objects.figures_shown import transactions_in
from lang.objects.named_objects import objects_named, tables_in
from lang.objects.settings_said import SETTING
from lang.pastes.model import Table
from lang.pastes.what_rows_show import Most, most_of
from services.planner.model import Language, NamedObject, SolutionStep, Text, TurnResults
from services.planner.speak.case.remedy_steps import is_of_no_use
from services.planner.speak.compose import compose
from services.planner.speak.objects import choices
from services.planner.speak.voice import Voice
from tests.support.cases import for_each

BY_USER = " usename | state | count\n---------+-------+-------\n billing | idle | 371\n orders | idle | 42\n(2 rows)"
HEADER = "usename | state | count"
MISALIGNED = "pid | usename | backend_start | query\n---+---+---+---+---\n18 | shop | 2026-11-28 05:52:11 | SELECT 1"


@for_each(
    ("language", "shown"),
    [
        (Language.EN, "413 connections are idle, most of them of billing (371)"),
        (Language.ZH, "最多的是 billing（371）"),
    ],
)
@for_each("around", ["{}", "here you go\n{}\nwhat is bad there?", "{}\n\nsee?"])
def test_what_most_of_the_rows_are_is_told(language: Language, shown: str, around: str) -> None:
    """Who has how many of all, whatever stands around the table; its heading is not quoted back."""
    text = compose(TurnResults(unclear=(HEADER,)), language, "", around.format(BY_USER))
    assert shown in text
    assert "usename" not in text


def test_a_heading_over_a_ruler_of_another_width_is_still_one() -> None:
    """People put a heading of their own over rows."""
    text = compose(TurnResults(unclear=(MISALIGNED.partition("\n")[0],)), Language.EN, "", MISALIGNED)
    assert "18 / shop: backend_start" in text


def test_numbers_that_only_name_measure_nothing() -> None:
    """Numbers of sessions are no amounts; of a time the earliest stands out; what is alike in all rows does not."""
    table = Table(
        ("pid", "usename", "xact_start", "cores"),
        (("8121", "shop", "2026-11-28 05:52:11", "8"), ("8122", "etl", "2026-11-28 02:52:11", "8")),
    )
    assert most_of(table) == (Most("xact_start", "8122 / etl", "2026-11-28 02:52:11", earliest=True),)


@pytest.mark.parametrize(
    ("language", "shown"), [(Language.EN, "filters on orders (phone)"), (Language.ZH, "按 orders (phone) 过滤")]
)
def test_slow_lines_that_decide_nothing_are_told_by_their_statement(language: Language, shown: str) -> None:
    """How long the slowest took and what the statement filters by, not the time at the beginning of the line."""
    line = "2024-05-21 10:42:{} UTC [7] LOG:  duration: {} ms  statement: SELECT a FROM orders WHERE phone = $1"
    log = f"{line.format(17, 28410.1)}\n{line.format(19, 31877.4)}"
    text = compose(TurnResults(unclear=(line.format(17, 28410.1),)), language, "", log)
    assert shown in text
    assert "31877.4 ms" in text
    assert "time" not in text


PREPARED = """ gid                              | database | owner | age             | transaction
----------------------------------+----------+-------+-----------------+-------------
 131077_AAAA//CgADDw==            | shop     | pay   | 9 days 06:38:21 |   918220417
(1 row)"""
VACUUM = "DETAIL:  48213377 dead row versions cannot be removed yet, oldest xmin: {}"


def test_what_vacuum_names_is_known_again() -> None:
    """A prepared transaction of the number that VACUUM spares is told as that one, with its gid; another is not."""
    for number, same in (("918220417", True), ("918220418", False)):
        named = (*transactions_in(VACUUM.format(number), ()), *transactions_in(PREPARED, tables_in(PREPARED)))
        seen = tuple(NamedObject(each.kind, each.name) for each in named)
        text = compose(TurnResults(objects=seen), Language.EN, "", PREPARED)
        assert ("131077_AAAA//CgADDw==" in text) is same
        assert ("reported as the oldest xmin" in text) is same
        bound = names_to_bind(tuple(objects_named(PREPARED)))
        assert bind("ROLLBACK PREPARED '<gid>';", bound) == "ROLLBACK PREPARED '131077_AAAA//CgADDw==';"


def test_the_statement_of_a_process_that_was_ended_is_named() -> None:
    """The server names what it ran, in the line after that of its end."""
    ended = "LOG:  server process (PID 7) was terminated by signal 9: Killed"
    log = f"{ended}\nDETAIL:  Failed process was running: SELECT 1"
    assert "`SELECT 1`" in compose(TurnResults(), Language.ZH, "", log)


@pytest.mark.parametrize("rows", ["{} | {}\n{} | {}", " name | setting | unit\n----+---+---\n {} | {} |\n {} | {} |"])
def test_settings_in_rows_are_told_as_they_are(rows: str) -> None:
    """They are not passed over where none of them decides anything; one in a sentence is no row."""
    pairs = ("max_standby_streaming_delay", "30s", "hot_standby_feedback", "off")
    text = compose(TurnResults(), Language.ZH, "", rows.format(*pairs))
    assert "max_standby_streaming_delay 30s" in text
    assert "hot_standby_feedback off" in text
    assert not [each for each in objects_named("pg_wal is on nvme1n1 with the data") if each.kind == SETTING]


DESCRIBED = """                Table "public.invoices"
   Column    |  Type  | Collation | Nullable | Default
-------------+--------+-----------+----------+---------
 id          | bigint |           | not null |
Indexes:
{}"""


@for_each(
    ("indexes", "told", "moved"),
    [
        ('    "invoices_new_pkey" PRIMARY KEY, btree (id)', "`invoices_new_pkey`", True),
        ('    "invoices_pkey" PRIMARY KEY, btree (id)', "`invoices_pkey`", False),
        ('    "invoices_new_pkey" PRIMARY KEY, btree (id)\n    "a" btree (customer_id)', "", False),
    ],
)
def test_a_table_with_its_key_alone_is_told_so(indexes: str, told: str, moved: bool) -> None:
    """A key that is named after another table tells that this one was built anew and renamed."""
    text = compose(TurnResults(), Language.EN, "", DESCRIBED.format(indexes))
    assert told in text
    assert ("`invoices_new`" in text) is moved
    assert bool(told) is ("primary key" in text)


def test_waits_for_reads_and_for_the_wal_are_told_together() -> None:
    """A disk that both wait for is slow for both; one of them alone is told by what it is read as."""
    rows = "pid | wait_event\n7 | DataFileRead\n8 | WALSync"
    assert "slow for both" in compose(TurnResults(), Language.EN, "", rows)
    assert "slow for both" not in compose(TurnResults(), Language.EN, "", rows.replace("WALSync", "ClientRead"))


def test_statistics_days_behind_the_others_are_told() -> None:
    """What was loaded since is not in them; where all are of the same days nothing stands out."""
    rows = "relname | n_live_tup | last_autoanalyze\norders | 88 | 2024-05-30 14:02:18+08\ndetail | 41 | {} 02:40:09+08"
    text = compose(TurnResults(), Language.EN, "", rows.format("2024-05-27"))
    assert "statistics of `detail` date from 2024-05-27 02:40" in text
    assert "statistics of" not in compose(TurnResults(), Language.EN, "", rows.format("2024-05-30"))


POOLS = """database | user | cl_active | cl_waiting | sv_active | sv_idle | maxwait | pool_mode
 shop | shop | 20 | 847 | 20 | {} | 14 | transaction
 pgbouncer | pgbouncer | 1 | 0 | 0 | 0 | 0 | statement"""


def test_the_queue_of_a_pool_is_told_in_words() -> None:
    """How many wait how long, and whether a connection is free; the mode is that of the application's pool."""
    text = compose(TurnResults(), Language.EN, "", POOLS.format(0))
    assert "847 clients are waiting, the first for 14 s; 20 server connections are in use, and none is free" in text
    assert "none is free" not in compose(TurnResults(), Language.EN, "", POOLS.format(3))
    assert [each.name for each in objects_named(POOLS) if each.kind == SETTING] == ["pool_mode=transaction"]


def test_a_step_that_sets_what_is_set_so_is_left_out() -> None:
    """A pool in transaction mode is not put into it."""
    step = SolutionStep(Text("改", "change"), "pool_mode = transaction")
    told = TurnResults(objects=(NamedObject(SETTING, "pool_mode=transaction"),))
    for results, left in ((TurnResults(), False), (told, True)):
        voice = Voice(Language.EN, choices=choices(results))
        assert is_of_no_use(step, results, voice) is left
