"""Builds the service: the snapshot source, the model cache, the servicer. The only place that registers the kernel."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import grpc.aio

from services.chassis import logs
from services.chassis.errors import DependencyDown, InvalidInput
from services.engine.kernel.binding import ACCELERATE, WRITE
from services.engine.servicer import EngineServicer
from services.engine.serving.cache import DirectorySource, ModelCache, SnapshotSource
from services.engine.serving.knowledge_client import KnowledgeSource
from services.engine.settings import EngineSettings
from services.engine.wire import diagnosis_bytes


class EngineApp:
    """A Servable. `source` replaces the source that the settings name; `clock` returns monotonic seconds."""

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
        self._models: ModelCache | None = None
        self._watching: asyncio.Task[None] | None = None
        self._log = logs.logger("engine")

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server. Raises InvalidInput if there is no source of snapshots."""
        if self._source is None:
            self._source = _source_of(self._settings)
        self._models = ModelCache(self._source, self._settings.engine_cache_snapshots, ACCELERATE)
        threshold = self._settings.high_confidence_threshold
        EngineServicer(self._models, threshold, WRITE or diagnosis_bytes).add_to(server)

    async def start(self) -> None:
        """Loads the current snapshot, waiting as long as the settings allow, then watches for newer ones."""
        assert self._models is not None, "register comes before start"
        await self._first(self._models)
        self._log.info("snapshot", snapshot_id=self._models.current_id)
        watch = self._models.watch(self._settings.engine_refresh_seconds, self._report)
        self._watching = asyncio.create_task(watch)

    async def close(self) -> None:
        """Stops watching and closes the source."""
        if self._watching is not None:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching
        if self._models is not None:
            await self._models.close()
        if isinstance(self._source, KnowledgeSource):
            await self._source.close()

    async def _first(self, models: ModelCache) -> None:
        give_up = self._clock() + self._settings.engine_start_seconds
        while True:
            try:
                await models.refresh()
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
    raise InvalidInput("invalid_setting.no_snapshot_source")
