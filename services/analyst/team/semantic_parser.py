"""Understands the question: rules read it; where they cannot, a model fills in the intent with ids of the layer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from services.analyst.questions.intent import Intent
from services.analyst.questions.parser import Parser
from services.analyst.questions.reading import Reading
from services.analyst.semantic.dataset import Dataset
from services.analyst.team.state import TeamState
from services.analyst.team.structured_intent import StructuredIntent, from_json, to_json
from services.chassis.errors import InvalidInput
from services.chassis.llm import LanguageModel, ModelFailed, Usage

_PROMPT = Path(__file__).parents[1] / "prompts" / "semantic_parser.md"
_MOST_VALUES = 12
# What rules refuse for good: no model may answer these.
_FINAL = ("question_unanswerable.writes", "question_unanswerable.predicts", "question_unanswerable.reasons")


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
