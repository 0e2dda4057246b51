"""Within a case words that only name an item call for no check, and words that only name tickets for no figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    EvidenceView,
    HypothesisView,
    Item,
    Language,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    ReasoningAnswer,
    ReasonLine,
    SessionView,
    SmalltalkKind,
    Speaker,
    Status,
    Text,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.treatment.actions import actions_in
from tests.support.cases import for_each

LANGUAGES = [Language.ZH, Language.EN]
LEAK, IDLE = Text("应用不归还连接，连接泄漏", "A leak of connections"), Text("连接空闲数小时", "Idle for hours")
SLOW_LOGIN = Text("新建数据库连接很慢", "New database connections are slow")
VIEW = SessionView(
    None,
    3,
    pending=(Item(1, "P-0044", SLOW_LOGIN),),
    evidence=(EvidenceView("P-0045", IDLE, Verdict.CONFIRMED, "371 idle", 1),),
    hypotheses=(HypothesisView("RC-0010", LEAK, 0.78),),
    history=(
        Utterance(Speaker.USER, "billing has 371 idle connections"),
        Utterance(Speaker.ASSISTANT, "**A leak of connections** 12 % → 78 % (8 of 9 such tickets had it)."),
    ),
    status=Status.NARROWING,
)
WHY = ReasoningAnswer(
    "RC-0010", LEAK, 0.78, lines=(ReasonLine("P-0045", IDLE, Verdict.CONFIRMED, 3.0, 8, 9, ("TK-1",)),), leads=True
)


async def questions(message: str) -> list[QuestionStep]:
    """What a message of this case asks."""
    plan = (await Planner().decide(VIEW, message)).plan
    return [step for step in plan.steps if isinstance(step, QuestionStep)]


@for_each(
    "message",
    [
        "“9个同类工单里8个”是啥意思,哪来的工单",
        "哪来的工单",
        "where do these tickets come from?",
        "what are the 8 of 9 tickets?",
        "whose tickets are these",
    ],
)
async def test_what_the_tickets_are_is_no_question_for_figures(message: str) -> None:
    """Words that ask what the tickets are get no table, and are answered from the leading cause."""
    asked = await questions(message)
    assert QuestionKind.DATA not in {step.kind for step in asked}
    assert any(step.kind is QuestionKind.REASONING and step.subject is None for step in asked)


@pytest.mark.parametrize("message", ["how many tickets of this cause are there?", "这种工单一共有多少个"])
async def test_a_count_of_tickets_is_one_for_figures(message: str) -> None:
    """Who plainly asks for a count is answered with one."""
    assert QuestionKind.DATA in {step.kind for step in await questions(message)}


@for_each("language", LANGUAGES)
@for_each("asked", ["哪来的工单", "where do these tickets come from?"])
def test_the_tickets_are_told_with_the_numbers_that_were_shown(asked: str, language: Language) -> None:
    """Two sentences: what they are; how many had this cause and how many of these the sign."""
    answer = replace(WHY, text=asked)
    text = compose(TurnResults(turn=4, answers=(answer,)), language)
    assert "\n" not in text
    assert {"8", "9"} <= set(text)
    assert LEAK.say(language) in text
    assert "TK-1" not in text


@for_each(
    "message",
    [
        "我是说登录也慢啊 不是连库慢 psql一下就连上了",
        "登录也慢",
        "login is slow too, but psql connects at once",
    ],
)
async def test_telling_of_an_item_asks_for_no_check(message: str) -> None:
    """Words that name what was asked tell how it is; nobody asked how to look at it."""
    assert not any(step.kind is QuestionKind.HELP and step.topic is None for step in await questions(message))


@for_each("message", ["1 怎么看", "how do i check 1", "how do i see whos got all of them", "2?"])
async def test_who_asks_how_to_look_is_shown(message: str) -> None:
    """A question how something is seen stays one."""
    assert any(step.kind is QuestionKind.HELP for step in await questions(message))


@for_each(
    ("words", "action"),
    [
        ("restarted all 8 now", "restart_app"),
        ("just bounce the other 6 one by one?", "restart_app"),
        ("把8个应用实例都重启了", "restart_app"),
        ("一台台重启完了", "restart_app"),
        ("restart the instance", "restart"),
        ("rolling restart of the 3 replicas", "restart"),
        ("重启数据库", "restart"),
    ],
)
def test_many_that_are_restarted_are_no_database(words: str, action: str) -> None:
    """A restart of several instances, one after the other, is that of an application unless a database is named."""
    assert actions_in(words) == (action,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_talk_beside_a_case_is_not_refused(language: Language) -> None:
    """Who vents is not told what is on record or what was not understood; an unanswered question says what helps."""
    text = compose(TurnResults(turn=4), language)
    assert not any(word in text for word in ("record", "记录", "nothing", "没能"))
    asked = {Language.ZH: "那现在怎么办？", Language.EN: "so what now?"}[language]
    assert compose(TurnResults(turn=4), language, "", asked) != text


async def test_whether_a_step_is_enough_is_asked_of_the_step() -> None:
    """ "Enough?" after what can be done asks of that, and not how sure the cause is."""
    asked = await questions("i can only trigger a rolling restart in the deploy tool. enough?")
    assert [(step.topic, step.action) for step in asked] == [(QuestionTopic.RISK, "restart_app")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_ordered_besides_is_declined(language: Language) -> None:
    """Whoever orders what dbdiag does not do is told so; who only talks is not."""
    seen = (EvidenceView("P-0008", Text("CPU 高", "CPU high"), Verdict.CONFIRMED),)
    order = {Language.EN: "write me a poem about databases", Language.ZH: "给我写首诗"}[language]
    results = TurnResults(smalltalk=(SmalltalkKind.OUT_OF_SCOPE,), seen=seen, turn=3)
    assert compose(results, language, "", order) != compose(results, language, "", "ugh")
