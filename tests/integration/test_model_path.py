"""With a model configured: the same conversation, and the same again when the model is gone."""

from __future__ import annotations

from pathlib import Path

from tests.support.conversations import Conversation
from tests.support.processes import embedded

MODEL = {
    "llm_base_url": "http://127.0.0.1:9/v1",
    "llm_api_key": "sk-secret-of-a-test",
    "llm_max_retries": "0",
    "llm_timeout_seconds": "2",
    "agent_model": "nobody",
    "response_model": "nobody",
}


def test_a_model_that_is_gone_costs_nothing_but_its_help(tmp_path: Path) -> None:
    """Nobody listens at the model's address: every turn is answered by the rules, and only `details` tells so."""
    with embedded(tmp_path, **MODEL) as running:
        conversation = Conversation(running.url)
        conversation.say("线上报表查询突然变慢")
        response = conversation.say("1有 2没有")
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
