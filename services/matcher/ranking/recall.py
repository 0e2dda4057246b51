"""Candidate recall: the union of the dense and the sparse nearest entries, and the nearest by topics."""

from __future__ import annotations

import numpy as np

from services.chassis.errors import DependencyDown
from services.matcher.index.search_index import Index
from services.matcher.index.vectors import Recalled, Store
from services.matcher.ranking.features import Query

LIMIT = 16
_TOPIC_LIMIT = 6
_TERMS = 12


async def recall(store: Store, snapshot_id: str, query: Query, index: Index) -> tuple[Recalled, ...]:
    """Up to LIMIT entries per arm and _TOPIC_LIMIT by topics, in index order; a small library is recalled whole.

    A text without words recalls no entry.
    """
    if not query.keys or not index.profiles:
        return ()
    if len(index.profiles) <= 2 * LIMIT:
        return tuple(Recalled(number, 0.0, 0.0) for number in range(len(index.profiles)))
    found = {hit.number: hit for hit in await _stored(store, snapshot_id, query, index)}
    near = index.topics @ query.topics
    for number in np.argsort(-near, kind="stable")[:_TOPIC_LIMIT].tolist():
        if near[number] > 0:
            found.setdefault(number, Recalled(number, 0.0, 0.0))
    return tuple(found[number] for number in sorted(found))


async def _stored(store: Store, snapshot_id: str, query: Query, index: Index) -> tuple[Recalled, ...]:
    dense = query.raw + query.glossed
    length = float(np.linalg.norm(dense))
    weights = query.reading.weights()
    heaviest = sorted((key for key in query.keys if key in index.keys), key=lambda key: (-query.keys[key], key))
    sparse = {index.keys[key]: weights[key] for key in heaviest[:_TERMS]}
    vector = dense / length if length else dense
    try:
        return await store.recall(snapshot_id, index, vector, sparse, LIMIT)
    except DependencyDown:
        # The collection may be missing (data loss, eviction by another replica): recreate it and retry once.
        await store.add(snapshot_id, index)
        return await store.recall(snapshot_id, index, vector, sparse, LIMIT)
