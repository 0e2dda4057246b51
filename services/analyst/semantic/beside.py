"""Finds the data of a layer that is named without it: files beside the YAML."""

from __future__ import annotations

from pathlib import Path

from services.analyst.semantic.schema import Layer
from services.analyst.sources.opening import KINDS
from services.analyst.sources.source import Source
from services.chassis.errors import NotFound


def sources_beside(path: Path, layer: Layer) -> tuple[Source, ...]:
    """The file or folder called like the layer's file or its dataset, else the files called like its tables.

    Raises NotFound where there is neither.
    """
    folder = path.parent
    stems = dict.fromkeys([path.name.split(".")[0], path.stem, layer.dataset])
    for stem in stems:
        for place in (*(folder / f"{stem}{ending}" for ending in sorted(KINDS)), folder / stem):
            if place.is_dir() or (place.is_file() and place != path):
                return (Source(path=place),)
    files = [
        place
        for table in layer.tables
        for place in (folder / f"{table.name}{ending}" for ending in sorted(KINDS))
        if place.is_file()
    ]
    if not files:
        raise NotFound("dataset_not_found.data", path=str(path), dataset=layer.dataset)
    return tuple(Source(path=place) for place in files)
