"""Recall by Qdrant: one collection a snapshot, one point an entry with a dense and a sparse vector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from services.chassis.errors import DependencyDown
from services.matcher.embedding import Vectors
from services.matcher.index import Index

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

DENSE, SPARSE = "dense", "sparse"
_LAYOUT = "1"
_KEYS_PER_POINT = 28


@dataclass(frozen=True, slots=True)
class Recalled:
    """An entry that an arm found, by its position in the index; a part is 0 when that arm did not find it."""

    number: int
    dense: float
    sparse: float


class Store:
    """Collections in an embedded Qdrant (`url` None) or on a server."""

    def __init__(self, url: str | None, timeout_seconds: float) -> None:
        self._url, self._timeout = url, timeout_seconds
        self._client: AsyncQdrantClient | None = None

    async def add(self, name: str, index: Index) -> None:
        """Makes the collection of an index; one that is complete already is kept. Safe to repeat."""
        from qdrant_client import models

        client = self._connected()
        name = _collection(name, index)
        try:
            if await client.collection_exists(name):
                if (await client.count(name)).count == len(index.profiles):
                    return
                await client.delete_collection(name)
            await client.create_collection(
                name,
                vectors_config={DENSE: models.VectorParams(size=index.raw.shape[1], distance=models.Distance.COSINE)},
                sparse_vectors_config={SPARSE: models.SparseVectorParams()},
            )
            if index.profiles:
                await client.upsert(name, _points(index), wait=True)
        except _failures() as error:
            raise self._down("building", name, error) from error

    async def recall(
        self, name: str, index: Index, dense: Vectors, sparse: Mapping[int, float], limit: int
    ) -> tuple[Recalled, ...]:
        """Up to `limit` entries of each arm, merged, in index order."""
        from qdrant_client import models

        requests = [models.QueryRequest(query=dense.tolist(), using=DENSE, limit=limit, with_payload=False)]
        if sparse:
            terms = sorted(sparse.items())
            vector = models.SparseVector(indices=[key for key, _ in terms], values=[weight for _, weight in terms])
            requests.append(models.QueryRequest(query=vector, using=SPARSE, limit=limit, with_payload=False))
        try:
            answers = await self._connected().query_batch_points(_collection(name, index), requests)
        except _failures() as error:
            raise self._down("searching", name, error) from error
        found: dict[int, list[float]] = {}
        for arm, answer in enumerate(answers):
            for point in answer.points:
                found.setdefault(int(str(point.id)), [0.0, 0.0])[arm] = point.score
        return tuple(Recalled(number, *scores) for number, scores in sorted(found.items()))

    async def remove(self, name: str, index: Index) -> None:
        """Drops a collection that is no longer asked for."""
        try:
            await self._connected().delete_collection(_collection(name, index))
        except _failures() as error:
            raise self._down("dropping", name, error) from error

    async def close(self) -> None:
        """Lets go of the client."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _connected(self) -> AsyncQdrantClient:
        if self._client is None:
            from qdrant_client import AsyncQdrantClient

            options: dict[str, Any] = {"location": ":memory:"}
            if self._url is not None:
                options = {"url": self._url, "timeout": int(max(self._timeout, 1)), "check_compatibility": False}
            self._client = AsyncQdrantClient(**options)
        return self._client

    def _down(self, doing: str, name: str, error: Exception) -> DependencyDown:
        where = self._url or "the embedded index"
        return DependencyDown(
            f"{doing} collection {name} at {where}: {type(error).__name__}; check that Qdrant answers, then retry",
            reason="index_unreachable",
        )


def _failures() -> tuple[type[Exception], ...]:
    """How a Qdrant that does not answer, or answers with an error, shows itself."""
    from qdrant_client.http.exceptions import ApiException

    # The embedded index says ValueError for a collection that is gone.
    return ApiException, OSError, ValueError


def _collection(name: str, index: Index) -> str:
    # Another glossary or another layout numbers keys differently: never read one's points with the other's numbers.
    return f"dbdiag-{_LAYOUT}-{name.removeprefix('sha256:')[:16]}-{index.fingerprint[:16]}"


def _points(index: Index) -> list[Any]:
    from qdrant_client import models

    points = []
    for number, profile in enumerate(index.profiles):
        strongest = sorted(profile.strengths.items(), key=lambda item: (-item[1], item[0]))[:_KEYS_PER_POINT]
        terms = sorted((index.keys[key], strength) for key, strength in strongest)
        sparse = models.SparseVector(indices=[key for key, _ in terms], values=[value for _, value in terms])
        points.append(
            models.PointStruct(
                id=number,
                vector={DENSE: index.means[number].tolist(), SPARSE: sparse},
                payload={"entry_id": profile.id},
            )
        )
    return points
