"""What is asked straight gets a straight answer: a because for a why, the remedy of what is named, one of two."""

from __future__ import annotations

import pytest

from tests.support.talks import House

FAILOVER = (
    "昨晚刚发生过主备切换，应用一写就报错",
    "ERROR: cannot execute INSERT in a read-only transaction",
    "应用仍连在原主库上：有",
)
LEAK = ("connections at 100% of max, too many clients, billing-api has 140 connections idle for hours",)
DEADLOCK = ("deadlock detected errors in the log",)
CHECKPOINTS = ("日志里一直 checkpoints are occurring too frequently，max_wal_size是1GB，写入量很大",)


def test_why_a_restart_helped_gets_the_because(running: House) -> None:
    """Why some instances are well again is answered by what a restart changes, not by how to restart."""
    talk = running.told(*FAILOVER, "那为啥重启过的2和7就好了,没重启的不行?老板也问我这个")
    assert any(words in talk.replies[-1] for words in ("新地址", "新主"))
    assert "一台一台" not in talk.replies[-1]
    assert "先确认再动手" not in talk.replies[-1]


@pytest.mark.parametrize("asked", ["为啥select也卡", "所以到底为什么select也卡"])
def test_a_why_asked_again_is_never_the_same_text(running: House, asked: str) -> None:
    """Whoever asks why again is told something else."""
    talk = running.told(*CHECKPOINTS, "为啥select也卡", asked)
    assert len(set(talk.replies)) == 3


def test_why_a_sign_shows_is_told_by_its_link(running: House) -> None:
    """Why a sign shows is answered by the library's reason for it under the leading cause."""
    talk = running.told("seq scan on coupons, no index on code column", "but why is the cpu so high then")
    assert "burns CPU" in talk.replies[-1]


@pytest.mark.parametrize("asked", ["how do i fix it, the deadlock thing", "死锁怎么处理"])
def test_the_remedy_of_what_is_named_is_told(running: House, asked: str) -> None:
    """The remedy of a cause that is named comes with an if, whatever leads and however little."""
    text = running.told(*DEADLOCK, asked).replies[-1]
    assert "40P01" in text
    assert "not settled" not in text


def test_no_advice_for_any_cause_beside_one_that_leads(running: House) -> None:
    """What to do goes by a cause that leads clearly, also where the message tells something beside it."""
    text = running.told(*LEAK, "ok so what do i do then? cpu is at 20 %").replies[-1]
    assert "not settled" not in text
    # The remedy of the leak: its relief, or all steps where the answer before has named that.
    assert any(step in text for step in ("End that application's connections", "Restart the leaking instances"))


def test_advice_for_any_cause_comes_once(running: House) -> None:
    """What may be done whatever the cause is not told a second time."""
    talk = running.told("应用很慢", "现在怎么办", "那现在怎么办啊")
    assert "根因还没定" in talk.replies[-2]
    assert "根因还没定" not in talk.replies[-1]


@pytest.mark.parametrize("asked", ["先改dns还是先重启那6个?", "那我现在该干嘛?先改dns还是先重启?"])
def test_of_two_things_the_remedy_names_the_first(running: House, asked: str) -> None:
    """An "or" is answered by the step that does it, and by no leave."""
    text = running.told(*FAILOVER, asked).replies[-1]
    assert "第 2 步：刷新 DNS" in text
    assert "可以" not in text
    assert "第 1 步" not in text
    assert "告警" not in text


@pytest.mark.parametrize(("asked", "verdict"), [("所以是应用还连着旧主库?", "就是它："), ("所以是长事务?", "不太像：")])
def test_a_conclusion_gets_yes_or_no_first(running: House, asked: str, verdict: str) -> None:
    """Who draws a conclusion is told whether it holds before anything else."""
    text = running.told(*FAILOVER, asked).replies[-1]
    assert text.startswith(verdict)
    assert "提示" not in text


def test_nothing_beside_the_answer_that_nobody_asked(running: House) -> None:
    """Leave to build an index comes without which index it is, and a question of belief without what was done."""
    index = running.told("seq scan on coupons, no index on code column", "can i just create the index while it runs?")
    assert "do not know which" not in index.replies[-1]
    belief = running.told("提交在等待 SyncRep", "为啥扯检查点?你有多大把握?8%也好意思说")
    assert "还没说做了哪一步" not in belief.replies[-1]
    both = running.told(*LEAK, "??? how sure are you now? which one is it")
    assert "do not know which" not in both.replies[-1]
