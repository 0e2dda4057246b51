"""Metrics, filters and exclusions that do not run on the data."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import Runner
from services.analyst.linting.value_lint import Finding
from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.intent import Intent, Measure
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.schema import Metric
from services.chassis.errors import DbdiagError
from services.chassis.messages import Message

_LIMITS = Limits(max_rows=10, seconds=60.0)


async def lint_metrics(dataset: Dataset, runner: Runner, today: dt.date) -> AsyncIterator[Finding]:
    """An error for each metric that cannot be computed, a warning for one without a value."""
    for at, metric in enumerate(dataset.layer.metrics):
        for part, text in _expressions(metric):
            problem = _no_aggregate(text)
            if problem:
                yield Finding("error", ("metrics", at, part), problem)
                break
        else:
            async for finding in _run(dataset, at, metric, runner, today):
                yield finding
    for part in ("exclusions", "filters"):
        for at, condition in enumerate(getattr(dataset.layer, part)):
            if condition.table and condition.table not in dataset.columns:
                yield Finding("error", (part, at, "table"), Message("lint.unknown_table", {"name": condition.table}))


def _expressions(metric: Metric) -> list[tuple[str, str]]:
    parts = [("expr", metric.expr), ("numerator", metric.numerator), ("denominator", metric.denominator)]
    return [(part, text) for part, text in parts if text]


def _no_aggregate(text: str) -> Message | None:
    """Why an expression is no figure; None if it is one."""
    try:
        tree = sqlglot.parse_one(text, read="duckdb")
    except SqlglotError as error:
        return Message("lint.expression", {"expression": text, "words": " ".join(str(error).split())[:200]})
    if isinstance(tree, exp.Literal) or tree.find(exp.AggFunc, exp.Anonymous):
        return None
    return Message("lint.no_aggregate", {"expression": text})


async def _run(dataset: Dataset, at: int, metric: Metric, runner: Runner, today: dt.date) -> AsyncIterator[Finding]:
    place = ("metrics", at)
    try:
        query = compile_intent(Intent(measures=(Measure(metric=metric.id),)), dataset, today)[0]
        found = await runner.run(query.sql, _LIMITS)
    except DbdiagError as error:
        yield Finding("error", place, Message("lint.metric_fails", {"id": metric.id, "why": error.as_message}))
        return
    if not found.rows or found.rows[0][0] is None:
        yield Finding("warning", place, Message("lint.metric_empty", {"id": metric.id}))


async def lint_conditions(dataset: Dataset, runner: Runner, today: dt.date) -> AsyncIterator[Finding]:
    """An error for each exclusion and named filter with which no figure of its table runs."""
    for part in ("exclusions", "filters"):
        for at, condition in enumerate(getattr(dataset.layer, part)):
            measure = _measure_of(dataset, condition.table)
            named, excluded = ((condition.id,), ()) if part == "filters" else ((), (condition.id,))
            try:
                query = compile_intent(Intent(measures=(measure,), named=named, exclusions=excluded), dataset, today)[0]
                await runner.run(query.sql, _LIMITS)
            except DbdiagError as error:
                message = Message("lint.condition_fails", {"id": condition.id, "why": error.as_message})
                yield Finding("error", (part, at, "expr"), message)


def _measure_of(dataset: Dataset, table: str) -> Measure:
    """A figure of a table: its first metric, else its rows counted; of the first table where none is named."""
    metric = next((one for one in dataset.layer.metrics if one.table == table), None)
    first = dataset.layer.tables[0].name if dataset.layer.tables else ""
    return Measure(metric=metric.id) if metric else Measure(table=table or first)
