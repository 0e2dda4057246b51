"""All checks of a layer in one call, and the check for drift."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from services.analyst.execution.runner import Runner
from services.analyst.linting.column_lint import lint_columns
from services.analyst.linting.drift import find_drift
from services.analyst.linting.example_runs import run_examples
from services.analyst.linting.finding import Finding
from services.analyst.linting.metric_lint import lint_conditions, lint_metrics
from services.analyst.linting.value_lint import lint_joins, lint_values
from services.analyst.semantic.reading_values import open_dataset
from services.analyst.semantic.schema import Layer
from services.chassis.messages import Message


def lint_words(layer: Layer) -> Iterator[Finding]:
    """An error for each name or synonym of two ids, and for each name of two values of one dimension."""
    owners: dict[str, str] = {}
    for part in ("metrics", "dimensions", "filters", "exclusions"):
        for at, entry in enumerate(getattr(layer, part)):
            for word in dict.fromkeys(one.strip().lower() for one in (*entry.name.words, *entry.synonyms)):
                first = owners.setdefault(word, entry.id)
                if first != entry.id:
                    details = {"word": word, "first": first, "second": entry.id}
                    yield Finding("error", (part, at), Message("lint.word_twice", details))
    for at, dimension in enumerate(layer.dimensions):
        yield from _values(at, dimension.values, owners, dimension.id)


def _values(
    at: int, values: dict[str | int | float | bool, tuple[str, ...]], owners: dict[str, str], dimension_id: str
) -> Iterator[Finding]:
    named: dict[str, str] = {}
    for value, others in values.items():
        for word in dict.fromkeys(one.strip().lower() for one in (str(value), *others)):
            first = named.setdefault(word, str(value))
            place = ("dimensions", at, "values", str(value))
            if first != str(value):
                details = {"word": word, "first": first, "second": str(value)}
                yield Finding("error", place, Message("lint.value_word_twice", details))
            elif word in owners and owners[word] != dimension_id and word in {other.lower() for other in others}:
                details = {"word": word, "value": str(value), "id": owners[word]}
                yield Finding("warning", place, Message("lint.value_word_is_name", details))


async def lint_layer(layer: Layer, runner: Runner, today: dt.date) -> list[Finding]:
    """What is wrong in a layer over the data of a runner, in the order of the layer's parts. today: without `as_of`."""
    dataset = await open_dataset(layer, runner)
    day = layer.as_of or today
    found = [*lint_columns(dataset), *lint_words(layer)]
    found += [one async for one in lint_joins(dataset, runner)]
    found += [one async for one in lint_values(dataset, runner)]
    found += [one async for one in lint_metrics(dataset, runner, day)]
    found += [one async for one in lint_conditions(dataset, runner, day)]
    return found


async def check_layer(layer: Layer, runner: Runner, today: dt.date) -> list[Finding]:
    """Drift between a layer and its data, and examples that no longer hold."""
    dataset = await open_dataset(layer, runner)
    catalog = await runner.open()
    found = [one async for one in find_drift(dataset, catalog, runner)]
    return found + [one async for one in run_examples(dataset, runner, layer.as_of or today)]
