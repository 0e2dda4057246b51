"""Findings: metrics that do not run, values that the data lacks, keys and joins that do not hold."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import Runner
from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.intent import Intent, Measure
from services.analyst.semantic.dataset import Dataset, split_column
from services.analyst.semantic.schema import Join, Metric
from services.analyst.sources.inventory import quote
from services.analyst.sources.source import Cell
from services.chassis.errors import DbdiagError
from services.chassis.messages import Detail, Message

_SHOWN = 5
_LIMITS = Limits(max_rows=50_000, max_bytes=32 << 20, seconds=60.0)
# Rows of a join without a match: more than this share is no accident.
_MOST_UNMATCHED = 0.01
Severity: TypeAlias = Literal["error", "warning", "note"]
_METRIC_LIMITS = Limits(max_rows=10, seconds=60.0)


async def lint_values(dataset: Dataset, runner: Runner) -> AsyncIterator[Finding]:
    """A warning for each listed value, also in an order, that no row has."""
    for at, dimension in enumerate(dataset.layer.dimensions):
        listed = [*dimension.values, *dimension.order]
        if not listed or not dataset.type_of(dimension.column):
            continue
        stored = await stored_values(dataset, dimension.column, runner)
        for value in dimension.values:
            if not _has(stored, value):
                shown = tuple(str(one) for one in stored[:_SHOWN])
                message = Message(
                    "lint.unknown_value", {"value": str(value), "column": dimension.column, "some": shown}
                )
                yield Finding("warning", ("dimensions", at, "values", str(value)), message)
        for place, value in enumerate(dimension.order):
            if not _has(stored, value):
                message = Message("lint.unknown_value", {"value": str(value), "column": dimension.column, "some": ()})
                yield Finding("warning", ("dimensions", at, "order", place), message)


async def stored_values(dataset: Dataset, column: str, runner: Runner) -> Sequence[Cell]:
    """The values of `table.column`, the commonest first."""
    alias, name = split_column(column)
    table = dataset.aliases.get(alias, alias)
    found = await runner.run_own(
        f"SELECT {quote(name)} FROM {quote(table)} WHERE {quote(name)} IS NOT NULL"
        " GROUP BY 1 ORDER BY count(*) DESC, 1",
        _LIMITS,
    )
    return [row[0] for row in found.rows]


def _has(stored: Iterable[Cell], value: object) -> bool:
    return any(one == value or str(one).lower() == str(value).lower() for one in stored)


async def lint_joins(dataset: Dataset, runner: Runner) -> AsyncIterator[Finding]:
    """An error for each join that multiplies rows, a warning for one that loses rows without being optional."""
    for at, join in enumerate(dataset.layer.joins):
        if dataset.type_of(join.left) and dataset.type_of(join.right):
            async for finding in _join(dataset, at, join, runner):
                yield finding
    async for finding in _keys(dataset, runner):
        yield finding


async def _join(dataset: Dataset, at: int, join: Join, runner: Runner) -> AsyncIterator[Finding]:
    (left, left_name), (right, right_name) = (_place(dataset, side) for side in (join.left, join.right))
    if not await _is_unique(right, right_name, runner):
        message = Message("lint.join_multiplies", {"column": join.right, "left": join.left})
        yield Finding("error", ("joins", at, "right"), message)
        return
    if join.type == "one_to_one" and not await _is_unique(left, left_name, runner):
        yield Finding("error", ("joins", at, "left"), Message("lint.not_one_to_one", {"column": join.left}))
    found = await runner.run_own(
        f"SELECT count(*), count(*) FILTER (WHERE CAST({quote(left_name)} AS VARCHAR) NOT IN (SELECT"
        f" CAST({quote(right_name)} AS VARCHAR) FROM {quote(right)} WHERE {quote(right_name)} IS NOT NULL))"
        f" FROM {quote(left)} WHERE {quote(left_name)} IS NOT NULL",
        _LIMITS,
    )
    rows, unmatched = (int(cell or 0) for cell in found.rows[0])
    if not join.optional and unmatched > rows * _MOST_UNMATCHED:
        details: dict[str, Detail] = {"left": join.left, "right": join.right, "count": unmatched, "rows": rows}
        yield Finding("warning", ("joins", at), Message("lint.join_loses", details))


async def _keys(dataset: Dataset, runner: Runner) -> AsyncIterator[Finding]:
    for at, table in enumerate(dataset.layer.tables):
        if table.key in dataset.columns.get(table.name, {}) and not await _is_unique(table.name, table.key, runner):
            message = Message("lint.key_twice", {"column": table.key, "table": table.name})
            yield Finding("error", ("tables", at, "key"), message)


async def _is_unique(table: str, column: str, runner: Runner) -> bool:
    found = await runner.run_own(
        f"SELECT count({quote(column)}) - count(DISTINCT {quote(column)}) FROM {quote(table)}", _LIMITS
    )
    return found.rows[0][0] == 0


def _place(dataset: Dataset, column: str) -> tuple[str, str]:
    alias, name = split_column(column)
    return dataset.aliases.get(alias, alias), name


@dataclass(frozen=True)
class Finding:
    """place: the way to the entry in the layer, as `("metrics", 0, "expr")`; empty for the whole layer."""

    severity: Severity
    place: tuple[str | int, ...]
    message: Message

    @property
    def key(self) -> str:
        """The place as text."""
        return ".".join(str(part) for part in self.place) or "layer"


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
        found = await runner.run(query.sql, _METRIC_LIMITS)
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
                await runner.run(query.sql, _METRIC_LIMITS)
            except DbdiagError as error:
                message = Message("lint.condition_fails", {"id": condition.id, "why": error.as_message})
                yield Finding("error", (part, at, "expr"), message)


def _measure_of(dataset: Dataset, table: str) -> Measure:
    """A figure of a table: its first metric, else its rows counted; of the first table where none is named."""
    metric = next((one for one in dataset.layer.metrics if one.table == table), None)
    first = dataset.layer.tables[0].name if dataset.layer.tables else ""
    return Measure(metric=metric.id) if metric else Measure(table=table or first)
