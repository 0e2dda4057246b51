"""What the analyst offers for work on files, without a service: draft a layer, lint it, check it for drift."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from services.analyst.describing.drafting import draft_layer
from services.analyst.execution.runner import Runner
from services.analyst.linting.finding import Finding
from services.analyst.linting.layer_lint import check_layer, lint_layer
from services.analyst.semantic.beside import sources_beside
from services.analyst.semantic.loading import line_of, load_layer
from services.analyst.semantic.schema import Layer
from services.analyst.semantic.writing import write_layer
from services.analyst.sources.source import Source, source_of
from services.chassis.messages import Message

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Draft:
    """The YAML of a drafted layer, how much is in it, and what was changed when the data was read."""

    text: str
    tables: int
    metrics: int
    dimensions: int
    joins: int
    notes: tuple[Message, ...]


@dataclass(frozen=True)
class Located:
    """A finding with the line of its place in the file."""

    line: int
    finding: Finding


def describe(places: Sequence[str], name: str, today: dt.date, remarks: Sequence[str] = ()) -> Draft:
    """Drafts the layer of files, folders or the URL of a PostgreSQL database. remarks: comments at the top.

    Raises InvalidInput where a source cannot be read.
    """

    async def draft(runner: Runner) -> Draft:
        layer = await draft_layer(runner, name, today)
        catalog = await runner.open()
        notes = tuple(Message(note.key, note.details) for note in catalog.notes)
        text = write_layer(layer, remarks)
        return Draft(text, len(layer.tables), len(layer.metrics), len(layer.dimensions), len(layer.joins), notes)

    return _with_runner([source_of(place) for place in places], draft)


def lint(path: Path, places: Sequence[str], today: dt.date) -> list[Located]:
    """What is wrong in a layer over its data. places: of the data; without any, what lies beside the layer.

    Raises NotFound and InvalidInput where the layer or the data cannot be read.
    """
    return _located(path, places, lambda layer, runner: lint_layer(layer, runner, today))


def check(path: Path, places: Sequence[str], today: dt.date) -> list[Located]:
    """Drift between a layer and its data, and its examples that no longer hold. Like `lint` otherwise."""
    return _located(path, places, lambda layer, runner: check_layer(layer, runner, today))


def _located(
    path: Path, places: Sequence[str], look: Callable[[Layer, Runner], Awaitable[list[Finding]]]
) -> list[Located]:
    layer = load_layer(path)
    text = path.read_text("utf-8")
    tables = [table.name for table in layer.tables]
    sources = [source_of(place, tables) for place in places] or sources_beside(path, layer)
    found = _with_runner(sources, lambda runner: look(layer, runner))
    return [Located(line_of(text, *finding.place), finding) for finding in found]


def _with_runner(sources: Sequence[Source], use: Callable[[Runner], Awaitable[_Result]]) -> _Result:
    async def run() -> _Result:
        runner = Runner(sources)
        try:
            return await use(runner)
        finally:
            await runner.close()

    return asyncio.run(run())
