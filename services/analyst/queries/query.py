"""A compiled query: its SQL, the columns of its result, and why it is built this way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from services.analyst.questions.intent import Measure
from services.chassis.errors import InvalidInput
from services.chassis.messages import Message

Role: TypeAlias = Literal["dimension", "time", "part", "measure", "previous", "growth", "share", "running", "cell"]


@dataclass(frozen=True)
class Column:
    """A column of a result. id: the dimension's id, or the granularity; measure: what a figure is of."""

    name: str
    role: Role
    id: str = ""
    measure: Measure | None = None


@dataclass(frozen=True)
class Query:
    """One way to answer an intent. reason: the metrics, filters and aggregation that it uses, and the form it takes."""

    sql: str
    columns: tuple[Column, ...]
    reason: Message


class Impossible(InvalidInput):
    """Raised where an intent has no query that gives the right figure."""

    default_reason = "query_impossible"
