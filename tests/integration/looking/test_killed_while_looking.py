"""A look whose process is killed anywhere: its record is readable and whole, and it is gone on with where it was."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from gateway.cli.main import main
from services.collector.evidence.session_evidence import verify
from tests.support.conversations import Conversation, belief_in
from tests.support.running.processes import Running, collector_process, embedded
from tests.support.servers.stuck_locks import CAUSE, stuck_locks

pytestmark = pytest.mark.slow

_SECONDS = 120.0
_LOOK = "你自己看看"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server whose fault can be seen."""
    with stuck_locks() as dsn:
        yield dsn


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, server: str) -> Path:
    """A data folder in which one whole look has been made, so that the library is published."""
    folder = tmp_path_factory.mktemp("data")
    assert main(["diagnose", "--dsn", server, "--data-dir", str(folder), "--json"]) == 0
    return folder


class Kept(NamedTuple):
    """What was on the disk at a kill: the whole lines of the audit log and of the journal."""

    audit: tuple[bytes, ...]
    journal: tuple[bytes, ...]


def _kept(session: Path) -> Kept:
    index = session / "index"
    journal = _whole(index / "diagnosis_trace.jsonl") or _whole(index / "collection.jsonl")
    return Kept(_whole(session / "audit.jsonl"), journal)


def _whole(path: Path) -> tuple[bytes, ...]:
    """The lines that were written to their end."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return tuple(line for line in lines if line.endswith(b"\n"))


def _run(arguments: list[str], report: Path, known: set[str], lines: int) -> int:
    """Runs a verb and kills it once the audit log of its session has so many lines; its exit code, -9 for killed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gateway.cli", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + _SECONDS
    while process.poll() is None and time.monotonic() < end:
        if any(len(_whole(session / "audit.jsonl")) >= lines for session in _new(report, known)):
            break
        time.sleep(0.001)
    process.kill()
    return process.wait(20)


def _new(report: Path, known: set[str]) -> list[Path]:
    return [path for path in report.iterdir() if path.name not in known]


def _collected(journal: tuple[bytes, ...]) -> list[str]:
    """The checks whose outcome was noted, in order."""
    events: list[dict[str, Any]] = [json.loads(line) for line in journal]
    noted = [event["collected"]["looks"] for event in events if event["event"] == "collected"]
    return [look["check_id"] for looks in noted for look in looks]


def _started(audit: tuple[bytes, ...]) -> list[str]:
    return [entry["check_id"] for entry in map(json.loads, audit) if entry["event"] == "check_started"]


