"""AnalystService on the wire: convert in, call the core, convert out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import grpc.aio
from dbdiag.analyst.v1 import analyst_pb2 as pb
from dbdiag.analyst.v1 import analyst_pb2_grpc

from services.analyst.wire import read_ask, read_max_rows, to_wire

if TYPE_CHECKING:
    from services.analyst.core import AnalystCore

Context = grpc.aio.ServicerContext[Any, Any]


class AnalystServicer(analyst_pb2_grpc.AnalystServiceServicer):
    """Serves one core, which `load` makes at the first call."""

    def __init__(self, load: Callable[[], AnalystCore]) -> None:
        self._load = load

    @cached_property
    def _core(self) -> AnalystCore:
        return self._load()

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers this servicer."""
        analyst_pb2_grpc.add_AnalystServiceServicer_to_server(self, server)

    async def ListDatasets(self, request: pb.ListDatasetsRequest, context: Context) -> pb.ListDatasetsResponse:
        return pb.ListDatasetsResponse(datasets=[to_wire(each, pb.DatasetSummary) for each in self._core.summaries()])

    async def Ask(self, request: pb.AskRequest, context: Context) -> AsyncIterator[pb.AskResponse]:
        async for part in self._core.ask(read_ask(request)):
            yield to_wire(part, pb.AskResponse)

    async def GetSchema(self, request: pb.GetSchemaRequest, context: Context) -> pb.GetSchemaResponse:
        tables = await self._core.tables(request.dataset_id, tuple(request.table_names))
        return pb.GetSchemaResponse(tables=[to_wire(table, pb.Table) for table in tables])

    async def ValidateSql(self, request: pb.ValidateSqlRequest, context: Context) -> pb.ValidateSqlResponse:
        refusal = await self._core.refusal(request.dataset_id, request.sql)
        return pb.ValidateSqlResponse(allowed=not refusal, reason=refusal)

    async def ExecuteSql(self, request: pb.ExecuteSqlRequest, context: Context) -> pb.ExecuteSqlResponse:
        rows, seconds = await self._core.execute(request.dataset_id, request.sql, read_max_rows(request))
        return pb.ExecuteSqlResponse(result=to_wire(rows, pb.ResultSet), elapsed_seconds=seconds)
