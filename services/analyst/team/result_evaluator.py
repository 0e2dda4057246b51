"""Runs a candidate; mends it with the least change where it fails, at most twice; then takes the next one."""

from __future__ import annotations

import json
from difflib import SequenceMatcher
from pathlib import Path

from pydantic import BaseModel

from services.analyst.execution.runner import SqlFailed
from services.analyst.semantic.dataset import Dataset
from services.analyst.team.captain import MOST_MENDS
from services.analyst.team.mending import Diagnosis, mend
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
