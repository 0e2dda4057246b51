"""Clients of the calls that only the command line makes: evaluations of the engine, and labelled cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import grpc.aio
from dbdiag.engine.v1 import engine_pb2 as engine
from dbdiag.engine.v1.engine_pb2_grpc import EngineServiceStub
from dbdiag.planner.v1 import planner_pb2 as planner
from dbdiag.planner.v1.planner_pb2_grpc import PlannerServiceStub
from google.protobuf.json_format import MessageToDict

from services.chassis import channel

# A person who does not want to wait any longer ends the verb.
_SECONDS = 86_400.0


async def evaluate(opened: grpc.aio.Channel, request: Mapping[str, Any], progress: Callable[[int, int], None]) -> Any:
    """The Evaluation that an EvaluateRequest leads to; `progress` takes the cases played, and of how many."""
    stub: Any = EngineServiceStub(opened)
    call = stub.Evaluate(engine.EvaluateRequest(**request), **channel.outgoing(_SECONDS))
    evaluation = engine.Evaluation()
    async for part in channel.streamed(call, "the engine"):
        if part.HasField("progress"):
            progress(part.progress.done, part.progress.total)
        evaluation = part.evaluation
    return evaluation


class CaseReader:
    """Reads labelled cases, one after the other; `known` are the library's phenomena, with the fields of Item."""

    def __init__(self, opened: grpc.aio.Channel, known: Iterable[Mapping[str, Any]]) -> None:
        stub: Any = PlannerServiceStub(opened)
        self._call = stub.ReadCases(**channel.outgoing(_SECONDS))
        items = [planner.Item(**item) for item in known]
        self._pending: list[Any] = [planner.ReadCasesRequest(known=planner.KnownPhenomena(items=items))]

    async def read(self, message: str, context: str) -> dict[str, Any]:
        """The message's plan in the form of labelled files. Raises InvalidInput for a context of another form."""
        labelled = planner.LabelledCase(message=message, context=context)
        self._pending.append(planner.ReadCasesRequest(labelled=labelled))
        reply = await channel.answered(self._exchange(), "the planner")
        plan = MessageToDict(reply, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
        plan["corrections"] = [
            {"original": item["original"], "corrected": item.get("corrected")} for item in plan["corrections"]
        ]
        return {name: plan[name] for name in planner.ReadCasesResponse.DESCRIPTOR.fields_by_name}

    async def close(self) -> None:
        """Ends the stream, so that no server has to cut it."""
        if not self._call.done():
            await self._call.done_writing()
            await self._call.read()

    async def _exchange(self) -> planner.ReadCasesResponse:
        while self._pending:
            await self._call.write(self._pending.pop(0))
        reply: planner.ReadCasesResponse = await self._call.read()
        return reply
