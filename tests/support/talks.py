"""Conversations in this process: the real gateway loop before the real services, without HTTP and without a store."""

from __future__ import annotations

import asyncio
import copy
import tempfile
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import structlog
from dbdiag.planner.v1.planner_types import Language, Reply, RespondRequest, Speaker, Utterance

from gateway.contracts.clients import Services
from gateway.embedded import services
from gateway.session.catalog import Catalog, Catalogs
from gateway.session.ledger import Session
from gateway.session.planner_view import answers_before
from gateway.session.references import shown_in
from gateway.settings import GatewaySettings
from gateway.turn.context import Turn
from gateway.turn.loop import Loop
from services.chassis import logs
from services.chassis.server import Host
from services.collector.app import CollectorApp
from services.collector.settings import CollectorSettings

_KEPT = 200
Opened = tuple[Services, Loop, Catalog, str]


@dataclass
class Talk:
    """One conversation; `turns` are its turns as they ended, `replies` what was said."""

    house: House
    session: Session = field(default_factory=lambda: Session("talk", 0.0, 0.0))
    turns: list[Turn] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)

    def copy(self) -> Talk:
        """A conversation that stands where this one does and goes its own way from here."""
        session = copy.deepcopy(self.session)
        turns = [copy.copy(turn) for turn in self.turns]
        for turn in turns:
            turn.session = session
        return Talk(self.house, session, turns, list(self.replies))

    def say(self, message: str, language: Language | None = None) -> Turn:
        """Takes a turn; the turn."""
        turn, reply = self.house.turn(self.session, message, language, self.replies[-1] if self.replies else "")
        items = shown_in(reply, self.session)
        self.session.dialogue += [Utterance(Speaker.USER, message), Utterance(Speaker.ASSISTANT, reply, items)]
        self.turns.append(turn)
        self.replies.append(reply)
        return turn


class House:
    """The services, running, and the loop of a gateway before them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, opened: Opened) -> None:
        self.loop = loop
        self._begun = lru_cache(maxsize=_KEPT)(self._told)
        self.services, self.gateway, self.catalog, self.address = opened

    def talk(self, name: str = "talk") -> Talk:
        """A new conversation."""
        return Talk(self, Session(name, 0.0, 0.0))

    def told(self, *messages: str) -> Talk:
        """A conversation of these messages; many begin alike, and each beginning is talked once."""
        return self._begun(messages).copy()

    def _told(self, messages: tuple[str, ...]) -> Talk:
        if not messages:
            return self.talk()
        talk = self.told(*messages[:-1])
        talk.say(messages[-1])
        return talk

    @contextmanager
    def looking_at(self, targets: Path, seconds: float = 20.0) -> Iterator[House]:
        """The same services with a collector of their own, whose targets these are; a look takes at most so long."""
        with tempfile.TemporaryDirectory(prefix="dbdiag-") as name:
            address = f"unix:{name}/collector.sock"
            settings = CollectorSettings(
                bind=address, collector_targets=targets, collector_evidence=Path(name), drain_seconds=0
            )
            host = Host([CollectorApp(settings, {})], settings)
            self.loop.run_until_complete(host.start())
            here = self.address
            clients = Services(here, here, here, here, address)
            gateway = Loop(clients, Catalogs(clients.engine), GatewaySettings(gateway_look_seconds=seconds))
            try:
                yield House(self.loop, (clients, gateway, self.catalog, self.address))
            finally:
                self.loop.run_until_complete(clients.close())
                self.loop.run_until_complete(host.stop())

    def turn(self, session: Session, message: str, language: Language | None, previous: str) -> tuple[Turn, str]:
        """One turn and the answer to it."""
        return self.loop.run_until_complete(self._turn(session, message, language, previous))

    async def _turn(self, session: Session, message: str, language: Language | None, previous: str) -> tuple[Turn, str]:
        turn = await self.gateway.run(session, message, language, lambda step, note="": None)
        _, earlier = answers_before(session)
        request = RespondRequest(turn.language, turn.results(), message, previous, earlier)
        async for part in self.services.planner.respond(request):
            if isinstance(part, Reply):
                return turn, part.text
        raise AssertionError("the planner ended its answer without the whole of it")


@contextmanager
def house(folder: Path, library: Path | None = None, **settings: float) -> Iterator[House]:
    """A house for as long as the block lasts; `targets.yaml` in its folder are its targets.

    library: in place of the shipped one.
    """
    logs.configure("error")
    with asyncio.Runner() as runner:
        environ = {"DBDIAG_KNOWLEDGE_LIBRARIES": str(library)} if library is not None else {}
        opened = _opened(folder, environ, GatewaySettings(**settings))  # type: ignore[arg-type]
        try:
            yield House(runner.get_loop(), runner.run(_first(opened)))
        finally:
            runner.run(opened.aclose())
            structlog.reset_defaults()


async def _first(opened: AsyncGenerator[Opened, None]) -> Opened:
    return await anext(opened)


async def _opened(folder: Path, environ: Mapping[str, str], settings: GatewaySettings) -> AsyncGenerator[Opened, None]:
    async with services(folder, environ) as address:
        clients = Services(address, address, address, address, address)
        catalogs = Catalogs(clients.engine)
        try:
            catalog = await catalogs.of(await catalogs.current_id())
            yield clients, Loop(clients, catalogs, settings), catalog, address
        finally:
            await clients.close()
