"""The layer of dbdiag's own dataset, with the names of the causes and phenomena of a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from services.analyst.datasets.own_tables import Row, named, other_names, own_sources
from services.analyst.semantic.loading import load_layer
from services.analyst.semantic.schema import Dimension, Layer
from services.analyst.sources.source import Source

_LAYER = Path(__file__).parent / "dbdiag.yaml"
_SHORTEST = 2


def own_dataset(
    snapshot: Mapping[str, Any],
    language: str = "zh",
    tickets: Iterable[Row] = (),
    gateway: Mapping[str, Sequence[Row]] | None = None,
) -> tuple[Layer, tuple[Source, ...]]:
    """The layer and the sources of what this installation knows and did. The arguments are those of `own_sources`."""
    layer = load_layer(_LAYER)
    taken = {word.lower() for word in _words_of(layer)}
    values: dict[str, dict[str | int | float | bool, tuple[str, ...]]] = {}
    for dimension_id, part in (("cause", "root_causes"), ("phenomenon", "phenomena")):
        values[dimension_id] = _values(snapshot[part], language, taken)
    dimensions = tuple(_with_values(dimension, values) for dimension in layer.dimensions)
    return layer.model_copy(update={"dimensions": dimensions}), own_sources(snapshot, language, tickets, gateway)


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
