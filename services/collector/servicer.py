"""CollectorService on the wire: convert in, call the core, convert out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc.aio
from dbdiag.collector.v1 import collector_pb2 as pb
from dbdiag.collector.v1 import collector_pb2_grpc

from services.chassis.errors import InvalidInput
from services.collector.collector import Collector
from services.collector.wire import read_request, to_wire

Context = grpc.aio.ServicerContext[Any, Any]


class CollectorServicer(collector_pb2_grpc.CollectorServiceServicer):
    """Serves one collector."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers this servicer."""
        collector_pb2_grpc.add_CollectorServiceServicer_to_server(self, server)

    async def ListTargets(self, request: pb.ListTargetsRequest, context: Context) -> pb.ListTargetsResponse:
        return pb.ListTargetsResponse(targets=[to_wire(item, pb.Target) for item in self._collector.targets.all()])

    async def ListChecks(self, request: pb.ListChecksRequest, context: Context) -> pb.ListChecksResponse:
        catalogue = self._collector.catalogue
        if request.category and request.category not in catalogue.routing.categories:
            raise InvalidInput("invalid_request.category", category=repr(request.category))
        engines = self._collector.targets.engines(request.target_id) if request.target_id else None

        checks = [check for check in catalogue.described() if engines is None or check.engine in engines]
        known = {check.check_id for check in checks}
        allowed = [check for check in checks if catalogue.allowed(check.check_id, request.category)]
        routes = [route for route in catalogue.routes(known) if request.category in ("", route.category)]
        return pb.ListChecksResponse(
            checks=[to_wire(check, pb.Check) for check in allowed],
            baseline_check_ids=[name for name in catalogue.routing.baseline if name in known],
            routes=[to_wire(route, pb.Route) for route in routes],
            engines=engines,
        )

    async def Collect(self, request: pb.CollectRequest, context: Context) -> AsyncIterator[pb.CollectResponse]:
        async for result in self._collector.collect(read_request(request)):
            yield to_wire(result, pb.CollectResponse)

    async def GetEvidence(self, request: pb.GetEvidenceRequest, context: Context) -> pb.GetEvidenceResponse:
        recorder = self._collector.recorder
        found = await asyncio.to_thread(recorder.read, request.session_id, request.evidence_ref)
        return to_wire(found, pb.GetEvidenceResponse)
