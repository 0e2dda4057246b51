"""A clause that asks, requests, refuses an order or names a thing puts nothing on record, with or without its mark."""

from __future__ import annotations

import pytest

from tests.support.talks import House, Talk

FIRST = {"en": "all our queries are slow since 9", "zh": "九点开始所有查询都慢"}
POOL = {
    "en": ("the app cannot get a connection from its pool, requests time out", "cpu of the db is at 5 %"),
    "zh": ("应用从连接池拿不到连接，接口超时", "数据库 cpu 才 5%"),
}
RESTART, LOSS, FAILOVER, OFTEN, WARMTH, QUEUE = "P-0015", "P-0159", "P-0170", "P-0332", "P-0151", "P-0048"
NONE_OF = {RESTART, LOSS, FAILOVER, OFTEN, WARMTH, QUEUE}


def recorded(talk: Talk) -> set[str]:
    """What the last message put on record or asks about."""
    now = talk.session.turn
    asked = {each.phenomenon_id for each in talk.session.proposed if each.turn == now}
    return asked | {each.phenomenon_id for each in talk.session.active() if each.turn == now}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "how certain are you, it is not packet loss"),
        ("en", "are you sure its no packet loss on the way to the db"),
        ("en", "128MB is all it has, and can we change that without restarting the server"),
        ("zh", "你确定不是丢包的问题"),
        ("zh", "有多大把握，不是网络丢包吧"),
    ],
)
def test_a_question_without_its_mark_claims_nothing(running: House, language: str, words: str) -> None:
    """What is asked of dbdiag is no answer to it."""
    assert not recorded(running.told(FIRST[language], words)) & NONE_OF


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "cannot restart that thing of yours now, the boss watches"),
        ("en", "i have no time to restart anything"),
        ("zh", "我哪有时间给你重启"),
        ("zh", "没空重启这玩意儿"),
    ],
)
def test_what_nobody_can_do_was_not_done_and_is_not_denied(running: House, language: str, words: str) -> None:
    """That there is no time for a restart tells nothing of restarts."""
    assert not recorded(running.told(FIRST[language], words)) & NONE_OF


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "the second standby is not for failover, it serves the BI team"),
        ("zh", "第二台备库不是用来做主备切换的，给 BI 用的"),
    ],
)
def test_what_a_thing_is_for_tells_of_no_event(running: House, language: str, words: str) -> None:
    """A purpose is denied, and no failover."""
    assert not recorded(running.told(FIRST[language], words)) & NONE_OF


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", 'the "PgBouncer clients are waiting" one in your list, send me the command'),
        ("zh", "你单子里那个“PgBouncer 有客户端排队等待”，命令发我"),
    ],
)
def test_a_quoted_name_only_points(running: House, language: str, words: str) -> None:
    """A check by its name in quotation marks is asked for, and not seen; its command is what comes back."""
    talk = running.told(*POOL[language], words)
    assert not recorded(talk) & NONE_OF
    assert "SHOW POOLS" in talk.replies[-1]


@pytest.mark.parametrize(("language", "words"), [("en", "no restart here"), ("zh", "这台没重启过")])
def test_no_restart_denies_the_restart_and_nothing_else(running: House, language: str, words: str) -> None:
    """What would come of a restart is not denied in the same words."""
    assert recorded(running.told(FIRST[language], words)) == {RESTART}


@pytest.mark.parametrize(
    ("first", "then", "shows"),
    [
        ("帮我写个 SQL 查锁", "再给我一条看当前连接数的 SQL", "max_connections"),
        (
            "how do I see the lock waits",
            "and give me one query that shows how many connections there are",
            "max_connections",
        ),
    ],
)
def test_who_wants_a_statement_tells_nothing(running: House, first: str, then: str, shows: str) -> None:
    """A statement that is asked for is shown, and its number of statements is no number of rows."""
    talk = running.told(first, then)
    assert not recorded(talk)
    assert shows in talk.replies[-1]
