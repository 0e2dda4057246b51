"""Forked processes behind the interface of asyncio's: the analyst's children start without importing DuckDB anew."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.support.running.forked import Forked

ANALYST_CHILD = (sys.executable, "-m", "services.analyst.execution")


class ForkedChild:
    """A process with pipes for stdin and stdout, used as an asyncio.subprocess.Process is. Make it with `start`."""

    def __init__(self, forked: Forked, limit: int) -> None:
        self._forked, self._ended, self._read = forked, asyncio.Event(), asyncio.Event()
        self.stdout = asyncio.StreamReader(limit)
        self.pid = forked.pid

    @classmethod
    async def start(cls, *arguments: str, limit: int) -> ForkedChild:
        """Runs `python -m` of the arguments here and with this process's environment."""
        child = cls(Forked(arguments, Path.cwd(), os.environ, Path(os.devnull)), limit)
        await child._connect()
        return child

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        reading = _Reading(self.stdout, self._read)
        await loop.connect_read_pipe(lambda: reading, self._forked.stdout)
        transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, self._forked.stdin)
        self.stdin = asyncio.StreamWriter(transport, protocol, None, loop)
        loop.add_reader(self._forked.sentinel, self._end)

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._forked.sentinel)
        self.stdin.close()
        self._ended.set()

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self._forked.poll()

    def kill(self) -> None:
        """Sends SIGKILL."""
        self._forked.kill()

    async def wait(self) -> int:
        """The exit code, once the process ended and its output is read to the end."""
        await self._ended.wait()
        await self._read.wait()
        return self._forked.wait()


class _Reading(asyncio.StreamReaderProtocol):
    def __init__(self, reader: asyncio.StreamReader, closed: asyncio.Event) -> None:
        super().__init__(reader)
        self._is_closed = closed

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._is_closed.set()


def forking(start: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """`asyncio.create_subprocess_exec` that forks the analyst's children and starts everything else as before."""

    async def create(*command: str, **options: Any) -> Any:
        if command == ANALYST_CHILD:
            return await ForkedChild.start(*command[2:], limit=options["limit"])
        return await start(*command, **options)

    return create
