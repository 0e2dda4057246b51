"""Leave is given where it is asked: not for what happens to somebody, not to who objects to it."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    HypothesisView,
    Language,
    NamedObject,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SolutionStep,
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
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
SEEN = EvidenceView("P-0001", Text("在等锁", "They wait"), Verdict.CONFIRMED, "31 waiting", 1)
NAME = Text("备库长查询与回放冲突", "Long standby queries conflict with replay")
CANCEL = "SELECT pg_cancel_backend(:pid);"
LEADING = ConclusionView(
    "RC-0001",
    NAME,
    0.63,
    solution=(
        SolutionStep(Text("结束长查询", "End the long query"), CANCEL, "low"),
        SolutionStep(
            Text("放宽延迟", "Allow more delay"), "ALTER SYSTEM SET max_standby_streaming_delay = '150min';", "low"
        ),
    ),
)
SHOWN = f"Yes. 可以。\n   `{CANCEL}`"


async def asked_in(message: str, last: str = SHOWN) -> list[QuestionStep]:
    """The questions of an action that a message asks after an answer that gave leave."""
    view = SessionView(
        turn=5,
        status=Status.NARROWING,
        evidence=(SEEN,),
        hypotheses=(HypothesisView("RC-0001", NAME, 0.63),),
        history=(Utterance(Speaker.USER, "ok"), Utterance(Speaker.ASSISTANT, last)),
    )
    steps = (await Planner().decide(view, message)).plan.steps
    return [step for step in steps if isinstance(step, QuestionStep) and step.topic is QuestionTopic.RISK]


@for_each(
    "message",
    [
        "statement_timeout 没开啊，怎么就成被它取消了？",
        "为什么老是被取消？",
        "会不会是被 oom 杀掉了？",
        "怎么又被服务器掐断了？",
        "“可以”是啥意思？",
        "why does it get cancelled?",
        "was it killed by the server?",
        "so how come it's being terminated?",
        "what do you mean, my report was cancelled by it?",
        "我没问能不能取消",
        "我也没要杀谁",
        "i didn't ask if i can cancel it",
        "i never asked to kill anything",
    ],
)
async def test_what_happens_to_somebody_is_no_action_to_ask_leave_for(message: str) -> None:
    """A passive, or a denial of having asked, gets no ruling on the action that it names."""
    assert not await asked_in(message)


@for_each(
    "message",
    [
        "no failover no reboot, nobody logged in to the box",
        "the two jobs touch the same rows, first the price then the stock",
        "回滚的那个版本里有这张表？",
        "十几个服务各有各的连接池，算不出来",
        "我没空重启它，给我看的语句就行",
        "are you sure that it was a person who killed it?",
        "anyway did that, changed the setting and reloaded",
        "kill the job?? no. tell me why it is slow",
        "是不是上周删索引的时候没删干净的那个？",
    ],
)
async def test_what_is_told_or_refused_asks_for_no_leave(message: str) -> None:
    """A statement, what is called after a deed, another's deed and what the message itself refuses get no ruling."""
    assert not await asked_in(message)


@for_each(
    "message",
    [
        "ok to drop it",
        "直接杀没事吧",
        "重启的话会丢数据吗",
        "昨天那个报表杀掉？",
        "what if i kill it?",
        "能取消它吗？",
        "can it be cancelled?",
        "should 20411 be killed?",
        "我没问过负责人，能杀吗？",
        "i didn't ask her, can i kill it?",
    ],
)
async def test_a_question_whether_it_may_be_done_is_still_one(message: str) -> None:
    """Leave that is asked for is given, in the passive as well, and beside a denial of something else."""
    assert await asked_in(message)


@for_each(
    ("message", "language"),
    [
        ("我没问能不能取消，我是要它别被取消！", Language.ZH),
        ("我要的是报表不被取消", Language.ZH),
        ("i didn't ask if i can cancel it, i want it NOT to be cancelled", Language.EN),
        ("how do i keep it from being cancelled?", Language.EN),
    ],
)
async def test_who_objects_to_an_action_is_told_the_other_steps(message: str, language: Language) -> None:
    """Who wants just not that to happen is told the steps that do without it, never the leave again."""
    (asked,) = await asked_in(message)
    answer = HelpAnswer((), None, asked.text, QuestionTopic.RISK, action=asked.action, leading=LEADING)
    text = compose(TurnResults(answers=(answer,), turn=5), language)
    assert "max_standby_streaming_delay" in text
    assert "63" in text
    assert CANCEL not in text
    assert str(load_phrases(language)["leave_yes"]) not in text


