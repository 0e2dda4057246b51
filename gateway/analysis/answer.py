"""One answer of the analyst, folded from the parts of its stream."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from dbdiag.analyst.v1.analyst_types import AskResponse, Column, ResultSet, SqlCandidate, TeamStep, UnderstoodPart
from dbdiag.analyst.v1.analyst_types import Mend as Mend

from lang.numbers.periods import period_label

Status: TypeAlias = Literal["answered", "clarify", "refused", "error"]
Value: TypeAlias = "str | int | float | bool | None"
_WHOLE = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
    "UHUGEINT",
)
_BROKEN = ("DOUBLE", "FLOAT", "DECIMAL")


@dataclass
class Answer:
    """status: answered also where the result is empty; then `emptied_by` names the conditions, or nothing.

    rows: numbers as numbers. sql: the statement that gave them, mended where it had to be.
    """

    status: Status = "error"
    message: str = ""
    options: tuple[str, ...] = ()
    candidates: list[SqlCandidate] = field(default_factory=list)
    columns: tuple[Column, ...] = ()
    rows: list[list[Value]] = field(default_factory=list)
    truncated: bool = False
    intent: dict[str, Any] | None = None
    understood: tuple[UnderstoodPart, ...] = ()
    chart_kind: str = "none"
    chart: dict[str, Any] | None = None
    emptied_by: tuple[UnderstoodPart, ...] = ()
    steps: list[TeamStep] = field(default_factory=list)
    mends: list[Mend] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    ran: str = ""

    @property
    def sql(self) -> str:
        """The statement that gave the rows; empty without rows."""
        if self.ran or self.status != "answered":
            return self.ran
        return self.candidates[0].sql if self.candidates else ""

    def fold(self, part: AskResponse) -> None:
        """Takes one part in."""
        if part.step is not None:
            self.steps.append(part.step)
        elif part.candidate is not None:
            self.candidates.append(part.candidate)
        elif part.mend is not None:
            self.mends.append(part.mend)
            self.ran = part.mend.refined_sql
        elif part.result is not None:
            self._take_result(part.result)
        elif part.intent is not None:
            self.intent = json.loads(part.intent)
        elif part.understood is not None:
            self.understood = part.understood.parts
        elif part.chart is not None:
            self.chart_kind, self.chart = part.chart.kind, json.loads(part.chart.vega_lite)
        elif part.emptied_by is not None:
            self.emptied_by = part.emptied_by.conditions
        elif part.hint is not None:
            self.hints.append(part.hint)
        else:
            self._end(part)

    def row_texts(self, row: Sequence[Value]) -> tuple[str, ...]:
        """The cells of a row as people read them; a period by its name, a missing value as a dash."""
        return tuple(_text(value, column) for value, column in zip(row, self.columns, strict=True))

    def _take_result(self, result: ResultSet) -> None:
        self.columns, self.truncated = result.columns, result.truncated
        self.rows = [
            [_value(cell.value, column.type) for cell, column in zip(row.cells, result.columns, strict=True)]
            for row in result.rows
        ]

    def _end(self, part: AskResponse) -> None:
        if part.summary is not None:
            self.status, self.message = "answered", part.summary
        elif part.clarification is not None:
            self.status, self.message = "clarify", part.clarification.question
            self.options = part.clarification.options
        elif part.declined is not None:
            self.status, self.message = "refused", part.declined
        elif part.give_up is not None:
            self.status, self.message = "error", part.give_up.reason


async def fold(parts: AsyncIterator[AskResponse]) -> Answer:
    """The whole answer of a stream."""
    answer = Answer()
    async for part in parts:
        answer.fold(part)
    return answer


def _value(text: str | None, kind: str) -> Value:
    if text is None:
        return None
    if kind == "BOOLEAN":
        return text == "true"
    try:
        if kind in _WHOLE:
            return int(text)
        return _number(text) if kind.startswith(_BROKEN) else text
    except ValueError:
        return text


def _number(text: str) -> float | int:
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _text(value: Value, column: Column) -> str:
    if value is None:
        return "–"
    if column.role == "time":
        return period_label(str(value), column.name)
    return f"{value:,.2f}" if isinstance(value, float) else str(value)
