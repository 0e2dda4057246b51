"""Names that machines bear as well as a database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import EvidenceView, SessionView, Speaker, Text, Utterance, Verdict
from services.planner.understand.text.engines import engine_in_case
from tests.support.cases import for_each

TOLD = SessionView(history=(Utterance(Speaker.USER, "pg15 主备切换后写不进去"),))
ON_RECORD = SessionView(evidence=(EvidenceView("P-0001", Text("", "Everything is slow"), Verdict.CONFIRMED, "", 1),))


@for_each("view", [TOLD, ON_RECORD])
@for_each("message", ["db2 返回 f,db1 是 t", "dns now points at db2, restarted all six"])
def test_a_machine_is_no_database_once_the_database_is_known(view: SessionView, message: str) -> None:
    """Where PostgreSQL was told, or a case is on record, db2 is a machine."""
    assert engine_in_case(message, message, view) == ""


@pytest.mark.parametrize("message", ["our db2 is slow", "db2 数据库连不上"])
def test_it_is_the_database_where_nothing_is_known(message: str) -> None:
    """In a first message it names the database."""
    assert engine_in_case(message, message, SessionView()) == "db2"


@for_each(
    ("message", "engine"),
    [
        ("this one is oracle", ""),
        ("sorry, not pg, this one is oracle", "oracle"),
        ("搞错了，这台不是 pg，是 mysql 8", "mysql"),
        ("支付那边的 mysql 倒是没事", ""),
        ("pg is fine otherwise", "postgresql"),
    ],
)
def test_another_database_is_the_case_s_own_only_if_the_first_is_taken_back(message: str, engine: str) -> None:
    """Once PostgreSQL was told, another database is somebody else's unless the message says that it is none."""
    assert engine_in_case(message, message, replace(TOLD, engine="postgresql")) == engine


@for_each("message", ["mysql 8.0. slower since saturday, we moved to a new box then", "mysqld 挂了", "mysql8 订单页慢"])
def test_a_move_told_elsewhere_in_the_message_takes_no_database_away(message: str) -> None:
    """Only what stands beside a database's name says that it is one of before."""
    assert engine_in_case(message, message, SessionView()) == "mysql"
