"""Every conversation in `conversations/`, against a real dbdiag over HTTP."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import for_each
from tests.support.conversations import Conversation, belief_in, check, play
from tests.support.running.processes import Running

CASES = sorted((Path(__file__).parent / "conversations").glob("*.json"))


@pytest.mark.sampled
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_conversation(path: Path, embedded_dbdiag: Running) -> None:
    """The conversation goes as its file says."""
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    conversation = Conversation(embedded_dbdiag.url)
    for turn in case["turns"]:
        before = conversation.details if conversation.responses else None
        play(conversation, turn, case["truth"])
        response, expect = conversation.responses[-1], turn.get("expect", {})
        check(response["details"], response["message"], expect)
        assert response["details"]["language"] == case["language"]
        assert response["details"]["call_errors"] == []
        if before is not None:
            _moves(before, response["details"], expect)


def _moves(before: dict[str, Any], after: dict[str, Any], expect: dict[str, Any]) -> None:
    if "rises" in expect:
        assert belief_in(after, expect["rises"]) > belief_in(before, expect["rises"])
    if "falls" in expect:
        assert belief_in(after, expect["falls"]) < belief_in(before, expect["falls"])


@for_each("path", CASES, ids=lambda path: path.stem)
def test_every_case_is_in_its_language(path: Path) -> None:
    """A case's file name ends with its language, and what a Chinese case says is Chinese."""
    case = json.loads(path.read_text(encoding="utf-8"))
    assert path.stem.endswith(f".{case['language']}")
    said = "".join(turn.get("say", "") for turn in case["turns"] if not turn.get("say", "").startswith("/"))
    assert bool(re.search(r"[\u4e00-\u9fff]", said)) == (case["language"] == "zh")
