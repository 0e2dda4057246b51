"""The vector store, in Qdrant or in memory: one collection per snapshot, one point with two vectors per entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lang.embedding import Vectors
from services.chassis.errors import DependencyDown
from services.matcher.index.memory import Collection, build_collection
from services.matcher.index.search_index import Index

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

DENSE, SPARSE = "dense", "sparse"
_LAYOUT = "1"


@dataclass(frozen=True, slots=True)
class Recalled:
    """A recalled entry by its position in the index; a score is 0 if that arm did not return it."""

    number: int
    dense: float
    sparse: float


class Store:
    """Collections on a Qdrant server, or in memory (`url` None)."""

    def __init__(self, url: str | None, timeout_seconds: float) -> None:
        self._url, self._timeout = url, timeout_seconds
        self._client: AsyncQdrantClient | None = None
        self._memory: dict[str, Collection] = {}

    async def add(self, name: str, index: Index) -> None:
        """Creates the collection of an index unless it is complete already. Idempotent."""
        name = _collection(name, index)
        if self._url is None:
            self._memory[name] = build_collection(index.compiled)
            return
        from qdrant_client import models

        client = self._connected()
        try:
            if await client.collection_exists(name):
                if (await client.count(name)).count == len(index.profiles):
                    return
                await client.delete_collection(name)
            await client.create_collection(
                name,
                vectors_config={
                    DENSE: models.VectorParams(size=index.compiled.means.shape[1], distance=models.Distance.COSINE)
                },
                sparse_vectors_config={SPARSE: models.SparseVectorParams()},
            )
            if index.profiles:
                await client.upsert(name, _points(index), wait=True)
        except _failures() as error:
            raise self._down("index_unreachable.building", name, error) from error

    async def recall(
        self, name: str, index: Index, dense: Vectors, sparse: Mapping[int, float], limit: int
    ) -> tuple[Recalled, ...]:
        """The union of the nearest `limit` entries of the dense and the sparse arm, in index order."""
        if self._url is None:
            return self._recalled(_collection(name, index), dense, sparse, limit)
        from qdrant_client import models

        requests = [models.QueryRequest(query=dense.tolist(), using=DENSE, limit=limit, with_payload=False)]
        if sparse:
            terms = sorted(sparse.items())
            vector = models.SparseVector(indices=[key for key, _ in terms], values=[weight for _, weight in terms])
            requests.append(models.QueryRequest(query=vector, using=SPARSE, limit=limit, with_payload=False))
        try:
            answers = await self._connected().query_batch_points(_collection(name, index), requests)
        except _failures() as error:
            raise self._down("index_unreachable.searching", name, error) from error
        return _merged([(int(str(point.id)), point.score) for point in answer.points] for answer in answers)

    def _recalled(self, name: str, dense: Vectors, sparse: Mapping[int, float], limit: int) -> tuple[Recalled, ...]:
        collection = self._memory.get(name)
        if collection is None:
            raise DependencyDown("index_unreachable.collection_missing", collection=name)
        return _merged((collection.find_nearest(dense, limit), collection.find_sharing(sparse, limit)))

    async def remove(self, name: str, index: Index) -> None:
        """Drops a collection."""
        if self._url is None:
            self._memory.pop(_collection(name, index), None)
            return
        try:
            await self._connected().delete_collection(_collection(name, index))
        except _failures() as error:
            raise self._down("index_unreachable.dropping", name, error) from error

    async def close(self) -> None:
        """Closes the client."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _connected(self) -> AsyncQdrantClient:
        if self._client is None:
            from qdrant_client import AsyncQdrantClient

            timeout = int(max(self._timeout, 1))
            self._client = AsyncQdrantClient(url=self._url, timeout=timeout, check_compatibility=False)
        return self._client

    def _down(self, key: str, name: str, error: Exception) -> DependencyDown:
        return DependencyDown(key, collection=name, address=str(self._url), problem=type(error).__name__)


def _failures() -> tuple[type[Exception], ...]:
    """The exceptions of a Qdrant that is unreachable or returns an error."""
    from qdrant_client.http.exceptions import ApiException

    return ApiException, OSError, ValueError


def _collection(name: str, index: Index) -> str:
    # Key numbers depend on glossary and layout, so both are part of the collection's name.
    return f"dbdiag-{_LAYOUT}-{name.removeprefix('sha256:')[:16]}-{index.compiled.fingerprint[:16]}"


def _merged(arms: Iterable[Sequence[tuple[int, float]]]) -> tuple[Recalled, ...]:
    """Merges the arms' (position, score) lists, in index order."""
    found: dict[int, list[float]] = {}
    for arm, hits in enumerate(arms):
        for number, score in hits:
            found.setdefault(number, [0.0, 0.0])[arm] = score
    return tuple(Recalled(number, *scores) for number, scores in sorted(found.items()))


def _points(index: Index) -> list[Any]:
    from qdrant_client import models

    points = []
    compiled = index.compiled
    for number, profile in enumerate(index.profiles):
        own = slice(compiled.ends[number], compiled.ends[number + 1])
        sparse = models.SparseVector(indices=compiled.terms[own].tolist(), values=compiled.strengths[own].tolist())
        points.append(
            models.PointStruct(
                id=number,
                vector={DENSE: compiled.means[number].tolist(), SPARSE: sparse},
                payload={"entry_id": profile.id},
            )
        )
    return points
