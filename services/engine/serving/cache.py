"""The cache of reasoning models: the current one and those that requests are pinned to.

A request resolves its model once and uses that object to the end, so a switch never mixes two snapshots in one reply.
Models are immutable; the least recently used ones are evicted.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from services.chassis.errors import DbdiagError, DependencyDown, NotFound
from services.engine.calibration.learning import open_learned
from services.engine.inference.reasoner import Accelerate, ReasoningModel
from services.engine.tables.parameters import DEFAULT_PARAMETERS
from services.engine.tables.snapshot import digest_in, read_snapshot

# Receives events: the name of the event, and the id of the snapshot or the message of the error.
Report = Callable[[str, str], None]
# Opening a model takes memory, so only a few are opened at a time.
_OPENED_AT_ONCE = 2


class ModelCache:
    """Loads each snapshot once, however many requests wait for it, and keeps at most `limit` models.

    See ReasoningModel for `accelerate`.
    """

    def __init__(self, source: SnapshotSource, limit: int, accelerate: Accelerate | None = None) -> None:
        self._source = source
        self._limit = limit
        self._accelerate = accelerate
        self._models: OrderedDict[str, ReasoningModel] = OrderedDict()
        self._loading: dict[str, asyncio.Task[ReasoningModel]] = {}
        self._opening = asyncio.Semaphore(_OPENED_AT_ONCE)
        self._current_id = ""

    @property
    def current_id(self) -> str:
        """The id of the current snapshot; empty before the first refresh."""
        return self._current_id

    async def get(self, snapshot_id: str) -> ReasoningModel:
        """The model of a snapshot, the current one for an empty id. Raises NotFound or DependencyDown."""
        if not (snapshot_id or self._current_id):
            await self.refresh()
        wanted = snapshot_id or self._current_id
        found = self._models.get(wanted)
        if found is None:
            digest_in(wanted)
            return await asyncio.shield(self._load(wanted))
        self._models.move_to_end(wanted)
        return found

    async def refresh(self) -> bool:
        """Asks for the current snapshot, loads it, then switches to it. Returns True if it changed."""
        latest = await self._current()
        if latest == self._current_id:
            return False
        await self.get(latest)
        self._current_id = latest
        return True

    async def watch(self, every_seconds: float, report: Report) -> None:
        """Refreshes until cancelled; after a failure the current snapshot stays in service."""
        while True:
            await asyncio.sleep(every_seconds)
            try:
                if await self.refresh():
                    report("snapshot switched", self._current_id)
            except DbdiagError as error:
                report("snapshot refresh failed", error.message)
            except Exception as error:
                # A bug in one refresh must not silently end all later ones.
                report("snapshot refresh failed", f"{type(error).__name__}: {error}")

    def list_loaded(self) -> list[ReasoningModel]:
        """The cached models, most recently used first."""
        return list(reversed(self._models.values()))

    async def close(self) -> None:
        """Cancels all loads."""
        for task in list(self._loading.values()):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, DbdiagError):
                await task

    async def _current(self) -> str:
        try:
            return await self._source.current_id()
        except NotFound as error:
            raise DependencyDown("knowledge_unreachable.none_published", problem=error.as_message) from error

    def _load(self, snapshot_id: str) -> asyncio.Task[ReasoningModel]:
        task = self._loading.get(snapshot_id)
        if task is None:
            # An empty context, because the load outlives the request that started it and must not inherit its deadline.
            task = asyncio.get_running_loop().create_task(self._open(snapshot_id), context=contextvars.Context())
            self._loading[snapshot_id] = task
            task.add_done_callback(lambda done: self._loaded(snapshot_id, done))
        return task

    async def _open(self, snapshot_id: str) -> ReasoningModel:
        async with self._opening:
            content = await self._source.load(snapshot_id)
            return await asyncio.to_thread(self._learn, content, snapshot_id)

    def _learn(self, content: bytes, snapshot_id: str) -> ReasoningModel:
        return open_learned(read_snapshot(content, snapshot_id), DEFAULT_PARAMETERS, self._accelerate)

    def _loaded(self, snapshot_id: str, task: asyncio.Task[ReasoningModel]) -> None:
        self._loading.pop(snapshot_id, None)
        # Retrieving the exception marks it as handled even if no waiter is left.
        if task.cancelled() or task.exception() is not None:
            return
        self._models[snapshot_id] = task.result()
        # The model just loaded may be about to become current, so it stays.
        old = [name for name in self._models if name not in (snapshot_id, self._current_id)]
        for name in old[: max(0, len(self._models) - self._limit)]:
            del self._models[name]


class SnapshotSource(Protocol):
    """Supplies canonical snapshot bytes."""

    async def current_id(self) -> str:
        """The id of the current snapshot. Raises NotFound if there is none, DependencyDown if the source fails."""

    async def load(self, snapshot_id: str) -> bytes:
        """The bytes of a snapshot. Raises NotFound or DependencyDown."""


class DirectorySource:
    """A folder with `<hex>.json` files and a file `current` that contains an id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def current_id(self) -> str:
        """See SnapshotSource."""
        content = await self._read("current", "the current snapshot")
        return content.decode("utf-8", errors="replace").strip()

    async def load(self, snapshot_id: str) -> bytes:
        """See SnapshotSource."""
        return await self._read(f"{digest_in(snapshot_id)}.json", f"snapshot {snapshot_id}")

    async def _read(self, name: str, wanted: str) -> bytes:
        path = self._folder / name
        try:
            return await asyncio.to_thread(path.read_bytes)
        except FileNotFoundError as error:
            raise NotFound("snapshot_not_found.no_file", wanted=wanted, path=str(path)) from error
        except OSError as error:
            problem = error.strerror or str(error)
            raise DependencyDown(
                "knowledge_unreachable.unreadable_file", wanted=wanted, path=str(path), problem=problem
            ) from error
