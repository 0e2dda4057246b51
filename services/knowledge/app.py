"""Builds the service: its store, its servicer, and the snapshot it starts with."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import grpc.aio

from services.chassis import logs
from services.chassis.errors import DbdiagError
from services.knowledge.blobs.backends import open_blobs
from services.knowledge.cases.case_learning import Learning
from services.knowledge.servicer import KnowledgeServicer
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots.publish import publish_at_startup
from services.knowledge.snapshots.store import SnapshotStore


class KnowledgeApp:
    """A Servable. `clock` gives seconds since 1970, UTC."""

    service_name = "dbdiag.knowledge.v1.KnowledgeService"

    def __init__(self, settings: KnowledgeSettings, clock: Callable[[], float] = time.time) -> None:
        self._settings = settings
        self._store = SnapshotStore(open_blobs(settings.knowledge_store), clock)
        self._learning = Learning(settings, self._store, clock)
        self._log = logs.logger("knowledge")

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server."""
        KnowledgeServicer(self._settings, self._store, self._learning).add_to(server)

    async def start(self) -> None:
        """Publishes the libraries' snapshot unless it is current or a person has published another."""
        await asyncio.to_thread(self._settle)
        manifest = await asyncio.to_thread(publish_at_startup, self._store, self._settings.library_paths())
        self._log.info(
            "snapshot",
            snapshot_id=manifest.snapshot_id,
            phenomena=manifest.counts.phenomena,
            root_causes=manifest.counts.root_causes,
            tickets=manifest.counts.tickets,
        )

    def _settle(self) -> None:
        """Completes an interrupted decision on a case; errors in the site library do not prevent the start."""
        try:
            self._learning.settle()
        except DbdiagError as error:
            self._log.warning("site library", reason=error.reason, cause=error.message)

    async def close(self) -> None:
        """Closes the store's connections."""
        await asyncio.to_thread(self._store.close)
