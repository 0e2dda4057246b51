"""What is asked back about readings that are not sure, and how a yes or no to it is heard."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import ClarifyKind
from dbdiag.vocabulary import Verdict

from gateway.turn.context import Turn
from tests.support.talks import House

CPU, TEMP, DISK, DEPLOYED, IDLE = "P-0008", "P-0087", "P-0016", "P-0014", "P-0045"
PASTED = """ application_name | state  | count
------------------+--------+-------
 billing          | idle   |   187
 billing          | active |     3

 max_connections
-----------------
 200
"""
FULL = 'app dies every few hrs, "sorry too many clients already"'
DENIED = [
    (["在吗 订单接口时不时报错"], "app只打了个500。数据库cpu看着正常啊", CPU),
    (["一条报表查询很慢"], "应该不是cpu，数据库主机cpu看着不高", CPU),
    (["one dashboard query is slow"], "no temp stuff isnt really moving, like 3 mb", TEMP),
]
FAR_FETCHED = [
    (["查events表越来越慢"], "就events，其他表都正常的，机器cpu也不高", "但是磁盘上占了90多G，感觉不太对劲"),
    (["deadlock detected"], "没切过", "两边一个是 UPDATE stock SET qty=qty-1 另一个是 UPDATE orders SET status=2"),
    (["又来了，每天下午开始越来越慢"], "几乎啥都慢，cpu倒是闲着", "wa挺高的"),
    (["ppl cant save anything, the forms just spin"], "saving is stuck", "every table, orders, users, whatever"),
    (["commits hang, all in SyncRep"], "reads are fine", "a slow one would finish, these hang 15 min"),
]  # fmt: skip


def asks(turn: Turn) -> tuple[str, ...]:
    """The readings that a turn asks about."""
    asked = turn.clarification
    proposed = asked is not None and asked.kind is ClarifyKind.PROPOSED
    return tuple(option.phenomenon_id for option in asked.options) if asked is not None and proposed else ()


@pytest.mark.parametrize(("before", "words", "denied"), DENIED)
def test_a_plain_denial_counts_and_is_never_asked_back(
    running: House, before: list[str], words: str, denied: str
) -> None:
    """What words say is fine or not there is on record at once, and nothing waits for a yes to it."""
    talk = running.told(*before, words)
    assert {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}.get(denied) is Verdict.DENIED
    assert not asks(talk.turns[-1])
    assert all(item.verdict is Verdict.CONFIRMED for item in talk.session.proposed)


@pytest.mark.parametrize(("before", "then", "words"), FAR_FETCHED)
def test_what_is_hardly_meant_is_not_asked_about(running: House, before: list[str], then: str, words: str) -> None:
    """Words that something else may explain, or that are of all and not of one, are left as they are."""
    assert not asks(running.told(*before, then, words).turns[-1])


@pytest.mark.parametrize(
    "talk",
    [
        ["some pages of the shop crawl", "no its not the network. the boss is on my neck, third time this month"],
        ["报表今天特别慢", "没改什么，就是数据多了点，同事那边也在催"],
        ["logins hang", "its one host, 32 gigs, nobody touched it"],
        ["库突然很卡", "两台应用服务器，都连的这个库，都一样"],
    ],
)
def test_words_are_never_asked_back(running: House, talk: list[str]) -> None:
    """Words that are only like a phenomenon, or lean on what was asked, count or are left: nobody is asked if so."""
    assert not any(map(asks, running.told(*talk).turns))


def test_what_is_plainly_said_is_on_record(running: House) -> None:
    """Words that are like a phenomenon almost surely count at once, and the person may object."""
    told = running.told("报表今天慢得离谱")
    assert "P-0003" in {entry.phenomenon_id for entry in told.session.active()}
    assert not any(map(asks, told.turns))
    assert "不对请说" in told.replies[0]


PLAN = """ Nested Loop  (cost=0.86..17.20 rows=1 width=44)
   ->  Index Scan using bookings_day_idx on bookings b  (cost=0.43..8.45 rows=1 width=28)
         Index Cond: (day = '2026-11-02'::date)
   ->  Index Scan using rooms_pkey on rooms r  (cost=0.43..8.45 rows=1 width=20)
         Index Cond: (id = b.room_id)"""


def test_a_paste_that_leaves_something_open_is_gone_on_with(running: House) -> None:
    """Beside a plan without actual rows the sessions of the server are not asked for, and its lines not quoted."""
    reply = running.told("one report is slow, pg 15", PLAN).replies[-1]
    assert "pg_stat_activity" not in reply
    assert "cost=" not in reply


def test_what_was_shown_and_is_likely_is_asked_about_once(running: House) -> None:
    """A likely reading of a check that was asked is worth a question; a second one does not follow it."""
    talk = running.told(FULL, PASTED)
    assert asks(talk.turns[-1]) == (IDLE,)
    assert not asks(talk.say("there was a rollout of billing on monday, 3 days ago"))


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("uh its literally right there, 187 of them. all from the same thing", Verdict.CONFIRMED),
        ("yes!! i SAID so. only billing does that, the rest of the app is fine", Verdict.CONFIRMED),
        ("是啊 全是billing的。你干嘛老问这些", Verdict.CONFIRMED),
        ("都说了啊，就是这个", Verdict.CONFIRMED),
        ("no!! those are from the pool, it keeps them", Verdict.DENIED),
        ("没有 那是连接池留着的", Verdict.DENIED),
    ],
)
def test_the_answer_to_it_is_heard(running: House, answer: str, verdict: Verdict) -> None:
    """A yes puts it on record and a no lets it go, whatever else the message says."""
    talk = running.told(FULL, PASTED, answer)
    entry = talk.session.active_for(IDLE)
    assert talk.session.proposed_for(IDLE) is None
    assert entry is not None if verdict is Verdict.CONFIRMED else entry is None or entry.verdict is Verdict.DENIED
    asked = talk.turns[-1].clarification
    assert asked is None or asked.kind is not ClarifyKind.AMBIGUOUS_FEEDBACK


@pytest.mark.parametrize(
    "words", ["yes!! i SAID temp isnt moving, only the dashbord query", "是啊 我说了临时文件没涨，就那条查询慢"]
)
def test_which_of_several_a_yes_is_of_is_not_asked_beside_words(running: House, words: str) -> None:
    """Where a message says more than a yes, the words say what it is of."""
    asked = running.told("one dashboard query is slow", words).turns[-1].clarification
    assert asked is None or asked.kind is not ClarifyKind.AMBIGUOUS_FEEDBACK


COUNTER = """ datname | deadlocks |          stats_reset
---------+-----------+-------------------------------
 shop    |      4312 | 2025-02-27 03:10:22.518733+08
