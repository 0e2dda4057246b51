"""Wires the service: knowledge client, index, language model and matcher."""

from __future__ import annotations

import time

import grpc.aio

from lang import embedding
from lang.concepts import glossary
from services.chassis import llm, logs
from services.chassis.llm import LanguageModel
from services.matcher.index.snapshots import Snapshots, SnapshotSource
from services.matcher.index.vectors import Store
from services.matcher.knowledge_client import KnowledgePeer
from services.matcher.matcher import Matcher
from services.matcher.servicer import MatcherServicer
from services.matcher.settings import MatcherSettings


class MatcherApp:
    """A Servable. `source` takes the place of the knowledge service that the settings name."""

    service_name = "dbdiag.matcher.v1.MatcherService"

    def __init__(self, settings: MatcherSettings, source: SnapshotSource | None = None) -> None:
        self._settings = settings
        self._model: LanguageModel | None = None
        self._store = Store(settings.matcher_qdrant_url, settings.matcher_qdrant_timeout_seconds)
        self._source = source
        self._peer: KnowledgePeer | None = None
        self._log = logs.logger("matcher")

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server."""
        if self._source is None:
            address, seconds = self._settings.matcher_knowledge_address, self._settings.matcher_refresh_seconds
            self._source = self._peer = KnowledgePeer(address, seconds)
        words, embedder = glossary.load(), embedding.load()
        limit, folder = self._settings.matcher_max_snapshots, self._settings.matcher_cache_dir.expanduser()
        self._snapshots = Snapshots(self._source, self._store, words, embedder, limit, folder)
        name = self._settings.rerank_model or self._settings.agent_model
        self._model = llm.watch_model(llm.connect(self._settings, name), name)
        MatcherServicer(Matcher(self._snapshots, words, embedder, self._model, time.time)).add_to(server)

    async def start(self) -> None:
        """Loads and indexes the current snapshot."""
        loaded = await self._snapshots.get("")
        self._log.info("index", snapshot_id=loaded.snapshot_id, phenomena=len(loaded.phenomena.profiles))

    async def close(self) -> None:
        """Closes the index, the channel and the model."""
        await self._store.close()
        if self._peer is not None:
            await self._peer.close()
        if self._model is not None:
            await self._model.close()
