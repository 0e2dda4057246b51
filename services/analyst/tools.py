"""The team's tools: each does one thing on a dataset, knows no agent, and is described for function calling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.analyst.execution.runner import Runner
from services.analyst.queries.identifiers import identifier
from services.analyst.semantic.dataset import Dataset
from services.chassis.errors import DbdiagError, InvalidInput, NotFound
from sql_admission import admit

_SQL = {"sql": {"type": "string", "description": "One SELECT statement on the dataset's tables."}}
_TABLES = {"type": "array", "description": "Names of tables; leave out for all.", "items": {"type": "string"}}
# What a tool does, its parameters as JSON schema, and which of them are required.
_TOOLS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "execute_sql": (
        "Run one read-only DuckDB statement on the dataset and return its rows, or the database's error.",
        _SQL,
        ["sql"],
    ),
    "validate_sql": (
        "Check one DuckDB statement against the allow-list, the schema and the types, without running it.",
        _SQL,
        ["sql"],
    ),
    "get_schema": (
        "Describe tables of the dataset: their columns with DuckDB types, as DDL and as Markdown.",
        {"tables": _TABLES},
        [],
    ),
}


@dataclass(frozen=True)
class ToolResult:
    """data: what a tool found, by name; error: why it found nothing, None on success."""

    data: Mapping[str, Any] = field(default_factory=dict)
    error: DbdiagError | None = None

    @property
    def success(self) -> bool:
        """True without an error."""
        return self.error is None


class Tools:
    """Those of one dataset. Members of the error tree become results; anything else is a defect and passes through."""

    def __init__(self, runner: Runner, dataset: Dataset) -> None:
        self._runner, self._dataset = runner, dataset

    async def execute(self, name: str, **arguments: Any) -> ToolResult:
        """Runs a tool by its name. Raises NotFound for a name that no tool has."""
        try:
            match name:
                case "execute_sql":
                    return ToolResult({"result": await self._runner.run(str(arguments["sql"]))})
                case "validate_sql":
                    return ToolResult(await self._validate(str(arguments["sql"])))
                case "get_schema":
                    return ToolResult(_described(schema_of(self._dataset, arguments.get("tables") or ())))
        except DbdiagError as error:
            return ToolResult(error=error)
        raise NotFound("tool_not_found", name=name, known=tuple(_TOOLS))

    async def _validate(self, sql: str) -> dict[str, Any]:
        """The statement is admitted and planned, so that names and types are checked too."""
        admission = admit(sql, "duckdb", frozenset(self._dataset.columns))
        if admission.refusal:
            raise InvalidInput("sql_not_allowed", why=admission.refusal)
        await self._runner.run_own(f"EXPLAIN {sql.strip().rstrip(';')}")
        return {"sql": sql}


def to_function_schemas() -> list[dict[str, Any]]:
    """All tools in the form of OpenAI's function calling."""
    return [
        {
            "type": "function",
            "function": {"name": name, "description": does, "parameters": _schema(properties, required)},
        }
        for name, (does, properties, required) in _TOOLS.items()
    ]


def _schema(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def schema_of(dataset: Dataset, wanted: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """Columns with types of the tables, all or those wanted. Raises NotFound for a table that is not there."""
    for name in wanted:
        if name not in dataset.columns:
            raise NotFound("table_not_found", table=name, known=tuple(dataset.columns))
    return {name: dict(columns) for name, columns in dataset.columns.items() if not wanted or name in wanted}


def _described(tables: dict[str, dict[str, str]]) -> dict[str, Any]:
    return {
        "tables": tables,
        "ddl": "\n".join(_ddl(name, columns) for name, columns in tables.items()),
        "markdown": "\n\n".join(_markdown(name, columns) for name, columns in tables.items()),
    }


def _ddl(table: str, columns: Mapping[str, str]) -> str:
    inside = ", ".join(f"{_quoted(name)} {kind}" for name, kind in columns.items())
    return f"CREATE TABLE {_quoted(table)} ({inside});"


def _markdown(table: str, columns: Mapping[str, str]) -> str:
    rows = "\n".join(f"| {name} | {kind} |" for name, kind in columns.items())
    return f"### {table}\n\n| column | type |\n|---|---|\n{rows}"


def _quoted(name: str) -> str:
    return identifier(name).sql("duckdb")
