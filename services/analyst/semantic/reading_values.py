"""Puts a semantic layer beside its data: the columns of its tables, and the values of its dimensions."""

from __future__ import annotations

from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import Runner
from services.analyst.semantic.dataset import Cell, Dataset, split_column
from services.analyst.semantic.schema import Dimension, Layer
from services.analyst.sources.inventory import Catalog, quote

MOST_VALUES = 20_000
_LIMITS = Limits(max_rows=MOST_VALUES, max_bytes=16 << 20, seconds=60.0)
_WITH_VALUES = ("VARCHAR", "ENUM", "UUID")


async def open_dataset(layer: Layer, runner: Runner) -> Dataset:
    """The dataset of a layer over a runner, which then admits statements on the layer's tables only.

    A table or column that the data lacks has no type and no values: questions about it fail, and `lint` names it.
    """
    catalog = await runner.open()
    bare = Dataset(layer, columns_of(layer, catalog))
    values = {
        dimension.id: found
        for dimension in layer.dimensions
        if bare.type_of(dimension.column).startswith(_WITH_VALUES)
        for found in (await _values(dimension, bare, runner),)
    }
    runner.allow(bare.columns)
    return Dataset(layer, bare.columns, values)


def columns_of(layer: Layer, catalog: Catalog) -> dict[str, dict[str, str]]:
    """The columns of each table of the layer that the data has, by the layer's spelling of its name."""
    spelled = {name.lower(): facts for name, facts in catalog.tables.items()}
    return {
        table.name: dict(spelled[table.name.lower()].columns) for table in layer.tables if table.name.lower() in spelled
    }


async def _values(dimension: Dimension, dataset: Dataset, runner: Runner) -> tuple[Cell, ...]:
    table, column = dataset.table_of(dimension), split_column(dimension.column)[1]
    found = await runner.run_own(
        f"SELECT {quote(column)} FROM {quote(table)} WHERE {quote(column)} IS NOT NULL"
        f" GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {MOST_VALUES}",
        _LIMITS,
    )
    return tuple(row[0] for row in found.rows)
