"""The jobs of the contract over one registry of datasets. Loads SQLGlot and DuckDB: imported at the first call."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from dbdiag.analyst.v1.analyst_types import AskRequest, AskResponse, Column, DatasetSummary, ResultSet, Table
from dbdiag.vocabulary import LocalizedText

from services.analyst.analyst import Analyst, language_of, result_set
from services.analyst.dataset_registry import Datasets
from services.analyst.open_dataset import OpenDataset
from services.analyst.semantic.dataset import split_column
from services.analyst.semantic.schema import Layer
from services.analyst.tools import schema_of


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


@dataclass(frozen=True)
class AnalystCore:
    """An analyst and the datasets that it answers from."""

    analyst: Analyst
    datasets: Datasets

    def summaries(self) -> list[DatasetSummary]:
        """The datasets in the order of their ids."""
        return [summarise(layer) for layer in self.datasets.layers]

    async def ask(self, asked: AskRequest) -> AsyncIterator[AskResponse]:
        """The parts of an answer as they come. Raises NotFound for an unknown dataset."""
        opened = await self.datasets.for_question(asked, language_of(asked))
        async for part in self.analyst.ask(asked, opened):
            yield part

    async def tables(self, dataset_id: str, names: tuple[str, ...]) -> list[Table]:
        """The tables of a dataset in the order of their names. Raises NotFound."""
        return await read_tables(await self.datasets.get(dataset_id), names)

    async def refusal(self, dataset_id: str, sql: str) -> str:
        """Why a statement is not admitted; empty if it is. Raises NotFound for an unknown dataset."""
        opened = await self.datasets.get(dataset_id)
        checked = await opened.tools.execute("validate_sql", sql=sql)
        return "" if checked.success else str(checked.error)

    async def execute(self, dataset_id: str, sql: str, max_rows: int) -> tuple[ResultSet, float]:
        """The rows of one admitted statement, and the seconds it took. Raises NotFound and InvalidInput."""
        opened = await self.datasets.get(dataset_id)
        result = await opened.runner.run(sql, replace(opened.limits, max_rows=max_rows))
        return result_set(result, (), None), result.seconds
