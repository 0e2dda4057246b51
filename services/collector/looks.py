"""The looks of one call: what a check needs is connected to by the first that needs it, and asked for only once."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import NamedTuple, Protocol, Self

from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.reads import Reads
from services.collector.entries import HostEntry, MysqlEntry, PostgresEntry, PrometheusEntry, SshEntry, TargetEntry
from services.collector.executors.host import HostLook
from services.collector.executors.kept import KeptLooks
from services.collector.executors.mysql import MysqlLook
from services.collector.executors.postgres import PostgresLook
from services.collector.executors.prometheus import PrometheusLook
from services.collector.executors.ssh import SshLook
from services.collector.failures import TargetUnreachable
from services.collector.model import TargetKind
from services.collector.targets import Targets


class Look(Protocol):
    """One way to look, open."""

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises LookFailed."""

    def statement(self, check: CatalogueCheck) -> str:
        """What a check runs or reads there."""


# What several checks may be read by at the same time.
_SHARED = (PostgresLook, MysqlLook, HostLook, SshLook)


class _Place(NamedTuple):
    """Where to look: with the engine of an entry, there or at its standby."""

    entry: TargetEntry
    engine: str
    standby: bool = False


# The program of a database's own processes, and the column in which a source of processes has programs.
_SERVERS = {TargetKind.POSTGRES: "postgres", TargetKind.MYSQL: "mysqld"}
_PROGRAMS = {"processes": "name", "busiest": "program"}
_WAYS = {"java": "host", "node_exporter": "prometheus", "postgres_exporter": "prometheus"}


def _way(check: CatalogueCheck) -> str:
    """A JVM is looked at by the way to its host, and whatever exporters measured is asked of one Prometheus."""
    return _WAYS.get(check.engine, check.engine)


class Looks:
    """All looks at one target and its host. Use as `async with Looks(targets, entry, clock, kept) as looks`."""

    def __init__(self, targets: Targets, entry: TargetEntry, clock: Callable[[], float], kept: KeptLooks) -> None:
        self._targets = targets
        self._entry = entry
        self._clock = clock
        self._kept = kept
        self._made: dict[_Place, Look | TargetUnreachable] = {}
        self._opening = asyncio.Lock()
        self._turns: defaultdict[_Place, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._open = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._open.aclose()

    @property
    def unreached(self) -> TargetUnreachable | None:
        """Why the target itself could not be reached; None when it was, or was not needed."""
        made = (made for place, made in self._made.items() if place.entry is self._entry and not place.standby)
        return next((item for item in made if isinstance(item, TargetUnreachable)), None)

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises LookFailed. Checks may be read at the same time: where a look does not share
        its connection among them, they take turns."""
        place = await self._place(check)
        look = await self._look(place)
        turn = contextlib.nullcontext() if isinstance(look, _SHARED) else self._turns[place]
        try:
            async with turn:
                return self._of_others(check, await look.read(check, parameters))
        except TargetUnreachable as error:
            self._made[place] = told = self._told(place, error)
            raise told from None

    def _of_others(self, check: CatalogueCheck, reads: Reads) -> Reads:
        """Of the processes of a database's host those that are not the database: what it does its own checks tell."""
        column, own = _PROGRAMS.get(check.source), _SERVERS.get(self._entry.kind)
        if column is None or own is None:
            return reads
        return replace(reads, reads=tuple(tuple(row for row in rows if row[column] != own) for rows in reads.reads))

    def statement(self, check: CatalogueCheck) -> str:
        """What a check runs or reads there; empty where it was not looked."""
        looks = (made for place, made in self._made.items() if place.engine == _way(check))
        return next((made.statement(check) for made in looks if not isinstance(made, TargetUnreachable)), "")

    async def _place(self, check: CatalogueCheck) -> _Place:
        """Where a check looks: one for a standby at the target's standby, where it names one and is none itself."""
        parts = self._targets.looked_at_by(self._entry)
        entry = next(part for part in parts if check.engine in part.engines())
        here = _Place(entry, _way(check))
        if check.role != "standby" or not isinstance(entry, PostgresEntry) or not entry.has_standby():
            return here
        with contextlib.suppress(TargetUnreachable):
            look = await self._look(here)
            if isinstance(look, PostgresLook) and look.in_recovery:
                return here
        return _Place(entry, _way(check), standby=True)

    async def _look(self, place: _Place) -> Look:
        async with self._opening:
            made = self._made.get(place)
            if made is None:
                try:
                    made = await self._open.enter_async_context(self._opened(place))
                except TargetUnreachable as error:
                    made = self._told(place, error)
                self._made[place] = made
        if isinstance(made, TargetUnreachable):
            raise made
        return made

    def _opened(self, place: _Place) -> AbstractAsyncContextManager[Look]:
        match place.entry:
            case PostgresEntry() as entry if place.engine == "postgres":
                conninfo = entry.standby_conninfo if place.standby else ""
                return self._kept.look(self._targets.postgres(entry, conninfo), self._clock)
            case MysqlEntry() as entry if place.engine == "mysql":
                return MysqlLook(self._targets.mysql(entry), self._clock)
            case SshEntry() as entry:
                return SshLook(self._targets.ssh(entry), self._clock, jvm=entry.jvm())
            case PrometheusEntry() as entry:
                return PrometheusLook(self._targets.prometheus(entry), self._clock)
            case HostEntry() as entry:
                return contextlib.nullcontext(HostLook(self._clock, jvm=entry.jvm()))
        return contextlib.nullcontext(HostLook(self._clock))

    def _told(self, place: _Place, error: TargetUnreachable) -> TargetUnreachable:
        if place.standby:
            return TargetUnreachable(f"its standby: {error.message}", "standby_unreachable")
        if place.entry is not self._entry:
            return TargetUnreachable(f"its host: {error.message}", error.reason)
        return error
