"""Runs a candidate; mends it by rules with the least change where it fails, at most twice; then takes the next one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import sqlglot
from pydantic import BaseModel
from rapidfuzz import fuzz, process
from sqlglot import exp
from sqlglot.errors import SqlglotError

from services.analyst.execution.runner import SqlFailed
from services.analyst.queries.identifiers import identifier
from services.analyst.semantic.dataset import Dataset
from services.analyst.team.captain import MOST_MENDS
from services.analyst.team.state import Mend, TeamState
from services.analyst.team.structured_intent import to_json
from services.analyst.tools import Tools
from services.chassis.errors import DbdiagError, InvalidInput
from services.chassis.llm import LanguageModel, ModelFailed, Usage
from services.chassis.messages import Message

_RULES = Path(__file__).parents[1] / "prompts" / "duckdb_rules.md"
_PROMPT = Path(__file__).parents[1] / "prompts" / "result_evaluator.md"
# A mend keeps at least this share of the characters; what changes more is a new statement.
_KEPT = 0.6
_LANGUAGES = {"zh": "Chinese", "en": "English"}
_COLUMN = re.compile(r'Referenced column "(?P<name>[^"]+)"|column "(?P<other>[^"]+)" not found', re.I)
_SUGGESTED = re.compile(r'Candidate bindings:? "(?P<name>[^"]+)"', re.I)
_TABLE = re.compile(r"Table with name (?P<name>.+?) does not exist", re.I)
_UNGROUPED = re.compile(r'column "(?P<name>[^"]+)" must appear in the GROUP BY', re.I)
_DIGITS = re.compile(r"\d+")
_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT|INTEGER|FLOAT|DOUBLE|DECIMAL", re.I)
_CLOSE = 70


class Refinement(BaseModel):
    """A model's mend."""

    diagnosis: str
    refined_sql: str


class ResultEvaluator:
    """Uses the tools execute_sql, validate_sql and get_schema."""

    def __init__(self, tools: Tools, dataset: Dataset, model: LanguageModel | None = None) -> None:
        self._tools, self._dataset, self._model = tools, dataset, model

    async def evaluate(self, state: TeamState, usage: Usage) -> None:
        """One execution. On failure the state has the mended statement, the next candidate, or is exhausted."""
        state.sql = state.sql or state.query.sql
        ran = await self._tools.execute("execute_sql", sql=state.sql)
        state.error = ran.error
        if ran.success:
            state.result = ran.data["result"]
            return
        assert ran.error is not None
        if not isinstance(ran.error, InvalidInput):
            # A statement over its limits, or a child that is gone: another form of it would fare no better.
            state.exhausted = True
            return
        found = await self._diagnose(state, ran.error, usage) if state.mends_of_candidate < MOST_MENDS else None
        if found is not None:
            words = ran.error.words if isinstance(ran.error, SqlFailed) else ran.error.message
            state.mends.append(Mend(state.sql, words, found.diagnosis, found.refined_sql))
            state.sql, state.mends_of_candidate = found.refined_sql, state.mends_of_candidate + 1
        elif state.place + 1 < len(state.candidates):
            state.place, state.sql, state.mends_of_candidate = state.place + 1, "", 0
        else:
            state.exhausted = True

    async def _diagnose(self, state: TeamState, error: DbdiagError, usage: Usage) -> Diagnosis | None:
        words = error.words if isinstance(error, SqlFailed) else error.message
        found = mend(state.sql, words, self._dataset)
        if found is None and self._model is not None:
            found = await self._ask_model(state, words, usage)
        if found is None:
            return None
        checked = await self._tools.execute("validate_sql", sql=found.refined_sql)
        repeats = found.refined_sql == state.sql or any(each.failed_sql == found.refined_sql for each in state.mends)
        # One mend may uncover the next error; a statement that is not admitted is never run.
        return found if not repeats and (checked.success or isinstance(checked.error, SqlFailed)) else None

    async def _ask_model(self, state: TeamState, words: str, usage: Usage) -> Diagnosis | None:
        assert self._model is not None
        schema = await self._tools.execute("get_schema")
        prompt = _PROMPT.read_text("utf-8").format(
            rules=_RULES.read_text("utf-8").strip(),
            schema=schema.data.get("ddl", ""),
            business=json.dumps(self._filters(state), ensure_ascii=False),
            question=state.question,
            intent=json.dumps(to_json(state.intent), ensure_ascii=False) if state.intent else "none",
            sql=state.sql,
            error=words,
            language=_LANGUAGES.get(state.language, "English"),
        )
        try:
            refined = await self._model.structured([{"role": "user", "content": prompt}], Refinement, usage)
        except ModelFailed:
            return None
        if share_kept(state.sql, refined.refined_sql) < _KEPT:
            return None
        return Diagnosis(Message("verbatim", {"words": refined.diagnosis}), refined.refined_sql)

    def _filters(self, state: TeamState) -> dict[str, list[str]]:
        metrics = [one.metric for one in state.intent.measures if one.metric] if state.intent else []
        return {each: list(self._dataset.layer.metric(each).default_filters) for each in metrics}


