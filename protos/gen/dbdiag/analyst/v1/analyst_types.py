"""The types of dbdiag/analyst/v1/analyst.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "AskRequest",
    "AskResponse",
    "Cell",
    "Column",
    "ExecuteSqlRequest",
    "ExecuteSqlResponse",
    "GetSchemaRequest",
    "GetSchemaResponse",
    "ResultSet",
    "Row",
    "SqlCandidate",
    "Table",
    "ValidateSqlRequest",
    "ValidateSqlResponse",
]


@dataclass(frozen=True)
class Column:
    """`dbdiag.analyst.v1.Column`."""

    name: str = ""
    type: str = ""
    description: str = ""


@dataclass(frozen=True)
class Table:
    """`dbdiag.analyst.v1.Table`."""

    name: str = ""
    description: str = ""
    columns: tuple[Column, ...] = ()
    row_count: int = 0


@dataclass(frozen=True)
class Cell:
    """A cell as text; absent is SQL NULL."""

    value: str | None = None


@dataclass(frozen=True)
class Row:
    """`dbdiag.analyst.v1.Row`."""

    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class ResultSet:
    """`dbdiag.analyst.v1.ResultSet`."""

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    truncated: bool = False


@dataclass(frozen=True)
class AskRequest:
    """`dbdiag.analyst.v1.AskRequest`."""

    dataset_id: str = ""
    question: str = ""
    # zh or en.
    language: str = ""


@dataclass(frozen=True)
class SqlCandidate:
    """`dbdiag.analyst.v1.SqlCandidate`."""

    sql: str = ""
    reason: str = ""


@dataclass(frozen=True)
class AskResponse:
    """`dbdiag.analyst.v1.AskResponse`."""

    # What is being done now, in a word of the field.
    progress: str | None = None
    candidate: SqlCandidate | None = None
    result: ResultSet | None = None
    summary: str | None = None
    # The question cannot be answered from this dataset; says why.
    declined: str | None = None


@dataclass(frozen=True)
class GetSchemaRequest:
    """`dbdiag.analyst.v1.GetSchemaRequest`."""

    dataset_id: str = ""
    # Only these; empty for all.
    table_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class GetSchemaResponse:
    """`dbdiag.analyst.v1.GetSchemaResponse`."""

    tables: tuple[Table, ...] = ()


@dataclass(frozen=True)
class ValidateSqlRequest:
    """`dbdiag.analyst.v1.ValidateSqlRequest`."""

    dataset_id: str = ""
    sql: str = ""


@dataclass(frozen=True)
class ValidateSqlResponse:
    """`dbdiag.analyst.v1.ValidateSqlResponse`."""

    allowed: bool = False
    reason: str = ""


@dataclass(frozen=True)
class ExecuteSqlRequest:
    """`dbdiag.analyst.v1.ExecuteSqlRequest`."""

    dataset_id: str = ""
    sql: str = ""
    # 0: 1,000. At most 100,000.
    max_rows: int = 0


@dataclass(frozen=True)
class ExecuteSqlResponse:
    """`dbdiag.analyst.v1.ExecuteSqlResponse`."""

    result: ResultSet = ResultSet()
    elapsed_seconds: float = 0.0
