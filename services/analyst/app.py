"""Builds the service: its datasets, its model and its analyst."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping

import grpc.aio

from services.analyst.analyst import Analyst
from services.analyst.dataset_registry import Datasets, Place, read_places
from services.analyst.datasets.own_dataset import OwnDataset, SnapshotReader
from services.analyst.knowledge_client import KnowledgePeer
from services.analyst.servicer import AnalystServicer
from services.analyst.settings import AnalystSettings
from services.chassis import llm, logs
from services.chassis.llm import LanguageModel


class AnalystApp:
    """A Servable. `places` take the place of those in the settings' folder, `snapshots` that of the knowledge service.

    `today` gives the day of the clock.
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
        self._model = llm.watch_model(model or llm.connect(settings, name), name)
        found = read_places(settings.analyst_datasets) if places is None else places
        address = settings.analyst_knowledge_address
        self._peer = KnowledgePeer(address) if address and snapshots is None else None
        source = snapshots or self._peer
        own = OwnDataset(source, settings.limits(), self._model) if source is not None else None
        self._datasets = Datasets(found, settings.limits(), self._model, own)
        self._opened_first = tuple(places or ())
        self._analyst = Analyst(today)
        self._log = logs.logger("analyst")

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server."""
        AnalystServicer(self._analyst, self._datasets).add_to(server)

    async def start(self) -> None:
        """Opens the datasets that were handed in; those of the folder are opened at their first question."""
        for dataset_id in self._opened_first:
            await self._datasets.get(dataset_id)
        self._log.info("datasets", datasets=[layer.dataset for layer in self._datasets.layers])

    async def close(self) -> None:
        """Ends the children and closes the model."""
        await self._datasets.close()
        if self._peer is not None:
            await self._peer.close()
        if self._model is not None:
            await self._model.close()
