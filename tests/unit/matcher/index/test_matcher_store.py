from __future__ import annotations

from dataclasses import replace

import pytest

from lang import embedding
from lang.concepts import glossary
from services.matcher.index.entries import Library
from services.matcher.index.search_index import Index
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.ranking import features, recall
from services.matcher.training.texts import load_paraphrases
from tests.support.cases import for_each
from tests.support.examples import every


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
    return Snapshots(source, Store(None, 5.0), glossary.load(), embedding.load(), limit)


async def test_a_snapshot_is_built_once(small_library: Library) -> None:
    """A loaded snapshot is not fetched again."""
    source = Several(small_library)
    snapshots = loading(source, 2)
    assert await snapshots.get("") is await snapshots.get("a")
    assert source.fetched == ["a"]


async def test_the_least_recently_used_is_evicted(small_library: Library) -> None:
    """Above the limit the least recently used snapshot is evicted, and rebuilt on demand."""
    source = Several(small_library)
    snapshots = loading(source, 2)
    for name in ("a", "b", "a", "c", "a", "b"):
        await snapshots.get(name)
    assert source.fetched == ["a", "b", "c", "b"]


async def test_a_lost_collection_is_made_again(entries: Index) -> None:
    """Recall rebuilds a missing collection and returns the same entries."""
    store = Store(None, 5.0)
    await store.add("sha256:x", entries)
    query = features.prepare("锁等待", entries, glossary.load(), embedding.load())
    before = await recall.recall(store, "sha256:x", query, entries)
    await store.remove("sha256:x", entries)
    assert await recall.recall(store, "sha256:x", query, entries) == before


@pytest.mark.slow
@every(4)
async def test_memory_recalls_what_qdrant_recalls(curated: Index, every: int) -> None:
    """For labelled texts, memory recalls the entries that Qdrant does, with the same scores within rounding."""
    # An import of half a second, which no other test needs.
    from qdrant_client import AsyncQdrantClient

    in_memory, in_qdrant = Store(None, 5.0), Store("a server", 5.0)
    in_qdrant._client = AsyncQdrantClient(location=":memory:")
    for store in (in_memory, in_qdrant):
        await store.add("sha256:x", curated)
    for row in load_paraphrases()[::every]:
        query = features.prepare(row.text, curated, glossary.load(), embedding.load())
        found, expected = [await recall.recall(store, "sha256:x", query, curated) for store in (in_memory, in_qdrant)]
        assert [hit.number for hit in found] == [hit.number for hit in expected]
        for arm in ("dense", "sparse"):
            scores = [getattr(hit, arm) for hit in expected]
            assert [getattr(hit, arm) for hit in found] == pytest.approx(scores, abs=1e-6)


@for_each("text", ["", "。", "   "])
async def test_nothing_is_recalled_for_no_words(entries: Index, text: str) -> None:
    """A text without words recalls no entry."""
    query = features.prepare(text, entries, glossary.load(), embedding.load())
    assert await recall.recall(Store(None, 5.0), "sha256:x", query, entries) == ()
