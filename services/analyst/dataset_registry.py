"""The datasets that can be asked about: opened at the first question, kept warm, closed together."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dbdiag.analyst.v1.analyst_types import AskRequest

from services.analyst.datasets.own_dataset import OWN_ID, OwnDataset
from services.analyst.execution.limits import Limits
from services.analyst.open_dataset import OpenDataset, open_layer
from services.analyst.semantic.kept_examples import sources_beside
from services.analyst.semantic.loading import load_layer
from services.analyst.semantic.schema import Layer
from services.analyst.sources.source import Source
from services.chassis.errors import NotFound
from services.chassis.llm import LanguageModel

LAYER_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class Place:
    """A layer and where its data comes from."""

    layer: Layer
    sources: tuple[Source, ...]


def read_place(layer_file: Path, sources: tuple[Source, ...] = ()) -> Place:
    """The layer of a file. Without sources its data lies beside it.

    Raises NotFound without such data or without the file, and InvalidInput for a malformed layer.
    """
    layer = load_layer(layer_file)
    return Place(layer, sources or sources_beside(layer_file, layer))


def read_places(folder: Path | None) -> dict[str, Place]:
    """The places of all layers in a folder, by the layer's own name."""
    if folder is None or not folder.is_dir():
        return {}
    files = sorted(each for each in folder.iterdir() if each.suffix in LAYER_SUFFIXES)
    places = [read_place(each) for each in files]
    return {place.layer.dataset: place for place in places}


class Datasets:
    """By their ids. A dataset is opened once, also for questions that come together."""

    def __init__(
        self,
        places: Mapping[str, Place],
        limits: Limits,
        model: LanguageModel | None = None,
        own: OwnDataset | None = None,
    ) -> None:
        self._places, self._limits, self._model, self._own = dict(places), limits, model, own
        self._opened: dict[str, OpenDataset] = {}
        self._turns: dict[str, asyncio.Lock] = {}

    @property
    def layers(self) -> list[Layer]:
        """The layers in the order of their ids."""
        return [self._places[each].layer for each in sorted(self._places)]

    async def for_question(self, request: AskRequest, language: str) -> OpenDataset:
        """The dataset that a question is about. Raises NotFound."""
        if self._own is not None and request.dataset_id == OWN_ID and OWN_ID not in self._places:
            return await self._own.get(request, language)
        return await self.get(request.dataset_id)

    async def get(self, dataset_id: str) -> OpenDataset:
        """The dataset of an id; without one the only one that there is. Raises NotFound."""
        if not dataset_id and len(self._places) == 1:
            dataset_id = next(iter(self._places))
        if dataset_id not in self._places:
            raise NotFound("dataset_not_found.unknown", id=dataset_id, known=tuple(sorted(self._places)))
        async with self._turns.setdefault(dataset_id, asyncio.Lock()):
            if dataset_id not in self._opened:
                place = self._places[dataset_id]
                self._opened[dataset_id] = await open_layer(place.layer, place.sources, self._limits, model=self._model)
        return self._opened[dataset_id]

    async def close(self) -> None:
        """Ends all children."""
        for opened in self._opened.values():
            await opened.close()
        if self._own is not None:
            await self._own.close()
        self._opened.clear()
