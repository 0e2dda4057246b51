"""A second reading of an output that a person tells in words, and settings that stand in rows."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

FIRST = """ datname  | temp_files |  temp_bytes   | temp_written |          stats_reset
----------+------------+---------------+--------------+-------------------------------
 dwh      |     184223 | 2411870593024 | 2246 GB      | 2024-03-02 09:11:40.21+01
 postgres |          0 |             0 | 0 bytes      |
"""
GROWS = "P-0087"


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def counted(reader: MessageReader, message: str, *before: str) -> dict[str, str]:
    readings = [item.reading for item in reader.read(message, Topics(before=before)).readings]
    return {each.phenomenon_id: str(each.verdict) for each in readings if each.standing is Standing.COUNTS}


@for_each(
    ("told", "verdict"),
    [
        ("a min later dwh was 2412394881024 or so", "confirmed"),
        ("过了一分钟 dwh 是 2412394881024", "confirmed"),
        ("you have the number, read it again. grew like 500 megs in a minute", "confirmed"),
        ("一分钟涨了 500MB", "confirmed"),
        ("a minute later dwh was 2411870593124", "denied"),
    ],
)
def test_a_second_reading_may_be_told(told: str, verdict: str, reader: MessageReader) -> None:
    """Told below the output or in the next message, it is judged as if it were pasted, and for nothing else."""
    assert counted(reader, FIRST + "\n" + told) == {GROWS: verdict}
    assert counted(reader, told, FIRST) == {GROWS: verdict}


@for_each("told", ["pg_wal grew 5 GB in a minute", "was dwh 2412394881024 a minute later?", "dwh was 12"])
def test_what_is_no_later_value_of_the_output_is_none(told: str, reader: MessageReader) -> None:
    """The growth of something else, a question, and a number too far off are no second reading."""
    assert GROWS not in counted(reader, told, FIRST)


@pytest.mark.parametrize(
    ("told", "verdict"),
    [("i said TEMP grew 500 MB in a minute", "confirmed"), ("TEMP grew 3 MB in a minute", "denied")],
)
def test_growth_in_a_period_is_a_rate(told: str, verdict: str, reader: MessageReader) -> None:
    """An amount "in a minute" is as much a minute, of what the words name."""
    assert counted(reader, told) == {GROWS: verdict}


def test_the_age_of_the_cutoff_is_that_of_the_oldest_xmin(reader: MessageReader) -> None:
    """VACUUM tells how old the oldest snapshot was; a young one denies nothing."""
    dead = "tuples: 0 removed, 9 remain, 4 are dead but not yet removable"
    report = dead + "\nremovable cutoff: 812345678, which was {} XIDs old when operation ended"
    assert counted(reader, report.format(25012345))["P-0070"] == "confirmed"
    assert "P-0070" not in counted(reader, report.format(12))


def test_and_parts_the_values_of_two_things(reader: MessageReader) -> None:
    """A value before "and" is not of a thing behind it that has its own."""
    assert counted(reader, "disk on the data volume is at 93 % and pg_wal is 80 GB") == {"P-0016": "confirmed"}


@for_each(
    "rows",
    [
        "参数贴你(备库):\n      name            | setting | unit\n----------------------+---------+------\n"
        " hot_standby_feedback | off     |\n max_standby_streaming_delay | 3600000 | ms",
        "hot_standby_feedback | off",
        "hot_standby_feedback | off |\nmax_standby_streaming_delay | 3600000 | ms",
        "hot_standby_feedback is off on the standby",
    ],
)
def test_rows_of_settings_are_read_as_said(rows: str, reader: MessageReader) -> None:
    """A standby that gives no feedback holds nothing back, whether its setting is said or pasted."""
    assert counted(reader, rows) == {"P-0117": "denied"}


def test_a_setting_in_rows_is_in_its_unit(reader: MessageReader) -> None:
    """1024 MB of max_wal_size are what "max_wal_size is 1 GB" says."""
    heading = "     name     | setting | unit\n--------------+---------+------\n"
    rows = heading + " max_wal_size | {}    | MB\n work_mem | 65536 | kB"
    assert counted(reader, rows.format(8192))["P-0123"] == counted(reader, "max_wal_size is 8 GB")["P-0123"]
    assert counted(reader, rows.format(512))["P-0123"] == counted(reader, "max_wal_size is 512 MB")["P-0123"]


@for_each(
    "size",
    ["75G /data/pg_wal\n1.9G log", "大头是 pg_wal 那个目录 75G", "pg_wal is at 75G by now", "/data/pg_wal is 75 GB"],
)
@for_each("limit", ["max_wal_size 配的 8GB", "max_wal_size is 8 GB"])
def test_a_size_and_its_limit_may_stand_in_two_messages(size: str, limit: str, reader: MessageReader) -> None:
    """In either order, with other words between, and by the path of the directory."""
    assert counted(reader, limit, "log 目录才 1.9G", size)["P-0129"] == "confirmed"
    assert counted(reader, size, limit)["P-0129"] == "confirmed"


COUNTER = """shop=> select datname, deadlocks, stats_reset from pg_stat_database where datname='shop';
 datname | deadlocks |          stats_reset
---------+-----------+-------------------------------
 shop    |      4312 | 2025-02-27 03:10:22.518733+08
(1 row)
"""


@for_each(
    ("told", "verdict"),
    [
        ("过了5分钟再查变成 4341 了", "confirmed"),
        ("5 minutes later it was 4341", "confirmed"),
        ("5分钟后还是 4312", "denied"),
    ],
)
def test_a_counter_may_be_read_again_after_other_talk(told: str, verdict: str, reader: MessageReader) -> None:
    """How long it took is no part of the value, and what was pasted before the last message is still known."""
    assert counted(reader, COUNTER + told)["P-0028"] == verdict
    assert counted(reader, told, COUNTER)["P-0028"] == verdict
    assert counted(reader, told, "客服说上周也有过", "等一下", COUNTER)["P-0028"] == verdict


def test_a_value_of_something_else_is_no_second_reading(reader: MessageReader) -> None:
    """Words that name another quantity tell nothing of the counter."""
    assert "P-0028" not in counted(reader, "5分钟后连接数是 4341", "等一下", COUNTER)


@for_each(
    ("said", "verdict"),
    [
        ("deadlocks 4312, 5 minutes later 4341", "confirmed"),
        ("死锁计数 4312，过了5分钟再查变成 4341 了", "confirmed"),
        ("deadlocks 4312, 5 minutes later still 4312", "denied"),
    ],
)
def test_two_values_with_a_time_between_are_a_rise_or_none(said: str, verdict: str, reader: MessageReader) -> None:
    """A value a while after another one is what that became, without a word for the change."""
    assert counted(reader, said)["P-0028"] == verdict


@pytest.mark.parametrize("said", ["max_wal_size says 16GB. its 410 now", "max_wal_size 是16GB，现在 410 了"])
def test_a_number_without_its_unit_is_no_tiny_part(said: str, reader: MessageReader) -> None:
    """A bare number beside a whole in gigabytes denies nothing: it is not so many bytes."""
    assert "P-0129" not in counted(reader, said)
