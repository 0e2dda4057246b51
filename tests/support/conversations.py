"""Conversations over HTTP, and cases of them as JSON files; `tests/e2e/conversations/README.md` tells the form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx

# One client for all: making one costs more than a turn does.
_CLIENT = httpx.Client(timeout=60)


@dataclass
class Conversation:
    """One session with a running gateway."""

    url: str
    language: str | None = None
    session_id: str | None = None
    responses: list[dict[str, Any]] = field(default_factory=list)

    def say(self, message: str, **more: Any) -> dict[str, Any]:
        """Sends a message; the response, which must be 200."""
        body = {"message": message, "session_id": self.session_id, **more}
        if self.language is not None:
            body["language"] = self.language
        reply = _CLIENT.post(f"{self.url}/chat", json=body)
        assert reply.status_code == 200, reply.text
        response: dict[str, Any] = reply.json()
        self.session_id = response["session_id"]
        self.responses.append(response)
        return response

    @property
    def details(self) -> dict[str, Any]:
        """The details of the last response."""
        details: dict[str, Any] = self.responses[-1]["details"]
        return details


def answer_from(truth: list[str], asked: list[dict[str, Any]], language: str) -> str:
    """Short answers to what was asked, as a person who sees exactly `truth` would give them."""
    present, absent = ("有", "没有") if language == "zh" else (" yes", " no")
    answers = [f"{item['ordinal']}{present if item['phenomenon_id'] in truth else absent}" for item in asked]
    return " ".join(answers) if language == "zh" else ", ".join(answers)


def belief_in(details: dict[str, Any], root_cause_id: str) -> float:
    """The confidence in a cause as shown; 0 when it is not among the shown ones."""
    found = [item["confidence"] for item in details["hypotheses"] if item["root_cause_id"] == root_cause_id]
    return float(found[0]) if found else 0.0


def play(conversation: Conversation, turn: dict[str, Any], truth: list[str]) -> None:
    """Says one turn of a case: the words, or answers from the truth until a cause is concluded."""
    if "say" in turn:
        conversation.say(turn["say"])
        return
    for _ in range(turn["answer_until_concluded"]):
        asked = conversation.details["recommendations"]
        if conversation.details["diagnosis"] or not asked:
            break
        conversation.say(answer_from(truth, asked, conversation.details["language"]))


def check(details: dict[str, Any], message: str, expect: dict[str, Any]) -> None:
    """Asserts everything a case expects of a response."""
    evidence = {item["phenomenon_id"]: item["verdict"] for item in details["evidence"]}
    for verdict in ("confirmed", "denied", "unknown"):
        for phenomenon_id in expect.get(verdict, []):
            assert evidence.get(phenomenon_id) == verdict, (phenomenon_id, verdict, evidence)
    for phenomenon_id in expect.get("not_recorded", []):
        assert phenomenon_id not in evidence
    for words in expect.get("says", []):
        assert words in message, (words, message)
    for words in expect.get("does_not_say", []):
        assert words not in message, (words, message)
    if "clarification" in expect:
        asked = details["clarification"]
        assert (asked["kind"] if asked else None) == expect["clarification"]
    if "concluded" in expect:
        assert details["diagnosis"] is not None, details["hypotheses"][:3]
        assert details["diagnosis"]["root_cause_id"] == expect["concluded"]
    if "leading" in expect:
        assert expect["leading"] in [item["root_cause_id"] for item in details["hypotheses"][: expect.get("within", 1)]]
    if "tools" in expect:
        assert [item["tool"] for item in details["call_results"]] == expect["tools"]
    if "corrections" in expect:
        assert len(details["corrections"]) == expect["corrections"]
    if "suspects" in expect:
        assert [item["root_cause_id"] for item in details["suggestions"]] == expect["suspects"]
    if "status" in expect:
        assert details["status"] in expect["status"]
