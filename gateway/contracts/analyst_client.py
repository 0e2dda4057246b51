"""The gateway's client of the analyst."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc.aio
from dbdiag.analyst.v1 import analyst_pb2 as analyst
from dbdiag.analyst.v1.analyst_pb2_grpc import AnalystServiceStub
from dbdiag.analyst.v1.analyst_types import AskRequest, AskResponse, DatasetSummary

from services.chassis import channel
from services.chassis.wire import from_wire, to_wire

# Opening a large file takes its time.
_ASK_SECONDS = 600.0
_LISTING_SECONDS = 5.0


class AnalystClient:
    """dbdiag.analyst.v1.AnalystService."""

    def __init__(self, opened: grpc.aio.Channel) -> None:
        self._stub: Any = AnalystServiceStub(opened)

    async def ask(self, request: AskRequest, seconds: float = _ASK_SECONDS) -> AsyncIterator[AskResponse]:
        """The parts of an answer as they come."""
        message = to_wire(request, analyst.AskRequest)
        call = self._stub.Ask(message, **channel.outgoing(seconds))
        async for part in channel.streamed(aiter(call), "the analyst"):
            yield from_wire(part, AskResponse)

    async def datasets(self) -> tuple[DatasetSummary, ...]:
        """What can be asked about, in id order."""
        call = self._stub.ListDatasets(analyst.ListDatasetsRequest(), **channel.outgoing(_LISTING_SECONDS))
        reply = await channel.answered(call, "the analyst")
        return tuple(from_wire(item, DatasetSummary) for item in reply.datasets)
