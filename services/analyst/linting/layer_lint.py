"""All checks of a layer in one call: its columns, its examples, and what has drifted from the data."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from services.analyst.execution.runner import ResultRows, Runner
from services.analyst.linting.value_lint import (
    Finding,
    lint_conditions,
    lint_joins,
    lint_metrics,
    lint_values,
    stored_values,
)
from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.intent import Intent
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset, split_column
from services.analyst.semantic.reading_values import open_dataset
from services.analyst.semantic.schema import Example, Layer, TimeParts
from services.analyst.sources.inventory import Catalog
from services.chassis.errors import DbdiagError, InvalidInput
from services.chassis.messages import Detail, Message
from services.chassis.problems import verbatim

_SHOWN = 3
# A dimension that lists fewer of its values names only some of them on purpose.
_LISTED = 0.5


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


def lint_columns(dataset: Dataset) -> Iterator[Finding]:
    """Errors in tables, joins, dimensions and hierarchies."""
    yield from _tables(dataset)
    for at, join in enumerate(dataset.layer.joins):
        for side in ("left", "right"):
            yield from _column(dataset, getattr(join, side), ("joins", at, side), with_table=True)
    for at, dimension in enumerate(dataset.layer.dimensions):
        yield from _column(dataset, dimension.column, ("dimensions", at, "column"), with_table=True)
        if dimension.key:
            yield from _column(dataset, dimension.key, ("dimensions", at, "key"), with_table=True)
        if dimension.via and dimension.via not in dataset.aliases:
            yield _error("lint.unknown_table", ("dimensions", at, "via"), name=dimension.via)
    yield from _hierarchies(dataset.layer)


def is_known_table(dataset: Dataset, name: str) -> bool:
    """True if the data has a table."""
    return name in dataset.columns


def _tables(dataset: Dataset) -> Iterator[Finding]:
    for at, table in enumerate(dataset.layer.tables):
        if not is_known_table(dataset, table.name):
            yield _error("lint.unknown_table", ("tables", at, "name"), name=table.name)
            continue
        if table.key:
            yield from _column(dataset, f'{table.name}."{table.key}"', ("tables", at, "key"))
        if table.hour:
            yield from _column(dataset, f'{table.name}."{table.hour}"', ("tables", at, "hour"))
        times = table.time.model_dump() if isinstance(table.time, TimeParts) else {"": table.time}
        for part, column in times.items():
            if column:
                place = ("tables", at, "time", *((part,) if part else ()))
                whole = column if "." in column else f'{table.name}."{column}"'
                found = list(_column(dataset, whole, place))
                yield from found
                if not found and not part and not dataset.type_of(whole).startswith(("DATE", "TIMESTAMP")):
                    yield _error("lint.no_time", place, column=column, type=dataset.type_of(whole))


def _column(
    dataset: Dataset, column: str, place: tuple[str | int, ...], *, with_table: bool = False
) -> Iterator[Finding]:
    alias, name = split_column(column)
    table = dataset.aliases.get(alias, alias)
    if with_table and not alias:
        yield _error("lint.no_table", place, column=column)
    elif not is_known_table(dataset, table):
        yield _error("lint.unknown_table", place, name=alias)
    elif not dataset.type_of(column):
        yield _error(
            "lint.unknown_column", place, name=name, table=table, columns=tuple(list(dataset.columns[table])[:30])
        )


def _hierarchies(layer: Layer) -> Iterator[Finding]:
    known = {dimension.id for dimension in layer.dimensions}
    for at, hierarchy in enumerate(layer.hierarchies):
        for place, level in enumerate(hierarchy.levels):
            if level not in known:
                yield _error("lint.unknown_dimension", ("hierarchies", at, "levels", place), id=level)


def _error(key: str, place: tuple[str | int, ...], **details: str | tuple[str, ...]) -> Finding:
    return Finding("error", place, Message(key, details))


async def run_examples(dataset: Dataset, runner: Runner, today: dt.date) -> AsyncIterator[Finding]:
    """An error for each example that fails or gives other rows than expected, in whatever order."""
    parser = Parser(dataset)
    for at, example in enumerate(dataset.layer.examples):
        place = ("examples", at)
        try:
            sql = example.sql or compile_intent(_intent(example, parser, dataset, today), dataset, today)[0].sql
            found = await runner.run(sql)
        except DbdiagError as error:
            details: dict[str, Detail] = {"question": example.question, "why": error.as_message}
            yield Finding("error", place, Message("drift.example_fails", details))
            continue
        if example.expect and not is_expected(found, example.expect):
            shown = "; ".join(str(list(row)) for row in found.rows[:_SHOWN]) or "-"
            details = {"question": example.question, "rows": shown, "expected": str(list(example.expect[:_SHOWN]))}
            yield Finding("error", place, Message("drift.example_differs", details))


def _intent(example: Example, parser: Parser, dataset: Dataset, today: dt.date) -> Intent:
    if example.intent:
        from services.analyst.team.structured_intent import StructuredIntent, from_json

        try:
            return from_json(StructuredIntent.model_validate(example.intent), dataset, today)
        except ValidationError as error:
            raise InvalidInput("lint.example_intent", why=verbatim(error.errors()[0]["msg"])) from None
    reading = parser.read(example.question, today)
    if reading.intent is None:
        raise InvalidInput("lint.example_unread", why=reading.question or reading.refusal or verbatim("-"))
    return reading.intent


def is_expected(found: ResultRows, expected: Sequence[Any]) -> bool:
    """True if the rows are those expected, in any order: lists of cells, mappings by column, or single cells."""
    wanted = [_cells(row, found.columns) for row in expected]
    rows = [list(row) for row in found.rows]
    if len(wanted) != len(rows):
        return False
    left = list(rows)
    for one in wanted:
        match = next((row for row in left if _same_row(row, one)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _cells(row: Any, columns: Sequence[str]) -> list[Any]:
    if isinstance(row, dict):
        return [row.get(column, row.get(column.lower())) for column in columns]
    return list(row) if isinstance(row, list | tuple) else [row]


def _same_row(row: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return len(row) == len(wanted) and all(_same(one, other) for one, other in zip(row, wanted, strict=True))


def _same(one: Any, other: Any) -> bool:
    if isinstance(other, dt.date):
        other = other.isoformat()
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9) if numbers else bool(one == other)


async def find_drift(dataset: Dataset, catalog: Catalog, runner: Runner) -> AsyncIterator[Finding]:
    """Columns and values that came or went, and tables that came. What a layer names and the data lacks is an error."""
    for finding in (*_came(dataset, catalog), *_went(dataset)):
        yield finding
    async for finding in lint_values(dataset, runner):
        yield finding
    for at, dimension in enumerate(dataset.layer.dimensions):
        if dimension.values and dataset.type_of(dimension.column):
            stored = await stored_values(dataset, dimension.column, runner)
            known = {str(value).lower() for value in dimension.values}
            came = [str(value) for value in stored if str(value).lower() not in known]
            if came and len(known) >= len(stored) * _LISTED:
                details: dict[str, Detail] = {"column": dimension.column, "values": tuple(came[:10])}
                yield Finding("warning", ("dimensions", at, "values"), Message("drift.values_came", details))


def _came(dataset: Dataset, catalog: Catalog) -> Iterator[Finding]:
    tables = {table.name.lower() for table in dataset.layer.tables}
    for name in catalog.tables:
        if name.lower() not in tables:
            yield Finding("note", ("tables",), Message("drift.table_came", {"table": name}))
    used = _used(dataset.layer)
    for at, table in enumerate(dataset.layer.tables):
        came = tuple(name for name in dataset.columns.get(table.name, {}) if name.lower() not in used)
        if came:
            yield Finding("note", ("tables", at), Message("drift.columns_came", {"table": table.name, "columns": came}))


def _went(dataset: Dataset) -> Iterator[Finding]:
    for at, table in enumerate(dataset.layer.tables):
        if table.name not in dataset.columns:
            yield Finding("error", ("tables", at, "name"), Message("drift.table_went", {"table": table.name}))
    for at, dimension in enumerate(dataset.layer.dimensions):
        alias, name = split_column(dimension.column)
        table_name = dataset.aliases.get(alias, alias)
        if table_name in dataset.columns and not dataset.type_of(dimension.column):
            details: dict[str, Detail] = {"table": table_name, "column": name}
            yield Finding("error", ("dimensions", at, "column"), Message("drift.column_went", details))


def _used(layer: Layer) -> set[str]:
    """The names, in small letters, that any part of a layer has; words of expressions count as names too."""
    used: set[str] = set()
    for table in layer.tables:
        times = table.time.model_dump().values() if isinstance(table.time, TimeParts) else [table.time or ""]
        used |= {
            table.key.lower(),
            *(split_column(f".{time}" if "." not in time else time)[1].lower() for time in times),
        }
    for join in layer.joins:
        used |= {split_column(join.left)[1].lower(), split_column(join.right)[1].lower()}
    for dimension in layer.dimensions:
        used |= {split_column(dimension.column)[1].lower(), split_column(dimension.key or ".")[1].lower()}
    for metric in layer.metrics:
        for text in (metric.expr, metric.numerator, metric.denominator, metric.time, *metric.default_filters):
            used |= {
                name.lower()
                for quoted, plain in re.findall(r'"([^"]+)"|([^\W\d]\w*)', text)
                for name in (quoted or plain,)
            }
    return used
