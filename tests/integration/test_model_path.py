"""With a model configured: the same conversation, and the same again when the model is gone."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.conversations import Conversation
from tests.support.running.processes import Running, embedded
from tests.support.servers.model_endpoint import Answer, completion, endpoint, refused, stream

MODEL = {
    "llm_base_url": "http://127.0.0.1:9/v1",
    "llm_api_key": "sk-secret-of-a-test",
    "llm_max_retries": "0",
    "llm_timeout_seconds": "2",
    "agent_model": "nobody",
    "response_model": "nobody",
}


@pytest.mark.slow
def test_a_model_that_is_gone_costs_nothing_but_its_help(tmp_path: Path) -> None:
    """Nobody listens at the model's address: the rules answer every turn; details, metrics and a warning tell so."""
    with embedded(tmp_path, **MODEL) as running:
        conversation = Conversation(running.url)
        conversation.say("线上报表查询突然变慢")
        response = conversation.say("1有 2没有")
        counted = httpx.get(f"{running.url}/metrics").text
    assert 'dbdiag_model_fallbacks_total{reason="model_unreachable",step="respond"}' in counted
    warned = [line for line in (tmp_path / "stderr.log").read_text().splitlines() if '"component": "model"' in line]
    assert 1 <= len(warned) <= 3, "one line for each of understanding, reading and wording, however many turns"
    details = response["details"]
    assert details["call_errors"] == []
    assert len(details["evidence"]) == 3
    reasons = [usage["fallback_reason"] for usage in details["model_usage"].values()]
    assert "model_unreachable" in reasons
    assert "nobody" not in response["message"]


def test_the_key_stands_in_no_log(tmp_path: Path) -> None:
    """The model's key is in no log line and in no answer, not even when every call fails."""
    with embedded(tmp_path, log_level="debug", **MODEL) as running:
        response = Conversation(running.url).say("the app cannot get connections")
    assert MODEL["llm_api_key"] not in str(response)
    assert MODEL["llm_api_key"] not in (tmp_path / "stderr.log").read_text()


def obliging(asked: dict[str, Any]) -> Answer:
    """A model for each step: it understands nothing, reads nothing, and words an answer as it was drafted."""
    schema = asked.get("response_format", {}).get("json_schema", {}).get("name")
    told = asked["messages"][-1]["content"]
    if schema == "Reading":
        return completion(json.dumps({"rows": [{"part": 1, "kind": "unclear"}]}))
    if schema == "ReadAnswer":
        return completion(json.dumps({"statements": [], "unsaid": []}))
    draft = told.partition("<draft>\n")[2].partition("\n</draft>")[0]
    return stream(*[piece + " " for piece in draft.split(" ")])


@pytest.mark.slow
async def test_every_step_asks_its_own_model_and_counts(tmp_path: Path) -> None:
    """Understanding, reading and wording each ask the model that is set for them, three calls a turn at most."""
    async with endpoint(by=obliging) as played:
        models = {"understand_model": "reader", "rerank_model": "matcher", "response_model": "speaker"}
        settings = MODEL | models | {"llm_base_url": played.base_url, "llm_timeout_seconds": "20"}

        def talk() -> list[dict[str, Any]]:
            with embedded(tmp_path, **settings) as running:
                conversation = Conversation(running.url)
                for message in ("the gizmo wobbles oddly", "机器有点吃力", "1 yes 2 no"):
                    conversation.say(message)
            return conversation.responses

        responses = await asyncio.to_thread(talk)
    asked = {
        (request["model"], request.get("response_format", {}).get("json_schema", {}).get("name"))
        for request in played.requests
    }
    assert asked <= {("reader", "Reading"), ("matcher", "ReadAnswer"), ("speaker", None)}
    assert ("speaker", None) in asked
    for response in responses:
        usages = response["details"]["model_usage"].values()
        assert sum(usage["calls"] for usage in usages) <= 3
        assert all(usage["prompt_tokens"] > 0 for usage in usages if usage["calls"])
        assert [usage["fallback_reason"] for usage in usages if usage["fallback_reason"]] == []


BROKEN = {
    "malformed": completion("no JSON, only words"),
    "partial": completion('{"rows": [{"part": 1, "ki'),
    "refused": completion(None, refusal="I may not"),
    "cut off": completion('{"rows": [', finish_reason="length"),
    "slow": Answer(b"{}", hang=30),
    "error": refused(500, "overloaded"),
}
SAID = ("the gizmo wobbles oddly", "机器有点吃力", "1 yes 2 no")


def said_by(url: str) -> list[dict[str, Any]]:
    """The responses to a short conversation."""
    conversation = Conversation(url)
    return [conversation.say(message) for message in SAID]


@pytest.mark.slow
async def test_a_broken_model_changes_no_word_of_an_answer(tmp_path: Path, embedded_dbdiag: Running) -> None:
    """However a model fails, the rules' answers are given word for word; only `details` tells which way it failed."""
    now = {"way": "malformed"}

    def talk(**settings: str) -> dict[str, list[dict[str, Any]]]:
        with embedded(tmp_path, **settings) as running:
            found = {}
            for now["way"] in BROKEN:
                found[now["way"]] = said_by(running.url)
        return found

    alone = await asyncio.to_thread(said_by, embedded_dbdiag.url)
    async with endpoint(by=lambda asked: BROKEN[now["way"]]) as played:
        broken = await asyncio.to_thread(
            lambda: talk(**MODEL | {"llm_base_url": played.base_url, "llm_timeout_seconds": "0.5"})
        )
    for way, responses in broken.items():
        assert [response["message"] for response in responses] == [response["message"] for response in alone], way
        for response in responses:
            usages = response["details"]["model_usage"].values()
            assert response["details"]["call_errors"] == []
            assert all(usage["fallback_reason"] for usage in usages if usage["calls"])
            assert any(usage["calls"] for usage in usages)
