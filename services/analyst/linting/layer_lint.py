"""All checks of a layer in one call, and the check for drift."""

from __future__ import annotations

import datetime as dt

from services.analyst.execution.runner import Runner
from services.analyst.linting.column_lint import lint_columns
from services.analyst.linting.drift import find_drift
from services.analyst.linting.example_runs import run_examples
from services.analyst.linting.finding import Finding
from services.analyst.linting.metric_lint import lint_conditions, lint_metrics
from services.analyst.linting.value_lint import lint_joins, lint_values
from services.analyst.linting.word_lint import lint_words
from services.analyst.semantic.reading_values import open_dataset
from services.analyst.semantic.schema import Layer


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
