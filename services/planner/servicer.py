"""PlannerService on the wire: convert in, call the core, convert out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc.aio
from dbdiag.planner.v1 import planner_pb2 as pb
from dbdiag.planner.v1 import planner_pb2_grpc

from services.planner import wire
from services.planner.model import Language
from services.planner.planner import Planner

Context = grpc.aio.ServicerContext[Any, Any]


class PlannerServicer(planner_pb2_grpc.PlannerServiceServicer):
    """Serves one planner."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers this servicer."""
        planner_pb2_grpc.add_PlannerServiceServicer_to_server(self, server)

    async def Decide(self, request: pb.DecideRequest, context: Context) -> pb.DecideResponse:
        """See the contract."""
        plan = wire.plan_from_wire(request.plan) if request.HasField("plan") else None
        done = tuple(wire.outcome_from_wire(outcome) for outcome in request.done)
        decision = await self._planner.decide(wire.view_from_wire(request.view), request.message, plan, done)
        return wire.decision_to_wire(decision)

    async def Respond(self, request: pb.RespondRequest, context: Context) -> AsyncIterator[pb.RespondResponse]:
        """See the contract."""
        results = wire.results_from_wire(request.results)
        language = Language.ZH if request.language == pb.LANGUAGE_ZH else Language.EN
        reply = await self._planner.respond(results, language, request.message, request.previous_text)
        for chunk in self._planner.chunks(reply.text):
            yield pb.RespondResponse(chunk=chunk)
        yield pb.RespondResponse(reply=wire.reply_to_wire(reply))

    async def PlanEvidence(self, request: pb.PlanEvidenceRequest, context: Context) -> pb.PlanEvidenceResponse:
        """See the contract."""
        return wire.evidence_plan_to_wire(await self._planner.plan_evidence(wire.evidence_request_from_wire(request)))
