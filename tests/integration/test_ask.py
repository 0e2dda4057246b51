"""`dbdiag ask` as a process: one question, many, a chart, a conversation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.game_flow import LAYER, write

_FIELDS = {
    "id", "status", "sql", "columns", "rows", "message", "options", "empty_filter", "intent", "understood", "chart",
    "seconds",
}  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The games company's data."""
    return write(tmp_path_factory.mktemp("ask") / "games.duckdb")


def ask(data: Path, *arguments: str, given: str = "", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the verb."""
    command = [sys.executable, "-m", "gateway.cli", "ask", "--dataset", str(LAYER), "--database", str(data), *arguments]
    environ = dict(os.environ) | {"LANG": "C.UTF-8"}
    where = ["--data-dir", str(folder)] if folder else []
    return subprocess.run([*command, *where], input=given, capture_output=True, text=True, env=environ, timeout=120)


def test_a_batch_answers_every_line_in_order(data: Path) -> None:
    """One line of JSON a question, in order, with the same fields each; a malformed line is an error of its own."""
    lines = [
        json.dumps({"id": "a", "question": "今年流水是多少"}, ensure_ascii=False),
        json.dumps({"id": "b", "question": "那去年呢", "previous": "IEG本部今年的流水是多少"}, ensure_ascii=False),
        "no json",
        json.dumps({"id": "c", "question": "下个季度流水会是多少"}, ensure_ascii=False),
        json.dumps({"id": "d", "question": "IEG本部2019年的流水是多少"}, ensure_ascii=False),
        json.dumps({"id": "e", "question": "flow by region in 2024"}),
        json.dumps({"id": "f", "question": "今年流水是多少", "now": "2024-03-31"}, ensure_ascii=False),
    ]
    ran = ask(data, "--batch", given="\n".join(lines) + "\n")
    assert ran.returncode == 0, ran.stderr
    answers: list[dict[str, Any]] = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [each["id"] for each in answers] == ["a", "b", None, "c", "d", "e", "f"]
    assert all(set(each) == _FIELDS for each in answers)
    assert [each["status"] for each in answers] == [
        "answered", "answered", "error", "refused", "answered", "answered", "answered",
    ]  # fmt: skip
    assert answers[3]["sql"] is None
    assert "2019" in answers[4]["empty_filter"]
    assert answers[5]["chart"] == "bar"
    assert answers[6]["rows"] != answers[0]["rows"]


def test_an_answer_shows_figure_rows_sql_and_understanding(data: Path) -> None:
    """The terminal has the sentence, bars, the SQL and how the question was understood."""
    ran = ask(data, "各地区流水")
    assert ran.returncode == 0, ran.stderr
    for part in ("流水按地区", "█", "SELECT", "理解为", "默认口径"):
        assert part in ran.stdout


def test_sql_alone_can_be_printed(data: Path) -> None:
    """--sql prints the statement and nothing else."""
    ran = ask(data, "海外流水", "--sql")
    assert ran.stdout.startswith("SELECT")
    assert "理解" not in ran.stdout


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_chart_is_written(data: Path, tmp_path: Path, ending: str) -> None:
    """--chart writes a PNG or SVG of the rows."""
    path = tmp_path / f"chart.{ending}"
    ran = ask(data, "2024年各月流水走势", "--chart", str(path))
    assert ran.returncode == 0, ran.stderr
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG" if ending == "png" else b"<svg")


def test_a_session_keeps_the_conversation(data: Path, tmp_path: Path) -> None:
    """A follow-up in a named session continues the question before it."""
    ask(data, "IEG本部今年的流水是多少", "--session", "monday", folder=tmp_path)
    ran = ask(data, "那去年呢", "--session", "monday", "--json", folder=tmp_path)
    body = json.loads(ran.stdout)
    assert body["intent"]["filters"][0]["dimension"] == "division"
    assert body["intent"]["time"]["year"] == 2024


def test_questions_without_an_answer_exit_with_one(data: Path) -> None:
    """A refusal is exit code 1, bad usage is 2."""
    assert ask(data, "下个季度流水会是多少").returncode == 1
    assert ask(data).returncode == 2
    assert ask(data, "流水", "--batch").returncode == 2
    assert ask(data, "流水", "--chart", "chart.gif").returncode == 2
    assert ask(data, "流水", "--session", "../x").returncode == 2
