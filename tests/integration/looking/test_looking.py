from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gateway.cli.main import main
from gateway.investigation import schemas
from services.collector.evidence.chain import GENESIS, canonical, sha256
from services.collector.evidence.evidence_store import read_evidence
from services.collector.evidence.session_evidence import verify
from tests.support.servers.stuck_locks import stuck_locks


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server with a prepared transaction that nobody ends, and two sessions that wait for its lock."""
    with stuck_locks() as dsn:
        yield dsn


@pytest.fixture(scope="module", autouse=True)
def diagnosed(server: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, int]:
    """A diagnosis by the verb: the data folder, the session's folder, the exit code.

    First of all, for what is there changes: waiters that have waited long are a finding of their own.
    """
    data = tmp_path_factory.mktemp("data")
    code = main(["diagnose", "--dsn", server, "--data-dir", str(data), "--json"])
    (folder,) = (data / "report").iterdir()
    return data, folder, code


def report_of(folder: Path) -> dict[str, Any]:
    """The stored report."""
    body: dict[str, Any] = json.loads((folder / "index" / "diagnosis_report.json").read_text())
    return body


def test_the_cause_is_found_without_a_person(diagnosed: tuple[Path, Path, int]) -> None:
    """The forgotten prepared transaction is concluded, and the verb ends with 0."""
    _, folder, code = diagnosed
    report = report_of(folder)
    assert (code, report["verdict"], report["root_cause"]["root_cause_id"]) == (0, "found", "RC-0005")
    assert report["stop_reason"] == "confident"


def test_every_ground_resolves_to_a_stored_output(diagnosed: tuple[Path, Path, int]) -> None:
    """Each row of the evidence table names an output that is kept, of the check that it names."""
    _, folder, _ = diagnosed
    rows = report_of(folder)["evidence_table"]
    assert any(row["verdict"] == "confirmed" for row in rows)
    assert [row for row in rows if read_evidence(folder, row["evidence_ref"]).check_id != row["check_id"]] == []


@pytest.mark.parametrize("name", schemas.NAMES)
def test_documents_fit_their_schemas(diagnosed: tuple[Path, Path, int], name: str) -> None:
    """What is stored is what the published schema says."""
    _, folder, _ = diagnosed
    schema = schemas.read(name)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(json.loads((folder / "index" / f"{name}.json").read_text()))


def test_the_record_is_whole_and_shows_a_change(diagnosed: tuple[Path, Path, int]) -> None:
    """Audit finds nothing at fault in what was written, and a changed report afterwards."""
    _, folder, _ = diagnosed
    assert verify(folder).faults == ()
    path = folder / "index" / "diagnosis_report.json"
    text = path.read_text()
    path.write_text(text.replace("RC-0005", "RC-0006"))
    try:
        assert main(["audit", "verify", str(folder)]) == 1
    finally:
        path.write_text(text)


@pytest.mark.parametrize("name", ["diagnosis_trace.json", "diagnosis_trace.jsonl"])
def test_a_replay_is_the_same_to_the_letter(
    diagnosed: tuple[Path, Path, int], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the trace alone the same report is had again, without a target."""
    data, folder, _ = diagnosed
    assert main(["replay", str(folder / "index" / name), "--data-dir", str(data), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["same"] is True


def test_a_changed_trace_is_not_replayed(diagnosed: tuple[Path, Path, int], tmp_path: Path) -> None:
    """Where a recorded step is not what comes out, the replay says so and ends with 2."""
    data, folder, _ = diagnosed
    body = json.loads((folder / "index" / "diagnosis_trace.json").read_text())
    next(event for event in body["events"] if event["event"] == "judged")["confirmed"] = []
    changed = tmp_path / "trace.json"
    changed.write_text(json.dumps(body))
    assert main(["replay", str(changed), "--data-dir", str(data)]) == 2


def test_a_killed_diagnosis_is_taken_up_again(
    server: str, diagnosed: tuple[Path, Path, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """With its journal torn in the middle and no documents, the same session is finished; what was seen counts."""
    data, folder, _ = diagnosed
    session = folder.parent / "killed-one"
    for part in ("raw", "redacted", "parsed", "index"):
        (session / part).mkdir(parents=True)
    lines = (folder / "index" / "diagnosis_trace.jsonl").read_bytes().splitlines(keepends=True)
    kept = b"".join(lines[:3]).replace(folder.name.encode(), b"killed-one")
    (session / "index" / "diagnosis_trace.jsonl").write_bytes(_rechained(kept) + lines[3][:40])
    arguments = ["--dsn", server, "--data-dir", str(data)]
    assert main(["diagnose", *arguments, "--resume", "killed-one"]) in (0, 1)
    assert "RC-0005" in {item["root_cause_id"] for item in report_of(session)["hypotheses"]}
    events = json.loads((session / "index" / "diagnosis_trace.json").read_text())["events"]
    assert [canonical(event) for event in events[:3]] == [_bare(line) for line in kept.splitlines()]
    assert events[-1]["event"] == "stopped"
    assert verify(session).faults == ()
    capsys.readouterr()
    assert main(["report", "killed-one", "--data-dir", str(data)]) == 0


def _bare(line: bytes) -> str:
    entry = {name: value for name, value in json.loads(line).items() if name not in ("seq", "prev", "hash")}
    return canonical(entry)


def _rechained(lines: bytes) -> bytes:
    """The same entries as a chain of their own."""
    head, written = GENESIS, b""
    for line in lines.splitlines():
        entry = {name: value for name, value in json.loads(line).items() if name != "hash"} | {"prev": head}
        head = entry["hash"] = sha256(canonical(entry))
        written += (canonical(entry) + "\n").encode()
    return written


def test_collected_evidence_is_reported_later(
    server: str, diagnosed: tuple[Path, Path, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """Evidence alone has no conclusion stored; the report made from its pack fits the schema and finds the cause."""
    data, _, _ = diagnosed
    assert main(["collect", "--dsn", server, "--data-dir", str(data)]) == 0
    session = capsys.readouterr().out.strip()
    folder = data / "report" / session
    assert [path.name for path in (folder / "index").iterdir()] == ["evidence_pack.json"]
    assert verify(folder).faults == ()
    assert main(["report", session, "--data-dir", str(data), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["hypotheses"][0]["root_cause_id"], report.pop("folder")) == ("RC-0005", str(folder))
    Draft202012Validator(schemas.read("diagnosis_report")).validate(report)


def test_a_question_is_evidence_that_looks_overrule(server: str, tmp_path: Path) -> None:
    """What the words mean counts until a look decides it; their secret is kept nowhere, and a replay is the same."""
    looker = server
    asked = "connections are at 98% of max_connections; call planted-word@corp.example"
    given = ["--dsn", looker, "--data-dir", str(tmp_path), "--question", asked]
    main(["diagnose", *given, "--time-budget-sec", "1", "--json"])
    (folder,) = (tmp_path / "report").iterdir()
    trace = folder / "index" / "diagnosis_trace.json"
    began = json.loads(trace.read_text())["events"][0]["case"]
    assert "98% of max_connections" in began["question"]
    assert {item["phenomenon_id"]: item["verdict"] for item in began["told"]["findings"]} == {"P-0044": "confirmed"}
    row = next(row for row in report_of(folder)["evidence_table"] if row["phenomenon_id"] == "P-0044")
    assert (row["verdict"], row["check_id"]) == ("denied", "pg.sessions")
    assert verify(folder).faults == ()
    assert [path for path in folder.rglob("*.json*") if "planted-word" in path.read_text()] == []
    assert main(["replay", str(trace), "--data-dir", str(tmp_path)]) == 0


def test_an_unreachable_target_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing can be seen the verdict says so and why, and the verb ends with 3."""
    code = main(
        ["diagnose", "--dsn", f"host={tmp_path} user=nobody dbname=none", "--data-dir", str(tmp_path), "--json"]
    )
    report = json.loads(capsys.readouterr().out)
    assert (code, report["verdict"], report["stop_reason"]) == (3, "unseen", "target_unreachable")
    assert all("target_unreachable" in item["reason"] for item in report["not_seen"])
    assert main(["collect", "--dsn", f"host={tmp_path} user=nobody", "--data-dir", str(tmp_path)]) == 3


@pytest.mark.parametrize("given", [[], ["--target", "nowhere"], ["--dsn", "host=h password=secret-word"]])
def test_bad_input_is_one_line(given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No target, one that is not configured, or a password on the command line: exit 2, and no secret in the answer."""
    assert main(["diagnose", *given, "--data-dir", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "secret-word" not in said
