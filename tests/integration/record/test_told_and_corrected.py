"""A yes in whole sentences, what is asked whether it counts, and what corrects one's own words."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

RELEASE, CPU, LOCKS, ROWS, NO_INDEX, ANALYZED = "P-0014", "P-0008", "P-0021", "P-0080", "P-0078", "P-0082"
IO_WAITS, SLOW_REPORTS, WAITS = "P-0010", "P-0003", "P-0138"
YES, NO = Verdict.CONFIRMED, Verdict.DENIED
SESSIONS = """  pid  | usename | state  | wait_event_type | wait_event |       age       | blocked_by |  query
-------+---------+--------+-----------------+------------+-----------------+------------+---------------------
 20817 | report  | active |                 |            | 00:23:11.402913 | {}         | SELECT c.region, sum
(1 row)

only the report is hanging, app seems fine"""
PLAN = """ GroupAggregate  (cost=1204.11..1204.14 rows=1 width=48)
   Group Key: c.region
   ->  Sort  (cost=1204.11..1204.12 rows=1 width=22)
         ->  Nested Loop  (cost=0.99..1204.10 rows=1 width=22)
               ->  Index Scan using orders_created_at_idx on orders o  (cost=0.56..8.58 rows=1 width=14)
               ->  Index Scan using customers_pkey on customers c  (cost=0.43..8.45 rows=1 width=16)
