"""Answers one question: the captain sends it from member to member until there is an answer, or none to be had."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from services.analyst.execution.runner import SqlFailed
from services.analyst.queries.compiler import compile_intent
from services.analyst.queries.identifiers import Impossible, Query
from services.analyst.questions.intent import Intent
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from services.analyst.team.captain import Captain
from services.analyst.team.result_evaluator import ResultEvaluator
from services.analyst.team.semantic_parser import SemanticParser
from services.analyst.team.state import Action, Agent, Execution, TeamState
from services.analyst.tools import Tools
from services.chassis.errors import DbdiagError
from services.chassis.llm import LanguageModel, Usage

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
