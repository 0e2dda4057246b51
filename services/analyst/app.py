"""Builds the service: its datasets, its model and its analyst."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import grpc.aio

from services.analyst.knowledge_client import KnowledgePeer
from services.analyst.servicer import AnalystServicer
from services.analyst.settings import AnalystSettings
from services.chassis import llm, logs
from services.chassis.llm import LanguageModel

if TYPE_CHECKING:
    from services.analyst.core import AnalystCore
    from services.analyst.dataset_registry import Place
    from services.analyst.datasets.own_dataset import SnapshotReader


class AnalystApp:
    """A Servable. `places` take the place of those in the settings' folder, `snapshots` that of the knowledge service.

    `today` gives the day of the clock. What answers is loaded at the first question, or at the start where there are
    datasets: an installation that is asked nothing about data loads no DuckDB.
    """

    service_name = "dbdiag.analyst.v1.AnalystService"

    def __init__(
        self,
        settings: AnalystSettings,
        places: Mapping[str, Place] | None = None,
        model: LanguageModel | None = None,
        today: Callable[[], dt.date] = dt.date.today,
        snapshots: SnapshotReader | None = None,
    ) -> None:
        name = settings.understand_model or settings.agent_model
        self._settings, self._places, self._today = settings, places, today
        self._model = llm.watch_model(model or llm.connect(settings, name), name)
        address = settings.analyst_knowledge_address
        self._peer = KnowledgePeer(address) if address and snapshots is None else None
        self._snapshots = snapshots or self._peer
        self._log = logs.logger("analyst")

    @cached_property
    def _core(self) -> AnalystCore:
        from services.analyst.analyst import Analyst
        from services.analyst.core import AnalystCore
        from services.analyst.dataset_registry import Datasets, read_places
        from services.analyst.datasets.own_dataset import OwnDataset

        settings, source = self._settings, self._snapshots
        found = read_places(settings.analyst_datasets) if self._places is None else self._places
        own = (
            OwnDataset(source, settings.limits(), self._model, settings.analyst_own_examples)
            if source is not None
            else None
        )
        return AnalystCore(Analyst(self._today), Datasets(found, settings.limits(), self._model, own))

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server."""
        AnalystServicer(lambda: self._core).add_to(server)

    async def start(self) -> None:
        """Opens the datasets that were handed in; those of the folder are read, and opened at their first question."""
        folder = self._settings.analyst_datasets
        if not self._places and (folder is None or not folder.is_dir()):
            return
        for dataset_id in self._places or ():
            await self._core.datasets.get(dataset_id)
        self._log.info("datasets", datasets=[layer.dataset for layer in self._core.datasets.layers])

    async def close(self) -> None:
        """Ends the children and closes the model."""
        if "_core" in self.__dict__:
            await self._core.datasets.close()
        if self._peer is not None:
            await self._peer.close()
        if self._model is not None:
            await self._model.close()
