"""Rows of a query that an answer showed tell what that query asked, and answer later questions of it."""

from __future__ import annotations

import asyncio

import pytest

from lang.objects.lock_queue import WAITS_FOR
from lang.objects.rows_asked import rows_asked
from services.planner.model import (
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Text,
    TurnPlan,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases

LANGUAGES = (Language.EN, Language.ZH)
SEEN = EvidenceView("P-1", Text("等锁", "Lock waits"), Verdict.CONFIRMED, "seen")
ROWS = " pid\n-------\n 24102\n 24140\n(2 rows)\n"
NONE = " pid\n-----\n(0 rows)\n"
WITH_WAITS = (
    " pid | waits_for | state | left\n---+---+---+---\n 18733 | {} | active | x\n 24102 | {18733} | active | UPDATE a\n"
)


def view(language: Language, key: str) -> SessionView:
    shown = str(load_phrases(language)[key]).format(name="18733")
    said = (Utterance(Speaker.USER, "18733"), Utterance(Speaker.ASSISTANT, shown))
    return SessionView(language=language, turn=4, history=said)


def decide(message: str, seen: SessionView) -> TurnPlan:
    return asyncio.run(Planner().decide(seen, message)).plan


def topics(plan: TurnPlan) -> list[QuestionTopic | None]:
    return [step.topic for step in plan.steps if isinstance(step, QuestionStep)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["leave_holds_likely", "leave_waits"])
def test_rows_of_a_shown_query_are_waits(language: Language, key: str) -> None:
    """What is pasted below a query for those that wait for a session tells who does, and is acknowledged."""
    plan = decide("ran it\n\n" + ROWS + "\nonly 2 tho??", view(language, key))
    waits = [each.name for each in plan.objects if each.kind == WAITS_FOR]
    assert waits == ["24102>18733", "24140>18733"]
    assert topics(plan)[0] is QuestionTopic.IDENTIFICATION
    assert topics(decide(ROWS, view(language, key))) == [QuestionTopic.IDENTIFICATION]


def test_a_query_with_whom_they_wait_for_tells_by_its_column() -> None:
    """Where the query shows whom each waits for, only those that wait for the session count."""
    shown = str(load_phrases(Language.EN)["leave_session_open"]).format(name="18733")
    found = rows_asked([shown], WITH_WAITS)
    assert found is not None
    assert found.waiters == ("24102",)


def test_no_rows_tell_that_nobody_waits() -> None:
    """An output without rows answers the query as well; other outputs do not answer it, and neither does any before."""
    shown = str(load_phrases(Language.EN)["leave_holds_likely"]).format(name="18733")
    assert rows_asked([shown], NONE) == ("18733", ())
    assert rows_asked([shown], " pid | wait_event\n---+---\n 9 | x\n") is None
    assert rows_asked(["Look at pg_stat_activity."], ROWS) is None


@pytest.mark.parametrize(
    ("language", "question"),
    [
        (Language.EN, "you asked me to run that with 18733 and thats the answer. does 18733 hold them or not"),
        (Language.EN, "so is 18733 blocking them?"),
        (Language.ZH, "18733 到底挡没挡着别人"),
        (Language.ZH, "是不是18733堵的？"),
    ],
)
def test_whether_a_session_holds_others_is_a_question_of_it(language: Language, question: str) -> None:
    """Whether a named session holds the others up is answered by what is on record of it."""
    assert QuestionTopic.IDENTIFICATION in topics(decide(question, view(language, "leave_holds_likely")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rows_answer(language: Language) -> None:
    """The rows are told with who waits for whom; none mean that ending the session frees nobody."""
    answer = HelpAnswer(text="18733", topic=QuestionTopic.IDENTIFICATION, action="rows")
    shown = TurnResults(
        turn=5, answers=(answer,), objects=(NamedObject(WAITS_FOR, "24102>18733"), NamedObject(WAITS_FOR, "7>18733"))
    )
    told = compose(shown, language)
    assert all(name in told for name in ("18733", "24102", "7"))
    assert "```" not in told
    nobody = TurnResults(turn=5, answers=(answer,), objects=(NamedObject(WAITS_FOR, ">18733"),))
    assert "24102" not in compose(nobody, language)
    assert "18733" in compose(nobody, language)


@pytest.mark.parametrize("asked", ["found this, does it prove it?", "查到这个，能证明是它吗？"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_whether_a_pasted_row_proves_it_is_asked_of_the_session_of_before(asked: str, language: Language) -> None:
    """A row of the session that was asked about is what the answer goes by, and not how sure the cause is."""
    row = "| 88123 | RUNNING | 2024-05-14 12:02:11 | NULL | 0 |"
    said = (Utterance(Speaker.USER, "how do u know its 88123?"), Utterance(Speaker.ASSISTANT, "`88123` ..."))
    plan = decide(f"{asked}\n{row}", SessionView(language=language, turn=6, evidence=(SEEN,), history=said))
    assert topics(plan) == [QuestionTopic.IDENTIFICATION]
    step = next(each for each in plan.steps if isinstance(each, QuestionStep))
    held = NamedObject("pid", "88123", "holds")
    answer = HelpAnswer(text=step.text, topic=step.topic)
    told = compose(TurnResults(turn=6, answers=(answer,), objects=(held,)), language)
    assert row in told
    assert str(load_phrases(language)["id_open_transaction"]) in told
