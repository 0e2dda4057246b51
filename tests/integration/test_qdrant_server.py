"""The matcher on a real Qdrant server."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.support.conversations import Conversation
from tests.support.running.processes import Running, embedded
from tests.support.servers.qdrant import qdrant_server

pytestmark = pytest.mark.slow

MESSAGES = [
    "线上报表查询突然变慢",
    "IO waits are high",
    "pg_wal 快把磁盘占满了",
    "deadlock detected in the log",
    "应用拿不到连接",
]


def test_a_server_finds_what_the_embedded_index_finds(tmp_path: Path, embedded_dbdiag: Running) -> None:
    """On a real server the same words are matched to the same phenomena as in memory, and the index stays there."""
    expected = [Conversation(embedded_dbdiag.url).say(message)["details"]["evidence"] for message in MESSAGES]
    (tmp_path / "qdrant").mkdir()
    with qdrant_server(tmp_path / "qdrant") as url:
        with embedded(tmp_path, matcher_qdrant_url=url) as running:
            found = [Conversation(running.url).say(message)["details"]["evidence"] for message in MESSAGES]
        collections = httpx.get(f"{url}/collections").json()["result"]["collections"]

    def named(evidence: list[list[dict[str, object]]]) -> list[list[object]]:
        return [[(item["phenomenon_id"], item["verdict"]) for item in one] for one in evidence]

    assert named(found) == named(expected)
    assert all(named(found))
    assert collections
