"""Answers one question: the captain sends it from member to member until there is an answer, or none to be had."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from services.analyst.execution.runner import SqlFailed
from services.analyst.queries.compiler import compile_intent
from services.analyst.queries.identifiers import Impossible, Query
from services.analyst.questions.intent import Intent, Reading
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from services.analyst.team.captain import Captain
from services.analyst.team.result_evaluator import ResultEvaluator
from services.analyst.team.state import Action, Agent, Execution, TeamState
from services.analyst.team.structured_intent import StructuredIntent, from_json, to_json
from services.analyst.tools import Tools
from services.chassis.errors import DbdiagError, InvalidInput
from services.chassis.llm import LanguageModel, ModelFailed, Usage

_MOST_STEPS, _MOST_CANDIDATES = 24, 3
_CLASSES = (
    ("column not found", re.compile(r"Referenced column|column .* not found|does not have a column", re.I)),
    ("table not found", re.compile(r"Table with name|Catalog Error: Table", re.I)),
    ("function not found", re.compile(r"Function with name|No function matches", re.I)),
    ("type mismatch", re.compile(r"Conversion Error|Cannot compare values|Could not convert|explicit cast", re.I)),
    ("not grouped", re.compile(r"must appear in the GROUP BY", re.I)),
    ("ambiguous column", re.compile(r"Ambiguous reference", re.I)),
    ("syntax", re.compile(r"Parser Error|syntax error", re.I)),
)
_PROMPT = Path(__file__).parents[1] / "prompts" / "semantic_parser.md"
_MOST_VALUES = 12
# What rules refuse for good: no model may answer these.
_FINAL = ("question_unanswerable.writes", "question_unanswerable.predicts", "question_unanswerable.reasons")


def classify(error: DbdiagError) -> str:
    """The class of a failure, in a word or two of English."""
    if isinstance(error, SqlFailed):
        return next((name for name, pattern in _CLASSES if pattern.search(error.words)), "database error")
    if isinstance(error, Impossible):
        return "not expressible"
    return error.reason.replace("_", " ")


@dataclass
class Outcome:
    """How the work on a question ended. action: finish, ask or give_up.

    other: the intent that a model saw beside that of the rules, where their results differ.
    """

    state: TeamState
    action: Action = "finish"
    impossible: Impossible | None = None
    other: Intent | None = None
    by_model: bool = False
    usage: Usage = field(default_factory=Usage)


class Team:
    """Four agents over one dataset. model: helps where the rules are not enough."""

    def __init__(self, parser: Parser, dataset: Dataset, tools: Tools, model: LanguageModel | None = None) -> None:
        self.captain = Captain(model)
        self._parser = SemanticParser(parser, dataset, model)
        self._dataset = dataset
        self._evaluator = ResultEvaluator(tools, dataset, model)

    async def work(self, outcome: Outcome) -> AsyncIterator[Action | Execution]:
        """Yields what is done next, and each step when it is done. The outcome is in its argument."""
        state = outcome.state
        for _ in range(_MOST_STEPS):
            action = await self.captain.decide_with_llm(state, outcome.usage)
            if action in ("finish", "ask", "give_up"):
                outcome.action = action
                return
            if action == "semantic_parser" and state.intent is not None:
                state.go_back()
            yield action
            before = len(state.history)
            await self._step(action, outcome)
            for execution in state.history[before:]:
                yield execution
            if outcome.impossible is not None:
                return
            if state.need_intent and state.history[-1].agent == "semantic_parser":
                outcome.action = "give_up" if state.returns else "finish"
                return
        outcome.action = "give_up"

    async def run(self, intent: Intent, state: TeamState) -> bool:
        """Runs another intent of the same question in `state`; True if it has a result."""
        state.intent = intent
        try:
            state.candidates = self._compile(state, intent)
        except Impossible:
            return False
        while state.need_result and not state.exhausted:
            await self._evaluator.evaluate(state, Usage())
        return not state.need_result

    async def _step(self, action: Action, outcome: Outcome) -> None:
        match action:
            case "semantic_parser":
                await self._parse(outcome)
            case "sql_generator":
                self._generate(outcome)
            case "result_evaluator":
                await self._evaluate(outcome)

    async def _parse(self, outcome: Outcome) -> None:
        state = outcome.state
        understood = await self._parser.understand(state, outcome.usage)
        state.reading, state.intent = understood.reading, understood.reading.intent
        outcome.other, outcome.by_model = understood.other, understood.by_model
        said = f"{state.intent.kind}" if state.intent else _key(state)
        self._record(state, "semantic_parser", state.question, said, state.intent is not None, _key(state))

    def _generate(self, outcome: Outcome) -> None:
        state = outcome.state
        assert state.intent is not None
        try:
            state.candidates = self._compile(state, state.intent)
        except Impossible as error:
            outcome.impossible = error
            self._record(state, "sql_generator", state.intent.kind, error.message, False, classify(error))
            return
        self._record(state, "sql_generator", state.intent.kind, state.candidates[0].sql, True)

    def _compile(self, state: TeamState, intent: Intent) -> tuple[Query, ...]:
        """The candidates, best first. Raises Impossible where no statement gives the right figure."""
        return compile_intent(intent, self._dataset, state.today)[:_MOST_CANDIDATES]

    async def _evaluate(self, outcome: Outcome) -> None:
        state = outcome.state
        sql = state.sql or state.query.sql
        await self._evaluator.evaluate(state, outcome.usage)
        error: DbdiagError | None = state.error
        if error is None:
            rows = len(state.result.rows) if state.result else 0
            self._record(state, "result_evaluator", sql, f"{rows} rows", True)
        else:
            self._record(state, "result_evaluator", sql, error.message, False, classify(error))

    def _record(
        self, state: TeamState, agent: Agent, read: str, wrote: str, success: bool, error_class: str = ""
    ) -> None:
        self.captain.record_execution(
            state, agent, " ".join(read.split()), " ".join(wrote.split()), success, "" if success else error_class
        )


def _key(state: TeamState) -> str:
    reading = state.reading
    message = (reading.question or reading.refusal) if reading else None
    return message.key if message else ""


@dataclass(frozen=True)
class Understanding:
    """A reading, and the other intent that a model saw where the rules were not sure of theirs."""

    reading: Reading
    other: Intent | None = None
    by_model: bool = False


class SemanticParser:
    """The rules are right where they read a question whole; the model is asked for the rest."""

    def __init__(self, parser: Parser, dataset: Dataset, model: LanguageModel | None = None) -> None:
        self._parser, self._dataset, self._model = parser, dataset, model

    def by_rules(self, state: TeamState) -> Reading:
        """What the rules read."""
        return self._parser.read(state.question, state.today, state.previous)

    async def understand(self, state: TeamState, usage: Usage) -> Understanding:
        """The reading of the question; after a return a model reads it anew, with the errors before it."""
        reading = self.by_rules(state)
        sure = reading.intent is not None and not reading.ignored and not reading.guesses and not state.returns
        if self._model is None or sure or (reading.refusal and reading.refusal.key in _FINAL):
            return Understanding(reading)
        modelled = await self._by_model(state, usage)
        if modelled is None:
            return Understanding(reading)
        if reading.intent is not None and not state.returns:
            return Understanding(reading, other=modelled if modelled != reading.intent else None)
        return Understanding(replace(reading, intent=modelled, question=None, refusal=None), by_model=True)

    async def _by_model(self, state: TeamState, usage: Usage) -> Intent | None:
        assert self._model is not None
        prompt = self._prompt(state)
        try:
            structured = await self._model.structured([{"role": "user", "content": prompt}], StructuredIntent, usage)
            intent = from_json(structured, self._dataset, state.today)
        except (ModelFailed, InvalidInput):
            return None
        return intent if intent.measures or intent.dimensions or intent.listing else None

    def _prompt(self, state: TeamState) -> str:
        layer = self._dataset.layer
        failed = [each.output_summary for each in state.history if not each.success]
        return _PROMPT.read_text("utf-8").format(
            today=state.today,
            metrics="\n".join(f"- {one.id}: {_joined((*one.name.words, *one.synonyms))}" for one in layer.metrics),
            dimensions="\n".join(self._dimension_lines()),
            tables=_joined(one.name for one in layer.tables),
            filters=_joined(f"{one.id} ({_joined(one.name.words)})" for one in layer.filters) or "none",
            exclusions=_joined(f"{one.id} ({_joined(one.name.words)})" for one in layer.exclusions) or "none",
            feedback=f"An earlier attempt failed: {failed[-1]}\n" if failed else "",
            previous=json.dumps(to_json(state.previous), ensure_ascii=False) if state.previous else "none",
            question=state.question,
        )

    def _dimension_lines(self) -> Iterator[str]:
        for one in self._dataset.layer.dimensions:
            values: list[object] = [*one.values] or [*self._dataset.values.get(one.id, ())]
            shown = f"; {_joined(str(value) for value in values[:_MOST_VALUES])}" if values else ""
            yield f"- {one.id}: {_joined((*one.name.words, *one.synonyms))}{shown}"


def _joined(words: object) -> str:
    return ", ".join(str(word) for word in words)  # type: ignore[attr-defined]
