"""Routes the checks of one call to executors; the first check that needs a connection opens it, for all of them."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import NamedTuple, Protocol, Self

from lang.expressions import Reads
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.executors.host.executor import HostExecutor
from services.collector.executors.host.ssh import SshExecutor
from services.collector.executors.mysql.executor import MysqlExecutor
from services.collector.executors.postgres.executor import PostgresExecutor
from services.collector.executors.postgres.pool import PostgresPool
from services.collector.executors.prometheus.executor import PrometheusExecutor
from services.collector.failures import TargetUnreachable
from services.collector.model import TargetKind
from services.collector.targets.registry import Targets
from services.collector.targets.schema import (
    HostEntry,
    MysqlEntry,
    PostgresEntry,
    PrometheusEntry,
    SshEntry,
    TargetEntry,
)


class Executor(Protocol):
    """An open connection that runs checks."""

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises CheckFailed."""

    def statement(self, check: CatalogueCheck) -> str:
        """The statement, program or file that a check uses."""


# Executors that several checks may use at the same time.
_SHARED = (PostgresExecutor, MysqlExecutor, HostExecutor, SshExecutor)


class _Place(NamedTuple):
    """Where a check runs: an entry with an engine, or its standby."""

    entry: TargetEntry
    engine: str
    standby: bool = False


# The program name of a database's own processes, and the column of it in each source of processes.
_SERVERS = {TargetKind.POSTGRES: "postgres", TargetKind.MYSQL: "mysqld"}
_PROGRAMS = {"processes": "name", "busiest": "program"}
_ENGINES = {"java": "host", "node_exporter": "prometheus", "postgres_exporter": "prometheus"}


def _engine(check: CatalogueCheck) -> str:
    """Checks of a JVM run on its host, and those of exporters on one Prometheus."""
    return _ENGINES.get(check.engine, check.engine)


class Router:
    """The executors of one target and its host. Use as `async with Router(targets, entry, clock, pool) as router`."""

    def __init__(self, targets: Targets, entry: TargetEntry, clock: Callable[[], float], pool: PostgresPool) -> None:
        self._targets = targets
        self._entry = entry
        self._clock = clock
        self._pool = pool
        self._executors: dict[_Place, Executor | TargetUnreachable] = {}
        self._opening = asyncio.Lock()
        self._turns: defaultdict[_Place, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._open = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._open.aclose()

    @property
    def unreached(self) -> TargetUnreachable | None:
        """Why the target itself could not be reached; None if it was, or was not needed."""
        own = (item for place, item in self._executors.items() if place.entry is self._entry and not place.standby)
        return next((item for item in own if isinstance(item, TargetUnreachable)), None)

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises CheckFailed. Checks take turns on connections that cannot be shared."""
        place = await self._place(check)
        executor = await self._executor(place)
        turn = contextlib.nullcontext() if isinstance(executor, _SHARED) else self._turns[place]
        try:
            async with turn:
                return self._without_own_processes(check, await executor.read(check, parameters))
        except TargetUnreachable as error:
            self._executors[place] = located = self._locate(place, error)
            raise located from None

    def _without_own_processes(self, check: CatalogueCheck, reads: Reads) -> Reads:
        """Drops the database's own processes from those of its host: its own checks cover them."""
        column, own = _PROGRAMS.get(check.source), _SERVERS.get(self._entry.kind)
        if column is None or own is None:
            return reads
        return replace(reads, reads=tuple(tuple(row for row in rows if row[column] != own) for rows in reads.reads))

    def statement(self, check: CatalogueCheck) -> str:
        """The statement, program or file that a check uses; empty if it did not run."""
        fitting = (item for place, item in self._executors.items() if place.engine == _engine(check))
        return next((item.statement(check) for item in fitting if not isinstance(item, TargetUnreachable)), "")

    async def _place(self, check: CatalogueCheck) -> _Place:
        """Where a check runs: one for standbys on the target's standby, if it has one and is none itself."""
        parts = self._targets.parts_of(self._entry)
        entry = next(part for part in parts if check.engine in part.engines())
        here = _Place(entry, _engine(check))
        if check.role != "standby" or not isinstance(entry, PostgresEntry) or not entry.has_standby():
            return here
        with contextlib.suppress(TargetUnreachable):
            executor = await self._executor(here)
            if isinstance(executor, PostgresExecutor) and executor.in_recovery:
                return here
        return _Place(entry, _engine(check), standby=True)

    async def _executor(self, place: _Place) -> Executor:
        async with self._opening:
            executor = self._executors.get(place)
            if executor is None:
                try:
                    executor = await self._open.enter_async_context(self._connect(place))
                except TargetUnreachable as error:
                    executor = self._locate(place, error)
                self._executors[place] = executor
        if isinstance(executor, TargetUnreachable):
            raise executor
        return executor

    def _connect(self, place: _Place) -> AbstractAsyncContextManager[Executor]:
        match place.entry:
            case PostgresEntry() as entry if place.engine == "postgres":
                conninfo = entry.standby_conninfo if place.standby else ""
                return self._pool.executor(self._targets.postgres(entry, conninfo), self._clock)
            case MysqlEntry() as entry if place.engine == "mysql":
                return MysqlExecutor(self._targets.mysql(entry), self._clock)
            case SshEntry() as entry:
                return SshExecutor(self._targets.ssh(entry), self._clock, jvm=entry.jvm())
            case PrometheusEntry() as entry:
                return PrometheusExecutor(self._targets.prometheus(entry), self._clock)
            case HostEntry() as entry:
                return contextlib.nullcontext(HostExecutor(self._clock, jvm=entry.jvm()))
        return contextlib.nullcontext(HostExecutor(self._clock))

    def _locate(self, place: _Place, error: TargetUnreachable) -> TargetUnreachable:
        """The error, with the part of the target that it concerns."""
        if place.standby:
            return TargetUnreachable("standby_unreachable", why=error.as_message)
        if place.entry is not self._entry:
            return TargetUnreachable("target_unreachable.host", why=error.as_message, reason=error.reason)
        return error
