"""`dbdiag knowledge rollback|prune|snapshots|diff|proposals` and `dbdiag replay`: what they print and change."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from dbdiag.vocabulary import Verdict

from gateway.cli.main import main
from gateway.session.ledger import Session
from gateway.session.store import SessionStore, StoredSession
from services.knowledge.blobs.backends import open_blobs
from services.knowledge.cases.case_learning import Learning
from services.knowledge.cases.proposal import CaseEvidence, ClosedCase
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots.store import SnapshotStore
from tests.support.sample_libraries import both, phenomenon, root_cause, ticket, write_library


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with a library of two causes, which is what is published."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DBDIAG_KNOWLEDGE_LIBRARIES", "library")
    monkeypatch.setenv("DBDIAG_KNOWLEDGE_HOLDOUT_SHARE", "0")
    write("usually")
    yield tmp_path
    # The verbs that ask the engine bind its log to a stderr that is gone now.
    structlog.reset_defaults()


def write(strength: str, *tickets: dict[str, Any]) -> None:
    """The library, with the strength of the link between the first cause and the second phenomenon."""
    first, second = root_cause("RC-0001", ["P-0001", "P-0002"]), root_cause("RC-0002", ["P-0002"], name=both("other"))
    first["links"][1]["strength"] = strength
    kept = [ticket("TK-1", "RC-0001", ["P-0001", "P-0002"]), ticket("TK-2", "RC-0002", ["P-0002"]), *tickets]
    write_library(Path("library"), [phenomenon(f"P-000{number}", f"sight {number}") for number in (1, 2, 3)],
                  [first, second], kept)  # fmt: skip


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """The exit code and the JSON that a verb printed, on stdout when it did its work, else on stderr."""
    code = main([*arguments, "--json"])
    written = capsys.readouterr()
    return code, json.loads(written.out or written.err)


def publish(capsys: pytest.CaptureFixture[str]) -> str:
    """The id of the libraries' snapshot, published."""
    return str(run(capsys, "knowledge", "publish")[1]["snapshot_id"])


def test_rolling_back_and_its_record(capsys: pytest.CaptureFixture[str]) -> None:
    """A rollback changes what is current and stands in the record with its reason; without one it is no call."""
    one = publish(capsys)
    write("rarely")
    two = publish(capsys)
    assert run(capsys, "knowledge", "rollback")[0] == 2
    code, value = run(capsys, "knowledge", "rollback", "--reason", "worse at locks")
    assert (code, value["snapshot_id"], value["previous_snapshot_id"]) == (0, one, two)
    code, value = run(capsys, "knowledge", "snapshots")
    assert (code, value["current_snapshot_id"]) == (0, one)
    assert [(item["snapshot_id"], item["rollback"], item["reason"]) for item in value["publications"]] == [
        (one, False, ""), (two, False, ""), (one, True, "worse at locks")
    ]  # fmt: skip
    code, value = run(capsys, "knowledge", "rollback", "--reason", "more")
    assert (code, value["reason"]) == (2, "nothing_before")
    assert run(capsys, "knowledge", "rollback", two[:15], "--reason", "forward")[1]["snapshot_id"] == two
    main(["knowledge", "snapshots"])
    assert "rolled back to" in capsys.readouterr().out


def keep_session(session: Session, *traces: dict[str, Any]) -> None:
    """Commits a session with its turns, as a gateway with its data in this folder would."""

    async def keep() -> None:
        Path(".dbdiag").mkdir(exist_ok=True)
        store = SessionStore("sqlite:///.dbdiag/sessions.db")
        await store.start()
        stored = StoredSession(session)
        for number, trace in enumerate(traces, 1):
            session.turn = number
            await store.commit_turn(stored, {}, trace, None)
        await store.close()

    asyncio.run(keep())


