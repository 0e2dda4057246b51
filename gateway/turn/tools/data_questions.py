"""Questions about data within a conversation: the analyst answers them from this installation's own tables."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence

from dbdiag.analyst.v1.analyst_types import AskRequest, HandedTable
from dbdiag.planner.v1.planner_types import DataAnswer, DataRow, QuestionKind

from gateway.analysis.answer import Answer, fold
from gateway.analysis.scene import to_svg
from gateway.contracts.clients import AnalystClient
from gateway.session.ledger import AskedData, Session
from gateway.session.session_rows import session_rows
from gateway.turn.context import Turn
from gateway.turn.findings import DataFigure, ToolResult
from gateway.turn.tools.queries import questions
from services.chassis.errors import DbdiagError

OWN_DATASET = "dbdiag"
_MOST_ROWS, _MOST_SHOWN, _MOST_QUESTIONS = 5, 200, 20


class DataDesk:
    """Hands the gateway's own rows to the analyst with each question. seconds: the limit of one answer."""

    def __init__(self, client: AnalystClient, sessions: Callable[[], Awaitable[list[Session]]], seconds: float) -> None:
        self._client, self._sessions, self._seconds = client, sessions, seconds

    async def ask(
        self, question: str, language: str, snapshot_id: str, conversation: Sequence[str] = (), now: str = ""
    ) -> Answer:
        """The whole answer. now: the day that counts as today, else the clock's. Raises a member of the error tree."""
        rows = session_rows(await self._sessions())
        tables = tuple(HandedTable(name, json.dumps(found)) for name, found in rows.items())
        request = AskRequest(OWN_DATASET, question, language, tuple(conversation), now, snapshot_id, tables)
        return await fold(self._client.ask(request, self._seconds))


async def answer_data(turn: Turn, desk: DataDesk | None) -> ToolResult:
    """One answer a data question; without an analyst, or where it fails, one that says so."""
    asked = questions(turn, QuestionKind.DATA)
    if not asked:
        return ToolResult()
    if desk is None:
        return ToolResult(answers=tuple(DataAnswer(question.text) for question in asked))
    before = turn.session.data_before()
    said, options = list(before.questions if before else ()), before.options if before else ()
    answers: list[DataAnswer] = []
    figures: list[DataFigure] = []
    for question in asked:
        try:
            answer = await desk.ask(question.text, turn.language, turn.session.snapshot_id, said)
        except DbdiagError as error:
            answers.append(DataAnswer(question.text, answer=error.text(turn.language)))
            continue
        answers.append(_told(question.text, answer))
        figures.append(_figure(question.text, answer))
        if answer.status in ("answered", "clarify"):
            said, options = [*said, question.text][-_MOST_QUESTIONS:], answer.options
    continued = AskedData(turn.session.turn, tuple(said), options) if figures and said else None
    return ToolResult(answers=tuple(answers), figures=tuple(figures), asked_data=continued)


def _told(question: str, answer: Answer) -> DataAnswer:
    """The answer as the planner words it: a table only of several rows, and of the first of them."""
    many = len(answer.rows) > 1
    return DataAnswer(
        question,
        answer=answer.message,
        understood="; ".join(part.text for part in answer.understood),
        options=tuple(answer.options),
        columns=_heads(answer) if many else (),
        rows=_few_rows(answer) if many else (),
        sql=answer.sql,
    )


def _figure(question: str, answer: Answer) -> DataFigure:
    return DataFigure(
        question,
        answer.status,
        answer.message,
        tuple(part.text for part in answer.understood),
        tuple(answer.options),
        _heads(answer),
        tuple(map(answer.row_texts, answer.rows[:_MOST_SHOWN])),
        len(answer.rows),
        answer.sql,
        answer.chart_kind,
        to_svg(answer.chart) if answer.chart is not None else "",
    )


def _heads(answer: Answer) -> tuple[str, ...]:
    return tuple(column.description or column.name for column in answer.columns)


def _few_rows(answer: Answer) -> tuple[DataRow, ...]:
    """The first rows, of figures over time the last ones; dots stand for the others."""
    if len(answer.rows) <= _MOST_ROWS:
        return tuple(DataRow(answer.row_texts(row)) for row in answer.rows)
    others = DataRow(tuple("…" for _ in answer.columns))
    if answer.columns[0].role == "time":
        return (others, *(DataRow(answer.row_texts(row)) for row in answer.rows[-_MOST_ROWS:]))
    return (*(DataRow(answer.row_texts(row)) for row in answer.rows[:_MOST_ROWS]), others)
