"""PlannerService on the wire: convert in, call the core, convert out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc.aio
from dbdiag.planner.v1 import planner_pb2 as pb
from dbdiag.planner.v1 import planner_pb2_grpc

from services.planner.labelled_cases import read_case
from services.planner.model import DecideRequest, Language, PlanEvidenceRequest, RespondRequest, Text
from services.planner.planner import Planner
from services.planner.wire import from_wire, to_wire

Context = grpc.aio.ServicerContext[Any, Any]


class PlannerServicer(planner_pb2_grpc.PlannerServiceServicer):
    """Serves one planner."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers this servicer."""
        planner_pb2_grpc.add_PlannerServiceServicer_to_server(self, server)

    async def Decide(self, request: pb.DecideRequest, context: Context) -> pb.DecideResponse:
        asked = from_wire(request, DecideRequest)
        return to_wire(await self._planner.decide(asked.view, asked.message), pb.DecideResponse)

    async def Respond(self, request: pb.RespondRequest, context: Context) -> AsyncIterator[pb.RespondResponse]:
        asked = from_wire(request, RespondRequest)
        language = asked.language or Language.EN
        reply = await self._planner.respond(
            asked.results, language, asked.message, asked.previous_text, asked.earlier_texts
        )
        for chunk in self._planner.chunks(reply.text):
            yield pb.RespondResponse(chunk=chunk)
        yield pb.RespondResponse(reply=to_wire(reply, pb.Reply))

    async def PlanEvidence(self, request: pb.PlanEvidenceRequest, context: Context) -> pb.PlanEvidenceResponse:
        plan = await self._planner.plan_evidence(from_wire(request, PlanEvidenceRequest))
        return to_wire(plan, pb.PlanEvidenceResponse)

    async def ReadCases(
        self, request_iterator: AsyncIterator[pb.ReadCasesRequest], context: Context
    ) -> AsyncIterator[pb.ReadCasesResponse]:
        known: dict[str, Text] = {}
        tests: dict[str, Text] = {}
        async for request in request_iterator:
            for item in request.known.items:
                known[item.phenomenon_id] = Text(item.name.zh, item.name.en)
                tests[item.phenomenon_id] = Text(item.present_when.zh, item.present_when.en)
            if request.HasField("labelled"):
                form = read_case(request.labelled.message, request.labelled.context, known, tests)
                yield pb.ReadCasesResponse(**form.model_dump())
