"""KnowledgeService over gRPC: converts requests, calls the core, converts answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc.aio
from dbdiag.knowledge.v1 import knowledge_pb2 as pb
from dbdiag.knowledge.v1 import knowledge_pb2_grpc
from dbdiag.knowledge.v1.knowledge_types import ListProposalsRequest, ReviewProposalRequest

from services.chassis.errors import InvalidInput, NotFound
from services.knowledge import wire
from services.knowledge.cases.case_learning import Learning, Reviewed
from services.knowledge.library.load import load_tickets
from services.knowledge.model import Manifest
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots import publish
from services.knowledge.snapshots.diff import diff
from services.knowledge.snapshots.publish import prepare
from services.knowledge.snapshots.store import SnapshotStore

CHUNK_BYTES = 1024 * 1024
LISTED_PUBLICATIONS = 100
LISTED_TICKETS = 500
MAX_EXPORT_BYTES = 256 * 1024 * 1024
Context = grpc.aio.ServicerContext[Any, Any]


class KnowledgeServicer(knowledge_pb2_grpc.KnowledgeServiceServicer):
    """Serves one store. Imports and publications run one at a time, off the event loop."""

    def __init__(self, settings: KnowledgeSettings, store: SnapshotStore, learning: Learning) -> None:
        self._settings = settings
        self._store = store
        self._learning = learning
        self._writing = asyncio.Lock()

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers this servicer."""
        knowledge_pb2_grpc.add_KnowledgeServiceServicer_to_server(self, server)

    async def ImportTickets(
        self, request_iterator: AsyncIterator[pb.ImportTicketsRequest], context: Context
    ) -> pb.ImportTicketsResponse:
        # Imported lazily, to keep the start fast.
        from services.knowledge.importing.importer import import_tickets
        from services.knowledge.importing.reading.mapping import read_mapping

        header, content = await _received(request_iterator)
        mapping = read_mapping(header.mapping.encode(), "the mapping") if header.mapping else None
        base = tuple(path for path in self._settings.library_paths() if path != self._settings.knowledge_site_library)
        async with self._writing:
            site = self._settings.knowledge_site_library
            report = await asyncio.to_thread(import_tickets, content, header.format, site, base, mapping=mapping)
        return wire.report_to_wire(report)

    async def GetSnapshot(
        self, request: pb.GetSnapshotRequest, context: Context
    ) -> AsyncIterator[pb.GetSnapshotResponse]:
        manifest, content = await asyncio.to_thread(self._whole, request.snapshot_id)
        yield pb.GetSnapshotResponse(manifest=wire.manifest_to_wire(manifest))
        for start in range(0, len(content), CHUNK_BYTES):
            yield pb.GetSnapshotResponse(chunk=content[start : start + CHUNK_BYTES])

    async def PrepareSnapshot(self, request: pb.PrepareSnapshotRequest, context: Context) -> pb.PrepareSnapshotResponse:
        async with self._writing:
            return await asyncio.to_thread(self._prepared, tuple(request.engines))

    async def ListSnapshots(self, request: pb.ListSnapshotsRequest, context: Context) -> pb.ListSnapshotsResponse:
        return await asyncio.to_thread(self._listed)

    async def DiffSnapshots(self, request: pb.DiffSnapshotsRequest, context: Context) -> pb.DiffSnapshotsResponse:
        before = await asyncio.to_thread(self._store.read, request.from_snapshot_id)
        after = await asyncio.to_thread(self._store.read, request.to_snapshot_id)
        return pb.DiffSnapshotsResponse(
            changes=[wire.to_wire(change, pb.SnapshotChange) for change in diff(before, after)]
        )

    async def PublishSnapshot(self, request: pb.PublishSnapshotRequest, context: Context) -> pb.PublishSnapshotResponse:
        if not request.author:
            raise InvalidInput("invalid_request.author_missing")
        async with self._writing:
            return await asyncio.to_thread(self._publish, request)

    async def ProposeCase(self, request: pb.ProposeCaseRequest, context: Context) -> pb.ProposeCaseResponse:
        async with self._writing:
            proposal = await asyncio.to_thread(self._learning.propose, wire.case_from_wire(request))
        return pb.ProposeCaseResponse(
            proposal_id=proposal.proposal_id, quarantined=proposal.quarantined, proposal=wire.proposal_to_wire(proposal)
        )

    async def ReviewProposal(self, request: pb.ReviewProposalRequest, context: Context) -> pb.ReviewProposalResponse:
        async with self._writing:
            reviewed = await asyncio.to_thread(self._review, request)
        return pb.ReviewProposalResponse(
            proposal_id=reviewed.proposal.proposal_id,
            decision=request.decision,
            ticket_id=reviewed.proposal.ticket_id if reviewed.proposal.teaches else "",
            proposal=wire.proposal_to_wire(reviewed.proposal),
            published_snapshot_id=reviewed.published_id,
        )

    async def ListTickets(
        self, request: pb.ListTicketsRequest, context: Context
    ) -> AsyncIterator[pb.ListTicketsResponse]:
        tickets = await asyncio.to_thread(load_tickets, self._settings.publishing_paths())
        for start in range(0, len(tickets), LISTED_TICKETS):
            shown = tickets[start : start + LISTED_TICKETS]
            yield pb.ListTicketsResponse(tickets=[wire.ticket_to_wire(ticket) for ticket in shown])

    async def ListProposals(self, request: pb.ListProposalsRequest, context: Context) -> pb.ListProposalsResponse:
        state = wire.from_wire(request, ListProposalsRequest).state
        found = await asyncio.to_thread(self._learning.all)
        shown = [wire.proposal_to_wire(item) for item in found if state in (None, item.state)]
        return pb.ListProposalsResponse(proposals=shown)

    async def GetProposal(self, request: pb.GetProposalRequest, context: Context) -> pb.GetProposalResponse:
        proposal = await asyncio.to_thread(self._learning.get, request.proposal_id)
        async with self._writing:
            preview = await asyncio.to_thread(self._learning.preview, proposal)
        return pb.GetProposalResponse(
            proposal=wire.proposal_to_wire(proposal),
            without_snapshot_id=preview.without_id,
            with_snapshot_id=preview.with_id,
        )

    def _review(self, request: pb.ReviewProposalRequest) -> Reviewed:
        decision = wire.from_wire(request, ReviewProposalRequest).decision
        if decision is None:
            raise InvalidInput("invalid_request.no_decision", proposal=request.proposal_id)
        return self._learning.review(
            request.proposal_id,
            decision,
            reviewer=request.reviewer,
            reason=request.reason,
            release_quarantine=request.release_quarantine,
            root_cause_id=request.root_cause_id,
        )

    def _publish(self, request: pb.PublishSnapshotRequest) -> pb.PublishSnapshotResponse:
        previous = self._store.current_id() or ""
        author, reason, identity = request.author, request.reason, request.snapshot_id
        if request.rollback:
            manifest = self._store.rollback(identity or None, author=author, reason=reason)
            return pb.PublishSnapshotResponse(manifest=wire.manifest_to_wire(manifest), previous_snapshot_id=previous)
        if not identity:
            paths = self._settings.publishing_paths()
            identity = publish.build(self._store, paths, author=author, reason=reason).snapshot_id
        manifest = self._store.publish(identity, author=author, reason=reason)
        return pb.PublishSnapshotResponse(manifest=wire.manifest_to_wire(manifest), previous_snapshot_id=previous)

    def _prepared(self, engines: tuple[str, ...]) -> pb.PrepareSnapshotResponse:
        current, configured = self._current(), self._settings.library_paths()
        return pb.PrepareSnapshotResponse(snapshot_id=prepare(self._store, current, configured, engines))

    def _whole(self, identity: str) -> tuple[Manifest, bytes]:
        identity = identity or self._current()
        return self._store.manifest(identity), self._store.read(identity)

    def _listed(self) -> pb.ListSnapshotsResponse:
        manifests = [wire.manifest_to_wire(manifest) for manifest in self._store.manifests()]
        record = [wire.publication_to_wire(item) for item in self._store.publications()[-LISTED_PUBLICATIONS:]]
        current = record[-1].snapshot_id if record else ""
        return pb.ListSnapshotsResponse(snapshots=manifests, current_snapshot_id=current, publications=record)

    def _current(self) -> str:
        current = self._store.current_id()
        if current is None:
            raise NotFound("snapshot_not_found.unpublished")
        return current


async def _received(requests: AsyncIterator[pb.ImportTicketsRequest]) -> tuple[pb.ImportHeader, bytes]:
    header: pb.ImportHeader | None = None
    content = bytearray()
    async for request in requests:
        part = request.WhichOneof("part")
        if (part == "header") != (header is None):
            raise InvalidInput("invalid_tickets.no_header_part")
        if header is None:
            header = request.header
        content += request.chunk
        if len(content) > MAX_EXPORT_BYTES:
            raise InvalidInput("invalid_tickets.too_large", limit=MAX_EXPORT_BYTES // CHUNK_BYTES)
    if header is None:
        raise InvalidInput("invalid_tickets.empty_stream")
    return header, bytes(content)