def test_pruning_never_takes_what_a_session_is_pinned_to(capsys: pytest.CaptureFixture[str]) -> None:
    """A dry run tells and removes nothing; pinned and current ones stay; where sessions are has to be known."""
    made = []
    for strength in ("usually", "sometimes", "rarely", "always"):
        write(strength)
        made.append(publish(capsys))
    code, value = run(capsys, "knowledge", "prune", "--keep", "9")
    assert (code, value["reason"]) == (2, "sessions_not_found")
    assert run(capsys, "knowledge", "prune", "--keep", "9", "--no-sessions")[1]["removed"] == []
    keep_session(Session("s-1", 1.0, 1.0, snapshot_id=made[0]), {})
    for dry in ([], ["--dry-run"], []):
        code, value = run(capsys, "knowledge", "prune", "--keep", "1" if not dry else "0", *dry)
        assert code == 0
        kept = {item["snapshot_id"]: item["why"] for item in value["kept"]}
        assert kept.items() >= {made[0]: "pinned", made[3]: "current"}.items()
    listed = {item["snapshot_id"] for item in run(capsys, "knowledge", "snapshots")[1]["snapshots"]}
    assert listed == {made[0], made[2], made[3]}
    code, value = run(capsys, "knowledge", "prune", "--keep", "-1")
    assert (code, value["reason"]) == (2, "bad_usage")


def test_a_diff_tells_strengths_and_which_past_cases_change(capsys: pytest.CaptureFixture[str]) -> None:
    """A link's strength before and after, and each past case whose verdict differs, of the limit that was asked for."""
    one = publish(capsys)
    write("rarely", *(ticket(f"TK-9{number}", "RC-0002", ["P-0001", "P-0002"]) for number in range(6)))
    two = publish(capsys)
    code, value = run(capsys, "knowledge", "diff", one, two, "--cases")
    assert code == 0
    link = next(item for item in value["changes"] if item["entity_type"] == "link")
    assert (link["strength_before"], link["strength_after"]) == ("usually", "rarely")
    cases = value["cases"]
    assert (cases["replayed"], cases["left_out"]) == (8, 0)
    changed = {item["ticket_id"]: item for item in cases["changed"]}
    assert changed["TK-1"]["before"]["root_cause_id"] == "RC-0001"
    assert changed["TK-1"]["after"]["root_cause_id"] == "RC-0002"
    limited = run(capsys, "knowledge", "diff", one, two, "--cases", "--limit", "3")[1]["cases"]
    assert (limited["replayed"], limited["left_out"]) == (3, 5)
    assert run(capsys, "knowledge", "diff", one, one, "--cases")[1]["cases"]["changed"] == []
    main(["knowledge", "diff", one, two])
    assert "~ link RC-0001/P-0002 (strength) usually -> rarely" in capsys.readouterr().out


