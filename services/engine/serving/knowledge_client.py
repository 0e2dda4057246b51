"""The knowledge service as a source of snapshots."""

from __future__ import annotations

from dbdiag.knowledge.v1 import knowledge_pb2, knowledge_pb2_grpc

from services.chassis import channel
from services.chassis.errors import DependencyDown, NotFound
from services.engine.tables.snapshot import digest_in

_PEER = "the knowledge service"
_CURRENT_SECONDS = 5.0
_LOAD_SECONDS = 60.0


class KnowledgeSource:
    """See SnapshotSource. This object owns the channel, which connects lazily."""

    def __init__(self, address: str) -> None:
        self._channel = channel.connect(address)
        self._stub = knowledge_pb2_grpc.KnowledgeServiceStub(self._channel)

    async def current_id(self) -> str:
        """See SnapshotSource."""
        request = knowledge_pb2.ListSnapshotsRequest()
        try:
            reply = await channel.answered(
                self._stub.ListSnapshots(request, **channel.outgoing(_CURRENT_SECONDS)), _PEER
            )
        except DependencyDown as error:
            raise _unreachable(error) from error
        if not reply.current_snapshot_id:
            raise NotFound("snapshot_not_found.none_published", peer=_PEER)
        return reply.current_snapshot_id

    async def load(self, snapshot_id: str) -> bytes:
        """See SnapshotSource."""
        digest_in(snapshot_id)
        request = knowledge_pb2.GetSnapshotRequest(snapshot_id=snapshot_id)
        chunks: list[bytes] = []
        try:
            call = self._stub.GetSnapshot(request, **channel.outgoing(_LOAD_SECONDS))
            async for reply in channel.streamed(aiter(call), _PEER):
                chunks.append(reply.chunk)
        except DependencyDown as error:
            raise _unreachable(error) from error
        return b"".join(chunks)

    async def close(self) -> None:
        """Closes the channel."""
        await self._channel.close()


def _unreachable(error: DependencyDown) -> DependencyDown:
    return DependencyDown(error.as_message, reason="knowledge_unreachable")
