"""Verified answers: the `examples:` of a layer, found again by their question."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from pydantic import ValidationError

from services.analyst.queries.query import Column, Query
from services.analyst.questions.intent import Intent
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.kept_examples import plain_question
from services.analyst.semantic.schema import Example
from services.analyst.team.structured_intent import StructuredIntent, from_json
from services.chassis.errors import InvalidInput
from services.chassis.messages import Message


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
