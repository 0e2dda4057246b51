"""`dbdiag ask` as a process: one question, many, a chart, a conversation."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.data.game_flow import LAYER, write
from tests.support.running.forked import run

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
    options = ["--dataset", str(LAYER), "--database", str(data), *(["--data-dir", str(folder)] if folder else [])]
    return run_cli(*options, *arguments, folder=data.parent, given=given)


def run_cli(*arguments: str, folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """Runs `dbdiag ask`."""
    environ = dict(os.environ) | {"LANG": "C.UTF-8"}
    return run("gateway.cli", "ask", *arguments, folder=folder, environ=environ, said=given)


def test_a_batch_answers_every_line_in_order(data: Path) -> None:
    """One line of JSON a question, in order, with the same fields each; a malformed line is an error of its own."""
    lines = [
        json.dumps({"id": "a", "question": "今年流水是多少"}, ensure_ascii=False),
        json.dumps({"id": "b", "question": "那去年呢", "previous": "IEG本部今年的流水是多少"}, ensure_ascii=False),
        "no json",
        json.dumps({"id": "w", "question": ["流水"]}, ensure_ascii=False),
        json.dumps({"id": "c", "question": "下个季度流水会是多少"}, ensure_ascii=False),
        json.dumps({"id": "d", "question": "IEG本部2019年的流水是多少"}, ensure_ascii=False),
        json.dumps({"id": "e", "question": "flow by region in 2024"}),
        json.dumps({"id": "f", "question": "今年流水是多少", "now": "2024-03-31"}, ensure_ascii=False),
    ]
    ran = ask(data, "--batch", given="\n".join(lines) + "\n")
    assert ran.returncode == 0, ran.stderr
    answers: list[dict[str, Any]] = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [each["id"] for each in answers] == ["a", "b", None, "w", "c", "d", "e", "f"]
    assert all(set(each) == _FIELDS for each in answers)
    assert [each["status"] for each in answers] == [
        "answered", "answered", "error", "error", "refused", "answered", "answered", "answered",
    ]  # fmt: skip
    assert answers[4]["sql"] is None
    assert "2019" in answers[5]["empty_filter"]
    assert answers[6]["chart"] == "bar"
    assert answers[7]["rows"] != answers[0]["rows"]


def test_an_answer_shows_figure_rows_sql_and_understanding(data: Path) -> None:
    """The terminal has the sentence, bars, the SQL and how the question was understood."""
    ran = ask(data, "各地区流水")
    assert ran.returncode == 0, ran.stderr
    for part in ("流水按地区", "█", "SELECT", "理解为", "默认口径"):
        assert part in ran.stdout


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_session_keeps_the_conversation(data: Path, tmp_path: Path) -> None:
    """A follow-up in a named session continues the question before it."""
    ask(data, "IEG本部今年的流水是多少", "--session", "monday", folder=tmp_path)
    ran = ask(data, "那去年呢", "--session", "monday", "--json", folder=tmp_path)
    body = json.loads(ran.stdout)
    assert body["intent"]["filters"][0]["dimension"] == "division"
    assert body["intent"]["time"]["year"] == 2024


@pytest.mark.slow
def test_questions_without_an_answer_exit_with_one(data: Path) -> None:
    """A refusal is exit code 1, bad usage is 2."""
    assert ask(data, "下个季度流水会是多少").returncode == 1
    assert ask(data).returncode == 2
    assert ask(data, "流水", "--batch").returncode == 2
    assert ask(data, "流水", "--chart", "chart.gif").returncode == 2
    assert ask(data, "流水", "--session", "../x").returncode == 2


@pytest.mark.slow
def test_without_a_dataset_the_own_data_is_asked(tmp_path: Path) -> None:
    """Tickets, causes and sessions are counted, with the dates of the tickets, and follow-ups continue."""
    lines = [
        {"id": 1, "question": "一共有多少张工单"},
        {"id": 2, "question": "那2025年呢", "previous": "一共有多少张工单"},
        {"id": 3, "question": "how many sessions have we had"},
    ]
    given = "\n".join(json.dumps(line) for line in lines)
    ran = run_cli("--batch", "--data-dir", str(tmp_path), folder=tmp_path, given=given)
    assert ran.returncode == 0, ran.stderr
    whole, year, sessions = (json.loads(line)["rows"][0][0] for line in ran.stdout.splitlines())
    assert 0 < year < whole
    assert sessions == 0


@pytest.mark.slow
def test_a_kept_answer_is_used_again(data: Path, tmp_path: Path) -> None:
    """What a person chose is kept under what they asked, and the same question is not asked back again."""
    layer = tmp_path / "games.yaml"
    layer.write_text(LAYER.read_text("utf-8"), "utf-8")
    place = ("--dataset", str(layer), "--database", str(data), "--data-dir", str(tmp_path), "--session", "s")
    assert run_cli("2024年海外或国内哪个好", *place, folder=data.parent).returncode == 1
    kept = run_cli("2024年各地区流水", *place, "--keep", folder=data.parent)
    assert "2024年海外或国内哪个好" in layer.read_text("utf-8"), kept.stderr
    again = run_cli("2024年海外或国内哪个好？", "--json", *place[:4], folder=data.parent)
    assert json.loads(again.stdout)["intent"]["metrics"] == ["flow"]


@pytest.mark.slow
def test_an_answer_of_the_day_is_not_kept(data: Path, tmp_path: Path) -> None:
    """An answer that would differ on another day leaves the layer as it is."""
    layer = tmp_path / "games.yaml"
    layer.write_text(LAYER.read_text("utf-8"), "utf-8")
    ran = run_cli("上个月流水", "--dataset", str(layer), "--database", str(data), "--keep", folder=data.parent)
    assert "没有保存" in ran.stderr
    assert layer.read_text("utf-8") == LAYER.read_text("utf-8")
