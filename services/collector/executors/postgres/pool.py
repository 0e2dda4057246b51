"""Connections to PostgreSQL that outlive their call by a few seconds.

A diagnosis makes several calls in a row. A new connection costs the server a process with empty caches, which is more
than most reads cost; so an idle connection is kept for the next call.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, NamedTuple

from services.collector.targets.connections import PostgresTarget

if TYPE_CHECKING:
    from services.collector.executors.postgres.executor import PostgresExecutor

IDLE_SECONDS = 3.0


class _Idle(NamedTuple):
    executor: PostgresExecutor
    end: asyncio.Task[None]


class PostgresPool:
    """Keeps at most one idle connection per target, for `seconds`.

    A task of the event loop closes a connection that is not used again, at the latest when the loop ends.
    """

    def __init__(self, seconds: float = IDLE_SECONDS) -> None:
        self._seconds = seconds
        self._idle: dict[str, _Idle] = {}

    @contextlib.asynccontextmanager
    async def executor(self, target: PostgresTarget, clock: Callable[[], float]) -> AsyncIterator[PostgresExecutor]:
        """An open connection: the idle one if it still answers, else a new one. Raises TargetUnreachable."""
        executor = await self._take(target, clock)
        try:
            yield executor
        finally:
            await self._put_back(target.conninfo, executor)

    async def close(self) -> None:
        """Closes the idle connections."""
        ends = [idle.end for idle in self._idle.values()]
        for end in ends:
            end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)

    async def _take(self, target: PostgresTarget, clock: Callable[[], float]) -> PostgresExecutor:
        # Imported with the first connection, because the driver takes long to import.
        from services.collector.executors.postgres.executor import PostgresExecutor

        idle = self._idle.pop(target.conninfo, None)
        if idle is None:
            return await PostgresExecutor(target, clock).__aenter__()
        idle.end.cancel()
        await idle.executor.reconnect()
        return idle.executor

    async def _put_back(self, place: str, executor: PostgresExecutor) -> None:
        if place in self._idle or not executor.is_open:
            await executor.close()
            return
        self._idle[place] = _Idle(executor, asyncio.create_task(self._close_later(place, executor)))
        # Lets the task start: a task that never started cannot close anything when the loop ends.
        await asyncio.sleep(0)

    async def _close_later(self, place: str, executor: PostgresExecutor) -> None:
        try:
            await asyncio.sleep(self._seconds)
        finally:
            if place in self._idle and self._idle[place].executor is executor:
                del self._idle[place]
                await executor.close()
