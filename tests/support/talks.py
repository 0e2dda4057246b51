"""Conversations in this process: the real gateway loop before the real services, without HTTP and without a store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from gateway.catalog import Catalog, Catalogs
from gateway.clients import Services
from gateway.embedded import services
from gateway.language import Language
from gateway.loop import Loop
from gateway.plan import Speaker, Utterance
from gateway.results import Reply, RespondRequest
from gateway.session import Session
from gateway.settings import GatewaySettings
from gateway.turn import Turn
from services.chassis import logs

Opened = tuple[Services, Loop, Catalog]


@dataclass
class Talk:
    """One conversation; `turns` are its turns as they ended, `replies` what was said."""

    house: House
    session: Session = field(default_factory=lambda: Session("talk", 0.0, 0.0))
    turns: list[Turn] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)

    def say(self, message: str, language: Language | None = None) -> Turn:
        """Takes a turn; the turn."""
        turn, reply = self.house.turn(self.session, message, language, self.replies[-1] if self.replies else "")
        self.session.dialogue += [Utterance(Speaker.USER, message), Utterance(Speaker.ASSISTANT, reply)]
        self.turns.append(turn)
        self.replies.append(reply)
        return turn


class House:
    """The services, running, and the loop of a gateway before them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, opened: Opened) -> None:
        self.loop = loop
        self.services, self.gateway, self.catalog = opened

    def talk(self) -> Talk:
        """A new conversation."""
        return Talk(self)

    def turn(self, session: Session, message: str, language: Language | None, previous: str) -> tuple[Turn, str]:
        """One turn and the answer to it."""
        return self.loop.run_until_complete(self._turn(session, message, language, previous))

    async def _turn(self, session: Session, message: str, language: Language | None, previous: str) -> tuple[Turn, str]:
        turn = await self.gateway.run(session, message, language, lambda step, note="": None)
        request = RespondRequest(turn.language, turn.results(), message, previous)
        async for part in self.services.planner.respond(request):
            if isinstance(part, Reply):
                return turn, part.text
        raise AssertionError("the planner ended its answer without the whole of it")


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """A house with the shipped library, for as long as the block lasts."""
    logs.configure("error")
    with asyncio.Runner() as runner:
        opened = _opened(folder)
        try:
            yield House(runner.get_loop(), runner.run(_first(opened)))
        finally:
            runner.run(opened.aclose())
            structlog.reset_defaults()


async def _first(opened: AsyncGenerator[Opened, None]) -> Opened:
    return await anext(opened)


async def _opened(folder: Path) -> AsyncGenerator[Opened, None]:
    async with services(folder, {}) as address:
        clients = Services(address, address, address, address, address)
        catalogs = Catalogs(clients.engine)
        try:
            catalog = await catalogs.of(await catalogs.current_id())
            yield clients, Loop(clients, catalogs, GatewaySettings()), catalog
        finally:
            await clients.close()
