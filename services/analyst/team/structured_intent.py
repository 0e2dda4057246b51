"""The intent as JSON: what a model fills in, what `examples:` keep and what an answer shows."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal, TypeAlias

from pydantic import Field

from services.analyst.questions.intent import (
    Aggregate,
    Filter,
    Granularity,
    Having,
    Intent,
    Measure,
    Operator,
    Order,
    Related,
    Topic,
)
from services.analyst.semantic.dataset import Dataset
from services.analyst.team.structured_time import (
    Part,
    PeriodPart,
    TimePart,
    periods_from,
    periods_to_json,
    time_from,
    time_to_json,
)
from services.chassis.errors import InvalidInput

Scalar: TypeAlias = bool | int | float | str
_OPERATORS: dict[str, Operator] = {"=": "in", "!=": "not in", "<>": "not in"}


class MeasurePart(Part):
    """A metric by its id, or an aggregate over a dimension, or the rows of a table."""

    metric: str = ""
    dimension: str = ""
    table: str = ""
    aggregate: Aggregate = ""
    fraction: float = Field(default=0.0, ge=0, le=1)
    per: str = ""


class FilterPart(Part):
    """A condition on a dimension."""

    dimension: str
    operator: Literal[
        "=", "!=", "<>", "in", "not in", ">", ">=", "<", "<=", "between", "null", "not null", "says", "says not"
    ] = "="
    value: Scalar | tuple[Scalar, ...] | None = None


class TopicPart(Part):
    """Rows that are about something: any of the filters holds for them, or for rows that point at them."""

    words: str
    filters: tuple[FilterPart, ...]


class RelatedPart(Part):
    """Rows of a table that point at those asked for, or with `by` have the same value; with their own conditions."""

    table: str
    by: str = ""
    filters: tuple[FilterPart, ...] = ()
    periods: tuple[PeriodPart, ...] = ()
    metric: str = ""
    operator: Operator | Literal[""] = ""
    values: tuple[float, ...] = ()


class HavingPart(Part):
    """A condition on a figure. on: the value of a group, its share or its growth, or the value of each row."""

    measure: MeasurePart = MeasurePart()
    operator: Literal["=", "!=", ">", ">=", "<", "<=", "between"] = ">"
    value: float | tuple[float, ...] = 0.0
    on: Literal["value", "share", "growth", "row"] = "value"


class OrderPart(Part):
    """column: a metric or dimension, or one of measure, growth, share, time."""

    column: str
    direction: Literal["ASC", "DESC", "asc", "desc"] = "DESC"


class StructuredIntent(Part):
    """The seed's intent, and beyond it what questions need."""

    intent_type: Literal["basic", "trend", "dimension", "complex"] = "basic"
    metrics: tuple[str | MeasurePart, ...] = ()
    dimensions: tuple[str, ...] = ()
    time: TimePart | None = None
    filters: tuple[FilterPart, ...] = ()
    named_filters: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    having: tuple[HavingPart, ...] = ()
    order_by: OrderPart | None = None
    limit: int | None = Field(default=None, ge=0, le=100_000)
    share: bool = False
    running: bool = False
    listing: str = ""
    distinct: bool = False
    counted: bool = False
    averaged: Granularity = ""
    related: tuple[str | RelatedPart, ...] = ()
    absent: tuple[str | RelatedPart, ...] = ()
    topics: tuple[TopicPart, ...] = ()
    within: tuple[str, ...] = ()


def to_json(intent: Intent) -> dict[str, Any]:
    """An intent as JSON data, without what is empty."""
    body: dict[str, Any] = {"intent_type": intent.kind, "metrics": [_measure(one) for one in intent.measures]}
    body["dimensions"] = list(intent.dimensions)
    body["time"] = time_to_json(intent.time)
    body["filters"] = [_filter(one) for one in intent.filters]
    body["named_filters"], body["exclusions"] = list(intent.named), list(intent.exclusions)
    body["having"] = [_having(one) for one in intent.having]
    if intent.order:
        column = intent.order.dimension if intent.order.over == "dimension" else intent.order.over
        body["order_by"] = {"column": column, "direction": "DESC" if intent.order.descending else "ASC"}
    for name in ("limit", "share", "running", "listing", "distinct", "counted", "averaged"):
        body[name] = getattr(intent, name)
    body["within"] = list(intent.within)
    body["related"] = [_related(one) for one in intent.related if not one.absent]
    body["absent"] = [_related(one) for one in intent.related if one.absent]
    body["topics"] = [{"words": one.words, "filters": [_filter(each) for each in one.filters]} for one in intent.topics]
    return {name: value for name, value in body.items() if value or name in ("metrics", "dimensions", "filters")}


def from_json(structured: StructuredIntent, dataset: Dataset, today: dt.date) -> Intent:
    """The intent of JSON data. Raises InvalidInput (`intent_invalid`) for an id that the layer does not have."""
    _check_ids(structured, dataset)
    measures = tuple(_measure_of(one) for one in structured.metrics)
    time = time_from(structured.time or TimePart(), today)
    return Intent(
        measures=measures,
        dimensions=structured.dimensions,
        time=time,
        filters=tuple(_filter_of(one) for one in structured.filters),
        having=tuple(_having_of(one, measures) for one in structured.having),
        named=structured.named_filters,
        exclusions=structured.exclusions,
        order=_order_of(structured.order_by, dataset),
        limit=structured.limit or 0,
        share=structured.share,
        running=structured.running,
        listing=structured.listing,
        distinct=structured.distinct,
        counted=structured.counted,
        averaged=structured.averaged,
        related=(
            *(_related_of(one, absent=False) for one in structured.related),
            *(_related_of(one, absent=True) for one in structured.absent),
        ),
        topics=tuple(Topic(one.words, tuple(_filter_of(each) for each in one.filters)) for one in structured.topics),
        within=structured.within,
    )


