"""Builds the service: its peer, its index, its matcher."""

from __future__ import annotations

import grpc.aio

from services.chassis import llm, logs
from services.chassis.llm import LanguageModel
from services.matcher import embedding, glossary
from services.matcher.match import Matcher
from services.matcher.peers import KnowledgePeer
from services.matcher.servicer import MatcherServicer
from services.matcher.settings import MatcherSettings
from services.matcher.snapshots import Snapshots
from services.matcher.store import Store


class MatcherApp:
    """A Servable. `model` takes the place of the one that the settings name."""

    service_name = "dbdiag.matcher.v1.MatcherService"

    def __init__(self, settings: MatcherSettings, model: LanguageModel | None = None) -> None:
        self._settings, self._model = settings, model
        self._store = Store(settings.matcher_qdrant_url, settings.matcher_qdrant_timeout_seconds)
        self._peer: KnowledgePeer | None = None
        self._log = logs.logger("matcher")

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server."""
        self._peer = KnowledgePeer(self._settings.matcher_knowledge_address, self._settings.matcher_refresh_seconds)
        words, embedder = glossary.load(), embedding.static_embedder()
        limit, folder = self._settings.matcher_max_snapshots, self._settings.matcher_cache_dir.expanduser()
        self._snapshots = Snapshots(self._peer, self._store, words, embedder, limit, folder)
        name = self._settings.rerank_model or self._settings.agent_model
        self._model = llm.watched(self._model or llm.connect(self._settings, name), name)
        MatcherServicer(Matcher(self._snapshots, words, embedder, self._model)).add_to(server)

    async def start(self) -> None:
        """Makes the current snapshot searchable."""
        loaded = await self._snapshots.get("")
        self._log.info("index", snapshot_id=loaded.snapshot_id, phenomena=len(loaded.phenomena.profiles))

    async def close(self) -> None:
        """Closes the index, the channel and the model."""
        await self._store.close()
        if self._peer is not None:
            await self._peer.close()
        if self._model is not None:
            await self._model.close()
