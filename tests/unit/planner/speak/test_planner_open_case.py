"""Answers about a case that is still open: what is likely is called likely, and a question does not stop the search."""

from __future__ import annotations

import pytest

from services.planner.model import (
    Clarification,
    ClarificationOption,
    ClarifyKind,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    Language,
    QuestionTopic,
    RankedHypothesis,
    RankedRecommendation,
    Status,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.treatment.actions import actions_in
from tests.support.cases import for_each

NAME = Text("应用不归还连接", "Application leaks connections")
CHECK = RankedRecommendation(
    0, "P-0056", Text("空闲连接被断", "Idle connections die"), "sql", "SELECT 1 FROM pg_stat_x"
)
SEEN = EvidenceView("P-0045", Text("大量连接空闲", "Many idle connections"), Verdict.CONFIRMED, "150 idle", 1)
LANGUAGES = [Language.ZH, Language.EN]


def view(confidence: float) -> DiagnosisView:
    """An open case with this leader."""
    return DiagnosisView((RankedHypothesis("RC-0001", NAME, confidence),), (CHECK,))


def answered(topic: QuestionTopic, text: str, confidence: float, language: Language) -> str:
    """What is answered to a question of the whole case."""
    answer = HelpAnswer((), None, text, topic, (SEEN,))
    return compose(TurnResults(Status.NARROWING, diagnosis=view(confidence), answers=(answer,), seen=(SEEN,)), language)


@for_each("language", LANGUAGES)
@for_each("topic", [QuestionTopic.CERTAINTY, QuestionTopic.SUMMARY, QuestionTopic.RECOVERED])
def test_a_clear_leader_is_told_otherwise_than_a_faint_one(topic: QuestionTopic, language: Language) -> None:
    """A cause at 98 % is not told in the words for one at 30 %, and both name the cause."""
    clear, faint = (answered(topic, "so was it that?", share, language) for share in (0.98, 0.3))
    assert NAME.say(language) in clear
    assert NAME.say(language) in faint
    assert clear.replace("98", "") != faint.replace("30", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_of_an_open_case_tells_what_was_seen(language: Language) -> None:
    """A sentence for somebody else names the confirmed facts beside the likely cause."""
    assert SEEN.name.say(language) in answered(QuestionTopic.SUMMARY, "for my boss", 0.5, language)


RESTARTS = {
    "can i restart the billing pods": True,
    "can i bounce billing-api yes or no": True,
    "能重启一下应用吗": True,
    "重启订单服务行不行": True,
    "can i restart the database": False,
    "重启数据库行吗": False,
    "can i just restart it": False,
    "is it ok to kill the app's sessions": False,
}


@for_each("asked", RESTARTS)
def test_a_restart_of_an_application_is_none_of_the_database(asked: str) -> None:
    """What is to be restarted decides what a restart does; where nobody says, the database is meant."""
    assert ("restart_app" in actions_in(asked)) is RESTARTS[asked]


@pytest.mark.parametrize("language", LANGUAGES)
def test_leave_to_restart_an_application_is_given_with_its_cost(language: Language) -> None:
    """Before a conclusion an application may be restarted, a database may not."""
    app = answered(QuestionTopic.RISK, "can i restart the billing pods", 0.5, language)
    database = answered(QuestionTopic.RISK, "can i restart the database", 0.5, language)
    assert "pg_stat_activity" in app
    assert app.splitlines()[0] != database.splitlines()[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_row_it_is_asked_whether_it_is_so_and_not_what_it_means(language: Language) -> None:
    """A row of an output means nothing else to the person: what it leaves open is asked, by its name alone."""
    option = ClarificationOption(1, "P-0080", Text("估算差十倍", "Estimates far off"), reading="pasted_open")
    asked = Clarification(ClarifyKind.PROPOSED, "Nested Loop (rows=1)", (option,))
    text = compose(TurnResults(Status.EXPLORING, clarification=asked, diagnosis=view(0.2)), language)
    assert "Nested Loop (rows=1)" not in text
    assert option.name.say(language) in text
    assert not any(words in text for words in ("mean **", "是说 **"))


@for_each("language", LANGUAGES)
@for_each("reading", ["done_before", "value_near_limit", "degree", "pasted_open"])
def test_a_reading_that_is_not_sure_is_asked_in_a_line_and_the_search_goes_on(reading: str, language: Language) -> None:
    """One unsure reading is one question without a number, and the next check stands beside it, unnumbered too."""
    option = ClarificationOption(1, "P-0018", Text("大批量导入后开始", "Began after a bulk load"), reading=reading)
    asked = Clarification(ClarifyKind.PROPOSED, "loaded 30M rows", (option,))
    text = compose(TurnResults(Status.EXPLORING, clarification=asked, diagnosis=view(0.2)), language)
    assert ("loaded 30M rows" in text) is (reading != "pasted_open")
    assert CHECK.observation_method in text
    assert "1." not in text
