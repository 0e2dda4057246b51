"""Builds the service: its source of snapshots, the libraries it holds, its servicer."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import grpc.aio

from services.chassis import logs
from services.chassis.errors import DependencyDown, InvalidInput
from services.engine.cache import LibraryCache
from services.engine.peers import KnowledgeSource
from services.engine.servicer import EngineServicer
from services.engine.settings import EngineSettings
from services.engine.source import DirectorySource, SnapshotSource


class EngineApp:
    """A Servable. `source` takes the place of the one in the settings; `clock` gives monotonic seconds."""

    service_name = "dbdiag.engine.v1.EngineService"

    def __init__(
        self,
        settings: EngineSettings,
        source: SnapshotSource | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._source = source
        self._libraries: LibraryCache | None = None
        self._watching: asyncio.Task[None] | None = None
        self._log = logs.logger("engine")

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server. Raises InvalidInput when nothing says where snapshots come from."""
        if self._source is None:
            self._source = _source_of(self._settings)
        self._libraries = LibraryCache(self._source, self._settings.engine_cache_snapshots)
        EngineServicer(self._libraries, self._settings.high_confidence_threshold).add_to(server)

    async def start(self) -> None:
        """Loads the current snapshot, waiting for it as long as the settings allow, then watches for the next."""
        assert self._libraries is not None, "register comes before start"
        await self._first(self._libraries)
        self._log.info("snapshot", snapshot_id=self._libraries.current_id)
        watch = self._libraries.watch(self._settings.engine_refresh_seconds, self._report)
        self._watching = asyncio.create_task(watch)

    async def close(self) -> None:
        """Stops watching and lets go of the source."""
        if self._watching is not None:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching
        if self._libraries is not None:
            await self._libraries.close()
        if isinstance(self._source, KnowledgeSource):
            await self._source.close()

    async def _first(self, libraries: LibraryCache) -> None:
        give_up = self._clock() + self._settings.engine_start_seconds
        while True:
            try:
                await libraries.refresh()
                return
            except DependencyDown as error:
                if self._clock() >= give_up:
                    raise
                self._log.warning("waiting for the first snapshot", cause=error.message)
            await asyncio.sleep(min(self._settings.engine_refresh_seconds, 1.0))

    def _report(self, event: str, about: str) -> None:
        self._log.info(event, about=about)


def _source_of(settings: EngineSettings) -> SnapshotSource:
    if settings.engine_knowledge_address:
        return KnowledgeSource(settings.engine_knowledge_address)
    if settings.engine_snapshot_dir:
        return DirectorySource(settings.engine_snapshot_dir)
    raise InvalidInput(
        "starting the engine: nothing says where snapshots come from; set engine_knowledge_address or "
        "engine_snapshot_dir",
        reason="invalid_setting",
    )
