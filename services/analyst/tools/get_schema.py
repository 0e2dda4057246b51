"""Describes tables of the dataset as DDL and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from services.analyst.queries.identifiers import identifier
from services.analyst.semantic.dataset import Dataset
from services.analyst.tools.tool import Tool, ToolParameter
from services.chassis.errors import NotFound


class GetSchema(Tool):
    """`data` has `tables` (name -> column -> type), `ddl` and `markdown`."""

    name = "get_schema"
    description = "Describe tables of the dataset: their columns with DuckDB types, as DDL and as Markdown."
    parameters = (ToolParameter("tables", "array", "Names of tables; leave out for all.", required=False),)

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    async def run(self, **arguments: Any) -> Mapping[str, Any]:
        """See Tool."""
        tables = schema_of(self._dataset, arguments.get("tables") or ())
        return {
            "tables": tables,
            "ddl": "\n".join(_ddl(name, columns) for name, columns in tables.items()),
            "markdown": "\n\n".join(_markdown(name, columns) for name, columns in tables.items()),
        }


def schema_of(dataset: Dataset, wanted: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """Columns with types of the tables, all or those wanted. Raises NotFound for a table that is not there."""
    for name in wanted:
        if name not in dataset.columns:
            raise NotFound("table_not_found", table=name, known=tuple(dataset.columns))
    return {name: dict(columns) for name, columns in dataset.columns.items() if not wanted or name in wanted}


def _ddl(table: str, columns: Mapping[str, str]) -> str:
    inside = ", ".join(f"{_quoted(name)} {kind}" for name, kind in columns.items())
    return f"CREATE TABLE {_quoted(table)} ({inside});"


def _markdown(table: str, columns: Mapping[str, str]) -> str:
    rows = "\n".join(f"| {name} | {kind} |" for name, kind in columns.items())
    return f"### {table}\n\n| column | type |\n|---|---|\n{rows}"


def _quoted(name: str) -> str:
    return identifier(name).sql("duckdb")
