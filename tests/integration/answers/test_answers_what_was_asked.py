"""What is asked of a case gets its answer: a why the mechanism, a belief its grounds, a protest no new subject."""

from __future__ import annotations

import pytest

from tests.support.talks import House

STANDBY = {
    "en": ("ERROR:  canceling statement due to conflict with recovery", "the reports on the standby are slow"),
    "zh": ("备库上的报表报 ERROR:  canceling statement due to conflict with recovery", "备库上的报表也慢"),
}
OOM = {
    "en": ("LOG:  server process (PID 20931) was terminated by signal 9: Killed",),
    "zh": (
        "数据库自己重启了一次，连接全断",
        "LOG:  server process (PID 20931) was terminated by signal 9: Killed",
    ),
}


@pytest.mark.parametrize(
    ("told", "asked", "expected"),
    [
        (STANDBY["en"], "why does the primary's vacuum even matter, nobody vacuums the replica??", "has to replay"),
        (STANDBY["zh"], "主库清理怎么就把我备库上的报表杀了？", "原样回放"),
        (OOM["en"], "work_mem is 512MB, how can that eat 64 gb of ram?", "for each sort, hash and parallel worker"),
        (OOM["zh"], "work_mem 512MB 怎么就能把64G吃光？", "每个排序、哈希"),
        (OOM["zh"], "work_mem 512MB 不算大吗？这跟内存爆掉有啥关系", "会话"),
    ],
)
def test_a_why_is_answered_with_how_it_comes_about(
    running: House, told: tuple[str, ...], asked: str, expected: str
) -> None:
    """How the one brings about the other is told: nothing else of the case, and no question that only sounds alike."""
    assert expected in running.told(*told, asked).replies[-1]


@pytest.mark.parametrize(
    ("language", "asked", "again"),
    [
        ("en", "why does the standby kill my report?", "no, WHY does it kill my report, in one sentence"),
        ("zh", "备库为什么取消我的报表？", "不是，我问的是为什么取消我的报表，一句话"),
    ],
)
def test_a_why_that_is_asked_again_is_told_in_other_words(
    running: House, language: str, asked: str, again: str
) -> None:
    """Neither the same words, nor the steps of the remedy, nor a summary of the case."""
    talk = running.told(*STANDBY[language], asked, again)
    first, second = talk.replies[-2:]
    assert second not in first
    assert "```" not in second
    assert len(second) < 400


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [("en", "what do you mean, no?", "I read that from"), ("zh", "什么叫没有？", "读出来的")],
)
def test_a_yes_or_no_that_is_asked_about_is_of_what_was_read(
    running: House, language: str, asked: str, told: str
) -> None:
    """It is no word to be explained: where the reading is from is told."""
    said = {"en": "cpu is at 6 %, the app gets no connection from its pool", "zh": "cpu才6%，应用拿不到连接"}
    reply = running.told(said[language], asked).replies[-1]
    assert "no explanation of" not in reply
    assert "没有现成的解释" not in reply
    assert told in reply


@pytest.mark.parametrize(
    "asked",
    [
        "is there a setting for how much of it may be used",
        "have we got a knob for that amount",
        "这个用量有个开关能拧吗",
    ],
)
def test_no_question_of_a_case_gets_the_help_text(running: House, asked: str) -> None:
    """How dbdiag is used is told to whoever asks that; else it says that it does not know."""
    reply = running.told("everything is slow", "cpu is at 95 %", asked).replies[-1]
    assert "/reset" not in reply


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "correction: it did not start this morning but two weeks ago. does that change anything?"),
        ("zh", "更正下，不是今天早上开始的，两周前就有了。这个对判断有影响吗？"),
    ],
)
def test_whether_what_was_told_changes_anything_is_told(running: House, language: str, asked: str) -> None:
    """With the belief in the leading cause as it stays, and without the remedy."""
    reply = running.told(*STANDBY[language], asked).replies[-1]
    assert "%" in reply
    assert "```" not in reply


