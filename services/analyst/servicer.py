"""AnalystService on the wire: convert in, call the core, convert out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import grpc.aio
from dbdiag.analyst.v1 import analyst_pb2 as pb
from dbdiag.analyst.v1 import analyst_pb2_grpc

from services.analyst.analyst import Analyst, language_of
from services.analyst.dataset_registry import Datasets
from services.analyst.result_sets import result_set
from services.analyst.schemas import read_tables, summarise
from services.analyst.wire import read_ask, read_max_rows, to_wire

Context = grpc.aio.ServicerContext[Any, Any]


class AnalystServicer(analyst_pb2_grpc.AnalystServiceServicer):
    """Serves the datasets of one registry."""

    def __init__(self, analyst: Analyst, datasets: Datasets) -> None:
        self._analyst, self._datasets = analyst, datasets

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers this servicer."""
        analyst_pb2_grpc.add_AnalystServiceServicer_to_server(self, server)

    async def ListDatasets(self, request: pb.ListDatasetsRequest, context: Context) -> pb.ListDatasetsResponse:
        return pb.ListDatasetsResponse(
            datasets=[to_wire(summarise(layer), pb.DatasetSummary) for layer in self._datasets.layers]
        )

    async def Ask(self, request: pb.AskRequest, context: Context) -> AsyncIterator[pb.AskResponse]:
        asked = read_ask(request)
        opened = await self._datasets.for_question(asked, language_of(asked))
        async for part in self._analyst.ask(asked, opened):
            yield to_wire(part, pb.AskResponse)

    async def GetSchema(self, request: pb.GetSchemaRequest, context: Context) -> pb.GetSchemaResponse:
        opened = await self._datasets.get(request.dataset_id)
        tables = await read_tables(opened, tuple(request.table_names))
        return pb.GetSchemaResponse(tables=[to_wire(table, pb.Table) for table in tables])

    async def ValidateSql(self, request: pb.ValidateSqlRequest, context: Context) -> pb.ValidateSqlResponse:
        opened = await self._datasets.get(request.dataset_id)
        checked = await opened.tools.execute("validate_sql", sql=request.sql)
        return pb.ValidateSqlResponse(allowed=checked.success, reason=str(checked.error) if checked.error else "")

    async def ExecuteSql(self, request: pb.ExecuteSqlRequest, context: Context) -> pb.ExecuteSqlResponse:
        opened = await self._datasets.get(request.dataset_id)
        limits = replace(opened.limits, max_rows=read_max_rows(request))
        result = await opened.runner.run(request.sql, limits)
        rows = to_wire(result_set(result, (), None), pb.ResultSet)
        return pb.ExecuteSqlResponse(result=rows, elapsed_seconds=result.seconds)