def _measure(measure: Measure) -> str | dict[str, Any]:
    if measure == Measure(metric=measure.metric):
        return measure.metric
    body = {name: getattr(measure, name) for name in ("metric", "dimension", "table", "aggregate", "fraction", "per")}
    return {name: value for name, value in body.items() if value}


def _filter(one: Filter) -> dict[str, Any]:
    body: dict[str, Any] = {"dimension": one.dimension, "operator": one.operator}
    if one.operator == "in" and len(one.values) == 1:
        return body | {"operator": "=", "value": one.values[0]}
    if not one.values:
        return body
    single = len(one.values) == 1 and one.operator not in ("in", "not in", "between")
    return body | {"value": one.values[0] if single else list(one.values)}


def _related(one: Related) -> str | dict[str, Any]:
    if one == Related(one.table, one.absent):
        return one.table
    body: dict[str, Any] = {"table": one.table, "by": one.by, "metric": one.metric}
    body |= {"operator": one.operator, "values": list(one.values)}
    body |= {"filters": [_filter(each) for each in one.filters], "periods": periods_to_json(one.periods)}
    return {name: value for name, value in body.items() if value}


def _having(one: Having) -> dict[str, Any]:
    on = "share" if one.share else "growth" if one.growth else "row" if one.each_row else "value"
    measure = _measure(one.measure)
    value = one.values[0] if len(one.values) == 1 else list(one.values)
    measured = {"metric": measure} if isinstance(measure, str) else measure
    return {"measure": measured, "operator": one.operator, "value": value, "on": on}


def _check_ids(structured: StructuredIntent, dataset: Dataset) -> None:
    layer = dataset.layer
    metrics, dimensions = {one.id for one in layer.metrics}, {one.id for one in layer.dimensions}
    tables = {one.name for one in layer.tables}
    measures = [_measure_of(one) for one in structured.metrics] + [
        _measure_of(one.measure) for one in structured.having
    ]
    named = {one.id for one in (*layer.filters, *layer.exclusions)}
    wrong = [one.metric for one in measures if one.metric and one.metric not in metrics]
    wrong += [each for one in measures for each in (one.table, one.per) if each and each not in tables]
    used = [*structured.dimensions, *(one.dimension for one in structured.filters)]
    used += [one.dimension for one in measures if one.dimension]
    used += [*structured.within, *(each.dimension for one in structured.topics for each in one.filters)]
    used += [structured.time.column] if structured.time and structured.time.column else []
    wrong += [each for each in used if each not in dimensions]
    wrong += [each for each in (*structured.exclusions, *structured.named_filters) if each not in named | metrics]
    wrong += [structured.listing] if structured.listing and structured.listing not in tables else []
    for one in (_related_of(each, absent=False) for each in (*structured.related, *structured.absent)):
        wrong += [one.table] if one.table not in tables else []
        wrong += [one.metric] if one.metric and one.metric not in metrics else []
        wrong += [
            each for each in (one.by, *(each.dimension for each in one.filters)) if each and each not in dimensions
        ]
    if wrong:
        raise InvalidInput("intent_invalid", ids=tuple(dict.fromkeys(wrong)))


def _measure_of(part: str | MeasurePart) -> Measure:
    if isinstance(part, str):
        return Measure(metric=part)
    return Measure(part.metric, part.dimension, part.table, part.aggregate, part.fraction, part.per)


def _related_of(part: str | RelatedPart, absent: bool) -> Related:
    if isinstance(part, str):
        return Related(part, absent)
    filters = tuple(_filter_of(one) for one in part.filters)
    periods = periods_from(part.periods)
    return Related(part.table, absent, part.by, filters, periods, part.metric, part.operator, part.values)


def _filter_of(part: FilterPart) -> Filter:
    values = part.value if isinstance(part.value, tuple) else () if part.value is None else (part.value,)
    operator: Operator = _OPERATORS.get(part.operator, part.operator)  # type: ignore[arg-type]
    return Filter(part.dimension, operator, values)


def _having_of(part: HavingPart, measures: tuple[Measure, ...]) -> Having:
    measure = _measure_of(part.measure)
    values = part.value if isinstance(part.value, tuple) else (part.value,)
    if measure == Measure() and part.on in ("value", "row") and measures:
        measure = measures[0]
    return Having(measure, part.operator, values, part.on == "share", part.on == "growth", part.on == "row")


def _order_of(part: OrderPart | None, dataset: Dataset) -> Order | None:
    if part is None:
        return None
    descending = part.direction.upper() == "DESC"
    if part.column in ("measure", "growth", "share", "time"):
        return Order(part.column, descending)  # type: ignore[arg-type]
    if any(one.id == part.column for one in dataset.layer.dimensions):
        return Order("dimension", descending, part.column)
    return Order("measure", descending)
