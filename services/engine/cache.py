"""The libraries an engine holds open: the current one and those that requests are pinned to.

A request resolves its library once and works on that object to the end, so a switch never mixes two snapshots in one
reply. What is loaded is immutable; least recently used libraries are let go.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections import OrderedDict
from collections.abc import Callable

from services.chassis.errors import DbdiagError, DependencyDown, NotFound
from services.engine.learning import open_learned
from services.engine.reasoner import Library
from services.engine.snapshot import hex_of, read_snapshot
from services.engine.source import SnapshotSource

# Tells a watcher what happened: the event's name and the snapshot's id or the error's message.
Report = Callable[[str, str], None]


# Old snapshots that many callers are pinned to are loaded a few at a time: each takes memory while it is opened.
_OPENED_AT_ONCE = 2


class LibraryCache:
    """Loads each snapshot once, however many requests wait for it, and keeps at most `limit`."""

    def __init__(self, source: SnapshotSource, limit: int) -> None:
        self._source = source
        self._limit = limit
        self._libraries: OrderedDict[str, Library] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Library]] = {}
        self._opening = asyncio.Semaphore(_OPENED_AT_ONCE)
        self._current_id = ""

    @property
    def current_id(self) -> str:
        """The id that an empty one stands for; empty before the first refresh."""
        return self._current_id

    async def get(self, snapshot_id: str) -> Library:
        """The library of an id, or the current one for an empty id. Raises NotFound or DependencyDown."""
        if not (snapshot_id or self._current_id):
            await self.refresh()
        wanted = snapshot_id or self._current_id
        found = self._libraries.get(wanted)
        if found is None:
            hex_of(wanted)
            return await asyncio.shield(self._load(wanted))
        self._libraries.move_to_end(wanted)
        return found

    async def refresh(self) -> bool:
        """Asks which snapshot is current, loads it, then switches. Whether it changed."""
        latest = await self._current()
        if latest == self._current_id:
            return False
        await self.get(latest)
        self._current_id = latest
        return True

    async def watch(self, every_seconds: float, report: Report) -> None:
        """Refreshes until cancelled; a failure leaves the current snapshot in service."""
        while True:
            await asyncio.sleep(every_seconds)
            try:
                if await self.refresh():
                    report("snapshot switched", self._current_id)
            except DbdiagError as error:
                report("snapshot refresh failed", error.message)
            except Exception as error:
                # A defect in one refresh must not end all later ones, which nobody would notice.
                report("snapshot refresh failed", f"{type(error).__name__}: {error}")

    def loaded(self) -> list[Library]:
        """What is held, newest use first."""
        return list(reversed(self._libraries.values()))

    async def close(self) -> None:
        """Stops loads that nobody waits for any more."""
        for task in list(self._loading.values()):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, DbdiagError):
                await task

    async def _current(self) -> str:
        try:
            return await self._source.current_id()
        except NotFound as error:
            raise DependencyDown(
                f"{error.message}; retry when a snapshot is published", reason="knowledge_unreachable"
            ) from error

    def _load(self, snapshot_id: str) -> asyncio.Task[Library]:
        task = self._loading.get(snapshot_id)
        if task is None:
            # An empty context: the load outlives the request that began it, so that request's deadline is not its own.
            task = asyncio.get_running_loop().create_task(self._open(snapshot_id), context=contextvars.Context())
            self._loading[snapshot_id] = task
            task.add_done_callback(lambda done: self._loaded(snapshot_id, done))
        return task

    async def _open(self, snapshot_id: str) -> Library:
        async with self._opening:
            content = await self._source.load(snapshot_id)
            return await asyncio.to_thread(lambda: open_learned(read_snapshot(content, snapshot_id)))

    def _loaded(self, snapshot_id: str, task: asyncio.Task[Library]) -> None:
        self._loading.pop(snapshot_id, None)
        # Asking for the exception marks it as seen, also when every waiter has gone.
        if task.cancelled() or task.exception() is not None:
            return
        self._libraries[snapshot_id] = task.result()
        # The one just loaded may be about to become current, so it stays as well.
        old = [name for name in self._libraries if name not in (snapshot_id, self._current_id)]
        for name in old[: max(0, len(self._libraries) - self._limit)]:
            del self._libraries[name]
