"""The types of dbdiag/analyst/v1/analyst.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from dataclasses import dataclass

from dbdiag.vocabulary import LocalizedText

__all__ = [
    "AskRequest",
    "AskResponse",
    "Cell",
    "Chart",
    "Clarification",
    "Column",
    "DatasetSummary",
    "EmptiedBy",
    "ExecuteSqlRequest",
    "ExecuteSqlResponse",
    "GetSchemaRequest",
    "GetSchemaResponse",
    "GiveUp",
    "HandedTable",
    "ListDatasetsRequest",
    "ListDatasetsResponse",
    "LocalizedText",
    "Mend",
    "ResultSet",
    "Row",
    "SqlCandidate",
    "Table",
    "TeamStep",
    "Understood",
    "UnderstoodPart",
    "ValidateSqlRequest",
    "ValidateSqlResponse",
]


@dataclass(frozen=True)
class Column:
    """`dbdiag.analyst.v1.Column`."""

    name: str = ""
    type: str = ""
    description: str = ""
    # What it holds in an answer: dimension, time, part, measure, previous, growth, share, running or cell.
    role: str = ""
    # Of a measure; empty without one.
    unit: str = ""


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
class DatasetSummary:
    """`dbdiag.analyst.v1.DatasetSummary`."""

    dataset_id: str = ""
    title: LocalizedText = LocalizedText()
    # ISO 8601; empty where relative times are seen from the clock.
    as_of: str = ""
    metrics: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()


@dataclass(frozen=True)
class ListDatasetsRequest:
    """`dbdiag.analyst.v1.ListDatasetsRequest`."""


@dataclass(frozen=True)
class ListDatasetsResponse:
    """`dbdiag.analyst.v1.ListDatasetsResponse`."""

    datasets: tuple[DatasetSummary, ...] = ()


@dataclass(frozen=True)
class HandedTable:
    """Rows that a caller hands in, as a JSON array of objects."""

    name: str = ""
    rows_json: str = ""


@dataclass(frozen=True)
class AskRequest:
    """`dbdiag.analyst.v1.AskRequest`."""

    # Empty for the only one; `dbdiag` for this installation's own tickets, causes, phenomena and sessions.
    dataset_id: str = ""
    question: str = ""
    # zh or en; empty for that of the question.
    language: str = ""
    # The questions asked before in the same conversation, oldest first; at most 20.
    conversation: tuple[str, ...] = ()
    # The day that relative times are seen from, ISO 8601; empty for the dataset's own, else today.
    now: str = ""
    # For `dbdiag` only: the snapshot whose knowledge is asked about; empty for the current one.
    snapshot_id: str = ""
    # For `dbdiag` only: the tables session, evidence and check_run of the gateway's store.
    tables: tuple[HandedTable, ...] = ()


@dataclass(frozen=True)
class SqlCandidate:
    """`dbdiag.analyst.v1.SqlCandidate`."""

    sql: str = ""
    reason: str = ""


@dataclass(frozen=True)
class TeamStep:
    """One step of a member of the team."""

    step: int = 0
    # semantic_parser, sql_generator or result_evaluator.
    agent: str = ""
    input: str = ""
    output: str = ""
    success: bool = False
    # Empty on success.
    error_class: str = ""


@dataclass(frozen=True)
class Mend:
    """A statement that failed, and the least change that corrects it."""

    failed_sql: str = ""
    error: str = ""
    diagnosis: str = ""
    refined_sql: str = ""


@dataclass(frozen=True)
class Clarification:
    """One question back. Each option can be sent as the next question of the conversation."""

    question: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class UnderstoodPart:
    """`dbdiag.analyst.v1.UnderstoodPart`."""

    # metric, split, time, filter, exclusion, default, order, ignored or guess.
    kind: str = ""
    text: str = ""


@dataclass(frozen=True)
class Understood:
    """`dbdiag.analyst.v1.Understood`."""

    parts: tuple[UnderstoodPart, ...] = ()


@dataclass(frozen=True)
class Chart:
    """`dbdiag.analyst.v1.Chart`."""

    # line, bar, stacked or pie.
    kind: str = ""
    # A Vega-Lite specification with its data, as JSON.
    vega_lite: str = ""


@dataclass(frozen=True)
class EmptiedBy:
    """The conditions without any of which the answer would not be empty."""

    conditions: tuple[UnderstoodPart, ...] = ()


@dataclass(frozen=True)
class GiveUp:
    """`dbdiag.analyst.v1.GiveUp`."""

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
    step: TeamStep | None = None
    clarification: Clarification | None = None
    understood: Understood | None = None
    chart: Chart | None = None
    emptied_by: EmptiedBy | None = None
    # The structured intent as JSON, in ids of the semantic layer.
    intent: str | None = None
    mend: Mend | None = None
    # The team stopped without an answer, after errors that it could not mend.
    give_up: GiveUp | None = None
    # What would change the answer, such as a default that can be dropped.
    hint: str | None = None


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
