"""Which entries a question of where something is from is about."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import QuestionKind, QuestionStep, QuestionTopic
from dbdiag.vocabulary import Verdict

from gateway.session.catalog import Catalog
from gateway.session.ledger import LedgerEntry, Session
from gateway.turn.context import Turn
from gateway.turn.tools.heard import find_source
from tests.support.cases import for_each

LOCKS = "20411 | shop | active | Lock | transactionid"
DISK = "数据盘92%了还在涨"
SLOW = "reports are slow"


def found(asked: str, retracted: int | None = None) -> list[str]:
    """The words of the entries, asked so in the fourth turn; the row of turn 2 was taken back then or stands."""
    session = Session("s", 0.0, 0.0, turn=4)
    session.ledger = [
        LedgerEntry(0, 1, 1, "P-1", Verdict.CONFIRMED, 1.0, DISK),
        LedgerEntry(1, 1, 2, "P-2", Verdict.CONFIRMED, 1.0, LOCKS, retracted_turn=retracted),
        LedgerEntry(2, 1, 3, "P-3", Verdict.CONFIRMED, 1.0, SLOW),
        LedgerEntry(3, 1, 4, "P-4", Verdict.DENIED, 1.0, asked),
    ]
    turn = Turn(session, asked, Catalog("s", {}, {}), 3, 0.95)
    question = QuestionStep(QuestionKind.HELP, text=asked, topic=QuestionTopic.SOURCE)
    return [view.words for view in find_source(turn, question)]


@for_each(
    ("asked", "words"),
    [
        ("where do you see a lock?", [LOCKS]),
        ("你哪看到的锁", [LOCKS]),
        ("which line of my output has 20411", [LOCKS]),
        ("where did you get the disk from", [DISK]),
        ("我没说过磁盘，哪来的", [DISK]),
    ],
)
def test_what_is_named_is_found_in_either_language(asked: str, words: list[str]) -> None:
    """The entries whose words or row name the thing that the question names, whatever it is called there."""
    assert found(asked) == words


@for_each("asked", ["where do you see that", "从哪看出来的", "which line of my output shows that"])
def test_a_question_that_only_points_means_the_last_entries(asked: str) -> None:
    """Where nothing is named it is about the last turn that put something on record, never about its own words."""
    assert found(asked) == [SLOW]


@pytest.mark.parametrize("asked", ["where do you get a standby from", "哪来的备库"])
def test_what_is_on_no_record_has_no_source(asked: str) -> None:
    """Of a thing that no entry names none is told."""
    assert found(asked) == []


def test_what_the_question_itself_takes_back_has_its_source_told() -> None:
    """ "I never said that, where is it from" is of what was just taken back; what went earlier is not told."""
    assert found("i never said that, where did you get it", retracted=4) == [LOCKS]
    assert found("where do you see locks", retracted=3) == []
