"""This installation's own dataset, open: built anew when the snapshot, the language or the gateway's rows change."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from dbdiag.analyst.v1.analyst_types import AskRequest

from services.analyst.datasets.own_tables import Row, named, other_names, own_sources
from services.analyst.execution.limits import Limits
from services.analyst.open_dataset import OpenDataset, open_layer
from services.analyst.semantic.kept_examples import read_examples
from services.analyst.semantic.loading import load_layer
from services.analyst.semantic.schema import Dimension, Layer
from services.analyst.sources.source import Source
from services.chassis.errors import InvalidInput
from services.chassis.llm import LanguageModel

OWN_ID = "dbdiag"
_TABLES = ("session", "evidence", "check_run")
_LAYER = Path(__file__).parent / "dbdiag.yaml"
_SHORTEST = 2


def own_dataset(
    snapshot: Mapping[str, Any],
    language: str = "zh",
    tickets: Iterable[Row] = (),
    gateway: Mapping[str, Sequence[Row]] | None = None,
) -> tuple[Layer, tuple[Source, ...]]:
    """The layer and the sources of what this installation knows and did. The arguments are those of `own_sources`."""
    layer = _shipped_layer()
    taken = {word.lower() for word in _words_of(layer)}
    values: dict[str, dict[str | int | float | bool, tuple[str, ...]]] = {}
    for dimension_id, part in (("cause", "root_causes"), ("phenomenon", "phenomena")):
        values[dimension_id] = _values(snapshot[part], language, taken)
    dimensions = tuple(_with_values(dimension, values) for dimension in layer.dimensions)
    return layer.model_copy(update={"dimensions": dimensions}), own_sources(snapshot, language, tickets, gateway)


@cache
def _shipped_layer() -> Layer:
    return load_layer(_LAYER)


def _with_values(
    dimension: Dimension, values: Mapping[str, dict[str | int | float | bool, tuple[str, ...]]]
) -> Dimension:
    found = values.get(dimension.id)
    return dimension if found is None else dimension.model_copy(update={"values": found})


def _values(entries: Sequence[Row], language: str, taken: set[str]) -> dict[str | int | float | bool, tuple[str, ...]]:
    """The stored name of each entry with its other names; a word belongs to the first that has it."""
    found: dict[str | int | float | bool, tuple[str, ...]] = {}
    for entry in entries:
        taken.add(named(entry, language).lower())
    for entry in entries:
        own = named(entry, language)
        others = [word for word in other_names(entry) if len(word) >= _SHORTEST and word.lower() not in taken]
        taken.update(word.lower() for word in others)
        found[own] = tuple(others)
    return found


def _words_of(layer: Layer) -> Iterable[str]:
    """Every word that the layer itself gives a meaning."""
    for metric in layer.metrics:
        yield from (*metric.name.words, *metric.synonyms)
    for dimension in layer.dimensions:
        yield from (*dimension.name.words, *dimension.synonyms)
        for value, others in dimension.values.items():
            yield from (str(value), *others)
    for table in layer.tables:
        yield from (table.name, *(table.description.words if table.description else ()))


class SnapshotReader(Protocol):
    """Where snapshots come from."""

    async def current_id(self) -> str:
        """The id of the current snapshot."""
        ...

    async def read(self, snapshot_id: str) -> dict[str, Any]:
        """The values of a snapshot."""
        ...

    async def tickets(self) -> list[dict[str, Any]]:
        """The records of all tickets, which say more of them than a snapshot."""
        ...


class OwnDataset:
    """Keeps the last one open. examples: the file of verified questions."""

    def __init__(
        self,
        snapshots: SnapshotReader,
        limits: Limits,
        model: LanguageModel | None = None,
        examples: Path | None = None,
    ) -> None:
        self._snapshots, self._limits, self._model, self._examples = snapshots, limits, model, examples
        self._key = ""
        self._opened: OpenDataset | None = None
        self._turn = asyncio.Lock()

    async def get(self, request: AskRequest, language: str) -> OpenDataset:
        """The dataset of a snapshot and the rows handed in. Raises InvalidInput for tables that it does not have."""
        snapshot_id = request.snapshot_id or await self._snapshots.current_id()
        said = "".join(f"{table.name}\0{table.rows_json}\0" for table in request.tables)
        verified = read_examples(self._examples) if self._examples else ()
        said += "".join(one.model_dump_json() for one in verified)
        key = f"{snapshot_id} {language} {hashlib.sha256(said.encode()).hexdigest()}"
        async with self._turn:
            if self._opened is None or key != self._key:
                rows = {table.name: _rows(table.name, table.rows_json) for table in request.tables}
                snapshot, records = await self._snapshots.read(snapshot_id), await self._snapshots.tickets()
                layer, sources = own_dataset(snapshot, language, records, rows)
                layer = layer.model_copy(update={"examples": (*layer.examples, *verified)})
                await self._close()
                self._opened, self._key = await open_layer(layer, sources, self._limits, model=self._model), key
            return self._opened

    async def close(self) -> None:
        """Ends its child."""
        async with self._turn:
            await self._close()

    async def _close(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            await opened.close()


def _rows(name: str, text: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if name not in _TABLES or not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise InvalidInput("invalid_request.handed_table", name=name, known=_TABLES)
    return found
