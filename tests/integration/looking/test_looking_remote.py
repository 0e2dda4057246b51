"""`dbdiag diagnose` through running services, and with a model that plans: real gRPC, a real PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from jsonschema import Draft202012Validator

from gateway.cli.main import main
from gateway.embedded import services
from gateway.investigation import schemas
from services.chassis import logs
from services.collector.evidence.evidence_store import read_evidence
from services.collector.evidence.session_evidence import verify
from tests.support.servers.beside import beside
from tests.support.servers.model_endpoint import completion, endpoint
from tests.support.servers.stuck_locks import CAUSE, WAITERS, stuck_locks

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Where running services keep their data, with one database as their target, and their address."""
    folder = tmp_path_factory.mktemp("services")
    with stuck_locks() as dsn:
        (folder / "targets.yaml").write_text(f"targets: [{{id: orders, kind: postgres, conninfo: '{dsn}'}}]\n")
        with beside(services(folder, {})) as address:
            yield folder, address


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Logs of what is well are left out."""
    logs.configure("error")
    yield
    structlog.reset_defaults()


@pytest.fixture
def addressed(place: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The services are where the settings say."""
    for name in ("engine", "matcher", "planner", "knowledge"):
        monkeypatch.setenv(f"DBDIAG_GATEWAY_{name.upper()}_ADDRESS", place[1])
    return place[1]


def told(folder: Path, name: str) -> dict[str, Any]:
    """A document of the only session in a data folder."""
    (session,) = (folder / "report").iterdir()
    body: dict[str, Any] = json.loads((session / "index" / f"{name}.json").read_text())
    return body


def test_a_diagnosis_through_services_is_the_same_diagnosis(
    place: tuple[Path, str], addressed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cause is found, the documents fit their schemas, each ground is kept at the collector, the record is whole,
    and in process, without target and services, the same report is had again to the letter."""
    asked = ["--target", "orders", "--collector", addressed, "--question", "many sessions wait for locks"]
    assert main(["diagnose", *asked, "--data-dir", str(tmp_path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["root_cause"]["root_cause_id"]) == ("found", CAUSE)
    for name in schemas.NAMES:
        Draft202012Validator(schemas.read(name)).validate(told(tmp_path, name))
    kept = place[0] / "report" / report["session_id"]
    rows = [row for row in report["evidence_table"] if row["check_id"] != "question"]
    assert [row for row in rows if read_evidence(kept, row["evidence_ref"]).check_id != row["check_id"]] == []
    assert WAITERS in {row["phenomenon_id"] for row in report["evidence_table"]}
    (session,) = (tmp_path / "report").iterdir()
    assert (verify(session).faults, verify(kept).faults) == ((), ())
    assert main(["replay", str(session / "index" / "diagnosis_trace.json"), "--data-dir", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["same"] is True


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        (["--target", "nowhere"], 2, "orders"),
        (["--dsn", "host=x"], 2, "--target alone"),
        (["--target", "orders", "--collector", "127.0.0.1:9"], 3, "the collector"),
    ],
)
def test_what_cannot_be_looked_at_there_is_one_line(
    addressed: str, given: list[str], code: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A target that is not the collector's, one that is not for it, or no collector: told, and nothing is written."""
    arguments = given if "--collector" in given else [*given, "--collector", addressed]
    assert main(["diagnose", *arguments, "--data-dir", str(tmp_path)]) == code
    said = capsys.readouterr().err
    assert (said.count("\n"), words in said) == (1, True)
    assert not (tmp_path / "report").exists()


def test_a_model_plans_from_the_command_line(
    place: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With an endpoint configured its plan is on record and is replayed without it; with none it is said what to do."""
    given = ["diagnose", "--target", "orders", "--planner", "model", "--targets", str(place[0] / "targets.yaml")]
    assert main([*given, "--data-dir", str(tmp_path)]) == 2
    assert "DBDIAG_AGENT_MODEL" in capsys.readouterr().err
    with beside(endpoint(by=lambda request: completion(_first_of_the_pool(request)))) as model:
        monkeypatch.setenv("DBDIAG_LLM_BASE_URL", model.base_url)
        monkeypatch.setenv("DBDIAG_AGENT_MODEL", "small")
        assert main([*given, "--max-rounds", "1", "--data-dir", str(tmp_path), "--json"]) in (0, 1)
    monkeypatch.delenv("DBDIAG_LLM_BASE_URL")
    monkeypatch.delenv("DBDIAG_AGENT_MODEL")
    events = told(tmp_path, "diagnosis_trace")["events"]
    proposed = [event["proposal"] for event in events if event["event"] == "proposed"]
    assert len(proposed) == len(model.requests)
    assert all(item["fallback"] == "" for item in proposed)
    (session,) = (tmp_path / "report").iterdir()
    assert main(["replay", str(session / "index" / "diagnosis_trace.json"), "--data-dir", str(tmp_path)]) == 0


def _first_of_the_pool(request: dict[str, Any]) -> str:
    asked = json.loads(request["messages"][-1]["content"])
    check = asked["allowed_cmd_pool"][0]["cmd_id"]
    row = {"cmd_id": check, "purpose": "p", "expected_signal": "s", "timeout_sec": 10, "priority": 1}
    hypothesis = {"category": "LOCK", "confidence": 0.5, "why": "w"}
    plan = {"decision": "CONTINUE", "current_hypothesis": hypothesis, "next_cmds": [row], "missing_info": []}
    return json.dumps(plan | {"stop_reason": ""})