@pytest.mark.parametrize(
    ("message", "language"), [("“可以”是啥意思？", Language.ZH), ('"yes"? what do you mean', Language.EN)]
)
def test_a_leave_that_is_asked_about_is_explained_and_not_given_again(message: str, language: Language) -> None:
    """Who quotes the yes of an answer is told what it was meant for."""
    text = compose(TurnResults(answers=(HelpAnswer((), None, message, QuestionTopic.MEANING),), turn=5), language)
    assert text == load_phrases(language)["meaning_of_leave"]


ENDS = ConclusionView(
    "RC-0002",
    Text("旧事务挡住 DDL", "An old transaction blocks a DDL"),
    0.96,
    solution=(
        SolutionStep(Text("取消 DDL", "Cancel the DDL"), "SELECT pg_cancel_backend(<ddl_pid>);", "low"),
        SolutionStep(Text("结束旧事务", "End it"), "SELECT pg_terminate_backend(<pid>);", "medium"),
    ),
    repeated_conclusion=True,
)
QUEUE = (NamedObject("pid", "18822", "root"), NamedObject("pid", "20411", "ddl"))


@for_each(
    ("message", "language", "cost"),
    [
        ("what do i lose if that backoffice thing dies mid way?", Language.EN, "cost_terminate"),
        ("那个后台任务要是半路挂了，会丢啥？", Language.ZH, "cost_terminate"),
        ("what do we lose if it gets killed?", Language.EN, "cost_terminate"),
        ("so if i cancel 20411 nothing gets lost, right?", Language.EN, "cost_ddl"),
        ("取消 20411 会丢什么？", Language.ZH, "cost_ddl"),
        ("if i cancel the query, is anything half written?", Language.EN, "cost_cancel"),
    ],
)
async def test_what_is_lost_by_an_end_is_the_cost_of_it(message: str, language: Language, cost: str) -> None:
    """Asked what ending something costs, or its end by itself, the answer is that and nothing else."""
    (asked,) = await asked_in(message)
    answer = HelpAnswer((), ENDS, asked.text, QuestionTopic.RISK, action=asked.action)
    text = compose(TurnResults(answers=(answer,), objects=QUEUE, turn=5), language)
    assert text == str(load_phrases(language)[cost]).format(name="20411")


@for_each("language", LANGUAGES)
@for_each(
    ("asked", "number", "other"),
    [
        ("which number do i put in the cancel, 18822 or 20411?", "20411", "18822"),
        ("cancel 的是哪个 pid，18822 还是 20411？", "20411", "18822"),
        ("which one do i terminate, 18822 or 20411?", "18822", "20411"),
    ],
)
def test_what_a_command_is_for_is_what_its_step_acts_on(
    asked: str, number: str, other: str, language: Language
) -> None:
    """Asked which of two sessions a command is for, the answer is the one that the step with it acts on."""
    answer = HelpAnswer((), ENDS, asked, QuestionTopic.OBJECT)
    text = compose(TurnResults(answers=(answer,), objects=QUEUE, turn=5), language)
    assert f"backend({number})" in text
    assert other not in text


WRAPS = EvidenceView(
    "P-0002",
    Text("正在跑防回卷的 autovacuum", "Autovacuum to prevent wraparound is running"),
    Verdict.CONFIRMED,
    "(to prevent wraparound)",
    3,
)


@for_each("language", LANGUAGES)
@for_each(
    ("asked", "seen", "left"),
    [
        ("kill the wraparound workers, yes or no?", (), True),
        ("防回卷的 autovacuum 能不能杀？", (), True),
        ("do i kill those 3 workers?", (WRAPS,), True),
        ("autovacuum 能杀吗", (WRAPS,), True),
        ("can i kill 18822?", (WRAPS,), False),
        ("do i kill those 3 workers?", (), False),
    ],
)
def test_a_vacuum_against_wraparound_is_left_alone(
    asked: str, seen: tuple[EvidenceView, ...], left: bool, language: Language
) -> None:
    """An autovacuum that prevents wraparound is not ended: it comes back, and wraparound only nears."""
    answer = HelpAnswer((), ENDS, asked, QuestionTopic.RISK, action="terminate")
    text = compose(TurnResults(answers=(answer,), seen=seen, turn=5), language)
    assert (str(load_phrases(language)["leave_wraparound"]) in text) is left
