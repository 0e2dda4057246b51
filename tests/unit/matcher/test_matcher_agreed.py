"""Only what the recogniser hears in words as well counts of what the rules read in them, by the shipped library."""

from __future__ import annotations

import asyncio

import pytest

from services.matcher.matcher import Matcher
from services.matcher.model import MatchPhenomenaRequest, Observation, Standing, Verdict

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
RELEASE, RESTART, BURST, TRIGGERS, CALLS, STATISTICS, REPORTS, DISK, DEADLOCK, LOCKS, LOSS, CREDITS = (
    "P-0014", "P-0015", "P-0265", "P-0108", "P-0058", "P-0081", "P-0003", "P-0016", "P-0027", "P-0021", "P-0159",
    "P-0157",
)  # fmt: skip
POOLER, PARTITIONS = "P-0048", "P-0291"
FAILOVER, OOM, POOL, CONNECTIONS, EVERYTHING, ARCHIVING, BLOCKER, DISK_ERRORS, REPLAY_PAUSED, CPU, LAG = (
    "P-0170", "P-0145", "P-0005", "P-0044", "P-0001", "P-0130", "P-0025", "P-0158", "P-0136", "P-0008", "P-0134",
)  # fmt: skip


def counted(matcher: Matcher, message: str, *asked: str) -> dict[str, Verdict | None]:
    """What counts of a message that is one observation."""
    request = MatchPhenomenaRequest("", (Observation(message, start=0),), pending_phenomenon_ids=asked, message=message)
    found = asyncio.run(matcher.match(request))
    readings = (*found.readings, *(each for part in found.interpretations for each in part.readings))
    return {each.phenomenon_id: each.verdict for each in readings if each.standing is Standing.COUNTS}


@pytest.mark.parametrize(
    ("message", "phenomenon"),
    [
        ("别扯连接风暴了", BURST),
        ("少跟我讲连接风暴", BURST),
        ("gp3 has no burst credits", BURST),
        ("谁说触发器了", TRIGGERS),
        ("I don't care about calls per second", CALLS),
        ("so stale statistics you say", STATISTICS),
        ("reports were fine for two years", REPORTS),
        ("i don't have a volume id", DISK),
        ("我没有那块盘的编号", DISK),
    ],
)
def test_a_protest_an_echo_and_a_shared_word_are_no_fact(
    curated_matcher: Matcher, message: str, phenomenon: str
) -> None:
    """Words that wave a thing aside, repeat what was heard or only share a word with it record nothing of it."""
    assert phenomenon not in counted(curated_matcher, message)


@pytest.mark.parametrize(
    ("message", "phenomenon"),
    [
        ("began at ten. 重启的事你还没回我", RESTART),
        ("下午两点开始慢的，有个同事说干脆重启数据库得了", RESTART),
        ("slow since two o'clock, try restarting transaction is all the log says", RESTART),
        ("it started at two, we also use this standby for failover", RESTART),
        ("slow since 14:20, the deploy isn't it", RELEASE),
        ("it began friday, the dev who owns the ALTER is asleep and so is his migration tool", RELEASE),
    ],
)
def test_what_only_names_a_deed_is_not_what_the_trouble_began_with(
    curated_matcher: Matcher, message: str, phenomenon: str
) -> None:
    """A plan, a reminder, an error text and a denial that name a deed do not tell that the trouble began with it."""
    assert counted(curated_matcher, message).get(phenomenon) is not YES


@pytest.mark.parametrize(
    ("message", "phenomenon", "verdict"),
    [
        ("we have deadlocks", DEADLOCK, YES),
        ("有死锁", DEADLOCK, YES),
        ("no deadlocks in the log", DEADLOCK, NO),
        ("日志里没有死锁", DEADLOCK, NO),
        ("nobody waits for a lock", LOCKS, NO),
        ("没有会话在等锁", LOCKS, NO),
        ("没有人重启过库", RESTART, NO),
        ("we did not restart the database", RESTART, NO),
        ("昨晚后端发了个版，之后就开始慢", RELEASE, YES),
        ("it began right after the release last night", RELEASE, YES),
        ("data disk is at 97 %", DISK, YES),
        ("数据盘才用了 42%", DISK, NO),
    ],
)
def test_plain_facts_count_all_the_same(
    curated_matcher: Matcher, message: str, phenomenon: str, verdict: Verdict
) -> None:
    """What is plainly said to be there, or not, by words or by a figure, is recorded."""
    assert counted(curated_matcher, message).get(phenomenon) is verdict


