"""EngineService: converts requests, calls the core, converts replies. Calls are short and run on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol, TypeAlias, TypeVar

import grpc
import grpc.aio
from dbdiag.engine.v1 import engine_pb2 as pb
from dbdiag.engine.v1 import engine_pb2_grpc
from dbdiag.engine.v1 import engine_types as types
from google.protobuf.message import Message

from services.chassis.errors import DbdiagError, InvalidInput
from services.chassis.wire import from_wire, to_wire
from services.engine import model
from services.engine.diagnose import diagnose, expect_phenomena, explain_belief, what_if
from services.engine.inference.reasoner import ReasoningModel
from services.engine.serving import catalog
from services.engine.serving.cache import ModelCache
from services.engine.wire import (
    WriteDiagnosis,
    diagnosis_bytes,
    read_diagnose,
    read_expect,
    read_explain,
    read_what_if,
    turn_bytes,
)

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
Request = TypeVar("Request", bound="_OfSnapshot")
Reply = TypeVar("Reply", bound=Message)


class _OfSnapshot(Protocol):
    """A request that names a snapshot."""

    @property
    def snapshot_id(self) -> str: ...


class EngineServicer(engine_pb2_grpc.EngineServiceServicer):
    """See the contract.

    `threshold` applies if a request states none: the belief at which a cause is concluded. `write` serialises replies.
    """

    def __init__(self, models: ModelCache, threshold: float, write: WriteDiagnosis = diagnosis_bytes) -> None:
        self._models = models
        self._threshold = threshold
        self._write = write

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers the service with the server. Diagnose and DiagnoseStream return serialised replies."""
        engine_pb2_grpc.add_EngineServiceServicer_to_server(self, server)
        own: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "Diagnose": grpc.unary_unary_rpc_method_handler(self.Diagnose, pb.DiagnoseRequest.FromString),
            "DiagnoseStream": grpc.stream_stream_rpc_method_handler(
                self.DiagnoseStream, pb.DiagnoseStreamRequest.FromString
            ),
        }
        server.add_registered_method_handlers(pb.DESCRIPTOR.services_by_name["EngineService"].full_name, own)

    async def Diagnose(self, request: pb.DiagnoseRequest, context: Context) -> Any:
        """See the contract; returns the serialised reply."""
        return self._write(await self._diagnose(read_diagnose(request)))

    async def DiagnoseStream(
        self, request_iterator: AsyncIterator[pb.DiagnoseStreamRequest], context: Context
    ) -> AsyncIterator[Any]:
        """See the contract; yields serialised replies."""
        async for request in request_iterator:
            yield turn_bytes(await self._turn(request), self._write)

    async def Explain(self, request: pb.ExplainRequest, context: Context) -> pb.ExplainResponse:
        return await self._answer(read_explain(request), explain_belief, pb.ExplainResponse)

    async def WhatIf(self, request: pb.WhatIfRequest, context: Context) -> pb.WhatIfResponse:
        return await self._answer(read_what_if(request), what_if, pb.WhatIfResponse)

    async def Expect(self, request: pb.ExpectRequest, context: Context) -> pb.ExpectResponse:
        return await self._answer(read_expect(request), expect_phenomena, pb.ExpectResponse)

    async def ListPhenomena(self, request: pb.ListPhenomenaRequest, context: Context) -> pb.ListPhenomenaResponse:
        asked = from_wire(request, types.ListPhenomenaRequest)
        return await self._answer(asked, catalog.list_phenomena, pb.ListPhenomenaResponse)

    async def ListRootCauses(self, request: pb.ListRootCausesRequest, context: Context) -> pb.ListRootCausesResponse:
        asked = from_wire(request, types.ListRootCausesRequest)
        return await self._answer(asked, catalog.list_root_causes, pb.ListRootCausesResponse)

    async def ListRelations(self, request: pb.ListRelationsRequest, context: Context) -> pb.ListRelationsResponse:
        asked = from_wire(request, types.ListRelationsRequest)
        return await self._answer(asked, catalog.list_relations, pb.ListRelationsResponse)

    async def ListSnapshots(self, request: pb.ListSnapshotsRequest, context: Context) -> pb.ListSnapshotsResponse:
        current = self._models.current_id
        found = [
            catalog.describe_loaded(opened, opened.snapshot.snapshot_id == current)
            for opened in self._models.list_loaded()
        ]
        listed = types.ListSnapshotsResponse(tuple(found), model.ENGINE_VERSION)
        return to_wire(listed, pb.ListSnapshotsResponse)

    async def Evaluate(self, request: pb.EvaluateRequest, context: Context) -> AsyncIterator[pb.EvaluateResponse]:
        """See the contract. It runs in a thread: conversations are answered meanwhile."""
        from services.engine.calibration.evaluation import run_trial
        from services.engine.calibration.wire import evaluation_to_wire, trial_from_wire

        trial = trial_from_wire(request)
        opened = await self._models.get(request.snapshot_id)
        loop, steps = asyncio.get_running_loop(), asyncio.Queue[tuple[int, int] | None]()

        def report(done: int, total: int) -> None:
            loop.call_soon_threadsafe(steps.put_nowait, (done, total))

        running = asyncio.create_task(asyncio.to_thread(run_trial, opened, trial, report))
        running.add_done_callback(lambda _: steps.put_nowait(None))
        while (step := await steps.get()) is not None:
            yield pb.EvaluateResponse(progress=pb.EvaluationProgress(done=step[0], total=step[1]))
        yield pb.EvaluateResponse(evaluation=evaluation_to_wire(await running))

    async def _answer(
        self, asked: Request, compute: Callable[[ReasoningModel, Request], object], reply: type[Reply]
    ) -> Reply:
        return to_wire(compute(await self._models.get(asked.snapshot_id), asked), reply)

    async def _diagnose(self, request: model.DiagnoseRequest) -> model.Diagnosis:
        return diagnose(await self._models.get(request.snapshot_id), request, self._threshold)

    async def _turn(self, message: pb.DiagnoseStreamRequest) -> model.DiagnoseStreamResponse:
        try:
            if not message.HasField("diagnose"):
                raise InvalidInput("invalid_request.empty_stream_message")
            diagnosis = await self._diagnose(read_diagnose(message.diagnose))
        except DbdiagError as error:
            refusal = model.Refusal(error.reason, error.message)
            return model.DiagnoseStreamResponse(message.correlation_id, refusal=refusal)
        return model.DiagnoseStreamResponse(message.correlation_id, diagnosis=diagnosis)
