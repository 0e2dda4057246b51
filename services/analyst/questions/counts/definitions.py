"""What a figure counts by its definition, and questions that want what it leaves out: "cancelled orders"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError

from services.analyst.queries.identifiers import read_expression
from services.analyst.questions.counts.defaults import default_table
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Guess, Measure, Unclear, Value
from services.analyst.questions.words.items import Item
from services.analyst.semantic.dataset import Dataset, split_column
from services.analyst.semantic.schema import Dimension, Metric
from services.chassis.messages import Message

_DISTINCT = re.compile(r"\s*count\s*\(\s*distinct\s+([\w.]+)\s*\)\s*", re.IGNORECASE)
_SYMBOLS: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.EQ, "in"), (exp.NEQ, "not in"), (exp.GT, ">"), (exp.GTE, ">="), (exp.LT, "<"), (exp.LTE, "<="),
)  # fmt: skip


def condition_of(text: str, dataset: Dataset) -> Filter | None:
    """A condition of the layer as a filter on a dimension; None where it is no simple one."""
    try:
        node = read_expression(text)
    except SqlglotError:
        return None
    negated = isinstance(node, exp.Not)
    inner = node.this if negated else node
    inner = inner.this if isinstance(inner, exp.Paren) else inner
    column = inner if isinstance(inner, exp.Column) else inner.this
    dimension = dimension_of(column, dataset) if isinstance(column, exp.Column) else None
    if dimension is None:
        return None
    if inner is column:
        return Filter(dimension.id, "in", (not negated,))
    return _compared(inner, dimension, negated)


def dimension_of(column: exp.Column, dataset: Dataset) -> Dimension | None:
    """The dimension of a column; None without one."""
    return next(
        (one for one in dataset.layer.dimensions if split_column(one.column) == (column.table, column.name)), None
    )


def _compared(node: exp.Expr, dimension: Dimension, negated: bool) -> Filter | None:
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        return Filter(dimension.id, "not null" if negated else "null")
    if isinstance(node, exp.In):
        values = [each for each in node.expressions if isinstance(each, exp.Literal)]
        if len(values) != len(node.expressions):
            return None
        return Filter(dimension.id, "not in" if negated else "in", tuple(each.name for each in values))
    operator = next((sign for kind, sign in _SYMBOLS if type(node) is kind), "")
    value = node.args.get("expression")
    if not operator or negated or not isinstance(value, exp.Literal | exp.Boolean):
        return None
    stored: Value = value.name if isinstance(value, exp.Literal) else bool(value.this)
    return Filter(dimension.id, operator, (stored,))  # type: ignore[arg-type]


def count_among(draft: Draft, item: Item) -> bool:
    """ "How many different causes did the closed sessions have": the figure that counts the ones that rows point at."""
    keyed = [draft.dimension(one) for one in item.every_of("dimension") if draft.dimension(one).key]
    if not keyed:
        return False
    owner = draft.dataset.table_of(keyed[0])
    rows = [(place, other) for place, other in draft.of("table", "metric") if other is not item]
    for place, other in rows:
        metric = _distinct(draft, draft.table_of_item(other), owner)
        if metric is not None and _narrow_to(draft, other):
            draft.measures.append(Measure(metric=metric.id))
            draft.use(place)
            return True
    metric = _distinct(draft, default_table(draft), owner) if draft.periods and not rows else None
    draft.measures += [Measure(metric=metric.id)] if metric is not None else []
    return metric is not None


def _distinct(draft: Draft, rows: str, owner: str) -> Metric | None:
    """The figure that counts the different rows of one table that those of another, or rows of theirs, point at."""
    for metric in draft.dataset.layer.metrics:
        found = _DISTINCT.fullmatch(metric.expr)
        joins = [join.right.partition(".")[0] for join in draft.dataset.layer.joins if found and join.left == found[1]]
        if owner in joins and rows and (metric.table == rows or draft.points_at(metric.table, rows)):
            return metric
    return None


def average_per_row(draft: Draft) -> bool:
    """ "How many checks does a session have on average": the ratio of the layer that says so, if there is one."""
    means = [place for place, _ in draft.of("average")]
    named = [(place, item, draft.table_of_item(item)) for place, item in draft.of("table", "metric")]
    for place, item, rows in named if means else ():
        for at, other, owner in named:
            metric = _per_row(draft, rows, owner) if other is not item and other.kind == "table" else None
            if metric is not None:
                draft.measures.append(Measure(metric=metric.id))
                beside = [
                    step for step, one in draft.of("how_many", "group") if one.kind == "how_many" or step + 1 == at
                ]
                draft.use(place, at, *means, *beside)
                return True
    return False


def _per_row(draft: Draft, rows: str, owner: str) -> Metric | None:
    for metric in draft.dataset.layer.metrics:
        found = _DISTINCT.fullmatch(metric.denominator) if metric.table == rows else None
        joins = [join.right.partition(".")[0] for join in draft.dataset.layer.joins if found and join.left == found[1]]
        if owner in joins and metric.numerator.replace(" ", "").lower() == "count(*)":
            return metric
    return None


def _narrow_to(draft: Draft, item: Item) -> bool:
    """The rows of a figure that is named for them as filters; False where one of its conditions is no filter."""
    if item.kind != "metric":
        return True
    metric = draft.dataset.layer.metric(item.id)
    conditions = [condition_of(text, draft.dataset) for text in metric.default_filters]
    filters = [one for one in conditions if one is not None]
    if len(filters) == len(conditions):
        draft.filters += filters
    return len(filters) == len(conditions)


def lift_definitions(draft: Draft) -> None:
    """A count that leaves out the very rows that are asked for, or that shall count too, is of all rows instead.

    Raises Unclear for another figure: only the person knows whether it is to be taken over such rows.
    """
    for at, measure in enumerate(draft.measures):
        metric = draft.dataset.layer.metric(measure.metric) if measure.metric else None
        for one, left_out in list(_clashes(draft, metric)) if metric is not None else ():
            if metric is None or len(metric.default_filters) > 1 or metric.expr.replace(" ", "").lower() != "count(*)":
                said = {"figure": draft.name(measure.metric), "values": ", ".join(map(str, one.values))}
                raise Unclear(Message("unclear.left_out_by_definition", said), draft.choices())
            draft.measures[at] = Measure(table=metric.table)
            draft.guesses.append(Guess(draft.name(metric.id), draft.table_name(metric.table)))
            if draft.has("including"):
                draft.filters.remove(one)
                rest = tuple(
                    value for value in left_out.values if value not in one.values and left_out.operator == "not in"
                )
                draft.filters += [Filter(one.dimension, "not in", rest)] if rest else []
            break


def _clashes(draft: Draft, metric: Metric) -> Iterator[tuple[Filter, Filter]]:
    """The filters of a question that a figure's definition leaves nothing of, with what it leaves out."""
    for text in metric.default_filters:
        defined = condition_of(text, draft.dataset)
        for one in draft.filters:
            if defined is None or one.dimension != defined.dimension or one.operator != "in":
                continue
            within = {*one.values} <= {*defined.values}
            if (defined.operator == "not in" and within) or (
                defined.operator == "in" and not {*one.values} & {*defined.values}
            ):
                yield one, defined
