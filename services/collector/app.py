"""Builds the service: its catalogue, its targets, its gate and its recorder."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import grpc.aio

from services.chassis import logs
from services.collector.catalogue.reader import DeferredCatalogue
from services.collector.collector import Collector
from services.collector.evidence.evidence_store import Recorder
from services.collector.gate import Gate
from services.collector.servicer import CollectorServicer
from services.collector.settings import CollectorSettings
from services.collector.targets.registry import Targets, read_targets


class CollectorApp:
    """A Servable. `secrets` has the passwords that the targets file names; `now` gives seconds since 1970, UTC.

    `targets` take the place of those in the settings' file.
    """

    service_name = "dbdiag.collector.v1.CollectorService"

    def __init__(
        self,
        settings: CollectorSettings,
        secrets: Mapping[str, str],
        targets: Targets | None = None,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        catalogue, redact = DeferredCatalogue(), settings.redaction()
        self._collector = Collector(
            catalogue=catalogue,
            targets=targets or read_targets(settings.collector_targets, secrets),
            gate=Gate(catalogue, settings.limits(), clock),
            recorder=Recorder(settings.collector_evidence, redact, now),
            redact=redact,
            clock=clock,
        )
        self._log = logs.logger("collector")

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server."""
        CollectorServicer(self._collector).add_to(server)

    async def start(self) -> None:
        """Nothing more: the catalogue is read and a target reached when a check is asked for."""
        self._log.info("targets", targets=len(self._collector.targets.all()))

    async def close(self) -> None:
        """Connections last only a moment longer than the call that made them; this ends them."""
        await self._collector.close()