@pytest.mark.slow
@pytest.mark.parametrize(
    ("message", "phenomenon", "verdict"),
    [
        ("丢包率是 0%", LOSS, NO),
        ("we see 0% packet loss", LOSS, NO),
        ("丢包率 3%", LOSS, YES),
        ("the burst balance went down from 100 and sits at 0", CREDITS, YES),
        ("突发额度从 100 掉到 0", CREDITS, YES),
        ("burst balance is at 100", CREDITS, NO),
    ],
)
def test_nought_decides_by_the_limit_of_what_it_is_of(
    curated_matcher: Matcher, message: str, phenomenon: str, verdict: Verdict
) -> None:
    """No loss is good and no credits are bad: a nought is what it is now, and the thing's own limit judges it."""
    assert counted(curated_matcher, message).get(phenomenon) is verdict


@pytest.mark.parametrize(
    ("message", "asked", "phenomenon"),
    [
        ("so all 20 busy", "P-0060", "P-0060"),
        ("I meant the vacuum, 19302, and not the other one that you told me about before", LOCKS, LOCKS),
        ("查过了，/var/lib/pgsql/15/data/log 里你那个 grep 给了我一大堆", DISK, DISK),
    ],
)
def test_words_and_figures_of_another_thing_answer_nothing(
    curated_matcher: Matcher, message: str, asked: str, phenomenon: str
) -> None:
    """What is likely about another thing is no answer to what was asked, and a number in a name is no figure."""
    assert phenomenon not in counted(curated_matcher, message, asked)


@pytest.mark.parametrize(
    ("message", "phenomenon", "verdict"),
    [
        ("disk /data is not full", DISK, NO),
        ("没做过主备切换", FAILOVER, NO),
        ("没重启过也没切换过", FAILOVER, NO),
        ("我没重启也没 reset 过统计", RESTART, NO),
        ("nobody deployed anything since thursday as far as i know", RELEASE, NO),
        ("no oom kills since the reboot", OOM, NO),
        ("haven't had any lock waits in a week", LOCKS, NO),
        ("the app can't get connections", POOL, YES),
        ("上限1000 现在连了120个", CONNECTIONS, NO),
        ("所有接口都慢 cpu 97", EVERYTHING, YES),
        ("归档是好的", ARCHIVING, NO),
    ],
)
def test_plain_words_count_where_the_recogniser_is_unsure(
    curated_matcher: Matcher, message: str, phenomenon: str, verdict: Verdict
) -> None:
    """A figure beside its thing, a negation of what happens and a thing with its state word are recorded."""
    assert counted(curated_matcher, message).get(phenomenon) is verdict


@pytest.mark.parametrize(
    ("message", "phenomenon"),
    [
        ("no idea about locks, how would I know. I asked where to start", LOCKS),
        ("the app was restarted twice and the boss is calling me, he says he doesn't need it", BLOCKER),
        ("都说了没有云盘，你还排第一。raid我也看了，dmesg干净，那除了这俩还能是啥？", DISK_ERRORS),
        ("你在说什么啊，我再说一遍是我着急的口气，不是现象……跟语句快慢一点关系没有", REPLAY_PAUSED),
        ("all day long i have been on this and i am tired, tell me what to do first", LOCKS),
        ("我已经说过好几遍了，你能不能先告诉我到底应该从哪里开始看起，别再绕来绕去的了", LOCKS),
    ],
)
def test_what_is_only_like_an_answer_is_none(curated_matcher: Matcher, message: str, phenomenon: str) -> None:
    """Words that neither name what was asked nor tell an amount answer it only where the recogniser hears it."""
    assert phenomenon not in counted(curated_matcher, message, phenomenon)


@pytest.mark.parametrize("message", ["not the disk", "不是磁盘", "it's not the cpu", "不是 cpu 啊", "都说了没有云盘"])
def test_that_a_thing_is_not_it_tells_no_share_of_it(curated_matcher: Matcher, message: str) -> None:
    """Of a share nobody has none: who waves the disk or the CPU aside does not say how full or busy it is."""
    assert not {DISK, CPU} & counted(curated_matcher, message).keys()


@pytest.mark.parametrize("message", ["no replay lag? lagging? ls takes like 5 seconds", "复制延迟？我这边登录要 5 秒"])
def test_a_figure_of_the_next_sentence_is_not_that_of_what_was_asked(curated_matcher: Matcher, message: str) -> None:
    """A figure belongs to the thing that its own sentence names."""
    assert LAG not in counted(curated_matcher, message)
