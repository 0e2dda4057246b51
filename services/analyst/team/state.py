"""What a team knows while it answers one question."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from services.analyst.execution.runner import ResultRows
from services.analyst.queries.identifiers import Query
from services.analyst.questions.intent import Intent, Reading
from services.chassis.errors import DbdiagError
from services.chassis.messages import Message

Agent: TypeAlias = Literal["semantic_parser", "sql_generator", "result_evaluator"]
Action: TypeAlias = Literal["semantic_parser", "sql_generator", "result_evaluator", "finish", "ask", "give_up"]


@dataclass(frozen=True)
class Execution:
    """One step of one agent. error_class: see `classify`; empty on success."""

    step: int
    agent: Agent
    input_summary: str
    output_summary: str
    success: bool
    error_class: str = ""


@dataclass(frozen=True)
class Mend:
    """A statement that failed and the least change that was made to it."""

    failed_sql: str
    error: str
    diagnosis: Message
    refined_sql: str


@dataclass
class TeamState:
    """need_*: what is still missing. place: of the candidate in work; sql: its text, mended or not.

    returns: how often the question went back to the semantic parser.
    """

    question: str
    language: str
    today: dt.date
    previous: Intent | None = None
    reading: Reading | None = None
    intent: Intent | None = None
    candidates: tuple[Query, ...] = ()
    place: int = 0
    sql: str = ""
    result: ResultRows | None = None
    error: DbdiagError | None = None
    mends: list[Mend] = field(default_factory=list)
    mends_of_candidate: int = 0
    exhausted: bool = False
    returns: int = 0
    history: list[Execution] = field(default_factory=list)

    @property
    def need_intent(self) -> bool:
        """True until the question is understood."""
        return self.intent is None

    @property
    def need_sql(self) -> bool:
        """True until there are candidates."""
        return not self.candidates

    @property
    def need_result(self) -> bool:
        """True until a candidate has run."""
        return self.result is None

    @property
    def query(self) -> Query:
        """The candidate in work."""
        return self.candidates[self.place]

    def go_back(self) -> None:
        """Forgets the intent and what was made of it; the history stays."""
        self.intent, self.candidates, self.place, self.sql = None, (), 0, ""
        self.mends_of_candidate, self.exhausted = 0, False
        self.returns += 1
