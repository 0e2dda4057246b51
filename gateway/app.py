"""The gateway as a process: its clients, its sessions, its HTTP server."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Callable

from gateway.contracts.clients import Services
from gateway.http.admission import check_exposure, read_doors
from gateway.session.store import SessionStore
from gateway.settings import GatewaySettings, ensure_writable
from gateway.turn.conversations import Conversations
from services.chassis import logs
from services.chassis.errors import DependencyDown, InvalidInput


def sessions_url(settings: GatewaySettings) -> str:
    """The URL of the session store: as configured, else a SQLite file in the data folder."""
    if settings.sessions_url:
        return settings.sessions_url
    folder = ensure_writable(settings.data_dir, "folder_advice")
    return f"sqlite:///{folder / 'sessions.db'}"


async def serve(settings: GatewaySettings, stop: asyncio.Event, on_ready: Callable[[str], None]) -> None:
    """Serves HTTP until `stop` is set, then waits for running turns. Calls `on_ready` with the base URL.

    Raises InvalidInput if other machines could connect without a token, DependencyDown if the port is unavailable.
    """
    check_exposure(settings)
    import uvicorn

    from gateway.http.app import create_app

    services = Services.of(settings)
    store = SessionStore(sessions_url(settings))
    try:
        await store.start()
        conversations = Conversations(services, store, settings, time.time, lambda: uuid.uuid4().hex)
        app = create_app(conversations, services, read_doors(settings))
        config = uvicorn.Config(
            app, loop="asyncio", log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        async with _listening(server, settings) as url:
            on_ready(url)
            await stop.wait()
            logs.logger("gateway").info("stopping")
        await asyncio.wait_for(app.state.drain(), settings.drain_seconds)
    finally:
        await store.close()
        await services.close()


@contextlib.asynccontextmanager
async def _listening(server, settings: GatewaySettings) -> AsyncIterator[str]:  # type: ignore[no-untyped-def]
    import socket

    # Naming the protocol disables Nagle's algorithm, which would delay each answer by 40 ms.
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except socket.gaierror as error:
        listener.close()
        raise InvalidInput("invalid_setting.host", host=settings.host) from error
    except OSError as error:
        listener.close()
        place = f"{settings.host}:{settings.port}"
        raise DependencyDown("address_in_use.port", place=place, problem=str(error.strerror)) from error
    # The caller handles signals, not uvicorn.
    task = asyncio.create_task(server._serve(sockets=[listener]))
    try:
        while not server.started and not task.done():
            await asyncio.sleep(0.005)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        yield f"http://{host}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task
