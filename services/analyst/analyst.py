"""Answers questions over datasets, part by part as a caller reads them."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence

from dbdiag.analyst.v1.analyst_types import (
    AskRequest,
    AskResponse,
    Cell,
    Clarification,
    Column,
    EmptiedBy,
    GiveUp,
    Mend,
    ResultSet,
    Row,
    SqlCandidate,
    TeamStep,
    Understood,
    UnderstoodPart,
)

from services.analyst.answers.chart import chart_kind, draw
from services.analyst.answers.labels import Labels, Words
from services.analyst.answers.sentence import Sentence, is_empty
from services.analyst.answers.understanding import as_line, emptied_by, say_holdings, understand
from services.analyst.execution.runner import ResultRows
from services.analyst.open_dataset import OpenDataset, query_of, with_columns
from services.analyst.queries.identifiers import Column as QueryColumn
from services.analyst.questions.intent import Intent
from services.analyst.questions.parser import Parser
from services.analyst.questions.words.grammar import asks_to_draw
from services.analyst.sources.source import Cell as Value
from services.analyst.team.state import Execution, TeamState
from services.analyst.team.structured_intent import to_json
from services.analyst.team.team import Outcome
from services.chassis.errors import DbdiagError, InvalidInput

_HAN = re.compile(r"[\u3400-\u9fff]")
MOST_CHARACTERS = 1_000


def previous_intent(questions: Sequence[str], parser: Parser, today: dt.date) -> Intent | None:
    """The intent that the next question may continue; None at the beginning of a conversation."""
    previous: Intent | None = None
    for question in questions:
        reading = parser.read(question, today, previous)
        previous = reading.intent or reading.partial or previous
    return previous


def language_of(request: AskRequest) -> str:
    """The language that a question is answered in: as asked for, else its own."""
    return request.language or ("zh" if _HAN.search(request.question) else "en")


class Analyst:
    """Keeps nothing of a question. clock: gives today, for datasets without `as_of`."""

    def __init__(self, clock: Callable[[], dt.date]) -> None:
        self._clock = clock

    async def ask(self, request: AskRequest, opened: OpenDataset) -> AsyncIterator[AskResponse]:
        """The parts of an answer. Raises InvalidInput without a question, or for a day that is none."""
        question = request.question.strip()
        if not question:
            raise InvalidInput("invalid_request.no_question")
        words = Words(language_of(request))
        today = self._today(request, opened)
        state = TeamState(question[:MOST_CHARACTERS], words.language, today)
        state.previous = previous_intent(request.conversation, opened.parser, today)
        outcome = Outcome(state)
        self._recall(state, opened)
        async for done in opened.team.work(outcome):
            yield AskResponse(step=_step(done)) if isinstance(done, Execution) else AskResponse(progress=done)
        async for part in self._answer(outcome, opened, words):
            yield part

    def _today(self, request: AskRequest, opened: OpenDataset) -> dt.date:
        if not request.now:
            return opened.dataset.layer.as_of or self._clock()
        try:
            return dt.date.fromisoformat(request.now[:10])
        except ValueError:
            raise InvalidInput("invalid_request.no_day", value=request.now) from None

    def _recall(self, state: TeamState, opened: OpenDataset) -> None:
        """A question that was verified is answered as it was then."""
        example = opened.verified.find(state.question)
        if example is None:
            return
        state.intent = opened.verified.intent(example, state.today)
        if example.sql:
            state.intent = state.intent or Intent()
            state.candidates = (query_of(example),)

    async def _answer(self, outcome: Outcome, opened: OpenDataset, words: Words) -> AsyncIterator[AskResponse]:
        state = outcome.state
        if state.intent is None or (outcome.impossible is not None):
            yield _without_intent(outcome, words)
            return
        understood = understand(state.intent, state.reading, opened.dataset, words)
        if outcome.by_model:
            understood.append(UnderstoodPart("guess", words.say("by_model")))
        yield AskResponse(intent=json.dumps(to_json(state.intent), ensure_ascii=False))
        yield AskResponse(understood=Understood(tuple(understood)))
        for query in state.candidates:
            yield AskResponse(candidate=SqlCandidate(query.sql, query.reason.text(words.language)))
        for mend in state.mends:
            said = Mend(mend.failed_sql, mend.error, mend.diagnosis.text(words.language), mend.refined_sql)
            yield AskResponse(mend=said)
        if outcome.action == "ask":
            said_back = words.say("misread", understood=as_line(understood, words))
            yield AskResponse(clarification=Clarification(said_back))
        elif state.result is None:
            yield AskResponse(give_up=GiveUp(_reason(state, words)))
        elif outcome.other is not None and await self._differs(outcome, opened):
            yield AskResponse(clarification=self._disagreement(outcome, opened, words))
        else:
            async for part in self._result(state, opened, words):
                yield part

    async def _result(self, state: TeamState, opened: OpenDataset, words: Words) -> AsyncIterator[AskResponse]:
        assert state.intent is not None
        assert state.result is not None
        result, intent = state.result, state.intent
        columns = with_columns(state.query, result.columns).columns
        labels = Labels(opened.dataset, words)
        yield AskResponse(result=result_set(result, columns, labels))
        chart = draw(chart_kind(intent, columns, result.rows), intent, columns, result.rows, labels)
        if chart is not None:
            yield AskResponse(chart=chart)
        summary = Sentence(intent, opened.dataset, words).say(columns, result)
        if is_empty(columns, result):
            conditions = await self._emptied_by(state, opened, words)
            yield AskResponse(emptied_by=EmptiedBy(tuple(conditions)))
            texts = [part.text for part in conditions]
            blame = words.say("emptied_by", conditions=words.join(texts)) if texts else ""
            blame = blame or await self._holdings(state, opened, words) or words.say("emptied_by_any")
            summary += blame if words.language == "zh" else f" {blame}"
        elif chart is None and asks_to_draw(state.question):
            summary += words.say("nothing_to_draw")
        for hint in _hints(intent, words):
            yield AskResponse(hint=hint)
        yield AskResponse(summary=summary)

    async def _emptied_by(self, state: TeamState, opened: OpenDataset, words: Words) -> list[UnderstoodPart]:
        assert state.intent is not None

        async def has_rows(intent: Intent) -> bool:
            tried = TeamState(state.question, state.language, state.today)
            if not await opened.team.run(intent, tried) or tried.result is None:
                return False
            return not is_empty(tried.query.columns, tried.result)

        return await emptied_by(state.intent, opened.dataset, words, has_rows)

    async def _holdings(self, state: TeamState, opened: OpenDataset, words: Words) -> str:
        assert state.intent is not None

        async def count(intent: Intent) -> float:
            tried = TeamState(state.question, state.language, state.today)
            found = await opened.team.run(intent, tried) and tried.result is not None and tried.result.rows
            return float(found[0][0] or 0) if found else 0.0

        return await say_holdings(state.intent, opened.dataset, words, count)

    async def _differs(self, outcome: Outcome, opened: OpenDataset) -> bool:
        """True if the model's intent has another result than that of the rules."""
        assert outcome.other is not None
        tried = TeamState(outcome.state.question, outcome.state.language, outcome.state.today)
        if not await opened.team.run(outcome.other, tried) or tried.result is None or outcome.state.result is None:
            return False
        return _as_set(tried.result.rows) != _as_set(outcome.state.result.rows)

    def _disagreement(self, outcome: Outcome, opened: OpenDataset, words: Words) -> Clarification:
        options = [
            as_line(understand(intent, None, opened.dataset, words), words)
            for intent in (outcome.state.intent, outcome.other)
            if intent is not None
        ]
        return Clarification(words.say("disagree"), tuple(options))


