"""Measures as aggregate expressions, and as expressions of a single row."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

from services.analyst.queries.identifiers import Impossible, call, read_expression
from services.analyst.queries.joins import JoinTree
from services.analyst.questions.intent import Measure
from services.analyst.semantic.dataset import Dataset, split_column
from services.analyst.semantic.schema import Metric

_METRIC_ID = re.compile(r"[a-z][a-z0-9_]*")
_KINDS: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.Sum, "sum"), (exp.Avg, "avg"), (exp.Count, "count"), (exp.Min, "min"), (exp.Max, "max"),
    (exp.Median, "median"),
)  # fmt: skip
_ADDITIVE = (exp.Sum, exp.Count)


@dataclass(frozen=True)
class Figure:
    """A measure of a query. name: of its column; filters: default filters of the metric."""

    measure: Measure
    name: str
    filters: tuple[str, ...] = ()


def figure_of(measure: Measure, dataset: Dataset) -> Figure:
    """The figure of a measure. Raises Impossible for an aggregate that the metric does not allow."""
    if measure.metric:
        metric = dataset.layer.metric(measure.metric)
        return Figure(measure, _name(measure, metric.id), metric.default_filters)
    return Figure(measure, _name(measure, measure.dimension or measure.table))


def _name(measure: Measure, name: str) -> str:
    if measure.per:
        return f"{name}_per_{measure.per}"
    if measure.table:
        return f"{name}_count"
    if measure.aggregate == "quantile":
        return f"p{round(measure.fraction * 100)}_{name}"
    return f"{measure.aggregate}_{name}" if measure.aggregate else name


def aggregate(measure: Measure, tree: JoinTree) -> exp.Expr:
    """The figure of the rows of a group."""
    if measure.table:
        return exp.Count(this=exp.Star())
    if measure.dimension:
        dimension = tree.dataset.layer.dimension(measure.dimension)
        kind = measure.aggregate or "count_distinct"
        distinct = tree.key(dimension) if kind == "count_distinct" else None
        return _applied(kind, distinct or tree.dimension(dimension), measure.fraction)
    metric = tree.dataset.layer.metric(measure.metric)
    for table in metric.joins:
        tree.alias(table)
    if metric.numerator:
        return _ratio(metric, measure, tree)
    expression = tree.bind(metric.expr)
    if not measure.aggregate or measure.aggregate == _kind(expression):
        return expression
    return _reaggregated(expression, measure)


def row_value(measure: Measure, tree: JoinTree) -> exp.Expr:
    """The expression that a metric aggregates, of one row. Raises Impossible for counts and ratios."""
    if measure.dimension:
        return tree.dimension(tree.dataset.layer.dimension(measure.dimension))
    if measure.metric:
        metric = tree.dataset.layer.metric(measure.metric)
        if metric.expr:
            expression = tree.bind(metric.expr)
            inner = expression.this if isinstance(expression, exp.Filter) else expression
            if isinstance(inner, exp.AggFunc) and not isinstance(inner.this, exp.Star | exp.Distinct):
                return _row(inner)
    raise Impossible("query_impossible.no_row_value", metric=measure.metric or measure.table)


def is_additive(measure: Measure, dataset: Dataset) -> bool:
    """True if the figures of groups add up to the figure of all."""
    if measure.table:
        return True
    if measure.aggregate:
        return measure.aggregate in ("sum", "count")
    if measure.metric and (expr := dataset.layer.metric(measure.metric).expr):
        expression = read_expression(expr)
        inner = expression.this if isinstance(expression, exp.Filter) else expression
        return isinstance(inner, _ADDITIVE) and not isinstance(inner.this, exp.Distinct)
    return False


def restricted(expression: exp.Expr, condition: exp.Expr) -> exp.Expr | None:
    """The expression with its aggregates over the rows of a condition; None where it hides an aggregate."""
    expression = expression.copy()
    if any(isinstance(each, exp.Anonymous | exp.Window) for each in expression.walk()):
        return None
    holder = exp.Paren(this=expression)
    for each in list(holder.find_all(exp.AggFunc)):
        if isinstance(each.parent, exp.Filter):
            where = each.parent.expression
            where.set("this", exp.and_(where.this.copy(), condition.copy()))
        else:
            each.replace(exp.Filter(this=each.copy(), expression=exp.Where(this=condition.copy())))
    changed: exp.Expr = holder.this
    return changed


def base_of(measure: Measure, dataset: Dataset, needed: list[tuple[str, str]]) -> str:
    """The table whose rows a measure is taken from. needed: tables or roles, with `via`, that it must lead to.

    The values of a dimension may also be counted in a table that points at the dimension's own.
    """
    if measure.metric:
        return dataset.layer.metric(measure.metric).table
    if measure.table:
        return measure.table
    dimension = dataset.layer.dimension(measure.dimension)
    alias, owner = split_column(dimension.column)[0], dataset.table_of(dimension)
    tables = [owner] if alias == owner and not dimension.via else []
    if measure.aggregate in ("", "count_distinct") or not tables:
        tables += ([dimension.via] if dimension.via else []) + [table.name for table in dataset.layer.tables]
    for table in tables:
        if all(dataset.path(table, goal, via) is not None for goal, via in [(alias, dimension.via), *needed]):
            return table
    return owner


def _ratio(metric: Metric, measure: Measure, tree: JoinTree) -> exp.Expr:
    if measure.aggregate:
        raise Impossible("query_impossible.aggregate_of_ratio", metric=metric.id, aggregate=measure.aggregate)
    above, below = _term(metric.numerator, tree), _term(metric.denominator, tree)
    return exp.Div(
        this=exp.cast(above, "DOUBLE"), expression=exp.Nullif(this=below, expression=exp.convert(0)), typed=False
    )


def _term(text: str, tree: JoinTree) -> exp.Expr:
    """A term of a ratio: an expression, or the id of another metric of the same table."""
    if not _METRIC_ID.fullmatch(text):
        return tree.bind(text)
    metric = next((one for one in tree.dataset.layer.metrics if one.id == text), None)
    if metric is None or not metric.expr or metric.table != tree.base:
        return tree.bind(text)
    expression = tree.bind(metric.expr)
    if not metric.default_filters:
        return expression
    return restricted(expression, exp.and_(*map(tree.bind, metric.default_filters))) or expression


def _kind(expression: exp.Expr) -> str:
    if isinstance(expression, exp.Count) and isinstance(expression.this, exp.Distinct):
        return "count_distinct"
    return next((kind for node, kind in _KINDS if isinstance(expression, node)), "")


def _reaggregated(expression: exp.Expr, measure: Measure) -> exp.Expr:
    """The metric's own rows under another aggregate."""
    holder = expression if isinstance(expression, exp.Filter) else None
    inner = holder.this if holder is not None else expression
    if not isinstance(inner, exp.AggFunc) or isinstance(inner.this, exp.Star | exp.Distinct):
        raise Impossible("query_impossible.aggregate_of_count", metric=measure.metric, aggregate=measure.aggregate)
    changed = _applied(measure.aggregate, _row(inner), measure.fraction)
    return exp.Filter(this=changed, expression=holder.expression) if holder is not None else changed


def _row(aggregated: exp.AggFunc) -> exp.Expr:
    row: exp.Expr = aggregated.this.copy()
    return row


def _applied(kind: str, argument: exp.Expr, fraction: float) -> exp.Expr:
    if kind == "count_distinct":
        return exp.Count(this=exp.Distinct(expressions=[argument]))
    if kind == "quantile":
        return call("quantile_cont", argument, exp.Literal.number(repr(fraction)))
    return call(kind, argument)
