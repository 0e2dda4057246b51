"""Questions about data within a conversation: the analyst answers them from this installation's own tables."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from dbdiag.analyst.v1.analyst_types import AskRequest, HandedTable
from dbdiag.planner.v1.planner_types import DataAnswer, DataRow, QuestionKind, QuestionStep

from gateway.analysis.answer import Answer, Value, fold
from gateway.contracts.analyst_client import AnalystClient
from gateway.session.ledger import Session
from gateway.session.session_rows import session_rows
from gateway.turn.context import ToolResult, Turn
from gateway.turn.tools.queries import questions
from services.chassis.errors import DbdiagError

OWN_DATASET = "dbdiag"
_MOST_ROWS = 10


class DataDesk:
    """Hands the gateway's own rows to the analyst with each question. seconds: the limit of one answer."""

    def __init__(self, client: AnalystClient, sessions: Callable[[], Awaitable[list[Session]]], seconds: float) -> None:
        self._client, self._sessions, self._seconds = client, sessions, seconds

    async def ask(self, question: str, language: str, snapshot_id: str, conversation: Sequence[str] = ()) -> Answer:
        """The whole answer. Raises a member of the error tree."""
        rows = session_rows(await self._sessions())
        tables = tuple(HandedTable(name, json.dumps(found)) for name, found in rows.items())
        request = AskRequest(OWN_DATASET, question, language, tuple(conversation), "", snapshot_id, tables)
        return await fold(self._client.ask(request, self._seconds))


async def answer_data(turn: Turn, desk: DataDesk | None) -> ToolResult:
    """One answer a data question; without an analyst, or where it fails, one that says so."""
    asked = questions(turn, QuestionKind.DATA)
    return ToolResult(answers=tuple([await _answer(turn, question, desk) for question in asked]))


async def _answer(turn: Turn, question: QuestionStep, desk: DataDesk | None) -> DataAnswer:
    told = DataAnswer(question.text)
    if desk is None:
        return told
    try:
        answer = await desk.ask(question.text, turn.language, turn.session.snapshot_id)
    except DbdiagError as error:
        return replace(told, answer=error.text(turn.language))
    many = len(answer.rows) > 1
    return replace(
        told,
        answer=answer.message,
        understood="; ".join(part.text for part in answer.understood),
        options=tuple(answer.options),
        columns=tuple(column.description or column.name for column in answer.columns) if many else (),
        rows=tuple(DataRow(tuple(map(_shown, row))) for row in answer.rows[:_MOST_ROWS]) if many else (),
        sql=answer.sql,
    )


def _shown(value: Value) -> str:
    if value is None:
        return "–"
    return f"{value:,.2f}" if isinstance(value, float) else str(value)
