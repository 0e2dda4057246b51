"""What came to the data or went from it since the layer was written."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator

from services.analyst.execution.runner import Runner
from services.analyst.linting.value_lint import Finding, lint_values, stored_values
from services.analyst.semantic.dataset import Dataset, split_column
from services.analyst.semantic.schema import Layer, TimeParts
from services.analyst.sources.inventory import Catalog
from services.chassis.messages import Detail, Message

# A dimension that lists fewer of its values names only some of them on purpose.
_LISTED = 0.5


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
