"""LRU cache of searchable snapshots: the current one, and pinned ones on demand."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lang.concepts.glossary import Glossary
from lang.embedding import Embedder
from services.chassis.errors import NotFound
from services.matcher.index.entries import Library
from services.matcher.index.index_cache import load_or_build
from services.matcher.index.search_index import Index
from services.matcher.index.vectors import Store
from services.matcher.message_reader import MessageReader
from services.matcher.recognition.agreed_readings import Agreement
from services.matcher.recognition.asked_answers import AnswerReader
from services.matcher.recognition.incident_likeness import LikenessReader
from services.matcher.recognition.recogniser import Recogniser


class SnapshotSource(Protocol):
    """Where snapshots come from."""

    async def fetch(self, snapshot_id: str) -> Library:
        """Fetches a snapshot. Raises NotFound (snapshot_not_found) or DependencyDown."""

    async def current_id(self) -> str:
        """The name of the published snapshot."""


@dataclass(frozen=True)
class FixedSource:
    """A source with a single library."""

    only: Library

    async def fetch(self, snapshot_id: str) -> Library:
        """See SnapshotSource."""
        if snapshot_id != self.only.snapshot_id:
            raise NotFound("snapshot_not_found.only_one_here", snapshot=snapshot_id, present=self.only.snapshot_id)
        return self.only

    async def current_id(self) -> str:
        """See SnapshotSource."""
        return self.only.snapshot_id


@dataclass(frozen=True)
class Loaded:
    """A searchable snapshot."""

    snapshot_id: str
    phenomena: Index
    root_causes: Index
    messages: MessageReader
    recogniser: Recogniser
    answers: AnswerReader
    agreement: Agreement
    likeness: LikenessReader


class Snapshots:
    """Builds each snapshot once and evicts the least recently used one above `limit`.

    Indexes are cached in the folder `kept_in` across restarts.
    """

    def __init__(
        self,
        source: SnapshotSource,
        store: Store,
        glossary: Glossary,
        embedder: Embedder,
        limit: int = 3,
        kept_in: Path | None = None,
    ) -> None:
        self.store = store
        self._source, self._glossary, self._embedder, self._limit = source, glossary, embedder, limit
        self._kept_in = kept_in
        self._loaded: OrderedDict[str, Loaded] = OrderedDict()
        self._lock = asyncio.Lock()

    async def get(self, snapshot_id: str) -> Loaded:
        """The snapshot of this name, or the current one for an empty name."""
        name = snapshot_id or await self._source.current_id()
        if name in self._loaded:
            self._loaded.move_to_end(name)
            return self._loaded[name]
        async with self._lock:
            loaded = self._loaded.get(name) or await self._build(name)
            self._loaded[name] = loaded
            while len(self._loaded) > self._limit:
                oldest, gone = self._loaded.popitem(last=False)
                await self.store.remove(oldest, gone.phenomena)
            return loaded

    async def _build(self, name: str) -> Loaded:
        fetched = await self._source.fetch(name)
        phenomena, root_causes = await asyncio.to_thread(self._index, fetched)
        await self.store.add(fetched.snapshot_id, phenomena)
        recogniser = Recogniser(fetched.phenomena, self._glossary)
        answers = AnswerReader(fetched.phenomena, self._glossary)
        agreement = Agreement(recogniser, fetched.phenomena, fetched.vocabulary)
        messages = MessageReader(fetched)
        likeness = LikenessReader(fetched.root_causes, self._glossary)
        parts = messages, recogniser, answers, agreement, likeness
        return Loaded(fetched.snapshot_id, phenomena, root_causes, *parts)

    def _index(self, fetched: Library) -> tuple[Index, Index]:
        shared = self._glossary, self._embedder, self._kept_in
        return load_or_build(fetched.phenomena, *shared), load_or_build(fetched.root_causes, *shared)
