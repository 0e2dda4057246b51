"""What is asked of the state of the case gets its state; words that only complain or guess get none of its lists."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import (
    Answer,
    HelpAnswer,
    HistoryAnswer,
    HypothesesAnswer,
    ProgressAnswer,
    QuestionTopic,
    ReasoningAnswer,
    WhatIfAnswer,
)

from tests.support.talks import House, Talk

OPENED = ["所有更新都卡住了，三个以上会话在等锁", "all updates hang, three or more sessions wait for locks"]
STATE = HypothesesAnswer | HistoryAnswer | ReasoningAnswer | WhatIfAnswer | ProgressAnswer


def opened(running: House, said: str) -> Talk:
    """A talk with a few facts on record."""
    talk = running.talk()
    talk.say(OPENED[said.isascii()])
    return talk


def answers(running: House, said: str) -> list[Answer]:
    """The answers to a message in an open case."""
    return [*opened(running, said).say(said).answers]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("why do you say that?", ReasoningAnswer),
        ("凭啥觉得是这个？", ReasoningAnswer),
        ("which causes are still possible?", HypothesesAnswer),
        ("还有哪些可能的原因？", HypothesesAnswer),
        ("what did i tell you so far?", HistoryAnswer),
        ("那我下一步看什么？", ProgressAnswer),
        ("what should i look at next?", ProgressAnswer),
    ],
)
def test_a_question_of_the_state_is_answered_by_it(running: House, said: str, kind: type[Answer]) -> None:
    """Reasons, causes, what was told and what is next are told to whoever asks for them."""
    assert any(isinstance(each, kind) for each in answers(running, said))


@pytest.mark.parametrize(
    "said",
    [
        "why do requests time out? how do i release the locks",
        "is it bad to retry it? how sure are you",
        "我问的可不是怎么算的。锁要怎么释放？",
        "the shop front still loads okay. how do i unlock it?",
        "看懵了。怎么释放锁？",
    ],
)
def test_what_only_sounds_like_it_gets_no_list(running: House, said: str) -> None:
    """A complaint, a guess or a question of the matter gets no ranking, no record and no reasons beside its answer."""
    assert not [each for each in answers(running, said) if isinstance(each, STATE)]


@pytest.mark.parametrize(
    ("said", "left"),
    [("does that change anything?", "ranking"), ("这影响判断吗？", "排序")],
)
def test_whether_it_changes_anything_is_told(running: House, said: str, left: str) -> None:
    """Whoever asks if what was told changes anything hears what it left of the leading cause."""
    talk = opened(running, said)
    talk.say(said)
    assert left in talk.replies[-1] or "%" in talk.replies[-1]


def test_a_number_asked_about_is_found_in_the_row_it_came_from(running: House) -> None:
    """Where a number is from is told with the line of the person's that has it, however long ago."""
    talk = running.talk()
    talk.say("all updates hang\n pid | state\n-----+------\n 41877 | idle in transaction")
    talk.say("the host cpu is at 12%")
    turn = talk.say("where is 41877 from?")
    source = [each for each in turn.answers if isinstance(each, HelpAnswer) and each.topic is QuestionTopic.SOURCE]
    assert [view.words for each in source for view in each.evidence] == ["41877 | idle in transaction"]


@pytest.mark.parametrize(
    ("said", "not_now"),
    [
        ("为啥还说是复制槽？", "现在看的不是这个"),
        ("why do you still say replication slots?", "It is unlikely to be"),
    ],
)
def test_a_cause_that_nobody_goes_by_is_not_defended(running: House, said: str, not_now: str) -> None:
    """Why another thing than the leading cause is told as no longer gone by, with what is."""
    talk = opened(running, said)
    told = "all wait for one session idle in transaction for two hours"
    talk.say(told if said.isascii() else "其中一个空闲事务开了两个小时，源头都是它")
    talk.say(said)
    assert not_now in talk.replies[-1]


@pytest.mark.parametrize(
    "said",
    [
        "do you even read my lines",
        "你到底有没有在听",
        "那一行输出是我从日志里抄的",
        "that comes from the plan the junior sent over",
    ],
)
def test_what_asks_for_no_help_gets_none(running: House, said: str) -> None:
    """Neither how dbdiag is used nor a remedy is told to words that only tell or complain."""
    talk = opened(running, said)
    talk.say(said)
    assert not any(isinstance(each, HelpAnswer) and each.topic is None for each in talk.turns[-1].answers)
    assert "/reset" not in talk.replies[-1]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("im not asking why it waits. how do i check 1", "why it waits"),
        ("我没问你怎么算出来的。1 怎么看", "怎么算"),
    ],
)
def test_what_was_not_asked_is_not_answered(running: House, said: str, asked: str) -> None:
    """Words that tell what somebody did not ask ask nothing; what stands beside them does."""
    talk = opened(running, said)
    turn = talk.say(said)
    assert turn.answers
    assert not any(isinstance(each, HelpAnswer) and asked in each.text for each in turn.answers)


@pytest.mark.parametrize("said", ["how do i check 1", "1 怎么看"])
def test_whoever_asks_again_how_to_look_gets_the_command_again(running: House, said: str) -> None:
    """A command that was shown is shown once more, and nobody is sent back to read above."""
    talk = opened(running, said)
    talk.say(said)
    talk.say(said)
    assert "`" in talk.replies[-1]
