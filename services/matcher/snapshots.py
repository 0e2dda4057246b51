"""The snapshots that are searchable now: the current one, and pinned ones on demand, boundedly many."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from services.chassis.errors import NotFound
from services.matcher import index, library
from services.matcher.embedding import Embedder
from services.matcher.glossary import Glossary
from services.matcher.kept import index_of
from services.matcher.store import Store

_MISSING = "snapshot_not_found"


class SnapshotSource(Protocol):
    """Where snapshots come from."""

    async def fetch(self, snapshot_id: str) -> library.Library:
        """A snapshot; raises NotFound (snapshot_not_found) or DependencyDown."""

    async def current_id(self) -> str:
        """The name of the published one."""


@dataclass(frozen=True)
class FixedSource:
    """One library, and no other."""

    only: library.Library

    async def fetch(self, snapshot_id: str) -> library.Library:
        """See SnapshotSource."""
        if snapshot_id != self.only.snapshot_id:
            raise NotFound(f"looking for snapshot {snapshot_id}: only {self.only.snapshot_id} is here", reason=_MISSING)
        return self.only

    async def current_id(self) -> str:
        """See SnapshotSource."""
        return self.only.snapshot_id


@dataclass(frozen=True)
class Loaded:
    """A searchable snapshot."""

    snapshot_id: str
    phenomena: index.Index
    root_causes: index.Index


class Snapshots:
    """Builds each snapshot once; the least recently used one goes when there are too many.

    What is built is kept in the folder `kept_in`, so that the next process need not build it.
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
        return Loaded(fetched.snapshot_id, phenomena, root_causes)

    def _index(self, fetched: library.Library) -> tuple[index.Index, index.Index]:
        shared = self._glossary, self._embedder, self._kept_in
        return index_of(fetched.phenomena, *shared), index_of(fetched.root_causes, *shared)
