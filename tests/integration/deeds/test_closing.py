"""Closing a case over HTTP: proposal, preview, a person's decision, and what it does to sessions and snapshots."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from dbdiag.knowledge.v1 import knowledge_pb2, knowledge_pb2_grpc

from services.chassis import channel
from tests.support.conversations import Conversation, belief_in
from tests.support.running import forked
from tests.support.running.processes import Running, embedded, separate

pytestmark = pytest.mark.slow

FIRST = "线上下单卡住了，找 13800138001"
SECOND = "很多会话在等锁，事务一直开着没有提交"


@pytest.fixture(scope="module", params=["embedded", pytest.param("separate", marks=pytest.mark.slow)])
def learning(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A dbdiag of its own, whose site library these tests change; none of its cases is held out."""
    way = {"embedded": embedded, "separate": separate}[request.param]
    settings = {"knowledge_holdout_share": "0", "engine_refresh_seconds": "0.1"}
    with way(tmp_path_factory.mktemp(request.param), **settings) as running:
        yield running


def talked(running: Running) -> str:
    """The id of a session with confirmed evidence."""
    talk = Conversation(running.url)
    talk.say(FIRST)
    talk.say(SECOND)
    return str(talk.session_id)


def close(running: Running, session_id: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{running.url}/sessions/{session_id}/close", json=body, timeout=60)


def decide(running: Running, proposal_id: str, decision: str, **body: Any) -> httpx.Response:
    url = f"{running.url}/knowledge/proposals/{proposal_id}/{decision}"
    return httpx.post(url, json={"reviewer": "ada", **body}, timeout=60)


def test_a_closed_case_is_a_proposal_with_a_preview(learning: Running) -> None:
    """The proposal holds the evidence without secrets; the preview says what learning it changes; the session tells."""
    session_id = talked(learning)
    closed = close(learning, session_id, root_cause_id="RC-0001", solution="终止会话")
    assert closed.status_code == 200, closed.text
    proposal, preview = closed.json()["proposal"], closed.json()["preview"]
    assert (proposal["state"], proposal["root_cause_id"], proposal["quarantined"]) == ("open", "RC-0001", False)
    assert proposal["complaint"].splitlines()[0] == "线上下单卡住了，找 [phone]"
    assert "13800138001" not in closed.text
    assert {item["verdict"] for item in proposal["evidence"]} == {"confirmed"}
    first = preview["beliefs"][0]
    assert first["root_cause_id"] == "RC-0001"
    assert first["confidence_after"] > first["confidence_before"]
    assert preview["past_cases"]["replayed"] > 100
    seen = httpx.get(f"{learning.url}/sessions/{session_id}").json()
    assert [item["proposal_id"] for item in seen["closed"]] == [proposal["proposal_id"]]
    shown = httpx.get(f"{learning.url}/knowledge/proposals/{proposal['proposal_id']}", timeout=60).json()
    assert shown == {"proposal": proposal, "preview": preview}


def test_closing_twice_is_closing_once(learning: Running) -> None:
    """The same again gives the same proposal; another cause is 409 in the person's language, and changes nothing."""
    session_id = talked(learning)
    first = close(learning, session_id, root_cause_id="RC-0001").json()
    assert close(learning, session_id, root_cause_id="RC-0001").json() == first
    for language, words in (("zh", "已经关闭过"), ("en", "closed before")):
        other = close(learning, session_id, root_cause_id="RC-0002", language=language)
        assert (other.status_code, other.json()["reason"]) == (409, "already_proposed")
        assert words in other.json()["detail"]
        assert first["proposal"]["proposal_id"] in other.json()["detail"]


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({}, 422, "invalid_body"),
        ({"root_cause_id": "RC-0001", "root_cause": "both"}, 422, "invalid_body"),
        ({"root_cause_id": "RC-0404"}, 422, "unknown_root_cause"),
        ({"root_cause_id": "'; drop table"}, 422, "invalid_body"),
        ({"root_cause": " "}, 422, "invalid_body"),
        ({"root_cause": "a\x00b"}, 422, "invalid_body"),
        ({"root_cause": "长" * 2001}, 422, "invalid_body"),
        ({"root_cause_id": "RC-0001", "cause": 1}, 422, "invalid_body"),
    ],
)
def test_a_bad_closing_is_refused_by_name(learning: Running, body: dict[str, Any], status: int, reason: str) -> None:
    """Neither, both, unknown, empty, too long and misspelt are refused; the session stays open and unclosed."""
    session_id = talked(learning)
    refused = close(learning, session_id, **body)
    assert (refused.status_code, refused.json()["reason"]) == (status, reason)
    assert httpx.get(f"{learning.url}/sessions/{session_id}").json()["closed"] == []


def test_a_case_without_evidence_is_not_closed(learning: Running) -> None:
    """Without anything confirmed there is nothing to learn: told in the language of the session."""
    for words, told in (("你好", "还没有确认任何现象"), ("hello", "Nothing is confirmed")):
        talk = Conversation(learning.url)
        talk.say(words)
        refused = close(learning, str(talk.session_id), root_cause_id="RC-0001")
        assert (refused.status_code, refused.json()["reason"]) == (422, "no_evidence")
        assert told in refused.json()["detail"]
    assert close(learning, "nobody", root_cause_id="RC-0001").status_code == 404


