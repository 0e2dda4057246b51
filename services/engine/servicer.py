"""EngineService: convert in, call, convert out. Reasoning is short, so it runs on the event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, TypeAlias, TypeVar

import grpc
import grpc.aio
from dbdiag.engine.v1 import engine_pb2 as pb
from dbdiag.engine.v1 import engine_pb2_grpc
from google.protobuf.message import Message

from services.chassis.errors import DbdiagError, InvalidInput
from services.engine import catalog, catalog_model, model
from services.engine.cache import LibraryCache
from services.engine.diagnose import diagnose, explain_belief, what_if
from services.engine.reasoner import Library
from services.engine.wire import diagnosis_bytes, from_wire, to_wire, turn_bytes

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
Request = TypeVar("Request")
Reply = TypeVar("Reply", bound=Message)


class EngineServicer(engine_pb2_grpc.EngineServiceServicer):
    """See the contract. `threshold` is the belief from which a cause is concluded when the request states none."""

    def __init__(self, libraries: LibraryCache, threshold: float) -> None:
        self._libraries = libraries
        self._threshold = threshold

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers the service; the replies of two methods come as bytes already."""
        engine_pb2_grpc.add_EngineServiceServicer_to_server(self, server)
        own: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "Diagnose": grpc.unary_unary_rpc_method_handler(self.Diagnose, pb.DiagnoseRequest.FromString),
            "DiagnoseStream": grpc.stream_stream_rpc_method_handler(
                self.DiagnoseStream, pb.DiagnoseStreamRequest.FromString
            ),
        }
        server.add_registered_method_handlers(pb.DESCRIPTOR.services_by_name["EngineService"].full_name, own)

    async def Diagnose(self, request: pb.DiagnoseRequest, context: Context) -> Any:
        """See the contract; the bytes of its reply."""
        return diagnosis_bytes(await self._diagnose(from_wire(request, model.DiagnoseRequest)))

    async def DiagnoseStream(
        self, request_iterator: AsyncIterator[pb.DiagnoseStreamRequest], context: Context
    ) -> AsyncIterator[Any]:
        """See the contract; the bytes of its replies."""
        async for request in request_iterator:
            yield turn_bytes(await self._turn(request))

    async def Explain(self, request: pb.ExplainRequest, context: Context) -> pb.ExplainResponse:
        """See the contract."""
        return await self._answer(request, model.ExplainRequest, explain_belief, pb.ExplainResponse)

    async def WhatIf(self, request: pb.WhatIfRequest, context: Context) -> pb.WhatIfResponse:
        """See the contract."""
        return await self._answer(request, model.WhatIfRequest, what_if, pb.WhatIfResponse)

    async def ListPhenomena(self, request: pb.ListPhenomenaRequest, context: Context) -> pb.ListPhenomenaResponse:
        """See the contract."""
        return await self._answer(
            request, catalog_model.ListPhenomenaRequest, catalog.phenomena, pb.ListPhenomenaResponse
        )

    async def ListRootCauses(self, request: pb.ListRootCausesRequest, context: Context) -> pb.ListRootCausesResponse:
        """See the contract."""
        return await self._answer(
            request, catalog_model.ListRootCausesRequest, catalog.root_causes, pb.ListRootCausesResponse
        )

    async def ListRelations(self, request: pb.ListRelationsRequest, context: Context) -> pb.ListRelationsResponse:
        """See the contract."""
        return await self._answer(
            request, catalog_model.ListRelationsRequest, catalog.relations, pb.ListRelationsResponse
        )

    async def ListSnapshots(self, request: pb.ListSnapshotsRequest, context: Context) -> pb.ListSnapshotsResponse:
        """See the contract."""
        current = self._libraries.current_id
        found = [
            catalog.loaded(library, library.snapshot.snapshot_id == current) for library in self._libraries.loaded()
        ]
        return to_wire(catalog_model.SnapshotList(tuple(found), model.ENGINE_VERSION), pb.ListSnapshotsResponse)

    async def _answer(
        self, request: Any, kind: type[Request], compute: Callable[[Library, Request], object], reply: type[Reply]
    ) -> Reply:
        asked = from_wire(request, kind)
        return to_wire(compute(await self._libraries.get(request.snapshot_id), asked), reply)

    async def _diagnose(self, request: model.DiagnoseRequest) -> model.Diagnosis:
        return diagnose(await self._libraries.get(request.snapshot_id), request, self._threshold)

    async def _turn(self, message: pb.DiagnoseStreamRequest) -> model.DiagnoseStreamResponse:
        try:
            if not message.HasField("diagnose"):
                raise InvalidInput("a message of a stream without `diagnose`; an empty one asks for the prior beliefs")
            diagnosis = await self._diagnose(from_wire(message.diagnose, model.DiagnoseRequest))
        except DbdiagError as error:
            refusal = model.Refusal(error.reason, error.message)
            return model.DiagnoseStreamResponse(message.correlation_id, refusal=refusal)
        return model.DiagnoseStreamResponse(message.correlation_id, diagnosis=diagnosis)
