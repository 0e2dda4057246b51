"""Datasets and their tables in the form of the contract."""

from __future__ import annotations

from dbdiag.analyst.v1.analyst_types import Column, DatasetSummary, Table
from dbdiag.vocabulary import LocalizedText

from services.analyst.open_dataset import OpenDataset
from services.analyst.semantic.dataset import split_column
from services.analyst.semantic.schema import Layer
from services.analyst.tools.get_schema import schema_of


def summarise(layer: Layer) -> DatasetSummary:
    """What a dataset can be asked about."""
    title = LocalizedText(layer.title.text("zh"), layer.title.text("en")) if layer.title else LocalizedText()
    return DatasetSummary(
        layer.dataset,
        title,
        layer.as_of.isoformat() if layer.as_of else "",
        tuple(one.id for one in layer.metrics),
        tuple(one.id for one in layer.dimensions),
    )


async def read_tables(opened: OpenDataset, names: tuple[str, ...]) -> list[Table]:
    """The tables in the order of their names; counts of rows are those of the catalogue. Raises NotFound."""
    catalog = await opened.runner.open()
    counts = {name.lower(): facts.row_count for name, facts in catalog.tables.items()}
    layer, found = opened.dataset.layer, schema_of(opened.dataset, names)
    meanings = {split_column(one.column): " / ".join(one.name.words) for one in layer.dimensions}
    tables = []
    for name in sorted(found):
        described = layer.table(name).description
        columns = tuple(Column(column, kind, meanings.get((name, column), "")) for column, kind in found[name].items())
        tables.append(
            Table(name, " / ".join(described.words) if described else "", columns, counts.get(name.lower(), 0))
        )
    return tables
