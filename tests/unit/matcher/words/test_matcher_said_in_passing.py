"""What people tell in passing, in slang or by a pasted line, is heard, against the shipped PostgreSQL library."""

from __future__ import annotations

import pytest

from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
WAL_DIRECTORY, IO_WAITS, POOLS, RELEASE, LOAD, BLOCKER, TEMP, FEEDBACK, QUEUE = (
    "P-0129", "P-0010", "P-0049", "P-0014", "P-0018", "P-0025", "P-0087", "P-0117", "P-0381",
)  # fmt: skip
CPU_LINE = "%Cpu(s): 12.1 us,  3.0 sy,  0.0 ni, {idle} id, {wait} wa,  0.0 hi,  0.9 si,  0.0 st"
WAITS = " wait_event_type | wait_event | count\n-----+-----+----\n IO | BufFileWrite | 14\n LWLock | WALWrite | 2"
TEMP_LINE = '2026-11-27 03:12:11 UTC [4213] LOG:  temporary file: path "base/pgsql_tmp/pgsql_tmp4213.0", size {size}'


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def told(reader: MessageReader, message: str) -> set[str]:
    """What counts at once of a message, is proposed, or lacks what it is compared with."""
    heard = (Standing.COUNTS, Standing.PROPOSED, Standing.NEEDS_BASE)
    found = reader.read(message).readings
    return {item.reading.phenomenon_id for item in found if item.reading.standing in heard}


def counted(reader: MessageReader, message: str) -> dict[str, Verdict | None]:
    """What counts at once of a message."""
    found = reader.read(message).readings
    return {
        item.reading.phenomenon_id: item.reading.verdict for item in found if item.reading.standing is Standing.COUNTS
    }


@for_each(
    ("message", "phenomenon"),
    [
        ("pg_wal is the fat one, 400 something gigs, max_wal_size is 16GB", WAL_DIRECTORY),
        ("pg_wal 400 odd GB, max_wal_size 16GB", WAL_DIRECTORY),
        ("du: pg_wal 目录 380G, max_wal_size 16GB", WAL_DIRECTORY),
        ("top says mostly wa", IO_WAITS),
        ("wa 45 in top", IO_WAITS),
        (CPU_LINE.format(idle=39.0, wait=45.0), IO_WAITS),
        ("你有没有看啊 40个pod 每个连接池最大20 总共800 pg只有300", POOLS),
        ("你自己不会乘吗 40个pod 每个池20 总共800 pg只有300", POOLS),
        ("started like 10 min ago, right when dave pushed the 4.2 deploy", RELEASE),
        ("slow the moment we deployed", RELEASE),
        ("它就是发版那一刻开始慢的", RELEASE),
        ("its always the same guy on top, 18733, everyone waits for him", BLOCKER),
        ("everybody is waiting for pid 18733", BLOCKER),
        ("都在等18733", BLOCKER),
        ("全在等 pid 18733", BLOCKER),
        ("lots of BufFileWrite waits", TEMP),
        ("等待事件全是 BufFileRead", TEMP),
        (
            " wait_event_type | wait_event | count\n-----+-----+----\n IO | BufFileWrite | 14\n LWLock | WALWrite | 2",
            TEMP,
        ),
        (TEMP_LINE.format(size=1892345856), TEMP),
    ],
)
def test_what_is_told_in_passing_counts(reader: MessageReader, message: str, phenomenon: str) -> None:
    """Slang, odd amounts and lines of tools tell as much as the words of a manual."""
    assert counted(reader, message)[phenomenon] is YES


@for_each(
    ("message", "phenomenon"),
    [
        ("pg_wal has 4 something gigs, max_wal_size is 16GB", WAL_DIRECTORY),
        (CPU_LINE.format(idle=84.0, wait=0.1), IO_WAITS),
        ("你有没有看啊 10个pod 每个连接池最大20 总共200 pg只有300", POOLS),
        ("postgres=# show hot_standby_feedback;\n hot_standby_feedback \n-----\n off\n(1 row)", FEEDBACK),
        ("show hot_standby_feedback -> off", FEEDBACK),
        ("show hot_standby_feedback 出来是off", FEEDBACK),
    ],
)
def test_amounts_below_and_what_is_off_deny(reader: MessageReader, message: str, phenomenon: str) -> None:
    """The same forms with small amounts, and a setting that is off, deny."""
    assert counted(reader, message)[phenomenon] is NO


@for_each(
    ("message", "phenomenon"),
    [
        ("we loaded a shitload of orders last nite, ~20 mil", LOAD),
        ("the data guys did load a ton of rows into orders last night", LOAD),
        ("昨晚灌了一大堆订单 两千万", LOAD),
        ("pg_wal is the fat one, 400 something gigs", WAL_DIRECTORY),
        ("du: pg_wal 目录 380G", WAL_DIRECTORY),
    ],
)
def test_what_may_be_the_reason_is_asked_about(reader: MessageReader, message: str, phenomenon: str) -> None:
    """Whether the trouble began with a load, and what the limit of a large directory is, is asked."""
    assert phenomenon in told(reader, message)


@for_each(
    ("message", "phenomenon"),
    [
        ("we loaded a shitload of orders last nite, ~20 mil", QUEUE),
        ("all r fine", QUEUE),
        ("都在等结果", BLOCKER),
        ("都在等 3 个锁", BLOCKER),
        ("everyone waits for the fix", BLOCKER),
        ("everyone waits for 2000 ms", BLOCKER),
        ("autovacuum waits for 18733", BLOCKER),
        ("都在等 5000 毫秒", BLOCKER),
        ("right when we look it is fine", RELEASE),
        (TEMP_LINE.format(size=4096), TEMP),
        ("pg_wal is 5 GB", WAL_DIRECTORY),
        ("load average is 3", LOAD),
    ],
)
def test_near_misses_stay_silent(reader: MessageReader, message: str, phenomenon: str) -> None:
    """Words that only look alike count for nothing."""
    assert phenomenon not in counted(reader, message)