def share_kept(before: str, after: str) -> float:
    """The share of characters that two statements have in common, 0 to 1."""
    return SequenceMatcher(None, before, after, autojunk=False).ratio()


@dataclass(frozen=True)
class Diagnosis:
    """What was wrong, and the statement with the least change."""

    diagnosis: Message
    refined_sql: str


def mend(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    """The mended statement; None where no rule knows the error."""
    for rule in _MENDING_RULES:
        found = rule(sql, error, dataset)
        if found is not None and found.refined_sql != sql:
            return found
    return None


def _column(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    found = _COLUMN.search(error)
    if not found:
        return None
    name = found["name"] or found["other"]
    names = {column for columns in dataset.columns.values() for column in columns}
    suggested = _SUGGESTED.search(error)
    close = process.extractOne(name, names, scorer=fuzz.ratio, score_cutoff=_CLOSE)
    better = close[0] if close else (suggested["name"].split(".")[-1] if suggested else "")
    if not better or better not in names:
        return None
    message = Message("mend.column", {"wrong": name, "right": better})
    return Diagnosis(message, _replaced(sql, name, better))


def _table(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    found = _TABLE.search(error)
    if not found:
        return None
    name = found["name"].strip('"')
    close = process.extractOne(name, list(dataset.columns), scorer=fuzz.ratio, score_cutoff=_CLOSE)
    if not close:
        return None
    message = Message("mend.table", {"wrong": name, "right": close[0]})
    return Diagnosis(message, _replaced(sql, name, close[0]))


def _replaced(sql: str, name: str, better: str) -> str:
    """The statement with a name replaced, quoted or not, outside of texts."""
    quoted = identifier(better).sql("duckdb")
    pattern = re.compile(rf"'(?:[^']|'')*'|\"{re.escape(name)}\"|(?<![\w\"]){re.escape(name)}(?![\w\"])", re.I)
    return pattern.sub(lambda hit: hit[0] if hit[0].startswith("'") else quoted, sql)


def _number(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    """A text that is compared with a column of numbers becomes the number in it."""
    if not re.search("Conversion Error|Cannot compare|Could not convert|explicit cast", error, re.I):
        return None
    for column, literal in _compared_texts(sql):
        kinds = [kind for columns in dataset.columns.values() for name, kind in columns.items() if name == column]
        digits = _DIGITS.search(literal)
        if not digits or not kinds or not all(_NUMERIC.match(kind) for kind in kinds):
            continue
        number = str(int(digits[0]))
        details = {"column": column, "type": kinds[0], "wrong": f"'{literal}'", "right": number}
        escaped = literal.replace("'", "''")
        return Diagnosis(Message("mend.type", details), sql.replace(f"'{escaped}'", number))
    return None


def _compared_texts(sql: str) -> Iterator[tuple[str, str]]:
    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except SqlglotError:
        return
    for node in tree.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE):
        sides = (node.this, node.expression)
        for column, other in (sides, sides[::-1]):
            if isinstance(column, exp.Column) and isinstance(other, exp.Literal) and other.is_string:
                yield column.name, other.name
    for among in tree.find_all(exp.In):
        for other in among.expressions:
            if isinstance(among.this, exp.Column) and isinstance(other, exp.Literal) and other.is_string:
                yield among.this.name, other.name


def _ungrouped(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    found = _UNGROUPED.search(error)
    if not found:
        return None
    quoted = identifier(found["name"]).sql("duckdb")
    changed = re.sub(r"(GROUP\s+BY\s+)", rf"\g<1>{quoted}, ", sql, count=1, flags=re.I)
    return Diagnosis(Message("mend.group", {"column": found["name"]}), changed)


_MENDING_RULES: tuple[Callable[[str, str, Dataset], Diagnosis | None], ...] = (_column, _table, _number, _ungrouped)
