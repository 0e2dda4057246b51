"""Offers one to three statements for an intent, each with its reason; a verified answer comes first."""

from __future__ import annotations

from services.analyst.queries.compiler import compile_intent
from services.analyst.queries.query import Query
from services.analyst.questions.intent import Intent
from services.analyst.semantic.dataset import Dataset
from services.analyst.team.state import TeamState

_MOST = 3


class SqlGenerator:
    """Compiles; it invents no SQL."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def generate(self, state: TeamState, intent: Intent) -> tuple[Query, ...]:
        """The candidates, best first. Raises Impossible where no statement gives the right figure."""
        return compile_intent(intent, self._dataset, state.today)[:_MOST]
