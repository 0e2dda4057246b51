"""A dataset that is open: its layer over its data, a warm child, the parser, the team and the verified answers."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from pydantic import ValidationError

from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import Runner
from services.analyst.queries.identifiers import Column, Query
from services.analyst.questions.intent import Intent
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.kept_examples import plain_question
from services.analyst.semantic.reading_values import open_dataset
from services.analyst.semantic.schema import Example, Layer
from services.analyst.sources.source import Source
from services.analyst.team.structured_intent import StructuredIntent, from_json
from services.analyst.team.team import Team
from services.analyst.tools import Tools
from services.chassis.errors import InvalidInput
from services.chassis.llm import LanguageModel
from services.chassis.messages import Message

DEFAULT_LIMITS = Limits()


class VerifiedAnswers:
    """Of one dataset."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._examples = {
            plain_question(each.question): each for each in dataset.layer.examples if each.sql or each.intent
        }

    def find(self, question: str) -> Example | None:
        """The example that asks the same, but for case and punctuation."""
        return self._examples.get(plain_question(question))

    def intent(self, example: Example, today: dt.date) -> Intent | None:
        """The intent that an example keeps; None without one, or where the layer has changed since."""
        if example.intent is None:
            return None
        try:
            return from_json(StructuredIntent.model_validate(example.intent), self._dataset, today)
        except (ValidationError, InvalidInput):
            return None


def query_of(example: Example) -> Query:
    """The query that an example keeps as SQL; the columns are those that its result will have."""
    return Query(example.sql, (), Message("query_form.verified"))


def with_columns(query: Query, names: tuple[str, ...]) -> Query:
    """A verified query with the columns of its result."""
    return query if query.columns else replace(query, columns=tuple(Column(name, "cell") for name in names))


@dataclass(frozen=True)
class OpenDataset:
    """What a question over one dataset needs."""

    dataset: Dataset
    runner: Runner
    parser: Parser
    tools: Tools
    team: Team
    verified: VerifiedAnswers
    limits: Limits

    async def close(self) -> None:
        """Ends the child."""
        await self.runner.close()


async def open_layer(
    layer: Layer,
    sources: tuple[Source, ...],
    limits: Limits = DEFAULT_LIMITS,
    model: LanguageModel | None = None,
) -> OpenDataset:
    """The dataset of a layer over its sources. Raises InvalidInput where a source cannot be read."""
    runner = Runner(sources, limits)
    try:
        dataset = await open_dataset(layer, runner)
    except BaseException:
        await runner.close()
        raise
    tools = Tools(runner, dataset)
    parser = Parser(dataset)
    team = Team(parser, dataset, tools, model)
    return OpenDataset(dataset, runner, parser, tools, team, VerifiedAnswers(dataset), limits)
