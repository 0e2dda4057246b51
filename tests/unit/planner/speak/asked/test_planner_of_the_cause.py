"""Questions of a cause: where its percentage comes from, why it is not another, how it comes to what is seen."""

from __future__ import annotations

import pytest

from services.planner.common_questions.known_answers import known_answers
from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    HypothesisView,
    Item,
    Language,
    QuestionKind,
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
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.understand.questions.of_the_cause import asks_same
from tests.support.cases import for_each

POOLS, LEAK = Text("连接池之和超限", "Pools too large"), Text("连接泄漏", "Connection leak")
SEEN = EvidenceView("P-0001", Text("连接占满", "Connections used up"), Verdict.CONFIRMED)
OPEN = SessionView(
    language=Language.EN,
    turn=4,
    pending=(Item(1, "P-0002", Text("空闲很久", "Idle for hours")),),
    evidence=(SEEN,),
    hypotheses=(HypothesisView("RC-1", POOLS, 0.77), HypothesisView("RC-2", LEAK, 0.14)),
    history=(Utterance(Speaker.USER, "all 300 used"), Utterance(Speaker.ASSISTANT, "Pools 38 % -> 77 %, leak 14 %")),
    status=Status.NARROWING,
)


async def asked(message: str) -> list[QuestionStep]:
    """The questions that a message asks in an open case."""
    plan = (await Planner().decide(OPEN, message)).plan
    return [step for step in plan.steps if isinstance(step, QuestionStep)]


@for_each(
    ("message", "cause"),
    [
        ("为啥3个工单就77%?", "RC-1"),
        ("我没问那个 我问你77%哪来的", "RC-1"),
        ("why 77 %", "RC-1"),
        ("顺便说 我没问那个 我问你把握哪来的", "RC-1"),
        ("where does that probability come from", "RC-1"),
        ("那你刚才凭什么从38升到77?", "RC-1"),
        ("how do you get 14% for that one?", "RC-2"),
    ],
)
async def test_a_percentage_is_explained_by_its_cause(message: str, cause: str) -> None:
    """Who asks where a percentage comes from gets the grounds of the cause that has it, not those of a check."""
    found = [step.subject.id for step in await asked(message) if step.kind is QuestionKind.REASONING and step.subject]
    assert found == [cause]


@for_each(
    ("message", "other"),
    [
        ("那为啥不是泄漏？你前面一直让我看那个", "泄漏"),
        ("ok but why not a leak?", "leak"),
        ("why isn't it a leak", "leak"),
    ],
)
async def test_another_cause_is_weighed_by_its_own_grounds(message: str, other: str) -> None:
    """Who asks why it is not something else gets what speaks for and against that."""
    words = [
        step.subject.words for step in await asked(message) if step.kind is QuestionKind.REASONING and step.subject
    ]
    assert words == [other]


@pytest.mark.parametrize("message", ["so why doesnt it use the index on email??", "那为什么库里的写入一阵一阵的"])
async def test_why_it_is_so_is_not_why_it_is_asked(message: str) -> None:
    """A question for reasons that names no check is about what is believed."""
    for step in await asked(message):
        assert step.kind is not QuestionKind.REASONING or step.subject is None or step.subject.group is None


@for_each(
    "message",
    [
        "the shop frontend is dragging too. still same cause?",
        "is it still the same thing?",
        "还是一样的吗",
        "凭什么影响events啊",
        "why would a session on orders hold up events?",
    ],
)
async def test_how_the_cause_comes_to_it_is_told(message: str) -> None:
    """Who asks if it is the same, or how one thing holds up another, gets the cause and its mechanism.

    How it works is told on where it is asked again.
    """
    steps = await asked(message)
    assert [step.topic for step in steps] == [QuestionTopic.RELATED]
    how = Text("一。二。三。", "One. Two. Three.")
    answer = HelpAnswer(
        text=steps[0].text, topic=steps[0].topic, leading=ConclusionView("RC-1", POOLS, 0.77, mechanism=how)
    )
    said = compose(TurnResults(turn=5, answers=(answer,)), Language.EN)
    assert "Pools too large" in said
    assert "One. Two." in said
    assert "Three" not in said
    before = compose(TurnResults(turn=5, answers=(answer,)), Language.EN)
    repeated = compose(TurnResults(turn=6, answers=(answer,)), Language.EN, before)
    assert ("One. Two." if asks_same(message) else "Three.") in repeated
    assert "一。二。" in compose(TurnResults(turn=5, answers=(answer,)), Language.ZH)


async def test_what_the_field_answers_exactly_is_answered_so() -> None:
    """Why a transaction on one table holds up the cleanup of another is known, whatever leads."""
    (step,) = await asked("你没回答我 为什么查orders的事务会挡住events的清理?")
    assert step.topic is QuestionTopic.COMMON
    assert "xmin" in known_answers()[step.common_question].answer.zh


async def test_a_figure_of_the_system_is_no_belief() -> None:
    """Why a figure of the system is so is not where a percentage of the diagnosis comes from."""
    assert not [step for step in await asked("why is the disk at 92%?") if step.subject and step.subject.id == "RC-1"]


@pytest.mark.parametrize("message", ["为什么要查这个", "how do i stop it?"])
async def test_other_questions_stay_what_they_are(message: str) -> None:
    """A check and a remedy are asked about in their own way."""
    assert not [step for step in await asked(message) if step.subject and step.subject.id == "RC-1"]
    assert not [step for step in await asked(message) if step.topic is QuestionTopic.RELATED]


@for_each(
    ("message", "told"),
    [
        ("does ALTER ROLE app SET work_mem = '256MB' hit sessions already running, yes or no?", "reach_set_parameter"),
        ("ANALYZE 对正在跑的会话有没有用?", "reach_analyze"),
        ("那我就在备库开feedback了,要重启吗", "restart_set_parameter"),
        ("i'll turn on hot_standby_feedback, does that need a restart?", "restart_set_parameter"),
        ("取消那条语句要不要重启?", "restart_cancel"),
    ],
)
@for_each("language", list(Language))
async def test_what_an_action_takes_is_told_from_the_facts(message: str, told: str, language: Language) -> None:
    """Whether open sessions have it, and whether a restart is needed, is told where it is known."""
    steps = [step for step in await asked(message) if step.topic is QuestionTopic.RISK]
    answers = tuple(HelpAnswer(text=step.text, topic=step.topic, action=step.action) for step in steps)
    assert str(load_phrases(language)[told]) in compose(TurnResults(turn=5, answers=answers), language)
