"""A real export, from import to a root cause."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from gateway.cli.knowledge.knowledge import knowledge
from tests.support.conversations import Conversation
from tests.support.running.processes import embedded

EXPORT = Path(__file__).parents[3] / "shared" / "data" / "example_tickets.json"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not EXPORT.exists(), reason="the shared ticket export is not beside this checkout"),
]

# What is asked is answered by what ticket T-0001 recorded.
SEEN = ("死元组", "n_dead_tup", "长事务", "索引", "wait_io", "IO")


@pytest.mark.parametrize(("base", "libraries"), [("none", ()), ("postgresql", ("postgresql",))])
def test_a_real_ticket_is_found_again(tmp_path: Path, base: str, libraries: tuple[str, ...]) -> None:
    """With the export imported, alone or beside the shipped library, its first case leads to its cause and ticket."""
    library = tmp_path / "tickets"
    command = ["import", str(EXPORT), "--library", str(library), "--base", base]
    assert CliRunner().invoke(knowledge, command).exit_code == 0
    with embedded(tmp_path, (*libraries, str(library))) as running:
        conversation = Conversation(running.url, language="zh")
        conversation.say("wait_io 事件占比 65%，索引大小从 2GB 涨到 12GB")
        for _ in range(8):
            if conversation.details["diagnosis"]:
                break
            asked = conversation.details["recommendations"]
            seen = [f"{item['ordinal']}{_answer(item['description'])}" for item in asked]
            conversation.say(" ".join(seen))
        diagnosis = conversation.details["diagnosis"]
        assert diagnosis is not None
        assert "索引" in diagnosis["description"]
        assert "T-0001" in [ticket["ticket_id"] for ticket in diagnosis["reference_tickets"]]


def _answer(description: str) -> str:
    return "有" if any(word in description for word in SEEN) and "REINDEX" not in description else "没有"
