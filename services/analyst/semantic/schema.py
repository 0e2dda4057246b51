"""A semantic layer as it stands in YAML, version 1."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from services.chassis.problems import Misfit

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class Entry(BaseModel):
    """The base of every part: frozen, unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Name(Entry):
    """A name in one or both languages."""

    zh: str = ""
    en: str = ""

    @model_validator(mode="after")
    def _is_named(self) -> Name:
        if not (self.zh or self.en):
            raise Misfit("layer.unnamed")
        return self

    def text(self, language: str) -> str:
        """The name in a language, else in the other one."""
        return (self.en or self.zh) if language == "en" else (self.zh or self.en)

    @property
    def words(self) -> tuple[str, ...]:
        """The name in each language that has one."""
        return tuple(filter(None, (self.zh, self.en)))


class TimeParts(Entry):
    """Columns that give the year, quarter or month of a row as numbers."""

    year: str = ""
    quarter: str = ""
    month: str = ""


class Table(Entry):
    """A table or view of the dataset. time: its date column, or columns with year, quarter and month.

    synonyms: what else its rows are called. hour: a column with the hour of the day, empty where a row has only a date.
    """

    name: str
    key: str = ""
    description: Name | None = None
    synonyms: tuple[str, ...] = ()
    time: str | TimeParts | None = None
    hour: str = ""


class Join(Entry):
    """left and right are `table.column`. role: prefix of the alias under which the right table is joined."""

    left: str
    right: str
    type: Literal["many_to_one", "one_to_one"]
    optional: bool = False
    role: str = ""


class Metric(Entry):
    """A figure: an aggregate expression, or the ratio of two.

    better: whether more or less of it is good, for "the best" and "the worst"; without it the best is the most.
    """

    id: Id
    name: Name
    synonyms: tuple[str, ...] = ()
    type: Literal["ratio"] | None = None
    table: str
    expr: str = ""
    numerator: str = ""
    denominator: str = ""
    default_filters: tuple[str, ...] = ()
    time: str = ""
    unit: str = ""
    better: Literal["", "more", "less"] = ""
    joins: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_one_form(self) -> Metric:
        ratio = bool(self.numerator and self.denominator)
        if ratio == bool(self.expr):
            raise Misfit("layer.metric_form", id=self.id)
        return self


class Dimension(Entry):
    """What figures are split and filtered by. values: stored value -> its other names; order: how values are sorted.

    secondary: a value of it that also means something else means that, unless the dimension or its rows are named.
    """

    id: Id
    name: Name
    synonyms: tuple[str, ...] = ()
    column: str
    key: str = ""
    label: dict[str, Any] = Field(default_factory=dict)
    via: str = ""
    values: dict[str | int | float | bool, tuple[str, ...]] = Field(default_factory=dict)
    order: tuple[Any, ...] = ()
    secondary: bool = False


class Hierarchy(Entry):
    """Dimensions from coarse to fine."""

    id: Id
    levels: tuple[str, ...]


class Condition(Entry):
    """A named filter or exclusion: an expression that must hold."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: Id
    name: Name
    synonyms: tuple[str, ...] = ()
    table: str = ""
    expr: str


class Example(Entry):
    """A verified question: its SQL or intent, and rows that the answer must have."""

    question: str
    sql: str = ""
    intent: dict[str, Any] | None = None
    expect: tuple[Any, ...] = ()


class Calendar(Entry):
    """How weeks, fiscal years and "the last n days" are counted."""

    week_start: Literal["monday", "sunday"] = "monday"
    fiscal_year_start: int = Field(default=1, ge=1, le=12)
    last_n_days: Literal["ends_yesterday", "ends_today"] = "ends_today"


class Layer(Entry):
    """The whole file. Ids are unique among metrics and dimensions together.

    default_metric: the figure that is meant where a question ranks, counts or compares and names none.
    """

    version: Literal[1]
    dataset: str
    title: Name | None = None
    as_of: dt.date | None = None
    calendar: Calendar = Calendar()
    tables: tuple[Table, ...]
    joins: tuple[Join, ...] = ()
    metrics: tuple[Metric, ...]
    default_metric: str = ""
    dimensions: tuple[Dimension, ...]
    hierarchies: tuple[Hierarchy, ...] = ()
    filters: tuple[Condition, ...] = ()
    exclusions: tuple[Condition, ...] = ()
    examples: tuple[Example, ...] = ()

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Layer:
        ids = [metric.id for metric in self.metrics] + [dimension.id for dimension in self.dimensions]
        for one, count in Counter(ids).items():
            if count > 1:
                raise Misfit("layer.id_twice", id=one)
        if self.default_metric and self.default_metric not in {metric.id for metric in self.metrics}:
            raise Misfit("layer.unknown_default", id=self.default_metric)
        return self

    def metric(self, metric_id: str) -> Metric:
        """The metric of this id. Raises KeyError."""
        for one in self.metrics:
            if one.id == metric_id:
                return one
        raise KeyError(metric_id)

    def dimension(self, dimension_id: str) -> Dimension:
        """The dimension of this id. Raises KeyError."""
        for one in self.dimensions:
            if one.id == dimension_id:
                return one
        raise KeyError(dimension_id)

    def table(self, name: str) -> Table:
        """The table of this name. Raises KeyError."""
        for one in self.tables:
            if one.name == name:
                return one
        raise KeyError(name)
