"""grpc.health.v1 for a server whose services become ready one by one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

OVERALL = ""
_STATUS = health_pb2.HealthCheckResponse
# Its type stub describes the synchronous class.
_Servicer: Any = health_pb2_grpc.HealthServicer


class Health(_Servicer):  # type: ignore[misc]
    """Answers Check and Watch; every name starts as NOT_SERVING. A watch ends when the server stops."""

    def __init__(self, service_names: tuple[str, ...]) -> None:
        self._statuses: dict[str, Any] = dict.fromkeys((OVERALL, *service_names), _STATUS.NOT_SERVING)
        self._stopping = False
        self._changed = asyncio.Event()

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the health service to `server`."""
        health_pb2_grpc.add_HealthServicer_to_server(self, server)

    def serving(self, name: str) -> None:
        """Marks a service, or OVERALL, as ready, unless the server is stopping."""
        if not self._stopping:
            self._statuses[name] = _STATUS.SERVING
            self._tell()

    def stopping(self) -> None:
        """Reports NOT_SERVING to every watcher and ends its watch, which would otherwise hold up the drain."""
        self._statuses = dict.fromkeys(self._statuses, _STATUS.NOT_SERVING)
        self._stopping = True
        self._tell()

    async def Check(self, request: health_pb2.HealthCheckRequest, context: Any) -> health_pb2.HealthCheckResponse:
        """See the contract of grpc.health.v1."""
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, f"no service {request.service!r} here")
        return _STATUS(status=status)

    async def Watch(
        self, request: health_pb2.HealthCheckRequest, context: Any
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """See the contract of grpc.health.v1."""
        told = None
        while True:
            changed = self._changed
            status = self._statuses.get(request.service, _STATUS.SERVICE_UNKNOWN)
            if status != told:
                yield _STATUS(status=status)
                told = status
            elif self._stopping:
                return
            else:
                await changed.wait()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
