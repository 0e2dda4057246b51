"""grpc.health.v1 for a server whose services become ready one by one."""

from __future__ import annotations

import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

OVERALL = ""


class Health:
    """Answers Check and Watch; every name starts as NOT_SERVING."""

    def __init__(self, service_names: tuple[str, ...]) -> None:
        self._servicer = health.aio.HealthServicer()
        self._names = (OVERALL, *service_names)

    async def register(self, server: grpc.aio.Server) -> None:
        """Adds the health service to `server` with everything not serving yet."""
        for name in self._names:
            await self._servicer.set(name, health_pb2.HealthCheckResponse.NOT_SERVING)
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, server)

    async def serving(self, name: str) -> None:
        """Marks one service, or OVERALL, as ready."""
        await self._servicer.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def stopping(self) -> None:
        """Tells every watcher that no new calls are wanted."""
        await self._servicer.enter_graceful_shutdown()
