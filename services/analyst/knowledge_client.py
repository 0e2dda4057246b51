"""The analyst's client of the knowledge service: snapshots, for questions about what this installation knows."""

from __future__ import annotations

import json
from typing import Any

from dbdiag.knowledge.v1 import knowledge_pb2 as pb
from dbdiag.knowledge.v1.knowledge_pb2_grpc import KnowledgeServiceStub

from services.chassis import channel
from services.chassis.errors import NotFound

_PEER = "the knowledge service"
_LIST_SECONDS, _FETCH_SECONDS = 5.0, 30.0


class KnowledgePeer:
    """A SnapshotReader over gRPC."""

    def __init__(self, address: str) -> None:
        self._channel = channel.connect(address)
        self._stub: Any = KnowledgeServiceStub(self._channel)

    async def current_id(self) -> str:
        """The id of the current snapshot. Raises NotFound without any."""
        call = self._stub.ListSnapshots(pb.ListSnapshotsRequest(), **channel.outgoing(_LIST_SECONDS))
        listed = await channel.answered(call, _PEER)
        if not listed.current_snapshot_id:
            raise NotFound("snapshot_not_found.none_to_ask")
        return str(listed.current_snapshot_id)

    async def read(self, snapshot_id: str) -> dict[str, Any]:
        """The values of a snapshot."""
        call = self._stub.GetSnapshot(
            pb.GetSnapshotRequest(snapshot_id=snapshot_id), **channel.outgoing(_FETCH_SECONDS)
        )
        content = b"".join([part.chunk async for part in channel.streamed(aiter(call), _PEER)])
        found: dict[str, Any] = json.loads(content)
        return found

    async def tickets(self) -> list[dict[str, Any]]:
        """The records of all tickets in id order, as the libraries' files have them."""
        call = self._stub.ListTickets(pb.ListTicketsRequest(), **channel.outgoing(_FETCH_SECONDS))
        return [_record(one) async for part in channel.streamed(aiter(call), _PEER) for one in part.tickets]

    async def close(self) -> None:
        """Closes the channel."""
        await self._channel.close()


def _record(ticket: pb.TicketRecord) -> dict[str, Any]:
    return {
        "ticket_id": ticket.ticket_id,
        "root_cause_id": ticket.root_cause_id,
        "description": ticket.description,
        "metadata": {
            "db_type": ticket.engine,
            "version": ticket.version,
            "module": ticket.module,
            "severity": ticket.severity,
            "created_at": ticket.created_at,
        },
        "root_cause": ticket.finding,
        "solution": ticket.solution,
        "anomalies": [{"phenomenon_id": each} for each in ticket.phenomenon_ids],
    }
