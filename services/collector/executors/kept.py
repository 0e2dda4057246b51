"""Connections to PostgreSQL that outlive the call which made them by a moment.

A diagnosis asks several times in a row. A new connection costs the server a process whose caches are empty, which is
more than most reads: so each is kept for whoever asks next.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from services.collector.executors.postgres import PostgresLook, PostgresTarget

KEPT_SECONDS = 3.0


class _Idle(NamedTuple):
    look: PostgresLook
    end: asyncio.Task[None]


class KeptLooks:
    """At most one connection to a place is kept, and nobody has it meanwhile. seconds: for how long.

    One that nobody asked for is closed by a task of its event loop, at the latest when that loop ends.
    """

    def __init__(self, seconds: float = KEPT_SECONDS) -> None:
        self._seconds = seconds
        self._idle: dict[str, _Idle] = {}

    @contextlib.asynccontextmanager
    async def look(self, target: PostgresTarget, clock: Callable[[], float]) -> AsyncIterator[PostgresLook]:
        """An open connection, the kept one if it still answers. Raises TargetUnreachable."""
        look = await self._taken(target, clock)
        try:
            yield look
        finally:
            await self._keep(target.conninfo, look)

    async def close(self) -> None:
        """Closes what is kept."""
        ends = [idle.end for idle in self._idle.values()]
        for end in ends:
            end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)

    async def _taken(self, target: PostgresTarget, clock: Callable[[], float]) -> PostgresLook:
        idle = self._idle.pop(target.conninfo, None)
        if idle is None:
            return await PostgresLook(target, clock).__aenter__()
        idle.end.cancel()
        await idle.look.reconnected()
        return idle.look

    async def _keep(self, place: str, look: PostgresLook) -> None:
        if place in self._idle or not look.is_open:
            await look.close()
            return
        self._idle[place] = _Idle(look, asyncio.create_task(self._ended(place, look)))
        # Begun before its loop can end: what was never begun cannot close anything.
        await asyncio.sleep(0)

    async def _ended(self, place: str, look: PostgresLook) -> None:
        try:
            await asyncio.sleep(self._seconds)
        finally:
            if place in self._idle and self._idle[place].look is look:
                del self._idle[place]
                await look.close()
