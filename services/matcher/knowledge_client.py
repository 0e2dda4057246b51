"""The matcher's client of the knowledge service."""

from __future__ import annotations

import time
from collections.abc import Callable

from dbdiag.knowledge.v1 import knowledge_pb2 as pb
from dbdiag.knowledge.v1.knowledge_pb2_grpc import KnowledgeServiceStub

from services.chassis import channel
from services.chassis.errors import DependencyDown, NotFound
from services.matcher.index.entries import Library, read_snapshot

_PEER = "the knowledge service"
_LIST_SECONDS, _FETCH_SECONDS = 5.0, 30.0


class KnowledgePeer:
    """A SnapshotSource over gRPC. The current snapshot's name is cached for `refresh_seconds`."""

    def __init__(self, address: str, refresh_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._address, self._refresh, self._clock = address, refresh_seconds, clock
        self._channel = channel.connect(address)
        self._stub = KnowledgeServiceStub(self._channel)
        self._current, self._asked_at = "", float("-inf")

    async def current_id(self) -> str:
        """See SnapshotSource."""
        if self._current and self._clock() - self._asked_at < self._refresh:
            return self._current
        with _translated(self._address):
            call = self._stub.ListSnapshots(pb.ListSnapshotsRequest(), **channel.outgoing(_LIST_SECONDS))
            listed = await channel.answered(call, _PEER)
        if not listed.current_snapshot_id:
            raise NotFound("snapshot_not_found.none_to_match")
        self._current, self._asked_at = listed.current_snapshot_id, self._clock()
        return self._current

    async def fetch(self, snapshot_id: str) -> Library:
        """See SnapshotSource."""
        content = bytearray()
        with _translated(self._address):
            call = self._stub.GetSnapshot(
                pb.GetSnapshotRequest(snapshot_id=snapshot_id), **channel.outgoing(_FETCH_SECONDS)
            )
            async for part in channel.streamed(aiter(call), _PEER):
                content += part.chunk
        return read_snapshot(bytes(content), snapshot_id)

    async def close(self) -> None:
        """Closes the channel."""
        await self._channel.close()


class _translated:
    """Converts any DependencyDown raised inside the block to the reason `knowledge_unreachable`."""

    def __init__(self, address: str) -> None:
        self._address = address

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, DependencyDown):
            raise DependencyDown(
                "knowledge_unreachable.check_it_runs", address=self._address, problem=error.as_message
            ) from error
