"""A planner that stops after it understood a message loses nothing of the turn."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from pathlib import Path
from typing import Any

import grpc.aio
from dbdiag.planner.v1 import planner_pb2 as pb

from gateway.contracts.clients import Services
from gateway.embedded import services
from gateway.session.store import SessionStore
from gateway.settings import GatewaySettings
from gateway.turn.conversations import ChatMessage, Conversations, Silent
from services.chassis.server import Host
from services.chassis.settings import ServerSettings
from services.planner.planner import Planner
from services.planner.servicer import PlannerServicer


class StopsAfterDeciding(PlannerServicer):
    """The real planner, which says when it has decided."""

    def __init__(self, decided: asyncio.Event) -> None:
        super().__init__(Planner())
        self._decided = decided

    async def Decide(self, request: pb.DecideRequest, context: grpc.aio.ServicerContext[Any, Any]) -> pb.DecideResponse:
        """The plan; this planner is wanted no more."""
        plan = await super().Decide(request, context)
        self._decided.set()
        return plan


class PlannerAlone:
    """A Servable with only this servicer."""

    service_name = "dbdiag.planner.v1.PlannerService"

    def __init__(self, servicer: PlannerServicer) -> None:
        self._servicer = servicer

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer."""
        self._servicer.add_to(server)

    async def start(self) -> None:
        """Nothing to prepare."""

    async def close(self) -> None:
        """Nothing to close."""


class StopsThePlanner(Silent):
    """Stops the planner when the first tool begins: it has decided, and is not asked again before the answer."""

    def __init__(self, host: Host, decided: asyncio.Event) -> None:
        self._host, self._decided = host, decided
        self.stopping: asyncio.Task[None] | None = None
        self.said = ""

    def progress(self, step: str, note: str = "") -> None:
        """Begins to stop it."""
        if self.stopping is None and self._decided.is_set():
            self.stopping = asyncio.ensure_future(self._host.stop())

    def chunk(self, text: str) -> None:
        """Keeps the answer."""
        self.said += text


async def test_a_planner_that_stops_after_deciding_loses_nothing() -> None:
    """What was said is noted, evaluated and committed, and the person gets the fallback answer."""
    decided = asyncio.Event()
    ids = map(str, itertools.count())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with services(folder, {}) as address:
            apps = [PlannerAlone(StopsAfterDeciding(decided))]
            host = Host(apps, ServerSettings(bind=f"unix:{folder}/planner.sock", drain_seconds=0))
            await host.start()
            clients = Services(address, address, f"unix:{folder}/planner.sock", address)
            store = SessionStore(f"sqlite:///{folder}/sessions.db")
            await store.start()
            settings = GatewaySettings(gateway_turn_seconds=20)
            conversations = Conversations(clients, store, settings, lambda: 0.0, lambda: next(ids))
            listener = StopsThePlanner(host, decided)
            try:
                response = await conversations.chat(ChatMessage("IO waits are high"), listener)
                committed = (await conversations.stored(response["session_id"])).session
            finally:
                await store.close()
                await clients.close()
                if listener.stopping is not None:
                    await listener.stopping
    assert listener.stopping is not None
    assert [entry.words for entry in committed.active()] == ["IO waits are high"]
    assert [item["tool"] for item in response["details"]["call_results"]] == ["match_phenomena", "diagnose"]
    assert committed.beliefs()
    assert committed.turn == 1
    assert response["message"] == listener.said
    assert response["message"].startswith("The answer could not be worded")
