"""Where something on record is from: its words or row in quotes, when, and the way to take it off."""

from __future__ import annotations

import pytest

from services.planner.model import (
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    Language,
    QuestionTopic,
    RankedHypothesis,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases

LANGUAGES = (Language.ZH, Language.EN)
ROW = "18733 | backoffice | idle in transaction"
IDLE = EvidenceView("P-1", Text("空闲事务", "Idle in transaction"), Verdict.CONFIRMED, ROW, 2)
LONG = EvidenceView("P-2", Text("事务超过 1 小时", "Open for over an hour"), Verdict.CONFIRMED, ROW, 2)
ARCHIVE = RankedHypothesis("RC-1", Text("WAL 归档失败", "WAL archiving fails"), 0.13, 0.13)


def told(
    language: Language,
    *views: EvidenceView,
    seen: tuple[EvidenceView, ...] = (),
    asked: str = "where do you see that",
    turn: int = 3,
) -> str:
    """The answer, where these entries are asked about."""
    answer = HelpAnswer((), None, asked, QuestionTopic.SOURCE, evidence=views)
    return compose(TurnResults(answers=(answer,), seen=seen, turn=turn, diagnosis=DiagnosisView((ARCHIVE,))), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_source_is_quoted_once_with_all_that_was_read_from_it(language: Language) -> None:
    """The row stands in quotation marks behind the names of all that was read from it, with how to take it off."""
    text = told(language, IDLE, LONG, seen=(IDLE, LONG))
    assert text.count(ROW) == 1
    assert str(load_phrases(language)["quoted"]).format(words=ROW) in text
    assert all(view.name.say(language) in text for view in (IDLE, LONG))
    assert str(load_phrases(language)["source_off"]).format(name=IDLE.name.say(language)) in text
    assert str(load_phrases(language)["source_just_now"]) in text
    assert str(load_phrases(language)["source_ago"]).format(ago=4) in told(language, IDLE, seen=(IDLE,), turn=6)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_off_the_record_already_is_not_offered_to_be_taken_off(language: Language) -> None:
    """Of what this message took back the source is told, and nothing else."""
    text = told(language, IDLE)
    assert ROW in text
    assert str(load_phrases(language)["source_off"]).rpartition("}")[2] not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nothing_fits_the_answer_says_so(language: Language) -> None:
    """Nothing of it is on record; where it is the name of a cause that is weighed, that is said."""
    none = str(load_phrases(language)["source_none"])
    assert none in told(language, asked="where do you get a standby from")
    text = told(language, asked="where do you see archiving")
    assert none in text
    assert ARCHIVE.name.say(language) in text
