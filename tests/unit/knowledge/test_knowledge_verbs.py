"""`dbdiag knowledge`: what the verbs print and how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.cli.main import main
from services.knowledge.snapshots.compile import compile_libraries, snapshot_id
from tests.support.sample_libraries import (
    as_export,
    exported,
    phenomenon,
    refused_phenomenon,
    root_cause,
    write_library,
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """The exit code and the JSON that a verb printed, on stdout when it did its work, else on stderr."""
    code = main(["knowledge", *arguments, "--json"])
    written = capsys.readouterr()
    return code, json.loads(written.out or written.err)


def test_validate_counts_or_names_the_problems(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 and the counts for valid libraries, 1 and every problem with its file and place for others."""
    good = write_library(here / "good")
    bad = write_library(here / "bad", [phenomenon("P-0002"), phenomenon("P-3")], [root_cause(links=["P-0404"])], [])
    code, value = run(capsys, "validate", "--library", str(good))
    assert (code, value) == (0, {"valid": True, "problems": [], "phenomena": 1, "root_causes": 1, "tickets": 1})
    code, value = run(capsys, "validate", "--library", str(bad))
    assert (code, value["valid"]) == (1, False)
    assert [problem["place"] for problem in value["problems"]] == ["id", "links.0.phenomenon"]
    assert main(["knowledge", "validate", "--library", str(bad)]) == 1
    assert "2 problems" in capsys.readouterr().out


def test_validate_checks_the_shipped_library_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    """Without an argument the shipped library is checked."""
    code, value = run(capsys, "validate")
    assert (code, value["phenomena"] > 100) == (0, True)


def test_build_writes_a_file_or_the_store(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--out writes the canonical bytes; else the snapshot is stored, and nothing is published either way."""
    library = write_library(here / "library")
    content = compile_libraries([library])
    code, value = run(capsys, "build", "--library", str(library), "--out", "snapshot.json")
    assert (code, value["snapshot_id"]) == (0, snapshot_id(content))
    assert Path("snapshot.json").read_bytes() == content
    code, value = run(capsys, "build", "--library", str(library), "--data-dir", "data")
    assert (code, value["counts"]["tickets"], value["published_at"]) == (0, 1, 0)
    assert not Path("data/snapshots/current").exists()


def test_refused_sql_is_neither_built_nor_published(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`build`, also with --out, and `publish` refuse SQL that `validate` refuses, in its words and either language."""
    library = str(write_library(here / "library", phenomena=[refused_phenomenon()]))
    code, value = run(capsys, "validate", "--library", library)
    problem = value["problems"][0]
    assert (code, problem["place"]) == (1, "observe.how")
    monkeypatch.setenv("DBDIAG_KNOWLEDGE_LIBRARIES", library)
    for verb in (["build"], ["build", "--out", "snapshot.json"], ["publish"]):
        code, value = run(capsys, *verb, "--data-dir", "data")
        assert (code, value["reason"]) == (2, "invalid_library")
        assert f"{problem['file']}: {problem['place']}: {problem['what']}" in value["error"]
        assert main(["knowledge", *verb, "--data-dir", "data", "--lang", "zh"]) == 2
        assert "SQL 被拒绝：" in capsys.readouterr().err
    assert not Path("snapshot.json").exists()
    assert run(capsys, "snapshots", "--data-dir", "data")[1]["snapshots"] == []


def test_publish_takes_an_id_or_the_libraries(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was built is published by its first digits; `previous` goes back; without an id the libraries are built."""
    one, two = write_library(here / "one"), write_library(here / "two", phenomena=[phenomenon(cost=2)])
    first = run(capsys, "build", "--library", str(one), "--data-dir", "data")[1]["snapshot_id"]
    second = run(capsys, "build", "--library", str(two), "--data-dir", "data")[1]["snapshot_id"]
    assert run(capsys, "publish", first, "--data-dir", "data")[0] == 0
    code, value = run(capsys, "publish", second[:20], "--reason", "better", "--data-dir", "data")
    assert (code, value["previous_snapshot_id"], value["reason"]) == (0, first, "better")
    assert run(capsys, "publish", "previous", "--data-dir", "data")[1]["snapshot_id"] == first
    code, value = run(capsys, "publish", "--data-dir", "data")
    assert (code, value["counts"]["phenomena"] > 100) == (0, True)


def test_diff_names_changes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The changes between two snapshots, by their first digits; an unknown id is bad input."""
    one, two = write_library(here / "one"), write_library(here / "two", phenomena=[phenomenon(cost=2)])
    built = [run(capsys, "build", "--library", str(item))[1]["snapshot_id"][:15] for item in (one, two)]
    code, value = run(capsys, "diff", *built)
    assert code == 0
    assert value["changes"] == [
        {"kind": "changed", "entity_type": "phenomenon", "entity_id": "P-0001", "fields": ["cost"]}
    ]
    main(["knowledge", "diff", *built])
    assert capsys.readouterr().out == "~ phenomenon P-0001 (cost)\n"
    code, value = run(capsys, "diff", "beef", built[0])
    assert (code, value["reason"]) == (2, "snapshot_not_found")


def test_import_ends_with_1_when_a_record_was_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 when every record was taken, 1 when one was refused, 2 when the export cannot be read."""
    good = exported("T-1", "a", "水管漏水")
    Path("good.json").write_bytes(as_export([good]))
    Path("mixed.jsonl").write_text(json.dumps(good) + "\n{}\n", encoding="utf-8")
    Path("bad.json").write_text("no", encoding="utf-8")
    code, value = run(capsys, "import", "good.json", "--library", "mine", "--base", "none")
    assert (code, value["new_tickets"], value["new_phenomena"]) == (0, 1, 1)
    code, value = run(capsys, "import", "mixed.jsonl", "--library", "mine", "--base", "none")
    assert (code, value["new_tickets"], value["rejected"][0]["record"]) == (1, 0, 2)
    code, value = run(capsys, "import", "bad.json", "--library", "mine", "--base", "none")
    assert (code, value["reason"]) == (2, "invalid_tickets")


def test_bad_usage_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file, a missing option and an unknown verb are bad usage."""
    for arguments in (["import", "nowhere.json", "--library", "x"], ["import", __file__], ["frobnicate"]):
        assert main(["knowledge", *arguments]) == 2
    assert "dbdiag:" in capsys.readouterr().err