(1 row)"""


@pytest.mark.parametrize(
    ("first", "asked", "later"),
    [
        ("订单接口时不时报错", "我刚才贴的死锁计数你看了没？", "过了5分钟再查变成 4341 了"),
        ("orders fail now and then", "did you see the deadlock counter i pasted?", "5 minutes later it was 4341"),
    ],
)
def test_whether_a_counter_was_seen_is_told_by_what_it_came_to(
    first: str, asked: str, later: str, running: House
) -> None:
    """Read once, it is told what it lacks; read twice, that it is on record."""
    talk = running.told(first, COUNTER)
    rising = talk.say(asked).catalog.phenomenon_name("P-0028")
    assert any(name in talk.replies[-1] for name in (rising.zh, rising.en))
    assert "5 分钟" in talk.replies[-1] or "5 minutes" in talk.replies[-1]
    talk.say(later)
    talk.say(asked)
    assert any(told in talk.replies[-1] for told in (f"{rising.zh}：有", f"{rising.en}: yes"))


ROWS = """  pid  | wait_event |     dur      | query
-------+------------+--------------+-----------------------------------------------
 21877 |            | 00:00:37.412 | SELECT o.* FROM orders o WHERE o.code = $1
 21902 |            | 00:00:35.090 | SELECT o.* FROM orders o WHERE o.code = $1
 21915 |            | 00:00:31.755 | SELECT o.* FROM orders o WHERE o.code = $1
"""


def asked_in(turn: Turn) -> list[str]:
    """The phenomena that a reply asks about: what words may mean, else the checks."""
    asked = turn.clarification.options if turn.clarification is not None else turn.session.pending
    return [each.phenomenon_id for each in asked]


@pytest.mark.parametrize(
    ("opening", "words"),
    [
        ("everything is slow since noon", "many times the same select on orders"),
        ("夜里的报表一直跑不完", "orders 上同一条 select 好多次"),
    ],
)
def test_a_statement_in_pasted_rows_is_asked_about(opening: str, words: str, running: House) -> None:
    """What rows with statements in them make likely is asked about, as what they mean or as a check: no talk."""
    talk = running.talk()
    talk.say(opening)
    assert "P-0101" in asked_in(talk.say(f"{words}\n{ROWS}"))


def test_what_rows_show_is_asked_about_before_what_words_may_mean(running: House) -> None:
    """Of a paste and an aside that may mean something, the paste is asked about."""
    talk = running.talk()
    talk.say("everything is slow since noon")
    assert "P-0101" in asked_in(talk.say(f"no batch running rn, it finished at 3am. backup too.\n{ROWS}"))
