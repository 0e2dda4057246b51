"""What the analyst offers for work on files, without a service: draft, lint and check a layer, keep answers."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from services.analyst.describing.drafting import draft_layer
from services.analyst.execution.runner import Runner
from services.analyst.linting.layer_lint import check_layer, lint_layer
from services.analyst.linting.value_lint import Finding
from services.analyst.semantic.kept_examples import keep_example, sources_beside, write_layer
from services.analyst.semantic.loading import line_of, load_layer
from services.analyst.semantic.reading_values import open_dataset
from services.analyst.semantic.schema import Example, Layer
from services.analyst.settings import own_examples as own_examples
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


def keep_sql(path: Path, places: Sequence[str], question: str, sql: str) -> int:
    """Keeps a statement as the verified answer to a question, and returns how many rows it gives.

    Raises InvalidInput for a statement that is not admitted on the layer's tables or does not run.
    """
    layer = load_layer(path)

    async def run(runner: Runner) -> int:
        await open_dataset(layer, runner)
        return len((await runner.run(sql)).rows)

    count = _with_runner(_sources(path, layer, places), run)
    keep_example(path, Example(question=question, sql=sql))
    return count


def keep_intent(path: Path, question: str, intent: Mapping[str, Any]) -> None:
    """Keeps an intent as the verified answer to a question, in a layer or a file of examples alone."""
    keep_example(path, Example(question=question, intent=dict(intent)))


def _located(
    path: Path, places: Sequence[str], look: Callable[[Layer, Runner], Awaitable[list[Finding]]]
) -> list[Located]:
    layer = load_layer(path)
    text = path.read_text("utf-8")
    found = _with_runner(_sources(path, layer, places), lambda runner: look(layer, runner))
    return [Located(line_of(text, *finding.place), finding) for finding in found]


def _sources(path: Path, layer: Layer, places: Sequence[str]) -> Sequence[Source]:
    tables = [table.name for table in layer.tables]
    return [source_of(place, tables) for place in places] or sources_beside(path, layer)


def _with_runner(sources: Sequence[Source], use: Callable[[Runner], Awaitable[_Result]]) -> _Result:
    async def run() -> _Result:
        runner = Runner(sources)
        try:
            return await use(runner)
        finally:
            await runner.close()

    return asyncio.run(run())
