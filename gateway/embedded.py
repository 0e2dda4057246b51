"""All services and the gateway in one process: the same servicers and calls, on one private unix socket."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gateway import data_folder
from gateway.settings import GatewaySettings
from services.chassis import logs
from services.chassis.server import Host, Servable
from services.chassis.settings import ServerSettings, load

if TYPE_CHECKING:
    from services.knowledge.store import SnapshotStore


@contextlib.asynccontextmanager
async def services(data_dir: Path, environ: Mapping[str, str]) -> AsyncIterator[str]:
    """Runs every service until the block ends; the value is the address they all answer on."""
    from services.engine.app import EngineApp
    from services.engine.settings import EngineSettings
    from services.knowledge.app import KnowledgeApp
    from services.knowledge.settings import KnowledgeSettings
    from services.matcher.app import MatcherApp
    from services.matcher.settings import MatcherSettings
    from services.planner.app import PlannerApp
    from services.planner.settings import PlannerSettings

    # A folder only this user can enter: whoever can open the socket can call the services.
    with tempfile.TemporaryDirectory(prefix="dbdiag-") as folder:
        address = f"unix:{folder}/services.sock"
        apps: list[Servable] = [
            KnowledgeApp(load(KnowledgeSettings, environ).within(data_dir)),
            EngineApp(load(EngineSettings, environ, engine_knowledge_address=address)),
            MatcherApp(load(MatcherSettings, environ, matcher_knowledge_address=address)),
            PlannerApp(load(PlannerSettings, environ)),
            *_collector(data_dir, environ),
        ]
        host = Host(apps, load(ServerSettings, environ, bind=address))
        try:
            await host.start()
            yield address
        finally:
            await host.stop()


def _collector(data_dir: Path, environ: Mapping[str, str]) -> list[Servable]:
    """The collector, where the driver is installed that it reads PostgreSQL by."""
    if not _has_driver():
        return []
    from services.collector.app import CollectorApp
    from services.collector.settings import CollectorSettings

    return [CollectorApp(load(CollectorSettings, environ).within(data_dir), environ)]


def _has_driver() -> bool:
    return importlib.util.find_spec("psycopg") is not None


@contextlib.asynccontextmanager
async def engine(store: SnapshotStore, current_id: str, environ: Mapping[str, str]) -> AsyncIterator[str]:
    """Runs the engine alone over stored snapshots until the block ends; nothing is compiled or published.

    The value is its address; `current_id` is the snapshot that it takes for the current one.
    """
    from services.engine.app import EngineApp
    from services.engine.settings import EngineSettings

    with tempfile.TemporaryDirectory(prefix="dbdiag-") as folder:
        address = f"unix:{folder}/engine.sock"
        settings = load(EngineSettings, environ)
        host = Host([EngineApp(settings, _Stored(store, current_id))], load(ServerSettings, environ, bind=address))
        try:
            await host.start()
            yield address
        finally:
            await host.stop()


@contextlib.asynccontextmanager
async def planner(environ: Mapping[str, str]) -> AsyncIterator[str]:
    """Runs the planner alone until the block ends; the value is its address."""
    from services.planner.app import PlannerApp
    from services.planner.settings import PlannerSettings

    with tempfile.TemporaryDirectory(prefix="dbdiag-") as folder:
        address = f"unix:{folder}/planner.sock"
        host = Host([PlannerApp(load(PlannerSettings, environ))], load(ServerSettings, environ, bind=address))
        try:
            await host.start()
            yield address
        finally:
            await host.stop()


class _Stored:
    """The engine's source of snapshots: a store."""

    def __init__(self, store: SnapshotStore, current_id: str) -> None:
        self._store = store
        self._current_id = current_id

    async def current_id(self) -> str:
        """The one that was named."""
        return self._current_id

    async def load(self, snapshot_id: str) -> bytes:
        """Any that is stored."""
        return await asyncio.to_thread(self._store.read, snapshot_id)


async def serve(settings: GatewaySettings, on_ready: Callable[[str], None] | None = None) -> None:
    """Serves everything until SIGTERM or SIGINT. `on_ready` gets the base URL once answers can be had."""
    from gateway.app import CHOOSE_ANOTHER
    from gateway.app import serve as serve_gateway

    data_folder.made(settings.data_dir, CHOOSE_ANOTHER)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    async with services(settings.data_dir, os.environ) as address:
        served = ["engine", "matcher", "planner", "knowledge"]
        if _has_driver() and settings.gateway_collector_address is None:
            served.append("collector")
        here = settings.model_copy(update={f"gateway_{name}_address": address for name in served})
        await serve_gateway(here, stop, on_ready or _log_ready)


def _log_ready(url: str) -> None:
    logs.logger("gateway").info("ready", url=url)
