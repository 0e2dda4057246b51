"""Hosts one or several services on one grpc.aio server, from start to graceful drain.

A service is a `Servable`: it registers its servicer, starts (loads its data), and closes. The server listens
before services start, so that services in one process can call each other; health reports which are ready.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import grpc.aio
from grpc_reflection.v1alpha import reflection

from services.chassis import logs
from services.chassis.errors import DependencyDown, InvalidInput
from services.chassis.health import OVERALL, Health
from services.chassis.interceptors import CallInterceptor
from services.chassis.settings import ServerSettings

_OPTIONS = (
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    # The interceptor refuses calls above the limit with a reason; gRPC itself would silently drop one in ten.
    ("grpc.server.max_pending_requests", 100_000),
    ("grpc.server.max_pending_requests_hard_limit", 200_000),
)


class Servable(Protocol):
    """A service as its `app.py` builds it."""

    service_name: str

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server."""

    async def start(self) -> None:
        """Loads the service's data; earlier calls may fail with UNAVAILABLE."""

    async def close(self) -> None:
        """Releases everything; called once, even after a failed start."""


class Host:
    """A server with its services. Use as: `await host.start()`, then `await host.stop()`.

    `shared_port`: other processes listen on the same port, and the kernel balances connections.
    """

    def __init__(self, services: Sequence[Servable], settings: ServerSettings, shared_port: bool = False) -> None:
        self._services = services
        self._settings = settings
        self._shared_port = shared_port
        self._health = Health(tuple(service.service_name for service in services))
        self._log = logs.logger("server")
        self._server: grpc.aio.Server | None = None
        self.address = settings.bind

    async def start(self) -> None:
        """Listens, then starts the services in order. Raises DependencyDown if the address is unavailable."""
        if not self._shared_port:
            check_free(self._settings.bind)
        # Created here, because a server belongs to the event loop that creates it.
        self._server = grpc.aio.server(
            interceptors=[CallInterceptor(self._settings.max_concurrent_rpcs)],
            options=[("grpc.so_reuseport", int(self._shared_port)), *_OPTIONS],
        )
        await self._register(self._server)
        try:
            port = self._server.add_insecure_port(self._settings.bind)
        except RuntimeError as error:
            raise DependencyDown("address_in_use", bind=self._settings.bind, problem=str(error)) from error
        if not self._settings.bind.startswith("unix:"):
            self.address = f"{self._settings.bind.rsplit(':', 1)[0]}:{port}"
        await self._server.start()
        for service in self._services:
            await service.start()
            self._health.serving(service.service_name)
            self._log.info("ready", service=service.service_name, address=self.address)
        self._health.serving(OVERALL)

    async def _register(self, server: grpc.aio.Server) -> None:
        for service in self._services:
            service.register(server)
        self._health.register(server)
        names = (
            *(service.service_name for service in self._services),
            "grpc.health.v1.Health",
            reflection.SERVICE_NAME,
        )
        reflection.enable_server_reflection(names, server)

    async def stop(self) -> None:
        """Refuses new calls, waits up to `drain_seconds` for open ones, then closes the services."""
        self._health.stopping()
        if self._server is not None:
            await self._server.stop(self._settings.drain_seconds)
        for service in reversed(self._services):
            await service.close()
        self._log.info("stopped", address=self.address)


def check_free(bind: str) -> None:
    """Raises DependencyDown if `bind` is in use; gRPC's own message is less clear and goes to stderr."""
    host, _, port = bind.rpartition(":")
    if not bind.startswith("unix:") and host and port.isdecimal():
        with _told(bind):
            _bound(host, int(port), socket.SO_REUSEADDR).close()


@contextlib.contextmanager
def reserve_port(bind: str) -> Iterator[socket.socket]:
    """A socket that reserves the port of `bind` for the workers without listening.

    Raises InvalidInput for an address that cannot be shared, DependencyDown for an unavailable one.
    """
    host, _, port = bind.rpartition(":")
    if bind.startswith("unix:") or not (host and port.isdecimal()) or not hasattr(socket, "SO_REUSEPORT"):
        raise InvalidInput("invalid_request.not_shareable", bind=bind)
    # With SO_REUSEPORT alone, this process could join the shared port of another service.
    check_free(bind)
    with _told(bind):
        held = _bound(host, int(port), socket.SO_REUSEPORT)
    with held:
        yield held


@contextlib.contextmanager
def _told(bind: str) -> Iterator[None]:
    try:
        yield
    except socket.gaierror as error:
        raise InvalidInput("invalid_setting.no_such_address", bind=bind) from error
    except OSError as error:
        raise DependencyDown("address_in_use", bind=bind, problem=str(error.strerror or error)) from error


def _bound(host: str, port: int, option: int) -> socket.socket:
    found: list[tuple[Any, ...]] = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    made = socket.socket(found[0][0], socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, option, 1)
        made.bind(found[0][4])
    except OSError:
        made.close()
        raise
    return made