def _finished_after_kills(server: str, data: Path, verb: str, seed: int) -> tuple[Path, int]:
    """Kills a look twice at lines that the seed gives, finishes it, and tries its record; its folder and exit code."""
    chance, report = random.Random(seed), data / "report"
    known = {path.name for path in report.iterdir()}
    arguments = [verb, "--dsn", server, "--data-dir", str(data)]
    assert _run(arguments, report, known, chance.randint(1, 25)) == -9
    (session,) = _new(report, known)
    kills = [_kept(session)]
    assert verify(session).faults == ()
    resumed = [*arguments, "--resume", session.name]
    code = _run(resumed, report, known, len(kills[0].audit) + chance.randint(1, 12))
    if code == -9:
        kills.append(_kept(session))
        assert verify(session).faults == ()
        code = main(resumed)
    whole = _kept(session)
    assert verify(session).faults == ()
    for kept in kills:
        assert whole.audit[: len(kept.audit)] == kept.audit
        assert verb == "collect" or whole.journal[: len(kept.journal)] == kept.journal
        assert set(_collected(kept.journal)).isdisjoint(_started(whole.audit[len(kept.audit) :]))
    times = Counter(_started(whole.audit))
    assert max(times.values()) <= 1 + len(kills)
    return session, code


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(5))
def test_a_diagnosis_killed_anywhere_is_finished(server: str, data: Path, seed: int) -> None:
    """Killed twice at any line of its record: nothing noted is lost or looked at again, and the cause is found."""
    session, code = _finished_after_kills(server, data, "diagnose", seed)
    body = json.loads((session / "index" / "diagnosis_report.json").read_text())
    assert (code, body["root_cause"]["root_cause_id"]) == (0, CAUSE)
    assert not any("repeat" in item["reason"] for item in body["not_seen"])


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(3))
def test_a_collection_killed_anywhere_is_finished(server: str, data: Path, seed: int) -> None:
    """Killed twice at any line of its record: nothing noted is lost or looked at again, and the pack is whole."""
    session, code = _finished_after_kills(server, data, "collect", seed)
    assert code == 0
    assert [path.name for path in (session / "index").iterdir()] == ["evidence_pack.json"]
    pack = json.loads((session / "index" / "evidence_pack.json").read_text())
    seen = Counter(_started(_kept(session).audit))
    assert {look["check_id"] for look in pack["looks"]} == set(seen)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_gateway_killed_while_it_looks_has_not_taken_the_turn(server: str, tmp_path: Path) -> None:
    """The session is as before the message; the same request again looks, is answered once, and the record is whole."""
    (tmp_path / "data").mkdir()
    _with_target(tmp_path / "data", server)
    report = tmp_path / "data" / "report"
    with embedded(tmp_path) as first:
        talk, before = _killed_in_a_look(first, report)
    session = report / str(talk.session_id)
    kept = _whole(session / "audit.jsonl")
    assert verify(session).faults == ()
    with embedded(tmp_path) as second:
        _answered_once(second, talk, before)
    assert verify(session).faults == ()
    assert _whole(session / "audit.jsonl")[: len(kept)] == kept


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_collector_that_outlives_the_gateway_gives_the_look_again(server: str, tmp_path: Path) -> None:
    """The same request to a new gateway is answered at once by what the collector had seen: no check is refused as just
    made, and only those run twice that the kill had cut."""
    folder = tmp_path / "collector"
    folder.mkdir()
    targets = _with_target(folder, server)
    with collector_process(folder, targets, collector_repeat_seconds="600") as (_, address):
        with embedded(tmp_path, gateway_collector_address=address) as first:
            talk, before = _killed_in_a_look(first, folder)
        session = folder / str(talk.session_id)
        cut = verify(session)
        assert cut.faults == ()
        with embedded(tmp_path, gateway_collector_address=address) as second:
            _answered_once(second, talk, before)
    assert verify(session).faults == ()
    log = list(map(json.loads, _whole(session / "audit.jsonl")))
    assert [entry for entry in log if entry["event"] == "check_refused"] == []
    assert [entry for entry in log if entry["event"] == "check_given_again"]
    twice = {name for name, times in Counter(_started(_whole(session / "audit.jsonl"))).items() if times > 1}
    assert twice <= {ref.partition("-")[2] for ref in cut.unfinished}


def _with_target(folder: Path, server: str) -> Path:
    """A targets file with the server alone."""
    place = folder / "targets.yaml"
    place.write_text(f"targets:\n  - {{id: orders, kind: postgres, conninfo: '{server}'}}\n")
    return place


def _killed_in_a_look(gateway: Running, report: Path) -> tuple[Conversation, dict[str, Any]]:
    """A conversation whose gateway was killed while it looked, and its session as it was before that message."""
    talk = Conversation(gateway.url)
    talk.say("很多会话在等锁")
    before: dict[str, Any] = httpx.get(f"{gateway.url}/sessions/{talk.session_id}").json()
    body = {"message": _LOOK, "session_id": talk.session_id, "request_id": "once"}
    asking = threading.Thread(target=_asked, args=(gateway.url, body), daemon=True)
    asking.start()
    audit, end = report / str(talk.session_id) / "audit.jsonl", time.monotonic() + _SECONDS
    while len(_whole(audit)) < 5 or not any(b'"check_finished"' in line for line in _whole(audit)):
        assert time.monotonic() < end
        time.sleep(0.001)
    gateway.processes["all"].kill()
    asking.join(30)
    return talk, before


def _answered_once(gateway: Running, talk: Conversation, before: dict[str, Any]) -> None:
    """The session is as before the message, which is answered by what a look sees; asked again, it is that answer."""
    assert httpx.get(f"{gateway.url}/sessions/{talk.session_id}").json() == before
    talk.url = gateway.url
    answer = talk.say(_LOOK, request_id="once")
    assert answer["turn"] == before["turn"] + 1
    assert belief_in(answer["details"], CAUSE) > 0.85
    assert talk.say(_LOOK, request_id="once") == answer


def _asked(url: str, body: dict[str, Any]) -> None:
    with contextlib.suppress(httpx.HTTPError):
        httpx.post(f"{url}/chat", json=body, timeout=60)
