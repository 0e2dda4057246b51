"""Names that machines bear as well as a database."""

from __future__ import annotations

import pytest

from services.planner.model import EvidenceView, SessionView, Speaker, Text, Utterance, Verdict
from services.planner.understand.text.engines import engine_in_case

TOLD = SessionView(history=(Utterance(Speaker.USER, "pg15 主备切换后写不进去"),))
ON_RECORD = SessionView(evidence=(EvidenceView("P-0001", Text("", "Everything is slow"), Verdict.CONFIRMED, "", 1),))


@pytest.mark.parametrize("view", [TOLD, ON_RECORD])
@pytest.mark.parametrize("message", ["db2 返回 f,db1 是 t", "dns now points at db2, restarted all six"])
def test_a_machine_is_no_database_once_the_database_is_known(view: SessionView, message: str) -> None:
    """Where PostgreSQL was told, or a case is on record, db2 is a machine."""
    assert engine_in_case(message, view) == ""


@pytest.mark.parametrize("message", ["our db2 is slow", "db2 数据库连不上"])
def test_it_is_the_database_where_nothing_is_known(message: str) -> None:
    """In a first message it names the database."""
    assert engine_in_case(message, SessionView()) == "db2"


def test_another_database_is_named_at_any_time() -> None:
    """What no machine is called by stays the name of a database."""
    assert engine_in_case("this one is oracle", TOLD) == "oracle"
