"""The types of dbdiag/analyst/v1/analyst.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from dbdiag.frozen import dataclass, set_field

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

    if not TYPE_CHECKING:

        def __init__(self, name=name, type=type, description=description, role=role, unit=unit):
            set_field(self, "name", name)
            set_field(self, "type", type)
            set_field(self, "description", description)
            set_field(self, "role", role)
            set_field(self, "unit", unit)


@dataclass(frozen=True)
class Table:
    """`dbdiag.analyst.v1.Table`."""

    name: str = ""
    description: str = ""
    columns: tuple[Column, ...] = ()
    row_count: int = 0

    if not TYPE_CHECKING:

        def __init__(self, name=name, description=description, columns=columns, row_count=row_count):
            set_field(self, "name", name)
            set_field(self, "description", description)
            set_field(self, "columns", columns)
            set_field(self, "row_count", row_count)


@dataclass(frozen=True)
class Cell:
    """A cell as text; absent is SQL NULL."""

    value: str | None = None

    if not TYPE_CHECKING:

        def __init__(self, value=value):
            set_field(self, "value", value)


@dataclass(frozen=True)
class Row:
    """`dbdiag.analyst.v1.Row`."""

    cells: tuple[Cell, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, cells=cells):
            set_field(self, "cells", cells)


@dataclass(frozen=True)
class ResultSet:
    """`dbdiag.analyst.v1.ResultSet`."""

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    truncated: bool = False

    if not TYPE_CHECKING:

        def __init__(self, columns=columns, rows=rows, truncated=truncated):
            set_field(self, "columns", columns)
            set_field(self, "rows", rows)
            set_field(self, "truncated", truncated)


@dataclass(frozen=True)
class DatasetSummary:
    """`dbdiag.analyst.v1.DatasetSummary`."""

    dataset_id: str = ""
    title: LocalizedText = LocalizedText()
    # ISO 8601; empty where relative times are seen from the clock.
    as_of: str = ""
    metrics: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, dataset_id=dataset_id, title=title, as_of=as_of, metrics=metrics, dimensions=dimensions):
            set_field(self, "dataset_id", dataset_id)
            set_field(self, "title", title)
            set_field(self, "as_of", as_of)
            set_field(self, "metrics", metrics)
            set_field(self, "dimensions", dimensions)


@dataclass(frozen=True)
class ListDatasetsRequest:
    """`dbdiag.analyst.v1.ListDatasetsRequest`."""


@dataclass(frozen=True)
class ListDatasetsResponse:
    """`dbdiag.analyst.v1.ListDatasetsResponse`."""

    datasets: tuple[DatasetSummary, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, datasets=datasets):
            set_field(self, "datasets", datasets)


@dataclass(frozen=True)
class HandedTable:
    """Rows that a caller hands in, as a JSON array of objects."""

    name: str = ""
    rows_json: str = ""

    if not TYPE_CHECKING:

        def __init__(self, name=name, rows_json=rows_json):
            set_field(self, "name", name)
            set_field(self, "rows_json", rows_json)


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

    if not TYPE_CHECKING:

        def __init__(self, dataset_id=dataset_id, question=question, language=language, conversation=conversation, now=now, snapshot_id=snapshot_id, tables=tables):
            set_field(self, "dataset_id", dataset_id)
            set_field(self, "question", question)
            set_field(self, "language", language)
            set_field(self, "conversation", conversation)
            set_field(self, "now", now)
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "tables", tables)


@dataclass(frozen=True)
class SqlCandidate:
    """`dbdiag.analyst.v1.SqlCandidate`."""

    sql: str = ""
    reason: str = ""

    if not TYPE_CHECKING:

        def __init__(self, sql=sql, reason=reason):
            set_field(self, "sql", sql)
            set_field(self, "reason", reason)


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

    if not TYPE_CHECKING:

        def __init__(self, step=step, agent=agent, input=input, output=output, success=success, error_class=error_class):
            set_field(self, "step", step)
            set_field(self, "agent", agent)
            set_field(self, "input", input)
            set_field(self, "output", output)
            set_field(self, "success", success)
            set_field(self, "error_class", error_class)


@dataclass(frozen=True)
class Mend:
    """A statement that failed, and the least change that corrects it."""

    failed_sql: str = ""
    error: str = ""
    diagnosis: str = ""
    refined_sql: str = ""

    if not TYPE_CHECKING:

        def __init__(self, failed_sql=failed_sql, error=error, diagnosis=diagnosis, refined_sql=refined_sql):
            set_field(self, "failed_sql", failed_sql)
            set_field(self, "error", error)
            set_field(self, "diagnosis", diagnosis)
            set_field(self, "refined_sql", refined_sql)


@dataclass(frozen=True)
class Clarification:
    """One question back. Each option can be sent as the next question of the conversation."""

    question: str = ""
    options: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, question=question, options=options):
            set_field(self, "question", question)
            set_field(self, "options", options)


@dataclass(frozen=True)
class UnderstoodPart:
    """`dbdiag.analyst.v1.UnderstoodPart`."""

    # metric, split, time, filter, exclusion, default, order, ignored or guess.
    kind: str = ""
    text: str = ""

    if not TYPE_CHECKING:

        def __init__(self, kind=kind, text=text):
            set_field(self, "kind", kind)
            set_field(self, "text", text)


@dataclass(frozen=True)
class Understood:
    """`dbdiag.analyst.v1.Understood`."""

    parts: tuple[UnderstoodPart, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, parts=parts):
            set_field(self, "parts", parts)


@dataclass(frozen=True)
class Chart:
    """`dbdiag.analyst.v1.Chart`."""

    # line, bar, stacked or pie.
    kind: str = ""
    # A Vega-Lite specification with its data, as JSON.
    vega_lite: str = ""

    if not TYPE_CHECKING:

        def __init__(self, kind=kind, vega_lite=vega_lite):
            set_field(self, "kind", kind)
            set_field(self, "vega_lite", vega_lite)


@dataclass(frozen=True)
class EmptiedBy:
    """The conditions without any of which the answer would not be empty."""

    conditions: tuple[UnderstoodPart, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, conditions=conditions):
            set_field(self, "conditions", conditions)


@dataclass(frozen=True)
class GiveUp:
    """`dbdiag.analyst.v1.GiveUp`."""

    reason: str = ""

    if not TYPE_CHECKING:

        def __init__(self, reason=reason):
            set_field(self, "reason", reason)


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

    if not TYPE_CHECKING:

        def __init__(self, progress=progress, candidate=candidate, result=result, summary=summary, declined=declined, step=step, clarification=clarification, understood=understood, chart=chart, emptied_by=emptied_by, intent=intent, mend=mend, give_up=give_up, hint=hint):
            set_field(self, "progress", progress)
            set_field(self, "candidate", candidate)
            set_field(self, "result", result)
            set_field(self, "summary", summary)
            set_field(self, "declined", declined)
            set_field(self, "step", step)
            set_field(self, "clarification", clarification)
            set_field(self, "understood", understood)
            set_field(self, "chart", chart)
            set_field(self, "emptied_by", emptied_by)
            set_field(self, "intent", intent)
            set_field(self, "mend", mend)
            set_field(self, "give_up", give_up)
            set_field(self, "hint", hint)


@dataclass(frozen=True)
class GetSchemaRequest:
    """`dbdiag.analyst.v1.GetSchemaRequest`."""

    dataset_id: str = ""
    # Only these; empty for all.
    table_names: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, dataset_id=dataset_id, table_names=table_names):
            set_field(self, "dataset_id", dataset_id)
            set_field(self, "table_names", table_names)


@dataclass(frozen=True)
class GetSchemaResponse:
    """`dbdiag.analyst.v1.GetSchemaResponse`."""

    tables: tuple[Table, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, tables=tables):
            set_field(self, "tables", tables)


@dataclass(frozen=True)
class ValidateSqlRequest:
    """`dbdiag.analyst.v1.ValidateSqlRequest`."""

    dataset_id: str = ""
    sql: str = ""

    if not TYPE_CHECKING:

        def __init__(self, dataset_id=dataset_id, sql=sql):
            set_field(self, "dataset_id", dataset_id)
            set_field(self, "sql", sql)


@dataclass(frozen=True)
class ValidateSqlResponse:
    """`dbdiag.analyst.v1.ValidateSqlResponse`."""

    allowed: bool = False
    reason: str = ""

    if not TYPE_CHECKING:

        def __init__(self, allowed=allowed, reason=reason):
            set_field(self, "allowed", allowed)
            set_field(self, "reason", reason)


@dataclass(frozen=True)
class ExecuteSqlRequest:
    """`dbdiag.analyst.v1.ExecuteSqlRequest`."""

    dataset_id: str = ""
    sql: str = ""
    # 0: 1,000. At most 100,000.
    max_rows: int = 0

    if not TYPE_CHECKING:

        def __init__(self, dataset_id=dataset_id, sql=sql, max_rows=max_rows):
            set_field(self, "dataset_id", dataset_id)
            set_field(self, "sql", sql)
            set_field(self, "max_rows", max_rows)


@dataclass(frozen=True)
class ExecuteSqlResponse:
    """`dbdiag.analyst.v1.ExecuteSqlResponse`."""

    result: ResultSet = ResultSet()
    elapsed_seconds: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, result=result, elapsed_seconds=elapsed_seconds):
            set_field(self, "result", result)
            set_field(self, "elapsed_seconds", elapsed_seconds)
