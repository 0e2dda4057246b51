"""Of an output the part that tells is quoted: its deciding row, its name and value, a log line without its prefix."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from lang.pastes.what_rows_show import cells_telling, line_telling
from services.matcher.model import Reading, Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import reader_of, shipped_reader

POOL = """\
+-----------------------------------+-------------+
| Variable_name                     | Value       |
+-----------------------------------+-------------+
| Innodb_buffer_pool_read_ahead_rnd | 0           |
| Innodb_buffer_pool_read_requests  | 9812733410  |
| Innodb_buffer_pool_reads          | 2845692689  |
+-----------------------------------+-------------+
"""
DISKS = """\
Device   r/s    w/s     rkB/s    wkB/s   r_await  w_await  aqu-sz  %util
sdb     212.0  4890.0   6120.0  391204.0   9.80    41.22   187.4   99.8
sdb     198.0  5012.0   5870.0  402118.0  11.02    44.90   201.1  100.0
sdb     240.0   310.0   7200.0   14208.0   0.61     0.88     0.5   11.2
"""
ARCHIVE = """\
2024-05-14 03:12:41.203 CST [2217] LOG:  archive command failed with exit code 1
ERROR: 2024/05/14 03:12:42.310114 failed to upload: The AWS Access Key Id you provided does not exist in our records.
2024-05-14 03:12:42.400 CST [2217] WARNING:  archiving write-ahead log file "A7" failed too many times
"""
CHECKPOINT = """\
2026-03-11 14:02:11.409 CST [812] LOG:  checkpoint starting: wal
2026-03-11 14:04:02.917 CST [812] LOG:  checkpoint complete: wrote 98211 buffers (37.5%); write=96.104 s, sync=14.877 s
"""
CONFLICT = """\
2024-05-14 10:42:17.331 CST [23817] bi_ro@dwh ERROR:  canceling statement due to conflict with recovery
2024-05-14 10:42:17.331 CST [23817] bi_ro@dwh DETAIL:  User query might have needed to see row versions
"""


def counted(message: str, library: str = "postgresql", asked: str = "") -> dict[str, Reading]:
    """What counts of a message after a check was given, by phenomenon."""
    reader = shipped_reader() if library == "postgresql" else reader_of(library)
    topics = Topics(pending=(asked,) if asked else ())
    readings = (item.reading for item in reader.read(message, topics).readings)
    return {each.phenomenon_id: each for each in readings if each.standing is Standing.COUNTS}


def test_named_values_are_quoted_by_their_names() -> None:
    """The reads, and not the first row that the command prints."""
    pool = counted(POOL, "mysql")["P-2045"]
    assert cells_telling(pool.words, pool.value) == ("Innodb_buffer_pool_reads 2845692689",)


def test_a_busy_disk_is_quoted_by_a_busy_sample() -> None:
    """Of three samples the one in the middle, not the last."""
    disk = counted(DISKS)["P-0011"]
    assert cells_telling(disk.words, disk.value) == ("util_pct 99.8",)


def test_a_cell_that_measures_nothing_is_quoted_with_what_it_is_of() -> None:
    """Which index is invalid."""
    told = cells_telling("idx_orders_user_id | f | f", "indisvalid = no, index_name = idx_orders_user_id")
    assert told == ("idx_orders_user_id indisvalid f",)


@for_each(
    ("message", "name", "quoted"),
    [
        (ARCHIVE, "P-0130", "archive command failed with exit code 1"),
        (CHECKPOINT, "P-0121", "checkpoint starting: wal"),
        (CONFLICT, "P-0137", "canceling statement due to conflict with recovery"),
    ],
)
def test_a_log_line_is_quoted_without_its_prefix(message: str, name: str, quoted: str) -> None:
    """Neither the time nor the level tells anything."""
    assert counted(message)[name].words == quoted


def test_an_error_among_log_lines_is_no_answer_to_a_check() -> None:
    """What an archiver could not find says nothing of the check that was given before."""
    assert "P-0132" not in counted(ARCHIVE, asked="P-0132")


@pytest.mark.parametrize("remark", ["内存是256G的机器。这128谁配的啊", "the box has 256 GB, who set that"])
def test_the_row_of_the_check_just_given_is_read_before_a_remark(remark: str) -> None:
    """A whole row copied in front of a remark is an answer; a part of it is none."""
    assert (
        counted(f"pool_mb 128.0   data_mb 92160    {remark}", "mysql", "P-2046")["P-2046"].verdict is Verdict.CONFIRMED
    )
    assert counted(f"pool_mb 98304  data_mb 92160  {remark}", "mysql", "P-2046")["P-2046"].verdict is Verdict.DENIED
    assert "P-2046" not in counted(f"pool_mb 128.0    {remark}", "mysql", "P-2046")


PLAN = """\
 Nested Loop  (cost=1.13..17.18 rows=1 width=46)
   ->  Index Scan using idx_batch on detail d  (cost=0.56..8.58 rows=1 width=30)
         Index Cond: (batch_date = '2024-05-29'::date)
   ->  Index Scan using orders_pkey on orders o  (cost=0.57..8.59 rows=1 width=30)
"""


@for_each(
    ("said", "tells"),
    [
        ("那一天实际3000万行啊", True),
        ("i counted, that day really has 30114902 rows", True),
        ("那一天实际也就1行", False),
        ("整张表实际一共3000万行", False),
        ("实际有3000万行吗？", False),
    ],
)
def test_a_count_told_after_a_plan_shows_a_wrong_estimate(said: str, tells: bool) -> None:
    """One row estimated and many really there; what the whole table has, or a question, tells nothing of it."""
    readings = (item.reading for item in shipped_reader().read(said, Topics(before=(PLAN,))).readings)
    found = [each for each in readings if each.phenomenon_id == "P-0080" and each.standing is Standing.COUNTS]
    assert [each.verdict for each in found] == ([Verdict.CONFIRMED] if tells else [])


@for_each(
    ("line", "told"),
    [
        (
            "2024-05-14 09:31:07 LOG C-0x55d: a/b@10.0.3.14:51 closing because: query_wait_timeout (age=120s)",
            "query_wait",
        ),
        (
            "2026-11-03 20:14:09,812 ERROR [exec-12] c.z.h.pool.HikariPool - HikariPool-1 - Connection is not",
            "Connection",
        ),
        ("Nov 28 02:11:37 db1 kernel: Out of memory: Killed process 20931 (postgres)", "Killed process"),
        ("下单卡住了: 一直转圈", "下单卡住了"),
    ],
)
def test_a_line_is_told_by_its_end(line: str, told: str) -> None:
    """Its time, process and client come first, and are cut off; words that are no line of a log stay as they are."""
    assert line_telling(line).startswith(told)


@for_each("remark", ["", "the box has 512 GB by the way", "机器内存 512G"])
def test_a_whole_row_is_read_though_nobody_asked_for_it(remark: str) -> None:
    """All columns of a check with their values on one line say whose output it is, whatever was asked last."""
    small = counted(f"pool_mb 256.0   data_mb 81920   {remark}", "mysql")
    assert small["P-2046"].verdict is Verdict.CONFIRMED
    assert "P-2046" not in counted(f"pool_mb 256.0   {remark}", "mysql")
