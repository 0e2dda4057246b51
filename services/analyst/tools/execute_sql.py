"""Runs one read-only statement on the dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.analyst.execution.runner import ResultRows, Runner
from services.analyst.tools.tool import Tool, ToolParameter


class ExecuteSql(Tool):
    """`data` has the ResultRows as `result`, and `columns`, `rows` and `truncated` of it."""

    name = "execute_sql"
    description = "Run one read-only DuckDB statement on the dataset and return its rows, or the database's error."
    parameters = (ToolParameter("sql", "string", "One SELECT statement on the dataset's tables."),)

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def run(self, **arguments: Any) -> Mapping[str, Any]:
        """See Tool."""
        result: ResultRows = await self._runner.run(str(arguments["sql"]))
        return {"result": result, "columns": result.columns, "rows": result.rows, "truncated": result.truncated}
