"""Scores readings of questions by the results of their SQL against gold queries."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any, Literal, TypeAlias

import duckdb

from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.intent import Intent, Reading
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from services.chassis.errors import DbdiagError

Verdict: TypeAlias = Literal["right", "wrong", "asked", "refused", "failed"]
FOLDER = Path(__file__).parent
_AS_OF = dt.date(2025, 6, 18)
_COLUMNS = 8
_TIES = 5


@dataclass(frozen=True)
class Case:
    """A question with its gold query, or CLARIFY or REFUSE. previous: the questions asked before it."""

    batch: str
    kind: str
    question: str
    gold: str
    previous: tuple[str, ...] = ()

    @property
    def is_answerable(self) -> bool:
        """True if a figure or rows are wanted."""
        return self.gold.upper().startswith(("SELECT", "WITH"))


@dataclass(frozen=True)
class Score:
    """What became of a case; `note` is the SQL or the question asked back."""

    case: Case
    verdict: Verdict
    note: str


def cases(batch: str, folder: Path = FOLDER) -> Iterator[Case]:
    """The cases of a file, `kind => question => gold` a line; ">> " parts the questions of one conversation."""
    for line in (folder / f"{batch}.txt").read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            kind, question, gold = (part.strip() for part in line.split(" => ", 2))
            *previous, last = (part.strip() for part in question.split(" >> "))
            yield Case(batch, kind, last, gold, tuple(previous))


class Scorer:
    """Reads, compiles and runs on one database."""

    def __init__(self, dataset: Dataset, connection: duckdb.DuckDBPyConnection, today: dt.date = _AS_OF) -> None:
        self._dataset, self._connection, self._today = dataset, connection, today
        self._parser = Parser(dataset)

    def read(self, case: Case) -> Reading:
        """The reading of the last question of a case."""
        previous: Intent | None = None
        for question in case.previous:
            before = self._parser.read(question, self._today, previous)
            previous = before.intent or before.partial
        return self._parser.read(case.question, self._today, previous)

    def score(self, case: Case) -> Score:
        """The verdict on one case. A question asked back is right where one is wanted, and so is a refusal."""
        reading = self.read(case)
        if reading.intent is None:
            message = reading.question or reading.refusal
            said = message.text("en") if message else ""
            verdict: Verdict = "asked" if reading.question else "refused"
            return Score(case, verdict if case.is_answerable else "right", f"{said} {reading.options}")
        try:
            sql = compile_intent(reading.intent, self._dataset, self._today)[0].sql
            found = self._connection.execute(sql).fetchall()
        except (DbdiagError, duckdb.Error) as error:
            return Score(case, "failed" if case.is_answerable else "right", f"{error} {reading.intent}")
        if not case.is_answerable:
            return Score(case, "wrong", sql)
        wanted = self._connection.execute(case.gold).fetchall()
        return Score(
            case,
            "right" if matches(found, wanted) or is_tied(case.gold, found, wanted) else "wrong",
            f"{sql}\n      got {found[:2]} want {wanted[:2]}",
        )


def matches(found: Sequence[Sequence[Any]], wanted: Sequence[Sequence[Any]]) -> bool:
    """True if the wanted columns are among those found, row by row, in any order."""
    if len(found) != len(wanted):
        return False
    if not wanted:
        return True
    columns = _spread(found)
    goal = list(zip(*wanted, strict=True))
    choices = [[at for at, column in enumerate(columns) if _bag(column) == _bag(each)] for each in goal]
    if not all(choices):
        return False
    if len(goal) == 1:
        return True
    if len(columns) > _COLUMNS * 3:
        return True
    rows = _bag_of_rows(goal)
    return any(_bag_of_rows([columns[at] for at in picked]) == rows for picked in _picks(choices))


def is_tied(gold: str, found: Sequence[Sequence[Any]], wanted: Sequence[Sequence[Any]]) -> bool:
    """True if a gold query with a limit wants the first of the rows found, up to rows of equal rank."""
    if " LIMIT " not in gold or not len(wanted) <= len(found) <= len(wanted) + _TIES:
        return False
    cells = [{_cell(cell) for cell in row} for row in found]
    least = _cell(wanted[-1][-1])
    return all(
        any({_cell(cell) for cell in row} <= each for each in cells) or _cell(row[-1]) == least for row in wanted
    ) and all(any(_cell(cell) == least for cell in row) for row in found[len(wanted) - 1 :])


def _picks(choices: list[list[int]]) -> Iterator[tuple[int, ...]]:
    flat = sorted({at for each in choices for at in each})
    for picked in permutations(flat, len(choices)):
        if all(at in choices[place] for place, at in enumerate(picked)):
            yield picked


def _spread(rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """The columns of a result; one of days also as the parts that gold queries show."""
    columns = list(zip(*rows, strict=True))
    for column in list(columns):
        if any(isinstance(cell, dt.date) for cell in column):
            days = [cell if isinstance(cell, dt.date) else None for cell in column]
            columns.append(tuple(day.month if day else None for day in days))
            columns.append(tuple(day.year if day else None for day in days))
            columns.append(tuple((day.month + 2) // 3 if day else None for day in days))
    return columns


def _cell(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return "null" if math.isnan(number) else f"{number:.5g}"


def _bag(column: Sequence[Any]) -> list[str]:
    return sorted(_cell(cell) for cell in column)


def _bag_of_rows(columns: Sequence[Sequence[Any]]) -> list[str]:
    return sorted("|".join(_cell(cell) for cell in row) for row in zip(*columns, strict=True))
