"""The HTTP doors of a real dbdiag."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.support.conversations import Conversation
from tests.support.running.processes import Running
from tests.support.shipped_libraries import shipped_library

FIRST = "线上报表查询突然变慢"


def post(dbdiag: Running, **body: Any) -> httpx.Response:
    return httpx.post(f"{dbdiag.url}/chat", json=body, timeout=60)


def test_an_answer_has_every_field_of_the_contract(dbdiag: Running) -> None:
    """A first complaint is answered with all fields, beliefs in [0, 1] and gains in bits, in the user's language."""
    response = post(dbdiag, message=FIRST).json()
    assert set(response) == {"session_id", "turn", "message", "details"}
    details = response["details"]
    assert {
        "status", "top_hypothesis", "top_confidence", "hypotheses", "recommendations", "diagnosis", "clarification",
        "corrections", "suggestions", "call_results", "call_errors", "knowledge_version", "engine_version",
    } <= set(details)  # fmt: skip
    for hypothesis in details["hypotheses"]:
        assert 0 <= hypothesis["confidence"] <= hypothesis["effective_confidence"] <= 1
        assert hypothesis["contributions"]
    for recommendation in details["recommendations"]:
        assert 0 <= recommendation["information_gain"] <= 1
        assert recommendation["observation_method"]
        assert recommendation["reason"]
    assert details["knowledge_version"].startswith("sha256:")
    assert "报表" in response["message"]


@pytest.mark.parametrize(("message", "language"), [(FIRST, "zh"), ("reports are suddenly slow", "en")])
def test_how_to_look_is_told_in_the_language_of_the_person(dbdiag: Running, message: str, language: str) -> None:
    """What a check says beside its query or command is in the language of the conversation, on page and in text."""
    library = shipped_library("postgresql")
    response = post(dbdiag, message=message).json()
    for recommendation in response["details"]["recommendations"]:
        how = library.phenomena[recommendation["phenomenon_id"]].observe.how
        expected = how if isinstance(how, str) else getattr(how, language)
        assert recommendation["observation_method"].strip() == expected


def test_looking_reaches_the_collector_wherever_it_runs(dbdiag: Running) -> None:
    """Its targets are listed; with no database among them a request to look is refused with what to do, and no more."""
    listed = httpx.get(f"{dbdiag.url}/targets", timeout=60).json()
    assert (listed["collector"], [item["target_id"] for item in listed["targets"]]) == (True, ["this-host"])
    response = post(dbdiag, message="CPU 使用率 95%，你自己看看").json()
    (error,) = response["details"]["call_errors"]
    assert (error["tool"], error["reason"]) == ("collect_evidence", "no_target")
    assert "targets.yaml" in response["message"]
    assert [item["source"] for item in response["details"]["evidence"]] == ["person"]
    assert response["details"]["look_offer"] is None


def test_a_retry_returns_the_first_answer(dbdiag: Running) -> None:
    """The same request id with the same body is answered once, with or without a session."""
    first = post(dbdiag, message=FIRST, request_id="retry-1")
    again = post(dbdiag, message=FIRST, request_id="retry-1")
    assert again.json() == first.json()
    session_id = first.json()["session_id"]
    second = post(dbdiag, message="1有", session_id=session_id, request_id="retry-2")
    assert post(dbdiag, message="1有", session_id=session_id, request_id="retry-2").json() == second.json()
    assert httpx.get(f"{dbdiag.url}/sessions/{session_id}").json()["turn"] == 2


def test_a_request_id_with_another_body_is_refused(dbdiag: Running) -> None:
    """The same request id with another body is 422, and nothing is recorded."""
    post(dbdiag, message=FIRST, request_id="reused")
    refused = post(dbdiag, message="something else", request_id="reused")
    assert refused.status_code == 422
    assert refused.json()["reason"] == "request_id_reused"


def test_two_messages_at_once_are_served_one_after_the_other(dbdiag: Running) -> None:
    """Concurrent messages on one session each get a turn of their own; none is lost."""
    session_id = post(dbdiag, message=FIRST).json()["session_id"]
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda _: post(dbdiag, message="现在怎么样了", session_id=session_id), range(4)))
    assert sorted(reply.json()["turn"] for reply in replies) == [2, 3, 4, 5]
    assert len(httpx.get(f"{dbdiag.url}/sessions/{session_id}").json()["dialogue"]) == 10


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b'{"message": ""}', 422, "invalid_body"),
        (b'{"message": "' + b"a" * 1_000_000 + b'"}', 413, "body_too_large"),
        (b'{"message": "\xc3\x28"}', 400, "invalid_utf8"),
        (b'{"message": "a\\u0000b"}', 422, "invalid_body"),
        (b'{"message": "hi", "session_id": "nobody"}', 404, "session_not_found"),
        (b'{"message": ', 400, "malformed_json"),
        (b'{"message": "hi", "turn": ' + b"9" * 5000 + b"}", 422, "invalid_body"),
    ],
)
@pytest.mark.parametrize("route", ["/chat", "/chat/stream"])
def test_bad_input_is_a_clear_client_error_in_no_time(
    dbdiag: Running, body: bytes, status: int, reason: str, route: str
) -> None:
    """Bad input is answered within a second with problem+json (or an error event once a stream has begun)."""
    started = time.perf_counter()
    reply = httpx.post(dbdiag.url + route, content=body, headers={"content-type": "application/json"}, timeout=10)
    assert time.perf_counter() - started < 1
    if reply.headers["content-type"].startswith("text/event-stream"):
        problem = json.loads(reply.text.rsplit("event: error\ndata: ", 1)[1])
    else:
        assert reply.headers["content-type"] == "application/problem+json"
        assert reply.status_code == status
        problem = reply.json()
    assert (problem["status"], problem["reason"]) == (status, reason)
    assert problem["detail"]