def test_a_replay_tells_what_another_snapshot_would_have_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Turn by turn, with what counted then: taken back is not counted after, and the session itself stays as it is."""
    one = publish(capsys)
    write("rarely", *(ticket(f"TK-9{number}", "RC-0002", ["P-0001", "P-0002"]) for number in range(6)))
    two = publish(capsys)
    session = Session("s-1", 1.0, 1.0, snapshot_id=one, turn=2)
    session.record(session.entry("P-0002", Verdict.CONFIRMED, 0.9, "two", "words"))
    session.turn = 3
    session.record(session.entry("P-0001", Verdict.CONFIRMED, 1.0, "one", "words"))
    session.turn = 4
    session.retract(session.ledger[0])
    traces = [{"turn": n, "case": 1, "snapshot_id": one, "message": f"message {n}\x1b[2J"} for n in (1, 2, 3, 4)]
    keep_session(session, *traces)
    code, value = run(capsys, "replay", "s-1", "--snapshot", two[:12])
    assert (code, value["snapshot_id"]) == (0, two)
    assert [turn["turn"] for turn in value["turns"]] == [2, 3, 4]
    third = value["turns"][1]
    assert (third["said"]["root_cause_id"], third["would_say"]["root_cause_id"]) == ("RC-0001", "RC-0002")
    assert third["differs"]
    same = run(capsys, "replay", "s-1", "--snapshot", one)[1]["turns"]
    assert not any(turn["differs"] for turn in same)
    assert [turn["said"] for turn in same] == [turn["said"] for turn in value["turns"]]
    assert run(capsys, "replay", "nobody")[1]["reason"] == "session_not_found"
    assert run(capsys, "replay", "s-1", "--snapshot", "beef")[1]["reason"] == "snapshot_not_found"
    main(["replay", "s-1"])
    shown = capsys.readouterr().out
    assert "WOULD SAY" in shown
    assert "\x1b" not in shown


def proposed(share: float = 0) -> str:
    """The id of a proposal in this folder."""
    settings = KnowledgeSettings(knowledge_libraries="library", knowledge_holdout_share=share)
    learning = Learning(settings, SnapshotStore(open_blobs(settings.knowledge_store), lambda: 1.0), lambda: 1.0)
    evidence = (CaseEvidence(phenomenon_id="P-0001", verdict="confirmed", words="看到\x1b[2J了"),)
    case = ClosedCase(session_id="s-1", complaint="慢\x1b[2J", evidence=evidence, root_cause_id="RC-0002")
    return learning.propose(case).proposal_id


def test_proposals_are_listed_shown_accepted_and_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    """The preview of `show` is what the published snapshot then says; rejecting takes the case out again."""
    assert run(capsys, "knowledge", "proposals", "list") == (1, {"proposals": []})
    before = publish(capsys)
    identity = proposed()
    code, value = run(capsys, "knowledge", "proposals", "list", "--state", "open")
    assert (code, [item["proposal_id"] for item in value["proposals"]]) == (0, [identity])
    assert "session_id" not in value["proposals"][0]
    code, value = run(capsys, "knowledge", "proposals", "show", identity)
    preview = value["preview"]
    assert (code, preview["without_snapshot_id"]) == (0, before)
    assert preview["beliefs"][0]["root_cause_id"] == "RC-0002"
    assert preview["past_cases"]["replayed"] == 2
    code, value = run(capsys, "knowledge", "proposals", "accept", identity, "--reason", "right", "--reviewer", "ada")
    assert (code, value["proposal"]["state"], value["published_snapshot_id"]) == (0, "accepted", None)
    assert publish(capsys) == preview["with_snapshot_id"]
    assert run(capsys, "knowledge", "proposals", "reject", identity)[1]["proposal"]["state"] == "rejected"
    assert publish(capsys) == before
    code, value = run(capsys, "knowledge", "proposals", "show", "PR-000000000000")
    assert (code, value["reason"]) == (2, "proposal_not_found")
    for arguments in (["list"], ["show", identity], ["accept", identity]):
        assert main(["knowledge", "proposals", *arguments]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_the_holdout_tells_honest_accuracy(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Held-out cases are played on what the others taught; without one it falls short, other cases are bad usage."""
    code, value = run(capsys, "knowledge", "eval", "--holdout")
    assert (code, value["cases"]) == (1, 0)
    identity = proposed(share=0.99)
    run(capsys, "knowledge", "proposals", "accept", identity)
    code, value = run(capsys, "knowledge", "eval", "--holdout")
    assert (code, value["cases"], value["top1"]) == (0, 1, 0.0)
    write("rarely", *(ticket(f"TK-9{number}", "RC-0002", ["P-0001"]) for number in range(9)))
    code, value = run(capsys, "knowledge", "eval", "--holdout")
    assert (code, value["cases"], value["top1"]) == (0, 1, 1.0)
    assert run(capsys, "knowledge", "eval", "--holdout", "--library", "library")[0] == 2
    (file,) = Path(".dbdiag/library/holdout").glob("*.jsonl")
    file.write_text('{"ticket_id": 1}', encoding="utf-8")
    assert run(capsys, "knowledge", "eval", "--holdout")[1]["reason"] == "invalid_library"


def test_the_place_of_the_store_may_be_a_url(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that does not answer ends a verb with 3 and without its password, with a data folder or without one."""
    monkeypatch.setenv("DBDIAG_KNOWLEDGE_STORE", "postgresql://ada:hunter2@127.0.0.1:1/none")
    for more in ([], ["--data-dir", "data"]):
        code, value = run(capsys, "knowledge", "snapshots", *more)
        assert (code, value["reason"]) == (3, "knowledge_store_unreachable")
        assert "hunter2" not in json.dumps(value)
