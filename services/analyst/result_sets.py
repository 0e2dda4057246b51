"""Results of DuckDB in the form of the contract: cells as text, headings in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from dbdiag.analyst.v1.analyst_types import Cell, Column, ResultSet, Row

from services.analyst.answers.labels import Labels
from services.analyst.execution.runner import ResultRows
from services.analyst.queries.query import Column as QueryColumn
from services.analyst.sources.source import Cell as Value


def result_set(result: ResultRows, columns: Sequence[QueryColumn], labels: Labels | None) -> ResultSet:
    """A result with headings and units where its columns are known."""
    described = []
    for at, (name, kind) in enumerate(zip(result.columns, result.types, strict=True)):
        known = columns[at] if labels is not None and at < len(columns) else None
        if known is None or labels is None:
            described.append(Column(name, kind))
        else:
            described.append(Column(name, kind, labels.column(known), known.role, labels.unit(known.measure)))
    rows = tuple(Row(tuple(Cell(_text(value)) for value in row)) for row in result.rows)
    return ResultSet(tuple(described), rows, result.truncated)


def _text(value: Value) -> str | None:
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)
