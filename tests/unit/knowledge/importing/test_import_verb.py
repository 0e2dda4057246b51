"""`dbdiag knowledge import`: tables, mappings, the report, and how far it is."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import sys
from pathlib import Path
from typing import Any

import pytest

from gateway.cli.knowledge.progress import Bar
from gateway.cli.main import main
from services.chassis.settings import load
from services.knowledge.importing.settings import ImportSettings

TABLE = "流程ID,问题描述,问题根因,分析过程\nF-1,慢,锁,大量会话在等锁；CPU 使用率 98%\nF-2,,锁,\nF-3,慢,漏,重启后恢复\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with one table in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "export.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """The exit code and the JSON of an import without a base."""
    code = main(["knowledge", "import", *arguments, "--library", "site", "--base", "none", "--json"])
    written = capsys.readouterr()
    return code, json.loads(written.out or written.err)


def test_a_table_needs_no_more_than_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    """Counts, refusals by line and column, tickets without an anomaly and every decision in the JSON; again nothing."""
    code, value = run(capsys, "export.csv")
    assert (code, value["new_tickets"], value["anomalies"], value["tickets_without_anomalies"]) == (1, 2, 2, 1)
    assert [(item["line"], item["field"], item["reason"]) for item in value["rejected"]] == [
        (3, "问题描述", "is empty")
    ]
    assert [(item["ticket_id"], item["line"]) for item in value["without_anomalies"]] == [("F-3", 4)]
    assert {(item["kind"], item["outcome"]) for item in value["decisions"]} == {
        ("phenomenon", "new"),
        ("root_cause", "new"),
    }
    code, value = run(capsys, "export.csv")
    assert (code, value["new_tickets"], value["decisions"]) == (1, 0, [])


def test_the_report_file_tells_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """As Markdown for people, as JSON by its ending; the terminal names where it is."""
    main(["knowledge", "import", "export.csv", "--library", "site", "--base", "none", "--report", "report.md"])
    assert "report: report.md" in capsys.readouterr().out
    report = Path("report.md").read_text(encoding="utf-8")
    for words in (
        "# Import of export.csv",
        "- line 3 (F-2): 问题描述: is empty",
        "## Tickets without an anomaly",
        "## New",
    ):
        assert words in report
    _code, value = run(capsys, "export.csv", "--report", "report.json")
    assert json.loads(Path("report.json").read_text(encoding="utf-8")) == value


def test_a_mapping_and_a_format_are_given_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """Another header and another name of the file; a mapping that does not fit is bad input."""
    Path("export.dat").write_text("No,Text,Cause\n1,slow,lock\n", encoding="utf-8")
    Path("mapping.yaml").write_text("ticket_id: No\ndescription: Text\nroot_cause: Cause\n", encoding="utf-8")
    code, value = run(capsys, "export.dat", "--format", "csv", "--mapping", "mapping.yaml")
    assert (code, value["new_tickets"]) == (0, 1)
    code, value = run(capsys, "export.csv", "--mapping", "mapping.yaml")
    assert (code, value["reason"]) == (2, "invalid_tickets")
    assert "No, Text, Cause" in value["error"]


def test_many_refusals_do_not_fill_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty are shown, the rest is counted."""
    rows = "\n".join(f"F-{number},,锁," for number in range(50))
    Path("bad.csv").write_text(f"流程ID,问题描述,问题根因,分析过程\n{rows}\n", encoding="utf-8")
    assert main(["knowledge", "import", "bad.csv", "--library", "site", "--base", "none"]) == 1
    written = capsys.readouterr().out
    assert written.count("is empty") == 20
    assert "30 more" in written


def test_a_model_that_is_not_there_costs_nothing_but_its_help(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an endpoint that nobody serves the rules split, and the result is that of --no-model."""
    monkeypatch.setenv("DBDIAG_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("DBDIAG_AGENT_MODEL", "none")
    monkeypatch.setenv("DBDIAG_LLM_MAX_RETRIES", "0")
    assert load(ImportSettings, os.environ).agent_model == "none"
    code, value = run(capsys, "export.csv")
    assert (code, value["new_tickets"], value["anomalies"]) == (1, 2, 2)
    code, value = run(capsys, "export.csv", "--no-model")
    assert (value["new_tickets"], value["anomalies"]) == (0, 2)


def test_progress_is_lines_where_nobody_sits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line a step, with the count where there is one; nothing at all for short work."""
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    with Bar() as short:
        short.tell("reading")
    assert written.getvalue() == ""
    with Bar(patience=0.0) as progress:
        progress.tell("reading")
        progress.tell("comparing", 0, 10)
        progress.tell("comparing", 5, 10)
        progress.tell("writing", 1, 2)
    assert written.getvalue() == "reading ...\ncomparing ...\nwriting ... 1 of 2\n"


def _read_to_the_end(leader: int) -> bytes:
    """All that was written to a pseudo terminal whose other end is closed; it comes in pieces."""
    shown = b""
    with contextlib.suppress(OSError):
        while piece := os.read(leader, 65536):
            shown += piece
    return shown


@pytest.mark.skipif(os.name != "posix", reason="pseudo terminals are of POSIX")
def test_progress_is_a_bar_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows the step and how many of how many, and clears itself away."""
    leader, follower = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    with open(follower, "w", encoding="utf-8", closefd=False) as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with Bar(patience=0.0) as progress:
            for done in range(1, 41):
                progress.tell("comparing statements", done, 40)
    os.close(follower)
    shown = _read_to_the_end(leader).decode()
    os.close(leader)
    assert "comparing statements" in shown
    assert "40/40" in shown
