"""Facts told in passing are heard as what they are, and not as a far-off thing that has a word in common."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import reader_of, shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
COUNTS, PROPOSED = Standing.COUNTS, Standing.PROPOSED
ONE_SLOW, ONE_FEATURE, TABLE_GROWS = "P-0002", "P-0294", "P-0064"
MONITORING, DISK_FULL, DISK_BUSY, BATCH, AT_PEAK = "P-0166", "P-0016", "P-0011", "P-0180", "P-0013"
SYNC_REP, WRITES, ROOT_BLOCKER, COPIES, LEADS = "P-0139", "P-0004", "P-0025", "P-0297", "P-0101"
CONNECTIONS, VOLUME = "P-0044", "P-0109"
ARCHIVING, BY_HAND, TOO_FEW = "P-0130", "P-0289", "P-0142"
FAILED_OVER, RESTARTED, SPIKES, EVERYTHING_SLOW = "P-0170", "P-0015", "P-0012", "P-0001"
ESTIMATE, REPORTS, SOME_CUSTOMERS, RELEASE, SHORT_IDLE = "P-0080", "P-0003", "P-0203", "P-0014", "P-0250"
REFUSED = "An error occurred (InvalidAccessKeyId) when calling the PutObject operation: The key does not exist."


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def heard(reader: MessageReader, message: str) -> dict[str, tuple[Verdict | None, Standing | None]]:
    """What a message says, with the standing of each reading."""
    found = [item.reading for item in reader.read(message).readings]
    return {each.phenomenon_id: (each.verdict, each.standing) for each in found}


@for_each(
    ("message", "phenomenon", "verdict"),
    [
        ("表大小 55个G了 上周才12G 数据又没多多少", TABLE_GROWS, YES),
        ("第2条我早说了啊 12G变55G 行数没怎么变", TABLE_GROWS, YES),
        ("表从12G涨到55G，行数没变", TABLE_GROWS, YES),
        ("行数跟上周一样 表却大了一倍", TABLE_GROWS, YES),
        ("the table went from 12 to 55 gigs, same number of rows", TABLE_GROWS, YES),
        ("the orders table is 55G now, was 12G last week, row count about the same", TABLE_GROWS, YES),
        ("table went from 40 to 80 GB, same row count", TABLE_GROWS, YES),
        ("cpu is like 25%, disk is nailed at 100", DISK_BUSY, YES),
        ("the disk is pinned at 100, cpu is bored", DISK_BUSY, YES),
        ("disk io maxed out, cpu idle", DISK_BUSY, YES),
        ("cpu不高，磁盘读写打满了", DISK_BUSY, YES),
        ("disk is 100% full", DISK_FULL, YES),
        ("磁盘空间打满了", DISK_FULL, YES),
        ("凡是查orders的都慢, 不是某一条", ONE_SLOW, NO),
        ("3吧 不过不是一条 凡是查orders的都慢", ONE_SLOW, NO),
        ("everything slow on orders, all queries on orders, not one statement", ONE_SLOW, NO),
        ("it's not just one query, all the ones on orders are slow", ONE_SLOW, NO),
        ("select都正常,就是事务最后那一下回不来", WRITES, YES),
        ("the commit never comes back, reads are fine", WRITES, YES),
        ("有个会话堵着别人", ROOT_BLOCKER, YES),
        ("有一个会话把别人都堵住了", ROOT_BLOCKER, YES),
        ("one session blocks the others", ROOT_BLOCKER, YES),
        ("counted them just now: 193 sessions, max_connections is 200", CONNECTIONS, YES),
        ("193 sessions right now, max_connections is 200", CONNECTIONS, YES),
        ("现在193个会话，max_connections是200", CONNECTIONS, YES),
        ("max_connections is 200, 193 sessions", CONNECTIONS, YES),
        ("40 sessions, max_connections is 200", CONNECTIONS, NO),
        ("connections: 193 of 200", CONNECTIONS, YES),
        ("pg_stat_replication 是空的, synchronous_standby_names 里写的是 node2", TOO_FEW, YES),
        ("synchronous_standby_names lists node2, pg_stat_replication is empty", TOO_FEW, YES),
        ("no restart no failover", FAILED_OVER, NO),
        ("no restart no failover", RESTARTED, NO),
        ("and no no failover here", FAILED_OVER, NO),
        ("every few min all requests hang", SPIKES, YES),
        ("every 5 mins everything hangs for 10 secs", SPIKES, YES),
        ("got paged 20 min ago, disk alert on the prod box, 96% used", DISK_FULL, YES),
        ("postgres thinks almost no rows come back", ESTIMATE, YES),
        ("planner still believes 1 row", ESTIMATE, YES),
    ],
)
def test_an_everyday_fact_counts(reader: MessageReader, message: str, phenomenon: str, verdict: Verdict) -> None:
    """A size before and now, a disk at its limit, who is slow or blocks, how many and how often count as said."""
    assert heard(reader, message).get(phenomenon) == (verdict, COUNTS)


@for_each(
    ("message", "phenomenon"),
    [
        ("每个晚上1点到4点都慢", BATCH),
        ("每天夜里一两点开始卡，到四点就好", BATCH),
        ("every nite between 1 and 4 everything is slow", BATCH),
        ("its every night same hours, it gets slow", BATCH),
        ("事务最后那一下回不来", SYNC_REP),
        ("提交一直不返回", SYNC_REP),
        ("the commit never returns, reads are fine", SYNC_REP),
        ("8 times the same select from orders, each running 30-40 sec", LEADS),
        ("同一条select有8个在跑，每个三四十秒", LEADS),
        ("cpu 25%，磁盘打满了", DISK_BUSY),
        ("磁盘打满了", DISK_FULL),
        ("disk maxed out", DISK_FULL),
        ("disk maxed out", DISK_BUSY),
        (f"upload failed: pg_wal/0C5 to s3://wal/0C5\n{REFUSED}", ARCHIVING),
        ("and we did a deploy this morning around 9:30 i think", RELEASE),
    ],
)
def test_what_points_to_a_thing_is_asked_about(reader: MessageReader, message: str, phenomenon: str) -> None:
    """Fixed hours point to a job, a hanging commit to the standby, many copies to one statement: each is asked."""
    assert heard(reader, message).get(phenomenon) == (YES, PROPOSED)


@for_each(
    ("message", "phenomenon"),
    [
        ("就订单那块 别的页面都正常 而且越来越慢", ONE_FEATURE),
        ("就订单那块 别的页面都正常 而且是一小时比一小时慢 不是突然的", ONE_FEATURE),
        ("orders is slow, other pages work", ONE_FEATURE),
        ("i only got psql w my own user, some monitor role, no superuser no ssh", MONITORING),
        ("i mean MY login has pg_monitor, thats all i have. nothing about execution time", MONITORING),
        ("my role is pg_monitor only", MONITORING),
        ("我只有一个监控账号", MONITORING),
        ("every night between 1 and 4 it is slow", AT_PEAK),
        ("cpu is like 25%, disk is nailed at 100", DISK_FULL),
        ("凡是查orders的都慢", ONE_SLOW),
        ("the table went from 12 to 55 gigs, and so did the rows", TABLE_GROWS),
        ("表从55G变成12G，行数没变", TABLE_GROWS),
        ("行数跟上周一样 表却大了一倍", VOLUME),
        ("8 times the same select from orders, each running 30-40 sec", COPIES),
        ("193 sessions wait for locks", CONNECTIONS),
        ("12 idle sessions, max_connections is 200", CONNECTIONS),
        ("ran the thing by hand as postgres:", BY_HAND),
        (REFUSED, ARCHIVING),
        ("synchronous_standby_names = '', standby is gone", TOO_FEW),
        ("disk is calm", DISK_FULL),
        ("cpu down to 30%, disks quiet", DISK_FULL),
        ("every few min all requests hang", EVERYTHING_SLOW),
        ("every now and then all requests hang", EVERYTHING_SLOW),
        ("the data guys loaded a huge csv batch overnight", REPORTS),
        ("checkout is throwing errors for a few customers", SOME_CUSTOMERS),
    ],
)
def test_a_word_in_common_decides_nothing(reader: MessageReader, message: str, phenomenon: str) -> None:
    """One's own role is no load, slow is no error, hiccups are not always, and what grows with its rows is no bloat."""
    verdict, standing = heard(reader, message).get(phenomenon, (None, None))
    said = (COPIES, CONNECTIONS, VOLUME)
    assert standing is not Standing.NEEDS_VALUE
    assert standing is not COUNTS or (verdict is NO and phenomenon not in said)


@for_each(
    ("message", "verdict"),
    [
        ("hit rate 71% like in the paste, it was 99", YES),
        ("命中率只有71%", YES),
        ("buffer pool hit rate is 99.9 %", NO),
    ],
)
def test_a_hit_rate_is_what_the_pool_does_not_miss(message: str, verdict: Verdict) -> None:
    """MySQL has one hit rate that people speak of, and "the paste" is not "the past"."""
    assert heard(reader_of("mysql"), message).get("P-2045") == (verdict, COUNTS)


@pytest.mark.parametrize("message", ["how sure are u really, 13% is like nothing", "3 of 9 is nothing. how sure r u"])
def test_a_figure_that_is_doubted_is_the_one_that_was_told(reader: MessageReader, message: str) -> None:
    """Who asks how sure an answer is answers no check with the figure in it."""
    topics = Topics(asked=SHORT_IDLE, pending=(SHORT_IDLE, WRITES))
    assert not [each for each in reader.read(message, topics).readings if each.reading.standing is COUNTS]
