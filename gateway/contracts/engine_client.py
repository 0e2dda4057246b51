"""The gateway's client of the engine: dataclasses in and out, failures raised as members of the error tree."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple, TypeVar

import grpc.aio
from dbdiag.engine.v1 import engine_pb2 as engine
from dbdiag.engine.v1.engine_pb2_grpc import EngineServiceStub
from dbdiag.engine.v1.engine_types import (
    DiagnoseRequest,
    DiagnoseResponse,
    Evidence,
    Expectation,
    ExplainResponse,
    Likeness,
    LoadedSnapshot,
    Phenomenon,
    Relation,
    RootCause,
    WhatIfResponse,
)

from services.chassis import channel
from services.chassis.errors import DbdiagError, DependencyDown, InvalidInput, NotFound
from services.chassis.wire import from_wire, to_wire

# Seconds one call may take; a turn's own deadline cuts this short.
_SECONDS = 10.0
# The most requests in one stream, whose deadline is that of a call.
_STREAMED = 100
# Reasons in a stream's refusals that do not blame the input.
_REFUSALS: dict[str, type[DbdiagError]] = {"snapshot_not_found": NotFound, "knowledge_unreachable": DependencyDown}

Value = TypeVar("Value")


class Known(NamedTuple):
    """What is known of a case: its snapshot, the evidence, and what its words as a whole sound like."""

    snapshot_id: str
    evidence: tuple[Evidence, ...]
    likeness: tuple[Likeness, ...] = ()


class EngineClient:
    """dbdiag.engine.v1.EngineService."""

    def __init__(self, opened: grpc.aio.Channel) -> None:
        self._stub: Any = EngineServiceStub(opened)

    async def _reply(self, method: str, request: Any) -> Any:
        call = getattr(self._stub, method)(request, **channel.outgoing(_SECONDS))
        return await channel.answered(call, "the engine")

    async def _ask(self, method: str, request: Any, kind: type[Value]) -> Value:
        return from_wire(await self._reply(method, request), kind)

    async def diagnose(self, request: DiagnoseRequest) -> DiagnoseResponse:
        """Beliefs, questions and perhaps a conclusion for the whole active evidence."""
        return await self._ask("Diagnose", to_wire(request, engine.DiagnoseRequest), DiagnoseResponse)

    async def diagnose_each(self, requests: Sequence[DiagnoseRequest]) -> AsyncIterator[DiagnoseResponse]:
        """The diagnoses of many requests, in order, at half the cost of as many calls. Raises the first refusal."""
        for start in range(0, len(requests), _STREAMED):
            batch = [to_wire(request, engine.DiagnoseRequest) for request in requests[start : start + _STREAMED]]
            messages = (engine.DiagnoseStreamRequest(diagnose=request) for request in batch)
            call = self._stub.DiagnoseStream(messages, **channel.outgoing(_SECONDS))
            async for reply in channel.streamed(call, "the engine"):
                if reply.HasField("refusal"):
                    reason = reply.refusal.reason
                    raise _REFUSALS.get(reason, InvalidInput)(reply.refusal.message, reason=reason)
                yield from_wire(reply.diagnosis, DiagnoseResponse)

    async def explain(self, known: Known, root_cause_id: str = "", phenomenon_id: str = "") -> ExplainResponse:
        """One cause taken apart (the leader when none is named), and why a question would be asked."""
        request = engine.ExplainRequest(
            snapshot_id=known.snapshot_id,
            evidence=_evidence(known.evidence),
            root_cause_id=root_cause_id,
            phenomenon_id=phenomenon_id,
            likeness=_likeness(known.likeness),
        )
        return await self._ask("Explain", request, ExplainResponse)

    async def what_if(self, known: Known, replace: tuple[Evidence, ...]) -> WhatIfResponse:
        """Beliefs as they are and as edited."""
        request = engine.WhatIfRequest(
            snapshot_id=known.snapshot_id,
            evidence=_evidence(known.evidence),
            replace=_evidence(replace),
            likeness=_likeness(known.likeness),
        )
        return await self._ask("WhatIf", request, WhatIfResponse)

    async def expect(self, known: Known, phenomenon_ids: Sequence[str]) -> tuple[Expectation, ...]:
        """How likely phenomena are by what is known beside them, in their order."""
        request = engine.ExpectRequest(
            snapshot_id=known.snapshot_id,
            evidence=_evidence(known.evidence),
            likeness=_likeness(known.likeness),
            phenomenon_ids=phenomenon_ids,
        )
        reply = await self._reply("Expect", request)
        return tuple(from_wire(item, Expectation) for item in reply.expectations)

    async def phenomena(self, snapshot_id: str) -> tuple[Phenomenon, ...]:
        """All phenomena of a snapshot, in id order."""
        reply = await self._reply("ListPhenomena", engine.ListPhenomenaRequest(snapshot_id=snapshot_id))
        return tuple(from_wire(item, Phenomenon) for item in reply.phenomena)

    async def root_causes(self, snapshot_id: str) -> tuple[RootCause, ...]:
        """All causes of a snapshot, in id order."""
        reply = await self._reply("ListRootCauses", engine.ListRootCausesRequest(snapshot_id=snapshot_id))
        return tuple(from_wire(item, RootCause) for item in reply.root_causes)

    async def relations(
        self, snapshot_id: str, phenomenon_id: str = "", root_cause_id: str = ""
    ) -> tuple[Relation, ...]:
        """Links of one phenomenon or cause, the likeliest first."""
        request = engine.ListRelationsRequest(
            snapshot_id=snapshot_id, phenomenon_id=phenomenon_id, root_cause_id=root_cause_id
        )
        reply = await self._reply("ListRelations", request)
        return tuple(from_wire(item, Relation) for item in reply.relations)

    async def snapshots(self) -> tuple[LoadedSnapshot, ...]:
        """The snapshots the engine has loaded."""
        reply = await self._reply("ListSnapshots", engine.ListSnapshotsRequest())
        return tuple(from_wire(item, LoadedSnapshot) for item in reply.snapshots)


def _evidence(evidence: tuple[Evidence, ...]) -> list[engine.Evidence]:
    return [to_wire(item, engine.Evidence) for item in evidence]


def _likeness(likeness: tuple[Likeness, ...]) -> list[engine.Likeness]:
    return [to_wire(item, engine.Likeness) for item in likeness]
