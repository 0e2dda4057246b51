"""Runs the examples of a layer: each verified question must still give the rows that were verified."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import AsyncIterator, Sequence
from typing import Any

from pydantic import ValidationError

from services.analyst.execution.runner import ResultRows, Runner
from services.analyst.linting.finding import Finding
from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.intent import Intent
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.schema import Example
from services.chassis.errors import DbdiagError, InvalidInput
from services.chassis.messages import Detail, Message
from services.chassis.problems import verbatim

_SHOWN = 3


async def run_examples(dataset: Dataset, runner: Runner, today: dt.date) -> AsyncIterator[Finding]:
    """An error for each example that fails or gives other rows than expected, in whatever order."""
    parser = Parser(dataset)
    for at, example in enumerate(dataset.layer.examples):
        place = ("examples", at)
        try:
            sql = example.sql or compile_intent(_intent(example, parser, dataset, today), dataset, today)[0].sql
            found = await runner.run(sql)
        except DbdiagError as error:
            details: dict[str, Detail] = {"question": example.question, "why": error.as_message}
            yield Finding("error", place, Message("drift.example_fails", details))
            continue
        if example.expect and not is_expected(found, example.expect):
            shown = "; ".join(str(list(row)) for row in found.rows[:_SHOWN]) or "-"
            details = {"question": example.question, "rows": shown, "expected": str(list(example.expect[:_SHOWN]))}
            yield Finding("error", place, Message("drift.example_differs", details))


def _intent(example: Example, parser: Parser, dataset: Dataset, today: dt.date) -> Intent:
    if example.intent:
        from services.analyst.team.structured_intent import StructuredIntent, from_json

        try:
            return from_json(StructuredIntent.model_validate(example.intent), dataset, today)
        except ValidationError as error:
            raise InvalidInput("lint.example_intent", why=verbatim(error.errors()[0]["msg"])) from None
    reading = parser.read(example.question, today)
    if reading.intent is None:
        raise InvalidInput("lint.example_unread", why=reading.question or reading.refusal or verbatim("-"))
    return reading.intent


def is_expected(found: ResultRows, expected: Sequence[Any]) -> bool:
    """True if the rows are those expected, in any order: lists of cells, mappings by column, or single cells."""
    wanted = [_cells(row, found.columns) for row in expected]
    rows = [list(row) for row in found.rows]
    if len(wanted) != len(rows):
        return False
    left = list(rows)
    for one in wanted:
        match = next((row for row in left if _same_row(row, one)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _cells(row: Any, columns: Sequence[str]) -> list[Any]:
    if isinstance(row, dict):
        return [row.get(column, row.get(column.lower())) for column in columns]
    return list(row) if isinstance(row, list | tuple) else [row]


def _same_row(row: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return len(row) == len(wanted) and all(_same(one, other) for one, other in zip(row, wanted, strict=True))


def _same(one: Any, other: Any) -> bool:
    if isinstance(other, dt.date):
        other = other.isoformat()
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9) if numbers else bool(one == other)