def test_an_echo_of_the_answer_asks_nothing_of_a_library(running: House) -> None:
    """ "16GB??" protests against a number that was just said, and is no question how much to set."""
    told = (
        "LOG:  checkpoints are occurring too frequently (17 seconds apart)",
        "max_wal_size is 1GB and we write a lot",
        "what do i do now?",
    )
    reply = running.told(*told, "16GB?? never").replies[-1]
    assert "pg_wal_lsn_diff" not in reply


@pytest.mark.parametrize(
    ("language", "asked"), [("en", "not closing anything. what is left to do?"), ("zh", "先不关。还剩什么没做？")]
)
def test_whoever_does_not_close_the_case_is_not_told_how(running: House, language: str, asked: str) -> None:
    """A refusal to close it asks for nothing."""
    assert "/close" not in running.told(*STANDBY[language], asked).replies[-1]


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("en", "why do you ask me to run that? all is quiet again", "several checks at once"),
        ("zh", "跑这个有啥用？现在已经好了", "一次能答好几项"),
    ],
)
def test_what_a_look_is_for_is_told(running: House, language: str, asked: str, told: str) -> None:
    """Not why one of the checks beside it is asked for: one that it answers, and the causes it tells apart."""
    said = {"en": "every query is slow since noon", "zh": "数据库隔几个小时就自己重启一次，连接全断"}
    talk = running.told(said[language], asked)
    leading = [each.name.say(talk.turns[-1].language) for each in talk.session.beliefs()[:2]]
    assert told in talk.replies[-1]
    assert all(cause in talk.replies[-1] for cause in leading)


def test_why_a_cause_is_believed_is_told_of_the_cause_that_is_named(running: House) -> None:
    """Also where another one leads, and where a check is called nearly the same."""
    asked = "你为什么觉得是扩展的问题？我们没装过扩展"
    talk = running.told("数据库隔几个小时就自己重启一次，所有连接全断", asked)
    assert "扩展缺陷使进程崩溃** 目前" in talk.replies[-1]


def test_whether_something_counted_is_told(running: House) -> None:
    """What was read and lacks something to count is told with what it takes."""
    talk = running.told(
        "月底对账那个查询卡死了，以前两秒现在20分钟都不出来", "优化器估错了行数", "所以估错行数这事你到底算没算？"
    )
    assert "估算行数" in talk.replies[-1]


@pytest.mark.parametrize(
    ("language", "told", "asked", "expected"),
    [
        (
            "en",
            "dead tuples are above 60 % of the orders table, autovacuum cannot keep up",
            "does it get worse if i wait till the morning?",
            "dead rows",
        ),
        ("zh", "orders 表的死元组占了六成，自动清理跟不上", "等到早上会不会更糟？", "死元组"),
    ],
)
def test_what_waiting_costs_is_told_by_the_cause_in_front(
    running: House, language: str, told: str, asked: str, expected: str
) -> None:
    """Bloat lets nobody wait for a lock: it grows."""
    reply = running.told(told, asked).replies[-1]
    assert expected in reply
    assert "wait_event_type" not in reply


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("en", "can i do 10min?", "= '10min'"),
        ("zh", "设10分钟行不行？", "= '10min'"),
        ("en", "why 30min at all?", "is only an example"),
        ("zh", "为什么是30min？", "只是例子"),
    ],
)
def test_a_value_is_told_where_it_is_from_and_what_it_has_to_fit(
    running: House, language: str, asked: str, told: str
) -> None:
    """The value of a step is an example; one that the person names stands in its place, with the rule for it."""
    now = {"en": "what do i do now", "zh": "怎么处理"}
    waits = " 18422 | IPC | RecoveryConflictSnapshot"
    reply = running.told(*STANDBY[language], waits, now[language], asked).replies[-1]
    assert told in reply
    assert "3h" in reply