def test_a_stream_ends_with_what_chat_would_have_returned(dbdiag: Running) -> None:
    """The chunks joined are the final message, and progress comes before them."""
    events: list[tuple[str, Any]] = []
    body = {"message": "the app cannot get connections: too many clients already"}
    with httpx.stream("POST", f"{dbdiag.url}/chat/stream", json=body, timeout=60) as reply:
        name = ""
        for line in reply.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                events.append((name, json.loads(line.removeprefix("data: "))))
    names = [name for name, _ in events]
    final = events[-1][1]
    assert names[0] == "progress"
    assert names[-1] == "final"
    assert "".join(data["text"] for name, data in events if name == "chunk") == final["message"]


def test_a_trace_tells_the_whole_turn(dbdiag: Running) -> None:
    """The trace has message, plan, readings, the engine's request and response, and the text."""
    response = post(dbdiag, message=FIRST).json()
    trace = httpx.get(f"{dbdiag.url}/sessions/{response['session_id']}/trace").json()["turns"]
    assert len(trace) == 1
    turn = trace[0]
    exchanges = {exchange["tool"]: exchange for exchange in turn["exchanges"]}
    assert turn["message"] == FIRST
    assert turn["plan"]["steps"]
    assert exchanges["match_phenomena"]["response"]["interpretations"][0]["readings"]
    assert exchanges["diagnose"]["request"]["evidence"]
    assert exchanges["diagnose"]["response"]["hypotheses"]
    assert turn["reply"]["text"] == response["message"]


def test_a_deleted_session_is_gone(dbdiag: Running) -> None:
    """After DELETE the session, its trace and further messages are 404."""
    session_id = post(dbdiag, message=FIRST).json()["session_id"]
    assert httpx.delete(f"{dbdiag.url}/sessions/{session_id}").status_code == 204
    for path in (f"/sessions/{session_id}", f"/sessions/{session_id}/trace"):
        assert httpx.get(dbdiag.url + path).status_code == 404
    assert post(dbdiag, message="1有", session_id=session_id).status_code == 404


def test_operations(dbdiag: Running) -> None:
    """Health, readiness, metrics, OpenAPI and the page answer."""
    post(dbdiag, message=FIRST)
    assert httpx.get(f"{dbdiag.url}/healthz").json() == {"status": "ok"}
    assert httpx.get(f"{dbdiag.url}/readyz").json() == {"status": "ready"}
    assert "dbdiag_turns_total" in httpx.get(f"{dbdiag.url}/metrics").text
    assert "/chat" in httpx.get(f"{dbdiag.url}/openapi.json").json()["paths"]
    assert "<html" in httpx.get(f"{dbdiag.url}/").text
    assert httpx.get(f"{dbdiag.url}/nothing").json()["status"] == 404


def test_knowledge_can_be_browsed(dbdiag: Running) -> None:
    """Phenomena, causes and their links are there, and an unknown id is 404."""
    phenomena = httpx.get(f"{dbdiag.url}/knowledge/phenomena").json()["phenomena"]
    causes = httpx.get(f"{dbdiag.url}/knowledge/root-causes").json()["root_causes"]
    assert len(phenomena) >= 150
    assert len(causes) >= 40
    one = httpx.get(f"{dbdiag.url}/knowledge/root-causes/{causes[0]['root_cause_id']}").json()
    assert one["relations"]
    assert httpx.get(f"{dbdiag.url}/knowledge/phenomena/P-9999").status_code == 404


def test_a_retraction_leaves_the_beliefs_as_if_never_said(dbdiag: Running) -> None:
    """Said and taken back, the beliefs are bit for bit those of the conversation without it."""
    straight, winding = Conversation(dbdiag.url), Conversation(dbdiag.url)
    straight.say(FIRST)
    winding.say(FIRST)
    winding.say("2有")
    winding.say("/undo")

    def beliefs(conversation: Conversation) -> list[tuple[str, float]]:
        return [(item["root_cause_id"], item["confidence"]) for item in conversation.details["hypotheses"]]

    assert beliefs(winding) == beliefs(straight)


def test_a_message_to_a_list_that_passed_is_refused_with_the_one_that_holds(dbdiag: Running) -> None:
    """With the turn it was written at, an answer that comes after another one is 409 and records nothing."""
    first = post(dbdiag, message=FIRST, turn=0).json()
    asked = {"session_id": first["session_id"], "turn": first["turn"]}
    second = post(dbdiag, message="1没有", request_id="page-one", **asked)
    assert second.status_code == 200
    assert post(dbdiag, message="1没有", request_id="page-one", **asked).json() == second.json()
    refused = post(dbdiag, message="1有", **asked)
    problem = refused.json()
    assert (refused.status_code, problem["reason"]) == (409, "turn_passed")
    assert refused.headers["content-type"] == "application/problem+json"
    assert problem["turn"] == second.json()["turn"]
    session = httpx.get(f"{dbdiag.url}/sessions/{first['session_id']}").json()
    assert session["turn"] == problem["turn"]
    assert [item["phenomenon_id"] for item in problem["pending"]] == [
        item["phenomenon_id"] for item in session["pending"]
    ]
    assert all(item["description"] in problem["detail"] for item in problem["pending"])
    assert post(dbdiag, message="1有", session_id=first["session_id"], turn=problem["turn"]).status_code == 200
    assert post(dbdiag, message="2有", session_id=first["session_id"]).status_code == 200
    assert post(dbdiag, message="2有", session_id=first["session_id"], turn="3").status_code == 422
    assert "turn_passed" in str(httpx.get(f"{dbdiag.url}/openapi.json").json()["paths"]["/chat"])
