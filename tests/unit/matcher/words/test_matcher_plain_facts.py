"""Plain facts that decide a case are heard in everyday words, and near misses of them are not."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
BULK, RELEASE, MOST_SLOW, ONE_TABLE, TABLE_GROWS = "P-0018", "P-0014", "P-0001", "P-0248", "P-0064"
LOCK_WAITS, DDL_QUEUE, DDL_LONG, CLOUD_DISK, SYNC_SLOW = "P-0021", "P-0022", "P-0039", "P-0157", "P-0400"
IDLE_HOURS, RESTART, IO_WAITS, PEAK, WRITES = "P-0045", "P-0263", "P-0010", "P-0013", "P-0004"
RUN_QUEUE, READ_ONLY, CATALOG, ROUND_TRIP, CONNECT = "P-0381", "P-0169", "P-0107", "P-0389", "P-0006"
REPORTS, SLOT, WAL_SIZE, EXTENSION = "P-0003", "P-0132", "P-0129", "P-0153"


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
        ("20 million rows got loaded last night and it got slow right after", BULK, YES),
        ("data team pushed 20 million rows into orders on monday, slow ever since", BULK, YES),
        ("昨晚刚发了个版，扣库存那块改过，之后就这样", RELEASE, YES),
        ("昨天上了一版，从那以后就报错", RELEASE, YES),
        ("billing rollout Monday, crashes started that nite, never before", RELEASE, YES),
        ("there was a deploy on friday, the errors began the same evening", RELEASE, YES),
        ("就events，其他表都正常", MOST_SLOW, NO),
        ("别的表不慢", MOST_SLOW, NO),
        ("不是大多数语句慢，是只有events慢", MOST_SLOW, NO),
        ("just events, the other tables are fine", MOST_SLOW, NO),
        ("it's not most queries, only the ones on events are slow", MOST_SLOW, NO),
        ("anything that touches customers hangs, reads too, other tables load fine", ONE_TABLE, YES),
        ("its not one table its ALL of them", ONE_TABLE, NO),
        ("only saving is stuck. every table, orders, users, whatever", ONE_TABLE, NO),
        ("不止一张表，全都卡", ONE_TABLE, NO),
        ("表体积一直涨，行数没变", TABLE_GROWS, YES),
        ("行数没怎么涨，表咋会这么大", TABLE_GROWS, YES),
        ("the table keeps getting bigger, but the row count hasn't changed", TABLE_GROWS, YES),
        ("pg_locks had nothing ungranted", LOCK_WAITS, NO),
        ("pg_locks 里全是 granted", LOCK_WAITS, NO),
        ("theres no alter table", DDL_QUEUE, NO),
        ("没人在改表", DDL_LONG, NO),
        ("gp2 300G, iops is a flat line at 900", CLOUD_DISK, YES),
        ("gp2 的盘，iops 顶在 900", CLOUD_DISK, YES),
        ("theres no connected one, i literally pasted u connected = 0", SYNC_SLOW, NO),
        ("同步备库一个都没连", SYNC_SLOW, NO),
        ("187 of them sitting doing nothing, oldest nearly 7 hrs", IDLE_HOURS, YES),
        ("pg_wal 388G, max_wal_size好像8G", WAL_SIZE, YES),
    ],
)
def test_a_plain_fact_counts(reader: MessageReader, message: str, phenomenon: str, verdict: Verdict) -> None:
    """What began after what, what is slow and what is not, and what is not there count as they are said."""
    assert heard(reader, message).get(phenomenon) == (verdict, Standing.COUNTS)


@for_each(
    ("message", "phenomenon"),
    [
        ("data team pushed the other shop's history in last nite, 20 mio rows", BULK),
        ("数据组昨晚推了另一个店的历史数据", BULK),
        ("connections creep up over 4-5 h, restart fixes it", RESTART),
        ("连接数慢慢涨，一重启就好", RESTART),
        ("每次慢时读写次数是平线900，上午两三千", CLOUD_DISK),
        ("内存里的小表快，慢的是要读盘的", IO_WAITS),
        ("the slow ones are those that read from disk", IO_WAITS),
        ("每天下午开始越来越慢，过一会自己好", PEAK),
        ("it gets slower every afternoon", PEAK),
    ],
)
def test_a_sign_is_asked_about(reader: MessageReader, message: str, phenomenon: str) -> None:
    """What only points to a thing is proposed, and never counts at once."""
    assert heard(reader, message).get(phenomenon) == (YES, Standing.PROPOSED)


@for_each(
    ("message", "phenomenon"),
    [
        ("orders and products load fine", RUN_QUEUE),
        ("other tables load fine", RUN_QUEUE),
        ("the shop loads slowly", RUN_QUEUE),
        ("报表库只读的", READ_ONLY),
        ("都是只读的查询", READ_ONLY),
        ("they are all read-only queries", READ_ONLY),
        ("catalog pages got slow", CATALOG),
        ("pg-b doesnt even answer ping", ROUND_TRIP),
        ("备库 ping 不通", ROUND_TRIP),
        ("theres no connected one", CONNECT),
        ("没有批量任务", REPORTS),
        ("there are no batch jobs", REPORTS),
        ("我没查过槽", SLOT),
        ("i never checked the slots", SLOT),
        ("I have not checked the slots", SLOT),
        ("24K只是个文件夹，不是槽", SLOT),
        ("du -sh *\n24K\treplication_slots\n388G\tpg_wal", SLOT),
        ("每次慢时读写次数是平线900", WRITES),
        ("昨晚刚发了个版", MOST_SLOW),
        ("every table has an index", ONE_TABLE),
        ("别的表也慢", MOST_SLOW),
    ],
)
def test_a_near_miss_says_nothing(reader: MessageReader, message: str, phenomenon: str) -> None:
    """Words that only look like a fact, or tell that nobody looked, decide nothing."""
    _, standing = heard(reader, message).get(phenomenon, (None, None))
    assert standing is not Standing.COUNTS


@for_each(
    ("message", "phenomenon", "verdict"),
    [
        ("load is fine, cpu 12%", RUN_QUEUE, NO),
        ("cpu and load fine", RUN_QUEUE, NO),
        ("the app gets a read-only transaction error on every insert", READ_ONLY, YES),
        ("reports are fine", REPORTS, NO),
        ("没有报表变慢", REPORTS, NO),
        ("ping is 0.3 ms", ROUND_TRIP, NO),
        ("没有一个槽", SLOT, NO),
    ],
)
def test_what_is_said_beside_near_misses_still_counts(
    reader: MessageReader, message: str, phenomenon: str, verdict: Verdict
) -> None:
    """The plain form of what a near miss looks like is heard as before."""
    assert heard(reader, message).get(phenomenon) == (verdict, Standing.COUNTS)


@for_each(
    ("message", "said"),
    [
        ("pg_wal is huge!! 310 gigs of 500. eats like 4gb an hour", (YES, Standing.COUNTS)),
        ("pg_wal is 310 gigs", (YES, Standing.COUNTS)),
        ("the wal folder IS way too big", (YES, Standing.COUNTS)),
        ("pg_wal 目录 310G", (YES, Standing.COUNTS)),
        ("pg_wal 很大", (YES, Standing.COUNTS)),
        ("pg_wal is 150 GB", (None, Standing.NEEDS_BASE)),
        ("pg_wal is 4 gigs", (None, Standing.NEEDS_BASE)),
        ("pg_wal is 310 GB, max_wal_size is 200 GB", (NO, Standing.COUNTS)),
        ("is pg_wal huge?", None),
    ],
)
def test_more_wal_than_any_limit_allows_needs_no_limit(
    reader: MessageReader, message: str, said: tuple[Verdict | None, Standing] | None
) -> None:
    """Twice the most that anybody sets max_wal_size to is too much whatever it is; less waits for it to be told."""
    assert heard(reader, message).get(WAL_SIZE) == said


@for_each(
    ("before", "message"),
    [
        ("", "表本身也在胀 没人导数据 行数没怎么变"),
        ("", "the orders table used to be 12 gigs, now 40, same row count"),
        ("对了这表怎么变这么大了 以前才十几G 现在40G", "行数没怎么变"),
        ("这张表原来12G 现在40G", "行数没怎么变"),
        ("the table used to be 12 GB and now its 40", "row count is the same"),
    ],
)
def test_a_table_is_larger_than_it_was(reader: MessageReader, before: str, message: str) -> None:
    """A size before and now, in one unit, with as many rows as before, in one message or two."""
    found = [item.reading for item in reader.read(message, Topics(before=(before,) if before else ())).readings]
    assert (TABLE_GROWS, YES) in {(each.phenomenon_id, each.verdict) for each in found}


@for_each(
    "message",
    ["磁盘以前才十几G 现在40G", "这表以前没这么慢", "表以前才12G 现在40G 行数也翻了三倍", "以前才十几G 现在40G"],
)
def test_a_size_alone_is_no_bloat(reader: MessageReader, message: str) -> None:
    """Neither of something else, nor where the rows grow as well or nobody tells of them."""
    assert TABLE_GROWS not in heard(reader, message)


@for_each(
    ("message", "said"),
    [
        ("cant do pg_stat_statements, extension isnt installed there", None),
        ("the extension is not installed here", None),
        ("扩展没装", None),
        ("no extension was installed lately", (NO, Standing.COUNTS)),
        ("最近没装过扩展", (NO, Standing.COUNTS)),
    ],
)
def test_what_is_not_installed_tells_of_no_change(
    reader: MessageReader, message: str, said: tuple[Verdict, Standing] | None
) -> None:
    """That one is lacking does not say that none was installed of late; an apostrophe may be missing."""
    assert heard(reader, message).get(EXTENSION) == said
