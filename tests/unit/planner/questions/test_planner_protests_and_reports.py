"""What only reports, protests or repeats asks nothing that general knowledge could answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    CauseQuestion,
    EvidenceView,
    HelpAnswer,
    HypothesisView,
    Language,
    MatterView,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Status,
    Text,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.steps_of_words import echoes
from services.planner.speak.compose import compose
from tests.support.cases import for_each

SLOT = Text("复制槽不活动", "An inactive slot retains WAL")
SEEN = EvidenceView("P-0001", Text("pg_wal 很大", "pg_wal is large"), Verdict.CONFIRMED)
KNOWN = CauseQuestion(("会丢数据吗",), ("is data lost",), Text("不会。", "No."))
OPEN = SessionView(
    turn=4,
    evidence=(SEEN,),
    hypotheses=(HypothesisView("RC-1", SLOT, 0.6),),
    history=(Utterance(Speaker.USER, "pg_wal is 300 GB"), Utterance(Speaker.ASSISTANT, "Is a slot inactive?")),
    status=Status.NARROWING,
)


async def topics(message: str) -> set[QuestionTopic | None]:
    """The topics that a message asks for in an open case."""
    plan = (await Planner().decide(OPEN, message)).plan
    return {step.topic for step in plan.steps if isinstance(step, QuestionStep)}


@pytest.mark.parametrize("words", ["explain出来走的是索引", "got no rights"])
def test_reports_are_no_questions(words: str) -> None:
    """What a plan shows and a lack of rights are told, not asked."""
    assert not is_question(words)


@pytest.mark.parametrize("message", ["cant open the server log, no rights", "主机我登不上去，没给我开账号"])
async def test_what_cannot_be_seen_asks_for_no_other_way(message: str) -> None:
    """Who tells that something cannot be looked at did not ask how else it could be seen."""
    assert QuestionTopic.ALTERNATIVE not in await topics(message)


@for_each("message", ["so its just waiting for the replica?", "归档报错跟磁盘满有没有关系？", "所以是槽没人消费?"])
async def test_whether_it_is_that_is_of_the_case(message: str) -> None:
    """Whether it is that, or has to do with it, is answered from the case and not from general knowledge."""
    assert QuestionTopic.COMMON not in await topics(message)


async def test_a_conclusion_beside_another_question_is_answered() -> None:
    """Who draws a conclusion with a question mark and goes on to ask what to do gets an answer to both."""
    view = replace(OPEN, hypotheses=(replace(OPEN.hypotheses[0], questions=(KNOWN,)),))
    plan = (await Planner().decide(view, "所以是卡在等消费端? 那我先干啥")).plan
    assert QuestionTopic.RELATED in [step.topic for step in plan.steps if isinstance(step, QuestionStep)]


@pytest.mark.parametrize(("said", "again"), [("会丢数据吗？", True), ("改一下，数据其实不怎么会丢", False)])
async def test_an_answer_is_repeated_only_for_a_question(said: str, again: bool) -> None:
    """What a library answered just now is not said again to words without a question mark."""
    told = Utterance(Speaker.ASSISTANT, KNOWN.answer.zh)
    known = (replace(OPEN.hypotheses[0], questions=(KNOWN,)),)
    view = replace(OPEN, language=Language.ZH, hypotheses=known, history=(*OPEN.history, told))
    plan = (await Planner().decide(view, said)).plan
    found = [step.topic for step in plan.steps if isinstance(step, QuestionStep)]
    assert (QuestionTopic.OF_CAUSE in found) is again


def test_a_quotation_with_a_question_mark_protests() -> None:
    """Words in quotes with a question mark after them ask nothing of their own."""
    assert echoes('"the slot orders_sub"??', OPEN)
    assert not echoes('what is "a slot"?', OPEN)


def test_what_is_named_is_explained_by_what_speaks_of_it() -> None:
    """An explanation that has nothing of what was asked about is none."""
    idle = MatterView("x", "P-0041", name=Text("空闲事务", "Idle in transaction"), reason=Text("会话空闲。", "Idle."))
    answer = HelpAnswer((), text="什么叫没落到记录上", topic=QuestionTopic.MEANING, matter=idle)
    assert "空闲" not in compose(TurnResults(turn=5, answers=(answer,)), Language.ZH)
    answer = HelpAnswer((), text="什么叫空闲的事务", topic=QuestionTopic.MEANING, matter=idle)
    assert "空闲" in compose(TurnResults(turn=5, answers=(answer,)), Language.ZH)


def test_what_is_not_known_is_quoted_once() -> None:
    """Words that were asked about in quotes stand in one pair of them."""
    answer = HelpAnswer((), text='what does "frobnicated pages" mean', topic=QuestionTopic.MEANING)
    said = compose(TurnResults(turn=5, answers=(answer,)), Language.EN)
    assert "frobnicated pages" in said
    assert '""' not in said
