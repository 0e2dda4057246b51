"""Closing a case while the engine hangs."""

from __future__ import annotations

import contextlib
import itertools
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from dbdiag.knowledge.v1.knowledge_types import Proposal

from gateway.cases.closing import Closed, Closings, Preview, Verdict
from gateway.contracts.clients import Services
from gateway.session.store import SessionStore
from gateway.settings import GatewaySettings
from gateway.turn.conversations import ChatMessage, Conversations, Silent
from tests.support.talks import House

pytestmark = pytest.mark.slow


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[str]:
    """The address of a server that lets callers connect and never answers."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{tmp_path}/hanging.sock")
        listening.listen()
        yield f"unix:{tmp_path}/hanging.sock"


def test_a_case_is_closed_without_its_preview_if_the_engine_hangs(running: House, tmp_path: Path, hanging: str) -> None:
    """The proposal is kept, closing answers in time without a preview, and the preview can be had once it answers."""
    closed, kept, found, preview = running.loop.run_until_complete(_close(running.address, tmp_path, hanging))
    assert closed.preview is None
    assert kept == [closed.proposal.proposal_id]
    assert found == closed.proposal
    assert preview.past_cases.replayed > 100


async def _close(address: str, tmp_path: Path, hanging: str) -> tuple[Closed, list[str], Proposal, Preview]:
    """What a case was closed with while the engine hung, the proposals kept of it, and then the preview of that."""
    ids = map(str, itertools.count())
    async with contextlib.AsyncExitStack() as stack:
        well, ill = Services(address, address, address, address), Services(hanging, address, address, address)
        store = SessionStore(f"sqlite:///{tmp_path}/sessions.db")
        for each in (well, ill, store):
            stack.push_async_callback(each.close)
        await store.start()
        conversations = Conversations(well, store, GatewaySettings(), lambda: 0.0, lambda: next(ids))
        response = await conversations.chat(ChatMessage("IO waits are high"), Silent())
        closings = Closings(conversations, ill, preview_seconds=0.2)
        closed = await closings.close(response["session_id"], Verdict("RC-0001"))
        session = (await conversations.stored(response["session_id"])).session
        kept = [closing.proposal_id for closing in session.closings]
        return closed, kept, *await Closings(conversations, well).preview(closed.proposal.proposal_id)