(6 rows)"""
SEQ_SCAN = """QUERY PLAN
 Limit  (cost=412331.10..412333.43 rows=20 width=212) (actual time=13872.411..13880.902 rows=20 loops=1)
   ->  Sort  (actual time=13840.1..13840.1 rows=15 loops=3)
         ->  Parallel Seq Scan on orders  (cost=0.00..411308.00 rows=41 width=212) (actual rows=36 loops=3)
               Filter: (user_id = 883121)
               Rows Removed by Filter: 7412908"""
CONFLICT = {
    "zh": (
        "pg15 只读备库,跑报表的老是被取消",
        "2024-05-14 10:42:17 ERROR:  canceling statement due to conflict with recovery",
    ),
    "en": (
        "pg15 read replica, the reports keep getting cancelled",
        "2024-05-14 10:42:17 ERROR:  canceling statement due to conflict with recovery",
    ),
}


def record(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}


@pytest.mark.parametrize(
    ("between", "words"),
    [
        ("hm that rows=1 thing, what does that mean?", "well yeah then, i counted and its 30.2 million rows, not 1"),
        ("ffs my boss is calling again", "yes it does, 30 million and not 1. somebody loaded them yesterday"),
        ("why do you ask?", "yep, i counted 30 mio for that one day"),
        ("那个rows=1啥意思", "对，那天实际有3000万行，不是1"),
        ("老板又在催，烦死了", "是的，差了好几个数量级"),
    ],
)
def test_a_question_stays_open_over_talk_and_a_yes_may_give_its_reasons(
    running: House, between: str, words: str
) -> None:
    """An explanation or small talk answers nothing; a yes counts whatever figures stand behind it."""
    talk = running.told("hey pg15, our monthly report normaly takes 2 secs, now 20 min", SESSIONS, PLAN, between)
    assert ROWS not in record(talk)
    talk.say(words)
    assert record(talk).get(ROWS) is YES


@pytest.mark.parametrize("words", ["temp files are flat", "临时文件没涨"])
def test_a_denial_of_another_thing_answers_no_question(running: House, words: str) -> None:
    """Words that name a thing of their own, and no figure, are of that."""
    talk = running.told("hey pg15, our monthly report normaly takes 2 secs, now 20 min", SESSIONS, PLAN, words)
    assert ROWS not in record(talk)


@pytest.mark.parametrize(
    ("first", "words"),
    [("one page is slow, pg14", "theres an index on user_id though"), ("列表页今天慢死了，pg14", "user_id上有索引啊")],
)
def test_what_is_there_is_not_lacking(running: House, first: str, words: str) -> None:
    """Who says that there is an index denies that there is none."""
    assert record(running.told(first, SEQ_SCAN, words)).get(NO_INDEX) is NO


@pytest.mark.parametrize(("first", "words"), [("one page is slow, pg14", "only the primary key has an index")])
def test_what_else_is_there_denies_nothing(running: House, first: str, words: str) -> None:
    """An index on something else only is no index here."""
    assert record(running.told(first, SEQ_SCAN, words)).get(NO_INDEX) is not NO


@pytest.mark.parametrize(
    ("language", "asks", "short", "then"),
    [
        (
            "zh",
            "1 看了,偶尔蹦一下 RecoveryConflictSnapshot,没连着3次. 这算有还是没有??",
            "“没连着3次”",
            "那就算有吧, 确实见过",
        ),
        ("zh", "看了，没有连续3次都是，这算不算", "“没有连续3次都是”", "行，算有吧"),
        ("en", "1 saw it now and then, not 3 times in a row. does that count?", "not 3 times", "ok call it a yes then"),
        ("en", "looked. not 3 times in a row though, is that a yes or a no?", "not 3 times", "ok count it as yes"),
    ],
)
def test_who_asks_whether_it_counts_hears_the_rule(
    running: House, language: str, asks: str, short: str, then: str
) -> None:
    """Nothing is recorded by the question; the rule of the check is judged by; what it is counted as then holds."""
    talk = running.told(*CONFLICT[language], {"zh": "1 怎么看", "en": "how do I check 1"}[language], asks)
    assert WAITS not in record(talk)
    assert short in talk.replies[-1]
    assert "RecoveryConflict" in talk.replies[-1]
    talk.say(then)
    assert record(talk).get(WAITS) is YES


OWN = [
    ("月报慢死了，20分钟还没出，没人发版", "撤回我说没发版那句，昨天下午其实发了一版", RELEASE),
    ("report is slow. nobody deployed anything", "oh and btw scrap what i said re nobody touching anything", RELEASE),
    ("pg14慢，analyze跑过了没用", "更正下，之前说analyze没用那个，其实他跑的是测试库，生产上没跑", ANALYZED),
    (
        "one page slow, analyze didn't help",
        "correction, what i said about analyze not helping, he ran it on staging",
        ANALYZED,
    ),
    ("提交很慢，没有锁等待", "之前说没有锁等待那个，其实我没看，是同事猜的，更正下", LOCKS),
    ("report slow, no lock waits, cpu 95%", "scratch what i said about the lock waits", LOCKS),
]


@pytest.mark.parametrize(("first", "words", "gone"), OWN)
def test_what_somebody_takes_back_of_their_own_words_goes(running: House, first: str, words: str, gone: str) -> None:
    """That entry goes and no other, and nothing is said to be misheard."""
    talk = running.told(first)
    before = record(talk)
    talk.say(words)
    assert {name for name in before if name not in record(talk)} == {gone}
    assert "misheard" not in talk.replies[-1]
    assert "听岔" not in talk.replies[-1]


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (
            "one page is slow since the deploy 20 min ago, cpu 6%",
            "correction: i said the deploy was 20 min ago, it was an hour",
        ),
        ("one page is slow since the deploy 20 min ago, cpu 6%", "the deploy was 35 min ago, not 20 like i said"),
        ("reports slow, deploy was yesterday at 3, slow since then", "correction, deploy was at half past four, not 3"),
        ("就一个页面慢，20分钟前发版之后开始的", "更正下，发版不是20分钟前，快一小时了"),
        ("就一个页面慢，20分钟前发版之后开始的", "我刚说20分钟不对，看监控是快半小时前开始的"),
        ("报表昨天发版之后就慢", "说错了，发版是周一，不是昨天"),
    ],
)
def test_a_corrected_time_keeps_the_entry_and_is_told(running: House, first: str, words: str) -> None:
    """The record stays as it is, and the reply says what holds from now on."""
    talk = running.told(first)
    before = record(talk)
    talk.say(words)
    assert record(talk) == before
    assert talk.replies[-1].startswith(
        ("Noted: ", "Corrected: ", "记下了：", "好，记上：", "改过来了：", "以后说的为准：")
    )


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("reports slow, cpu 6%, no lock waits", "sorry i said cpu 6%, that was the app box. db box is at 95%"),
        ("提交很慢，cpu 5%", "更正下，刚说的cpu 5%是应用机的，数据库是97%"),
    ],
)
def test_a_figure_of_another_machine_gives_way(running: House, first: str, words: str) -> None:
    """What is quoted is not said once more, and the figure beside it holds."""
    assert record(running.told(first, words)).get(CPU) is YES


@pytest.mark.parametrize(
    "words",
    [
        "every single day the same, from 0 till about 10 cpu is at 5%, then it goes up till the evening",
        "before 10am cpu is at 5%, it gets bad after that",
        "每天0点到10点cpu都是5%，之后就不行了",
        "白天cpu 5%，晚上才这样",
    ],
)
def test_a_value_of_other_hours_denies_nothing(running: House, words: str) -> None:
    """What was told of now stands, however good it is at other times of the day."""
    assert record(running.told("most queries are slow, pg14, cpu 97%", words)).get(CPU) is YES


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("pg15 只读备库,跑报表的老是被取消", "那些跑批sql正常要七八分钟才出数"),
        (
            "commits are slow, most sessions are in IO waits",
            'the volume has "burst balance", it is 0% since 10:05, baseline 300 iops',
        ),
    ],
)
def test_what_is_normal_or_of_another_quantity_denies_nothing(running: House, first: str, words: str) -> None:
    """A usual duration is no word on how it is now, and a figure decides only what is named."""
    talk = running.told(first)
    before = record(talk)
    talk.say(words)
    assert record(talk).items() >= before.items()
    assert record(talk).get(SLOW_REPORTS) is not NO
    assert record(talk).get(IO_WAITS) is not NO
