"""Questions about data within a conversation of a real dbdiag."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.running.processes import Running


def converse(dbdiag: Running, *messages: str) -> list[dict[str, Any]]:
    """The answers to messages of one session."""
    answers: list[dict[str, Any]] = []
    for message in messages:
        session = {"session_id": answers[-1]["session_id"]} if answers else {}
        answers.append(httpx.post(f"{dbdiag.url}/chat", json={"message": message} | session, timeout=60).json())
    return answers


@pytest.mark.slow
def test_follow_ups_keep_the_question_before(dbdiag: Running) -> None:
    """A figure comes with rows, SQL and chart; follow-ups change one part of it, and a symptom ends the chain."""
    answers = converse(
        dbdiag, "2025年各类别的工单数", "只看严重的", "and in 2024?", "按月份分", "CPU 使用率 95%", "只看严重的"
    )
    figures = [each["details"]["data"] for each in answers]
    assert [len(each) for each in figures] == [1, 1, 1, 1, 0, 0]
    for (figure,) in figures[:4]:
        assert figure["status"] == "answered"
        assert len(figure["rows"]) == figure["row_count"] > 1
        assert figure["chart"].startswith("<svg")
        assert figure["sql"].startswith("SELECT")
    assert "critical" not in figures[0][0]["sql"]
    assert all("critical" in figure["sql"] for (figure,) in figures[1:4])
    assert "2024-01-01" in figures[2][0]["sql"]
    assert "DATE_TRUNC('MONTH'" in figures[3][0]["sql"]
    assert [item["source"] for item in answers[4]["details"]["evidence"]] == ["person"]


def test_without_a_data_question_nothing_is_drawn(dbdiag: Running) -> None:
    """A complaint has no figures in its details."""
    assert converse(dbdiag, "线上报表查询突然变慢")[0]["details"]["data"] == []


def test_figures_over_time_are_told_by_their_range_and_shown_to_the_latest(dbdiag: Running) -> None:
    """The sentence has the first, the greatest and the last month by name; the table ends with the last rows."""
    (answer,) = converse(dbdiag, "tickets per month")
    (figure,) = answer["details"]["data"]
    dated = [row for row in figure["rows"] if row[0] != "–"]
    greatest = max(dated, key=lambda row: int(row[1]))
    for month in (dated[0][0], greatest[0], dated[-1][0]):
        assert len(month) == len("2026-05")
        assert month in answer["message"]
    table = [line for line in answer["message"].split("\n") if line.startswith("|")]
    assert table[2] == "| … | … |"
    assert table[-1] == f"| {figure['rows'][-1][0]} | {figure['rows'][-1][1]} |"
