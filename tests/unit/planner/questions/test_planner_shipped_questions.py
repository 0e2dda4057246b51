"""What people ask of common causes has its answer in the shipped libraries, whatever words it is asked in."""

from __future__ import annotations

import yaml

from services.knowledge.library.shipped_libraries import POSTGRESQL
from services.planner.model import CauseQuestion, Text
from services.planner.questions_asked.cause_reader import find_cause_question
from services.planner.questions_asked.of_causes import LIKELY
from tests.support.cases import for_each


def questions_of(cause: str) -> tuple[CauseQuestion, ...]:
    entry = yaml.load((POSTGRESQL.parent / f"{cause}.yaml").read_bytes(), yaml.CSafeLoader)
    return tuple(
        CauseQuestion(tuple(each["asked"]["zh"]), tuple(each["asked"]["en"]), Text(**each["answer"]))
        for each in entry["questions"]
    )


@for_each(
    ("cause", "asked", "answered"),
    [
        ("postgresql/root_causes/pooler-too-small", "is the 60 gone after pgbouncer restarts?", "pgbouncer.ini"),
        ("postgresql/root_causes/pooler-too-small", "what do i type to see the pgbouncer queue?", "SHOW POOLS"),
        ("postgresql/root_causes/pooler-too-small", "池子重启后会变回去吗", "pgbouncer.ini"),
        ("postgresql/root_causes/connection-leak", "which connection limit for that role?", "rolling"),
        ("postgresql/root_causes/connection-leak", "why did it only begin last week", "last release"),
        ("postgresql/root_causes/sync-standby-lost", "how do we turn sync back on when the replica is up", "streaming"),
        (
            "postgresql/root_causes/ddl-behind-long-transaction",
            "will the migration job try it again later?",
            "lock_timeout",
        ),
        ("mysql/root_causes/ddl-metadata-lock", "what does this metadata lock mean", "definition"),
    ],
)
def test_a_question_of_a_cause_is_answered_in_other_words(cause: str, asked: str, answered: str) -> None:
    """A question whose wording no library has is found, with the answer of that question."""
    known = questions_of(cause)
    found = find_cause_question(asked, known)
    assert found is not None
    assert answered in known[found.at].answer.en
    assert found.probability >= LIKELY
