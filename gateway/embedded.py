"""All services and the gateway in one process: the same servicers and calls, on one private unix socket."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from gateway.settings import GatewaySettings, ensure_writable
from services.chassis import logs
from services.chassis.errors import Precondition
from services.chassis.server import Host, Servable
from services.chassis.settings import ServerSettings, load

EVERY = ("knowledge", "engine", "matcher", "planner", "analyst", "collector")


@contextlib.asynccontextmanager
async def services(
    data_dir: Path, environ: Mapping[str, str], names: Collection[str] = EVERY, database: Database | None = None
) -> AsyncIterator[str]:
    """Runs the named services until the block ends. Yields their common address.

    `database` takes the place of the collector's targets file. By default every service runs, the collector only if
    the PostgreSQL driver is installed. Raises Precondition for a named collector without it.
    """
    if names is EVERY and not _has_driver():
        names = EVERY[:-1]

    def apps(address: str) -> list[Servable]:
        makers: dict[str, Callable[[], Servable]] = {
            "knowledge": lambda: _knowledge(data_dir, environ),
            "engine": lambda: _engine(environ, address),
            "matcher": lambda: _matcher(environ, address),
            "planner": lambda: _planner(environ),
            "analyst": lambda: _analyst(data_dir, environ, address),
            "collector": lambda: _collector(data_dir, environ, database),
        }
        # Whoever reads snapshots starts after the service that has them.
        return [makers[name]() for name in EVERY if name in names]

    async with _host(apps, environ) as address:
        yield address


@contextlib.asynccontextmanager
async def engine(read: Callable[[str], bytes], current_id: str, environ: Mapping[str, str]) -> AsyncIterator[str]:
    """Runs the engine alone on the snapshots that `read` returns; compiles and publishes nothing.

    Yields its address; `current_id` is its current snapshot.
    """
    from services.engine.app import EngineApp
    from services.engine.settings import EngineSettings

    held = _FixedSource(read, current_id)
    async with _host(lambda _: [EngineApp(load(EngineSettings, environ), held)], environ) as address:
        yield address


@contextlib.asynccontextmanager
async def matcher(content: bytes, environ: Mapping[str, str]) -> AsyncIterator[str]:
    """Runs the matcher alone, without a language model, over one snapshot or plain JSON library; yields its address."""
    from services.matcher.app import MatcherApp
    from services.matcher.index.entries import read_world
    from services.matcher.index.snapshots import FixedSource
    from services.matcher.settings import MatcherSettings

    settings = load(MatcherSettings, environ).model_copy(update={"rerank_model": None, "agent_model": None})
    source = FixedSource(read_world(content))
    async with _host(lambda _: [MatcherApp(settings, source=source)], environ) as address:
        yield address


@contextlib.asynccontextmanager
async def planner(environ: Mapping[str, str]) -> AsyncIterator[str]:
    """Runs the planner alone; yields its address."""
    async with _host(lambda _: [_planner(environ)], environ) as address:
        yield address


@contextlib.asynccontextmanager
async def analyst(
    layer: Path, sources: Collection[str], environ: Mapping[str, str], seconds: float | None = None
) -> AsyncIterator[str]:
    """Runs the analyst alone over one layer and its data; yields its address.

    sources: files, folders or URLs; without any, what lies beside the layer. seconds: the limit of one statement.
    """
    from services.analyst.app import AnalystApp
    from services.analyst.dataset_registry import read_place
    from services.analyst.settings import AnalystSettings
    from services.analyst.sources.source import source_of

    place = read_place(layer, tuple(source_of(each) for each in sources))
    settings = load(AnalystSettings, environ, analyst_query_seconds=seconds)
    async with _host(lambda _: [AnalystApp(settings, {place.layer.dataset: place})], environ) as address:
        yield address


@contextlib.asynccontextmanager
async def _host(apps: Callable[[str], list[Servable]], environ: Mapping[str, str]) -> AsyncIterator[str]:
    # In a folder of mode 0700: anyone who can open the socket can call the services.
    with tempfile.TemporaryDirectory(prefix="dbdiag-") as folder:
        address = f"unix:{folder}/services.sock"
        host = Host(apps(address), load(ServerSettings, environ, bind=address))
        try:
            await host.start()
            yield address
        finally:
            await host.stop()


def _knowledge(data_dir: Path, environ: Mapping[str, str]) -> Servable:
    from services.knowledge.app import KnowledgeApp
    from services.knowledge.settings import KnowledgeSettings

    return KnowledgeApp(load(KnowledgeSettings, environ).within(data_dir))


def _engine(environ: Mapping[str, str], address: str) -> Servable:
    from services.engine.app import EngineApp
    from services.engine.settings import EngineSettings

    return EngineApp(load(EngineSettings, environ, engine_knowledge_address=address))


def _matcher(environ: Mapping[str, str], address: str) -> Servable:
    from services.matcher.app import MatcherApp
    from services.matcher.settings import MatcherSettings

    return MatcherApp(load(MatcherSettings, environ, matcher_knowledge_address=address))


def _planner(environ: Mapping[str, str]) -> Servable:
    from services.planner.app import PlannerApp
    from services.planner.settings import PlannerSettings

    return PlannerApp(load(PlannerSettings, environ))


def _analyst(data_dir: Path, environ: Mapping[str, str], address: str) -> Servable:
    from services.analyst.app import AnalystApp
    from services.analyst.settings import AnalystSettings

    return AnalystApp(load(AnalystSettings, environ, analyst_knowledge_address=address).within(data_dir))


def _collector(data_dir: Path, environ: Mapping[str, str], database: Database | None) -> Servable:
    if not _has_driver():
        raise Precondition("extra_missing.package", package="psycopg", extra="postgresql")
    from services.collector.app import CollectorApp
    from services.collector.settings import CollectorSettings
    from services.collector.targets.registry import read_connection

    targets = read_connection(*database) if database else None
    return CollectorApp(load(CollectorSettings, environ).within(data_dir), environ, targets)


def _has_driver() -> bool:
    return importlib.util.find_spec("psycopg") is not None


class Database(NamedTuple):
    """A PostgreSQL that stands in no targets file."""

    target_id: str
    conninfo: str
    standby_conninfo: str = ""


class _FixedSource:
    """See SnapshotSource of the engine: whatever `read` returns."""

    def __init__(self, read: Callable[[str], bytes], current_id: str) -> None:
        self._read = read
        self._current_id = current_id

    async def current_id(self) -> str:
        """The one that was named."""
        return self._current_id

    async def load(self, snapshot_id: str) -> bytes:
        """Any that can be read."""
        return await asyncio.to_thread(self._read, snapshot_id)


async def serve(settings: GatewaySettings, on_ready: Callable[[str], None] | None = None) -> None:
    """Serves everything until SIGTERM or SIGINT. Calls `on_ready` with the base URL once ready."""
    from gateway.app import serve as serve_gateway

    ensure_writable(settings.data_dir, "folder_advice")
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    async with services(settings.data_dir, os.environ) as address:
        served = ["engine", "matcher", "planner", "knowledge"]
        if settings.gateway_analyst_address is None:
            served.append("analyst")
        if _has_driver() and settings.gateway_collector_address is None:
            served.append("collector")
        here = settings.model_copy(update={f"gateway_{name}_address": address for name in served})
        await serve_gateway(here, stop, on_ready or _log_ready)


def _log_ready(url: str) -> None:
    logs.logger("gateway").info("ready", url=url)
