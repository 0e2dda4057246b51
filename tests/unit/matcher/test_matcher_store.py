from __future__ import annotations

from dataclasses import replace

import pytest

from services.matcher import embedding, features, glossary, recall
from services.matcher.index import Index
from services.matcher.library import Library
from services.matcher.snapshots import FixedSource, Snapshots
from services.matcher.store import Store


class Several:
    """A source of one library under several names."""

    def __init__(self, only: Library) -> None:
        self._only, self.fetched = only, list[str]()

    async def current_id(self) -> str:
        return "a"

    async def fetch(self, snapshot_id: str) -> Library:
        self.fetched.append(snapshot_id)
        return replace(self._only, snapshot_id=snapshot_id)


def loading(source: FixedSource | Several, limit: int) -> Snapshots:
    return Snapshots(source, Store(None, 5.0), glossary.load(), embedding.static_embedder(), limit)


async def test_a_snapshot_is_built_once(small_library: Library) -> None:
    """Asking again for a loaded snapshot fetches nothing."""
    source = Several(small_library)
    snapshots = loading(source, 2)
    assert await snapshots.get("") is await snapshots.get("a")
    assert source.fetched == ["a"]


async def test_the_least_recently_used_goes(small_library: Library) -> None:
    """No more snapshots are kept than allowed; the one unused for longest is let go and built anew when asked for."""
    source = Several(small_library)
    snapshots = loading(source, 2)
    for name in ("a", "b", "a", "c", "a", "b"):
        await snapshots.get(name)
    assert source.fetched == ["a", "b", "c", "b"]


async def test_a_lost_collection_is_made_again(entries: Index) -> None:
    """When the stored collection is gone, recall rebuilds it and answers as before."""
    store = Store(None, 5.0)
    await store.add("sha256:x", entries)
    query = features.prepare("锁等待", entries, glossary.load(), embedding.static_embedder())
    before = await recall.recall(store, "sha256:x", query, entries)
    await store.remove("sha256:x", entries)
    assert await recall.recall(store, "sha256:x", query, entries) == before


@pytest.mark.parametrize("text", ["", "。", "   "])
async def test_nothing_is_recalled_for_no_words(entries: Index, text: str) -> None:
    """A text without words recalls nothing."""
    query = features.prepare(text, entries, glossary.load(), embedding.static_embedder())
    assert await recall.recall(Store(None, 5.0), "sha256:x", query, entries) == ()
