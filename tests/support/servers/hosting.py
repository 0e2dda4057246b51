"""A real Host with a real EngineService whose Diagnose is the test's own function, and a channel to it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc.aio
from dbdiag.engine.v1 import engine_pb2, engine_pb2_grpc

from services.chassis import channel
from services.chassis.server import Host
from services.chassis.settings import ServerSettings

Diagnose = Callable[[engine_pb2.DiagnoseRequest], Awaitable[engine_pb2.DiagnoseResponse]]
ENGINE = "dbdiag.engine.v1.EngineService"


async def echo(request: engine_pb2.DiagnoseRequest) -> engine_pb2.DiagnoseResponse:
    """Answers with the snapshot that was asked for."""
    return engine_pb2.DiagnoseResponse(snapshot_id=request.snapshot_id)


# Its type stub makes every method abstract; at run time those that are left out answer UNIMPLEMENTED.
_Servicer: Any = engine_pb2_grpc.EngineServiceServicer


class DiagnosingService(_Servicer):  # type: ignore[misc]
    """A Servable: Diagnose and each message of DiagnoseStream are answered by `diagnose`, the rest is not offered."""

    service_name = ENGINE

    def __init__(self, diagnose: Diagnose = echo) -> None:
        self._diagnose = diagnose
        self.closed = 0

    async def Diagnose(self, request: engine_pb2.DiagnoseRequest, context: Any) -> engine_pb2.DiagnoseResponse:
        """See the contract."""
        return await self._diagnose(request)

    async def DiagnoseStream(
        self, requests: AsyncIterator[engine_pb2.DiagnoseStreamRequest], context: Any
    ) -> AsyncIterator[engine_pb2.DiagnoseStreamResponse]:
        """See the contract."""
        async for request in requests:
            diagnosis = await self._diagnose(request.diagnose)
            yield engine_pb2.DiagnoseStreamResponse(correlation_id=request.correlation_id, diagnosis=diagnosis)

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server."""
        engine_pb2_grpc.add_EngineServiceServicer_to_server(self, server)

    async def start(self) -> None:
        """Nothing to load."""

    async def close(self) -> None:
        """Counts that it was asked to let go."""
        self.closed += 1


def on_loopback(**changes: Any) -> ServerSettings:
    """Settings of a server on a free port, which waits a second for open calls."""
    return ServerSettings(**{"bind": "127.0.0.1:0", "drain_seconds": 1.0, **changes})


@contextlib.asynccontextmanager
async def hosted(service: DiagnosingService, **changes: Any) -> AsyncIterator[tuple[Host, grpc.aio.Channel]]:
    """A started host and a channel to it, both closed in the end."""
    host = Host([service], on_loopback(**changes))
    try:
        await host.start()
        async with channel.connect(host.address) as opened:
            yield host, opened
    finally:
        await host.stop()


async def diagnose(
    opened: grpc.aio.Channel, snapshot_id: str = "", limit_seconds: float = 5.0
) -> engine_pb2.DiagnoseResponse:
    """One Diagnose call as a service makes it: ids and deadline passed on, failures of the error tree."""
    stub: Any = engine_pb2_grpc.EngineServiceStub(opened)
    request = engine_pb2.DiagnoseRequest(snapshot_id=snapshot_id)
    reply: engine_pb2.DiagnoseResponse = await channel.answered(
        stub.Diagnose(request, **channel.outgoing(limit_seconds)), "the engine"
    )
    return reply
