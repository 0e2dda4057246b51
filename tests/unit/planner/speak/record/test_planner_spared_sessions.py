"""A session that the person said must not be ended stays, and no answer proposes to end it."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ConclusionView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    ReliefStep,
    SessionView,
    SolutionStep,
    Text,
    TurnResults,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.bearing import SPARED, bearing_on_treatment
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
NAME = Text("长事务挡住 DDL", "A long transaction blocks DDL")
END = "SELECT pg_terminate_backend(<pid>);"
FOUND = ConclusionView(
    "RC-1",
    NAME,
    0.98,
    relief=(ReliefStep(Text("结束老事务", "End the old transaction"), END, "medium"),),
    solution=(
        SolutionStep(Text("取消在等的 DDL", "Cancel the waiting DDL"), "SELECT pg_cancel_backend(<ddl_pid>);", "low"),
        SolutionStep(Text("结束老事务", "End the old transaction"), END, "medium"),
        SolutionStep(Text("带 lock_timeout", "Use lock_timeout"), "SET lock_timeout = '2s';", "none", prevents=True),
    ),
)
OBJECTS = (
    NamedObject("pid", "18822", "root", True),
    NamedObject("pid", "20411", "ddl", True),
    NamedObject("whose", "18822>finance>reads", said=True),
)


def spared(said: str) -> tuple[NamedObject, ...]:
    """What is kept of a message as a session that must not be ended."""
    return tuple(each for each in bearing_on_treatment(said, SessionView(turn=3)) if each.kind == SPARED)


def told(action: str, asked: str, said: tuple[str, ...], language: Language) -> str:
    """The answer after these messages, to a question of an action or, without one, to how to treat it."""
    topic = QuestionTopic.RISK if action else None
    answer = HelpAnswer((), FOUND, asked, topic, action=action)
    kept = tuple(each for words in said for each in spared(words))
    return compose(TurnResults(answers=(answer,), objects=(*OBJECTS, *kept), turn=5), language)


FORBIDDEN = [
    "都说了财务那个不能动!!",
    "别动它",
    "18822 千万别杀",
    "don't touch the finance one",
    "no. he must not be killed",
    "leave 18822 alone please",
]


@for_each("language", LANGUAGES)
@for_each("said", FORBIDDEN)
def test_no_answer_ends_a_session_that_must_not_be_ended(said: str, language: Language) -> None:
    """Leave says no and names the other step; the remedy leaves the step out and says so."""
    for action in ("terminate", "cancel"):
        text = told(action, "kill it?", (said,), language)
        assert text.startswith(str(load_phrases(language)["leave_spared"]).format(name="18822"))
        assert "pg_terminate_backend(18822)" not in text
        assert "pg_cancel_backend(20411)" in text
    steps = told("", "how do I fix it", (said,), language)
    assert "pg_terminate_backend" not in steps
    assert "18822" in steps


@for_each(
    "said",
    [
        "能不能动那个?",
        "要不要停了它",
        "为啥不能杀它?",
        "那张表不能动",
        "生产库不能停",
        "i don't have the right to kill it",
        "don't touch the table",
        "没权限 不能杀它",
    ],
)
def test_a_question_and_other_things_spare_no_session(said: str) -> None:
    """A question, a right that is lacking, and what is no session forbid no end of one."""
    assert spared(said) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_may_be_ended_by_now_is_no_longer_spared(language: Language) -> None:
    """What is allowed later holds, and another session than the spared one may be ended."""
    later = NamedObject(SPARED, "4 ", "fine", True)
    answer = HelpAnswer((), FOUND, "kill 18822?", QuestionTopic.RISK, action="terminate")
    objects = (*OBJECTS, *spared("18822 不能动"), later)
    assert "pg_terminate_backend(18822)" in compose(TurnResults(answers=(answer,), objects=objects, turn=5), language)
    assert spared("财务同意杀了")[0].role == "fine"
    assert "pg_cancel_backend(20411)" in told("cancel", "cancel 20411?", ("18822 不能动",), language)


@for_each(
    "said",
    ["我不敢直接杀老张的会话啊,杀了会丢数据吗", "i am afraid to kill it", "我没说不能动,我是问杀了会不会丢数据"],
)
def test_who_hesitates_forbids_nothing(said: str) -> None:
    """Fear of an end, and a denial that one was forbidden, spare no session."""
    assert all(each.role == "fine" for each in spared(said))


@for_each("said", ["我没说不能动它", "老张回微信了,说可以关掉", "i never said we cannot kill it", "he says go ahead"])
def test_a_denied_or_lifted_ban_holds_no_longer(said: str) -> None:
    """Whoever denies the ban, or tells that its owner agrees, lifts it."""
    assert [each.role for each in spared(said)] == ["fine"]


@for_each(
    "said",
    [
        "i havent killed 48112 yet",
        "another 7M would be 4 hours more if i leave it alone",
        "tell me what he's doing so i don't kill an important batch",
        "it cant be the next step",
        "we don't kill sessions during the day, 5120 or not",
        "还没杀 48112",
        "如果我不动它会怎样",
        "免得杀错那个会话，我先没动",
    ],
)
def test_what_was_not_done_or_is_only_supposed_spares_no_session(said: str) -> None:
    """Only an order or a modal that forbids keeps a session, and no denial, supposition or fear."""
    assert spared(said) == ()
