"""Tells whether a statement would run, without running it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from services.analyst.execution.runner import Runner
from services.analyst.tools.tool import Tool, ToolParameter
from services.chassis.errors import InvalidInput
from sql_admission import admit


class ValidateSql(Tool):
    """The statement is admitted and planned, so that names and types are checked too."""

    name = "validate_sql"
    description = "Check one DuckDB statement against the allow-list, the schema and the types, without running it."
    parameters = (ToolParameter("sql", "string", "One SELECT statement on the dataset's tables."),)

    def __init__(self, runner: Runner, tables: Iterable[str]) -> None:
        self._runner, self._tables = runner, frozenset(tables)

    async def run(self, **arguments: Any) -> Mapping[str, Any]:
        """See Tool."""
        sql = str(arguments["sql"])
        admission = admit(sql, "duckdb", self._tables)
        if admission.refusal:
            raise InvalidInput("sql_not_allowed", why=admission.refusal)
        await self._runner.run_own(f"EXPLAIN {sql.strip().rstrip(';')}")
        return {"sql": sql}
