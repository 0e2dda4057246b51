"""The gateway as a process: its clients, its sessions, its HTTP server."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Callable

from gateway import data_folder
from gateway.clients import Services
from gateway.conversation import Conversations
from gateway.settings import GatewaySettings
from gateway.store import SessionStore
from services.chassis import logs
from services.chassis.errors import DependencyDown, InvalidInput

CHOOSE_ANOTHER = "choose another folder with --data-dir or DBDIAG_DATA_DIR"


def sessions_url(settings: GatewaySettings) -> str:
    """Where sessions are kept: the configured URL, else a SQLite file in the data folder."""
    if settings.sessions_url:
        return settings.sessions_url
    folder = data_folder.made(settings.data_dir, CHOOSE_ANOTHER)
    return f"sqlite+aiosqlite:///{folder / 'sessions.db'}"


async def serve(settings: GatewaySettings, stop: asyncio.Event, on_ready: Callable[[str], None]) -> None:
    """Serves HTTP until `stop` is set, then lets running turns end. `on_ready` gets the base URL.

    Raises DependencyDown when the port cannot be had.
    """
    import uvicorn

    from gateway.http.app import create_app

    services = Services(
        settings.gateway_engine_address,
        settings.gateway_matcher_address,
        settings.gateway_planner_address,
        settings.gateway_knowledge_address,
        settings.gateway_collector_address,
    )
    store = SessionStore(sessions_url(settings))
    try:
        await store.start()
        conversations = Conversations(services, store, settings, time.time, lambda: uuid.uuid4().hex)
        app = create_app(conversations, services)
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1)
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

    # With the protocol named, connections are made without Nagle's delay of 40 ms an answer.
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except socket.gaierror as error:
        listener.close()
        message = f"setting host: this machine has no address {settings.host}"
        raise InvalidInput(message, reason="invalid_setting") from error
    except OSError as error:
        listener.close()
        raise DependencyDown(
            f"listening on {settings.host}:{settings.port}: {error.strerror}; choose another with --port",
            reason="address_in_use",
        ) from error
    # Signals belong to whoever started this, so uvicorn's own handling stays out of it.
    task = asyncio.create_task(server._serve(sockets=[listener]))
    try:
        while not server.started and not task.done():
            await asyncio.sleep(0.005)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        yield f"http://{host}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task