def test_a_decision_is_listed_and_can_be_taken_back(learning: Running) -> None:
    """Accepted it is a ticket, rejected again it is none; unknown proposals and decisions by nobody are refused."""
    session_id = talked(learning)
    proposal_id = close(learning, session_id, root_cause="发布脚本没有提交事务").json()["proposal"]["proposal_id"]
    accepted = decide(learning, proposal_id, "accept", reason="看过").json()
    assert accepted["ticket_id"] == f"CASE-{proposal_id[3:]}"
    assert (accepted["proposal"]["state"], accepted["proposal"]["reviewer"]) == ("accepted", "ada")
    url = f"{learning.url}/knowledge/proposals"
    assert proposal_id in {item["proposal_id"] for item in httpx.get(f"{url}?state=accepted").json()["proposals"]}
    known = decide(learning, proposal_id, "accept", root_cause_id="RC-0001").json()["proposal"]
    assert (known["root_cause_id"], known["new_root_cause_description"]) == ("RC-0001", "")
    assert decide(learning, proposal_id, "accept", root_cause_id="RC-0404").json()["reason"] == "unknown_root_cause"
    rejected = decide(learning, proposal_id, "reject").json()
    assert (rejected["ticket_id"], rejected["proposal"]["state"]) == ("", "rejected")
    assert decide(learning, proposal_id, "accept", reviewer=" ").status_code == 422
    assert decide(learning, "PR-000000000000", "accept").json()["reason"] == "proposal_not_found"
    assert httpx.get(f"{url}/PR-000000000000").status_code == 404
    assert httpx.get(f"{url}?state=maybe").status_code == 422


def test_no_proposal_gives_its_session_away(learning: Running) -> None:
    """No list, no proposal and no decision holds the session's id, and the list none of what was said."""
    session_id = talked(learning)
    proposal = close(learning, session_id, root_cause_id="RC-0001", solution="终止会话").json()["proposal"]
    assert "session_id" not in proposal
    url = f"{learning.url}/knowledge/proposals"
    listed = httpx.get(url).json()["proposals"]
    (one,) = (item for item in listed if item["proposal_id"] == proposal["proposal_id"])
    assert one["evidence_count"] == len(proposal["evidence"]) > 0
    assert (one["root_cause_id"], one["state"]) == ("RC-0001", "open")
    shown = httpx.get(f"{url}/{proposal['proposal_id']}", timeout=60).text
    decided = [decide(learning, proposal["proposal_id"], verb, reason="看过").text for verb in ("accept", "reject")]
    for text in (json.dumps(listed, ensure_ascii=False), shown, *decided):
        assert session_id not in text
    for words in ("下单", "等锁", "终止会话"):
        assert words not in json.dumps(listed, ensure_ascii=False)
        assert words in shown


def test_a_closed_session_stays_on_its_snapshot(learning: Running) -> None:
    """Accepting changes neither what an open session says nor which snapshot it is on."""
    session_id = talked(learning)
    before = httpx.get(f"{learning.url}/sessions/{session_id}").json()
    proposal_id = close(learning, session_id, root_cause_id="RC-0001").json()["proposal"]["proposal_id"]
    decide(learning, proposal_id, "accept")
    talk = Conversation(learning.url, session_id=session_id)
    details = talk.say("现在怎么样了")["details"]
    assert details["knowledge_version"] == before["knowledge_version"]
    assert details["top_confidence"] == pytest.approx(before["last"]["details"]["top_confidence"])
    decide(learning, proposal_id, "reject")


def published_by(running: Running) -> str:
    """The id of the snapshot that a person publishes: by the verb in the data folder, or at the knowledge service."""
    if "knowledge" in running.addresses:
        return asyncio.run(_publish(running.addresses["knowledge"]))
    verb = ("gateway.cli", "knowledge", "publish", "--data-dir", str(running.data), "--json")
    done = forked.run(*verb, folder=running.data)
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["snapshot_id"])


async def _publish(address: str) -> str:
    async with channel.connect(address) as opened:
        stub: Any = knowledge_pb2_grpc.KnowledgeServiceStub(opened)
        reply = await stub.PublishSnapshot(knowledge_pb2.PublishSnapshotRequest(author="ada"), timeout=60)
    return str(reply.manifest.snapshot_id)


def test_what_was_learned_reaches_new_sessions_only(learning: Running) -> None:
    """After publishing, a new session believes what the preview said; the open one stays on its snapshot."""
    session_id = talked(learning)
    before = httpx.get(f"{learning.url}/sessions/{session_id}").json()
    reply = close(learning, session_id, root_cause_id="RC-0001")
    assert reply.status_code == 200, reply.text
    closed = reply.json()
    decide(learning, closed["proposal"]["proposal_id"], "accept")
    published = published_by(learning)
    assert published == closed["preview"]["with_snapshot_id"]
    _wait_for(learning, published)
    fresh = Conversation(learning.url)
    fresh.say(FIRST)
    details = fresh.say(SECOND)["details"]
    assert details["knowledge_version"] == published
    said = next(item for item in closed["preview"]["beliefs"] if item["root_cause_id"] == "RC-0001")
    assert belief_in(details, "RC-0001") == pytest.approx(said["confidence_after"], abs=1e-6)
    old = Conversation(learning.url, session_id=session_id).say("现在怎么样了")["details"]
    assert old["knowledge_version"] == before["knowledge_version"] != published
    assert old["top_confidence"] == pytest.approx(before["last"]["details"]["top_confidence"])


def _wait_for(running: Running, snapshot_id: str) -> None:
    """Until the engine has seen which snapshot is current now."""
    end = time.monotonic() + 30
    while True:
        listed = httpx.get(f"{running.url}/knowledge/snapshots").json()["snapshots"]
        if any(item["current"] and item["snapshot_id"] == snapshot_id for item in listed):
            return
        assert time.monotonic() < end, f"{snapshot_id} did not become current"
        time.sleep(0.05)
