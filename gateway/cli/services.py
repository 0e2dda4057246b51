"""The services behind a verb: those at the configured addresses, or embedded ones that run while the verb does.

Either way a verb calls them through the same clients.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway import embedded
from gateway.contracts.clients import Services
from services.chassis import channel, logs

if TYPE_CHECKING:
    from gateway.contracts.clients import AnalystClient
    from gateway.contracts.trials import CaseReader


@contextlib.asynccontextmanager
async def start(
    data_dir: Path, *names: str, targets: Path | None = None, database: embedded.Database | None = None
) -> AsyncIterator[Services]:
    """Clients of the named services, started over a data folder; the collector's are `targets` or the `database`."""
    environ = dict(os.environ) | ({"DBDIAG_COLLECTOR_TARGETS": str(targets)} if targets else {})
    async with _connect_to(embedded.services(data_dir, environ, names, database)) as services:
        yield services


@contextlib.asynccontextmanager
async def start_engine(read: Callable[[str], bytes], current_id: str) -> AsyncIterator[Services]:
    """Clients of an engine alone, over the snapshots that `read` returns."""
    async with _connect_to(embedded.engine(read, current_id, os.environ)) as services:
        yield services


@contextlib.asynccontextmanager
async def start_matcher(content: bytes) -> AsyncIterator[Services]:
    """Clients of a matcher alone, over one snapshot or plain JSON library."""
    async with _connect_to(embedded.matcher(content, os.environ)) as services:
        yield services


@contextlib.asynccontextmanager
async def start_case_reader(known: Iterable[Mapping[str, Any]]) -> AsyncIterator[CaseReader]:
    """A reader of labelled cases in a planner alone; `known`: the phenomena of the library."""
    from gateway.contracts.trials import CaseReader

    async with _quiet(embedded.planner(os.environ)) as address, channel.connect(address) as opened:
        reader = CaseReader(opened, known)
        try:
            yield reader
        finally:
            await reader.close()


@contextlib.asynccontextmanager
async def start_analyst(layer: Path, sources: Iterable[str]) -> AsyncIterator[AnalystClient]:
    """A client of an analyst alone, over one layer and its data."""
    from gateway.contracts.clients import AnalystClient

    hosted = embedded.analyst(layer, tuple(sources), os.environ)
    async with _quiet(hosted) as address, channel.connect(address) as opened:
        yield AnalystClient(opened)


async def evaluate(snapshot: bytes, request: Mapping[str, Any], progress: Callable[[int, int], None]) -> Any:
    """What an engine of its own measures over one snapshot."""
    from gateway.contracts.trials import evaluate as evaluate_at

    hosted = embedded.engine(lambda _: snapshot, f"sha256:{hashlib.sha256(snapshot).hexdigest()}", os.environ)
    async with _quiet(hosted) as address, channel.connect(address) as opened:
        return await evaluate_at(opened, request, progress)


@contextlib.asynccontextmanager
async def _connect_to(hosted: AbstractAsyncContextManager[str]) -> AsyncIterator[Services]:
    async with _quiet(hosted) as address, Services(*(address,) * 6) as services:
        yield services


def _quiet(hosted: AbstractAsyncContextManager[str]) -> AbstractAsyncContextManager[str]:
    """What services log when all is well is no part of what a verb prints."""
    logs.configure("warning")
    return hosted
