"""What the person says of what has to be kept, what there is none of and what it came with is kept for the case."""

from __future__ import annotations

import pytest

from services.planner.model import SessionView, Speaker, Utterance
from services.planner.treatment.bearing import (
    BEARING,
    KEEP_QUERY,
    NO_JOB,
    NO_LOSS,
    OWNER_KNOWN,
    RELEASE,
    RUNTIME,
    bearing_on_treatment,
)
from services.planner.treatment.durations import longest_of
from tests.support.cases import for_each


def kept(said: str, *before: str) -> set[tuple[str, str]]:
    """What is kept of a message, after others of the person."""
    view = SessionView(history=tuple(Utterance(Speaker.USER, text) for text in before))
    return {(each.kind, each.name) for each in bearing_on_treatment(said, view)}


@for_each(
    ("said", "name"),
    [
        ("再砍?我就是要报表跑完啊!!", KEEP_QUERY),
        ("备库上的报表老被取消", KEEP_QUERY),
        ("our reports keep getting cancelled on the replica", KEEP_QUERY),
        ("the report has to finish, don't kill it", KEEP_QUERY),
        ("id rather not lose orders if the master goes too", NO_LOSS),
        ("we can't afford to lose anything", NO_LOSS),
        ("一笔订单都不能丢", NO_LOSS),
        ("没有什么批量任务啊，就是两个接口", NO_JOB),
        ("跟你说了没有任务，是两个接口", NO_JOB),
        ("there is no batch job, just two endpoints", NO_JOB),
        ("cant reach the owner, guys asleep", OWNER_KNOWN),
        ("那分析师请假了人都找不到", OWNER_KNOWN),
        ("its from some backoffice job i think", OWNER_KNOWN),
        ("昨天晚上刚发了个版，扣库存那块改过，之后就这鬼样子了", RELEASE),
        ("there was a rollout of billing on monday. crashes started that nite, before that never", RELEASE),
        ("we deployed at 9, it has been like this ever since", RELEASE),
    ],
)
def test_what_bears_on_the_treatment_is_kept(said: str, name: str) -> None:
    """A wish, a denial, who owns a session and a release that it began with are heard in both languages."""
    assert (BEARING, name) in kept(said)


@for_each(
    "said",
    [
        "if i kill it does the job break or do we lose data",
        "直接杀掉30917会丢数据吗",
        "thats not what i asked. nobody deploys on a friday, it started an hour ago",
        "没发过版，上午开始的",
        "the nightly job failed, the report is slow",
        "报表变慢了，任务报错",
    ],
)
def test_a_question_or_other_news_is_no_wish(said: str) -> None:
    """What is asked, denied or told of something else binds nobody."""
    assert kept(said) == set()


def test_a_release_is_heard_over_two_messages() -> None:
    """The release in one message and the beginning in the next belong together."""
    assert (BEARING, RELEASE) in kept(
        "i just said. started that same night", "there was a rollout of billing on monday"
    )


@for_each(
    ("said", "minutes"),
    [("那个报表要跑2个小时", "120"), ("the report takes about 2 hours", "120"), ("报表一般跑 40 分钟", "40")],
)
def test_how_long_a_report_takes_is_kept(said: str, minutes: str) -> None:
    """The duration of a report is kept in minutes."""
    assert (RUNTIME, minutes) in kept(said)


@for_each(
    ("said", "minutes"),
    [
        ("the report takes two hours", 120),
        ("it takes about an hour and a half", 90),
        ("这报表得跑俩小时", 120),
        ("月报一般跑两个多小时", 180),
        ("报表要跑 2 个半小时", 150),
        ("the query fails after 40 s", 0),
    ],
)
def test_how_long_a_report_takes_is_heard_in_words(said: str, minutes: int) -> None:
    """Numbers in words count as well as figures, and what is over an hour is not cut to it."""
    told = [int(name) for kind, name in kept(said) if kind == RUNTIME]
    assert max(told, default=0) == minutes


@pytest.mark.parametrize(
    "said",
    ["我问了，不是二十分钟，最长的也就 9 分钟", "asked them again: the longest one takes about 9 minutes"],
)
def test_the_longest_of_all_corrects_what_was_told_before(said: str) -> None:
    """Who tells how long the longest query takes has told it of all: a longer time told before holds no more."""
    told = ("20", *(name for kind, name in kept(said) if kind == RUNTIME))
    assert longest_of(told) == 9