def _without_intent(outcome: Outcome, words: Words) -> AskResponse:
    state, language = outcome.state, words.language
    if outcome.impossible is not None:
        return AskResponse(declined=outcome.impossible.text(language))
    reading = state.reading
    if reading is not None and reading.question is not None:
        return AskResponse(clarification=Clarification(reading.question.text(language), tuple(reading.options)))
    if reading is not None and reading.refusal is not None:
        return AskResponse(declined=reading.refusal.text(language))
    return AskResponse(give_up=GiveUp(_reason(state, words)))


def _reason(state: TeamState, words: Words) -> str:
    error: DbdiagError | None = state.error
    said = error.text(words.language).rstrip(".。") if error else ""
    return words.say("gave_up", error=said, count=len(state.history), mends=len(state.mends))


def _hints(intent: Intent, words: Words) -> list[str]:
    ends = [period.end - dt.timedelta(days=1) for period in intent.time.periods if period.running and period.end]
    return [words.say("hint_running", end=max(ends))] if ends else []


def _as_set(rows: Sequence[Sequence[object]]) -> list[str]:
    return sorted(str([f"{cell:.6g}" if isinstance(cell, float) else cell for cell in row]) for row in rows)


def _step(done: Execution) -> TeamStep:
    return TeamStep(done.step, done.agent, done.input_summary, done.output_summary, done.success, done.error_class)


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
