"""A question that a reply does not answer is named in it, in the person's words."""

from __future__ import annotations

import pytest

from services.planner.common_questions.known_answers import known_answers
from services.planner.model import (
    ConclusionView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    SolutionStep,
    Text,
    TurnResults,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from tests.support.cases import for_each

EN, ZH = Language.EN, Language.ZH
RELOAD, LOST = "reload_is_safe", "data_lost_or_not"


def answer(words: str, key: str) -> HelpAnswer:
    """The answer to a common question that these words ask."""
    return HelpAnswer((), None, words, QuestionTopic.COMMON, common_question=key)


def line_of(language: Language) -> str:
    """What the line about questions without an answer begins with."""
    return str(load_phrases(language)["still_unanswered"]).partition("{words}")[0]


@for_each(
    ("message", "answered", "left", "language"),
    [
        ("is a reload safe now? and who wrote this job?", "is a reload safe now?", "and who wrote this job?", EN),
        ("现在 reload 安全吗？这个任务是谁写的？", "现在 reload 安全吗？", "这个任务是谁写的？", ZH),
    ],
)
def test_a_question_without_an_answer_is_named(message: str, answered: str, left: str, language: Language) -> None:
    """Of two questions the one that nothing answers is said in a line behind the answer to the other."""
    told = compose(TurnResults(turn=4, answers=(answer(answered, RELOAD),)), language, message=message)
    assert told.startswith(known_answers()[RELOAD].answer.say(language)[:20])
    line = next(each for each in told.split("\n") if each.startswith(line_of(language)))
    assert left.rstrip("?？") in line
    assert answered.rstrip("?？") not in line


@for_each(
    ("message", "language"),
    [
        ("reload it now?? who said that?", EN),
        ("the disk is half full, it was fine yesterday.", EN),
        ("is a reload safe now?", EN),
        ("谁说要 reload 了？", ZH),
        ("昨天还好好的。", ZH),
        ("explain (analyze, buffers) select * from orders where shop_id = 3;", ZH),
        ("here it is, does that tell you something?", EN),
    ],
)
def test_what_asks_nothing_and_what_is_answered_gets_no_line(message: str, language: Language) -> None:
    """An objection, a statement and a question that has its answer are not named as left over."""
    results = TurnResults(turn=4, answers=(answer("is a reload safe now?", RELOAD),))
    assert line_of(language) not in compose(results, language, message=message)


@pytest.mark.parametrize("language", [EN, ZH])
def test_an_answer_of_two_turns_ago_does_not_come_again(language: Language) -> None:
    """Who asks once more was not helped by the answer: it is not said again, though another one came between."""
    results = TurnResults(turn=6, answers=(answer("and is a reload really safe?", RELOAD),))
    first = compose(results, language)
    between = compose(TurnResults(turn=7, answers=(answer("is anything lost?", LOST),)), language)
    again = compose(results, language, between, "and is a reload really safe?", (first,))
    assert known_answers()[RELOAD].answer.say(language)[:20] not in again
    assert again.startswith(line_of(language))


@for_each(
    ("words", "begins"),
    [
        ("is a reload safe?", True),
        ("how long does a reload take?", False),
    ],
)
def test_a_yes_stands_only_where_one_is_asked_for(words: str, begins: bool) -> None:
    """An answer that begins with a yes begins with its reason where the question wants no yes or no."""
    told = compose(TurnResults(turn=4, answers=(answer(words, RELOAD),)), EN)
    assert told.startswith("Yes,") == begins


@for_each(
    ("words", "previous", "filled"),
    [
        ("can i cancel it?", "21931 runs the import.", "pg_cancel_backend(21931)"),
        ("can i cancel it?", "21931 waits for 4410.", "pg_cancel_backend(<pid>)"),
        ("can i cancel it?", "", "pg_cancel_backend(<pid>)"),
        ("what if i cancel 4410?", "21931 runs the import.", "pg_cancel_backend(4410)"),
    ],
)
def test_it_is_the_session_that_the_last_answer_named_alone(words: str, previous: str, filled: str) -> None:
    """A blank takes the session that the question names, or the only one that the last answer was about."""
    holder = NamedObject("pid", "21931", "holds")
    results = TurnResults(turn=4, answers=(answer(words, "cancel_loses_only_that_statement"),), objects=(holder,))
    assert filled in compose(results, EN, previous)


MEMORY = ConclusionView(
    "RC-1",
    Text("内存不够", "Memory is short"),
    0.95,
    solution=(SolutionStep(Text("调小", "Lower it"), "ALTER SYSTEM SET work_mem = '16MB';", "low"),),
)


@for_each(
    ("words", "reads"),
    [
        ("which settings do i check, give me the sql", True),
        ("要查哪些参数，给条 sql", True),
        ("give me the sql to lower the setting", False),
        ("要改哪个参数，给条 sql", False),
    ],
)
def test_who_wants_to_look_at_settings_gets_no_change(words: str, reads: bool) -> None:
    """Settings that are to be seen are read; the statement that sets them is for whoever wants to change them."""
    asked = HelpAnswer((), MEMORY, words, QuestionTopic.COMMAND)
    told = compose(TurnResults(turn=4, answers=(asked,), engine="postgresql"), EN)
    assert ("pg_settings" in told) == reads
    assert ("ALTER SYSTEM" in told) != reads
    assert "work_mem" in told
