"""Answers with a stress, and what somebody cannot run, in the words of people under pressure."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from services.planner.model import (
    ClarifyStep,
    FeedbackStep,
    Item,
    Language,
    SessionView,
    Speaker,
    Text,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.understand.answers.said_plainly import with_plain_answers
from services.planner.understand.open_question import read_answering
from tests.support.cases import for_each

YES, NO, UNKNOWN = Verdict.CONFIRMED, Verdict.DENIED, Verdict.UNKNOWN
SLOW = (
    Item(1, "P-0004", Text("写入或提交很慢", "Writes or commits are slow")),
    Item(2, "P-0001", Text("大多数语句都比平时慢", "Most statements are slower than usual")),
    Item(3, "P-0005", Text("应用从连接池拿不到连接", "Application times out getting a pooled connection")),
)
CHECKS = (
    Item(1, "P-0087", Text("临时文件增长快，每分钟超 100 MB", "Temp files grow by over 100 MB a minute")),
    Item(2, "P-0061", Text("索引大小异常增长", "An index has grown abnormally")),
    Item(3, "P-0078", Text("过滤或连接列上没有索引", "No index on the filter or join column")),
)
SHOWN = Utterance(
    Speaker.ASSISTANT,
    "**1. Temp files grow by over 100 MB a minute**\n```sql\nSELECT temp_bytes\n```\n2. An index …",
    CHECKS,
)
ONE = SessionView(turn=2, language=Language.EN, options=SLOW[:1], clarified_words="x")
SEVERAL = SessionView(turn=2, language=Language.EN, options=SLOW, clarified_words="x")
ASKED = SessionView(turn=2, language=Language.EN, pending=CHECKS, history=(SHOWN,))


def heard(message: str, view: SessionView) -> TurnPlan:
    """The plan of a message, with the answers that no label tells."""
    return with_plain_answers(read_answering(message, view)[0], message, view)


def answers(plan: TurnPlan) -> list[tuple[object, Verdict | None]]:
    """What a plan answers: the ordinal or id, and the verdict."""
    steps = [step for step in plan.steps if isinstance(step, FeedbackStep)]
    return [(step.reference.ordinal or step.reference.id, step.verdict) for step in steps]


@for_each(
    ("message", "verdict"),
    [
        ("废话 当然是", YES), ("废话 当然是。 现在能上去了", YES), ("当然是", YES), ("那还用说", YES), ("必须的", YES),
        ("有!!! 都说几遍了", YES), ("是啊 还能是啥", YES), ("yes obviously", YES), ("obviously", YES),
        ("duh, yes", YES), ("no shit, yes", YES), ("i said yes", YES), ("YES. writes: yes", YES),
        ("yeah pretty much everything is slow", YES),
        ("不是啊 哪有", NO), ("哪有啊", NO), ("不是不是", NO), ("no way", NO), ("hell no", NO), ("of course not", NO),
    ],
)  # fmt: skip
def test_a_stressed_word_answers_the_one_thing_that_is_asked(message: str, verdict: Verdict) -> None:
    """A yes or a no with a stress is one, and what is said beside it changes nothing."""
    assert answers(heard(message, ONE)) == [(1, verdict)]


@for_each(
    ("message", "ordinal"),
    [
        ("1啊 我不是说了写入卡么", 1), ("1啊 写入卡", 1), ("1!! 写入卡", 1), ("2 啊废话", 2), ("2 obviously", 2),
        ("就是1啊 读没事", 1), ("选3啊", 3), ("第一个啊 我都说了", 1), ("2 duh", 2), ("1 of course. cpu is idle", 1),
    ],
)  # fmt: skip
def test_a_number_with_a_stress_is_a_yes_to_it(message: str, ordinal: int) -> None:
    """The words beside a stressed number say the same thing, and deny nothing."""
    for view in (SEVERAL, ASKED):
        assert answers(heard(message, view))[:1] == [(ordinal, YES)]
        assert all(verdict is YES for _, verdict in answers(heard(message, view)))


@for_each(("message", "verdict"), [("1 nope", NO), ("1 不是", NO), ("2没有", NO), ("1啊 没有", NO)])
def test_a_number_before_a_no_is_no_yes(message: str, verdict: Verdict) -> None:
    """A no behind a number is of that number, stressed or not."""
    assert {given for _, given in answers(heard(message, SEVERAL))} == {verdict}


@for_each("message", ["1啊 什么意思", "1啊？", "3个会话卡住", "2 min ago it began"])
def test_a_number_that_asks_or_counts_is_no_answer(message: str) -> None:
    """A question about an item and an amount choose nothing."""
    assert answers(heard(message, SEVERAL)) == []


@for_each("rest", ["就那一个页面慢", "写入卡，读没事", "2"])
@for_each("opening", ["刚不是说了吗", "我不是说过了吗", "前面不是说了吗"])
def test_that_it_was_said_before_denies_nothing(opening: str, rest: str) -> None:
    """Who complains of having said it already has answered what the rest answers, and no no is heard."""

    def decided(message: str) -> TurnPlan:
        return asyncio.run(Planner().decide(SEVERAL, message)).plan

    assert answers(decided(f"{opening} {rest}")) == answers(decided(rest))


@for_each(
    "message",
    [
        "no no you got me wrong, commits are what is slow",
        "nono, you read me wrong. 40 ms a commit",
        "不不，你听反了，是提交慢",
    ],
)
def test_a_no_before_a_word_of_mishearing_answers_nothing(message: str) -> None:
    """Who protests that he was misheard says no to that, and not to the one thing that is asked."""
    asked = replace(SEVERAL, options=SLOW[:1])
    assert NO not in {verdict for _, verdict in answers(heard(message, asked))}


def test_each_number_has_its_own_answer() -> None:
    """A stress on one number leaves the next one its own verdict."""
    assert answers(heard("2 yes obviously, 1 dunno", SEVERAL)) == [(2, YES), (1, UNKNOWN)]


@for_each("message", [
    "cant do two readings a min apart rn, grafana for that is broken", "grafana is down for me",
    "i have no access to that view", "that query is not allowed for my user", "no psql on this box",
    "permission denied for view pg_stat_statements", "cant run it", "这个我跑不了", "这个没装 看不了",
    "等下 连不上堡垒机 现在看不了", "监控挂了看不到", "那个没权限看 不过cpu很低",
])  # fmt: skip
def test_what_cannot_be_run_is_the_check_that_was_shown(message: str) -> None:
    """Of several checks only the one shown in full is set aside, and nobody is asked which."""
    plan = heard(message, ASKED)
    assert set(answers(plan)) == {("P-0087", UNKNOWN)}
    assert not any(isinstance(step, ClarifyStep) for step in plan.steps)


@for_each(
    "message",
    ["the app cant do writes", "users cannot see anything", "应用连不上库", "没权限登机器", "no access to the host"],
)
def test_what_the_system_cannot_do_refuses_no_check(message: str) -> None:
    """A failure of the system is a statement, and a statement needs no machine: no check is set aside for either."""
    assert UNKNOWN not in {verdict for _, verdict in answers(heard(message, ASKED))}


@pytest.mark.parametrize(
    ("message", "phenomenon_id"),
    [
        ("jesus. YES. No index on the filter or join column: yes", "P-0078"),
        ("YES. An index has grown abnormally: yes", "P-0061"),
    ],
)
def test_a_yes_in_a_sentence_of_its_own_is_of_the_name_behind_it(message: str, phenomenon_id: str) -> None:
    """The name of an item behind a yes is affirmed, whatever no the name has in it, and nothing is asked back."""
    plan = heard(message, ASKED)
    assert answers(plan) == [(phenomenon_id, YES)]
    assert not any(isinstance(step, ClarifyStep) for step in plan.steps)


@for_each("message", ["yes", "有", "yep"])
def test_a_bare_answer_is_of_the_check_that_was_shown(message: str) -> None:
    """Where one command was shown, nobody is asked which check a bare yes is about."""
    assert answers(heard(message, ASKED)) == [("P-0087", YES)]


@pytest.mark.parametrize("message", ["cant look at tps, grafana is down for me", "can't check the replication lag rn"])
def test_what_cannot_be_looked_at_and_was_not_asked_answers_nothing(message: str) -> None:
    """A check that the message names and nobody asked for leaves what was asked open."""
    assert answers(heard(message, ASKED)) == []


@for_each(
    "message",
    [
        "NO. nothing crashed, i was asking why you bring it up. what do i do now",
        "no. thats not what i meant, what next",
        "没有。我是问你为什么提这个，现在怎么办",
        "正常。我先回滚",
        "订单数没变，跟上周差不多",
    ],
)
def test_an_interjection_before_other_words_answers_no_list(message: str) -> None:
    """Of several checks none is answered by a no that only opens what is said, nor by a part of a word."""
    assert answers(heard(message, ASKED)) == []


@pytest.mark.parametrize("message", ["fine. rolling back now, gonna count them every 10 min", "正常，我先回滚"])
def test_that_all_is_fine_before_other_words_answers_nothing(message: str) -> None:
    """Who says "fine" and goes on agrees, also where a single check is asked."""
    assert answers(heard(message, replace(ASKED, pending=CHECKS[:1]))) == []


@for_each("message", ["no to all of them. what next", "都没有。下一步呢", "no", "都没有"])
def test_a_no_to_a_whole_list_is_one(message: str) -> None:
    """By itself, or with words that speak of the whole list, a no is of all of it."""
    assert {verdict for _, verdict in answers(heard(message, ASKED))} == {NO}
