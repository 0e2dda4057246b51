"""A session that comes in place of another has its role, and every later command is of the new one."""

from __future__ import annotations

from services.planner.model import (
    ConclusionView,
    HelpAnswer,
    Language,
    NamedObject,
    SessionView,
    SolutionStep,
    Text,
    TurnResults,
)
from services.planner.speak.compose import compose
from services.planner.treatment.bearing import REPLACED, bearing_on_treatment
from tests.support.cases import for_each

CANCEL = SolutionStep(Text("取消 DDL", "Cancel the DDL"), "SELECT pg_cancel_backend(<ddl_pid>);", "low")
END = SolutionStep(Text("结束老事务", "End it"), "SELECT pg_terminate_backend(<pid>);", "medium")
FOUND = ConclusionView("RC-1", Text("锁", "Locks"), 0.98, solution=(CANCEL, END))
KNOWN = (NamedObject("pid", "18822", "root", True), NamedObject("pid", "20411", "ddl", True))


def steps(language: Language, *said: str) -> str:
    """The remedy after these messages."""
    heard = [bearing_on_treatment(words, SessionView(turn=at)) for at, words in enumerate(said, 3)]
    objects = (*KNOWN, *(each for found in heard for each in found if each.kind == REPLACED))
    answer = HelpAnswer((), FOUND, "how do I fix it")
    return compose(TurnResults(answers=(answer,), objects=objects, turn=6), language)


@for_each("language", [Language.ZH, Language.EN])
@for_each(
    "said",
    [
        "刚看了下ALTER又起来了 pid 20877 又开始排队了",
        "我有权限取消的啊,刚才那次就是我取消的。pid变了 现在是20877不是20411",
        "不是20411了 现在是20877",
        "20411 变成 20877 了",
        "the ALTER is back, new pid 20877",
        "its 20877 now, not 20411",
    ],
)
def test_a_new_session_takes_the_place_of_the_old_one(said: str, language: Language) -> None:
    """The commands are of the new session, and the old one is named nowhere; a third stays what it was."""
    text = steps(language, said)
    assert "pg_cancel_backend(20877)" in text
    assert "20411" not in text
    assert "pg_terminate_backend(18822)" in text
    assert "pg_cancel_backend(21990)" in steps(language, said, "20877 变成 21990 了")


@for_each("said", ["20411 在等 18822", "18822 blocks 20411, not the other way", "ALTER 还是 20411"])
def test_sessions_named_beside_each_other_replace_none(said: str) -> None:
    """Who waits for whom changes no session for another."""
    assert "pg_cancel_backend(20411)" in steps(Language.EN, said)
