"""The conditions that rows must meet: filters, periods, exclusions, and related rows of other tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from services.analyst.queries.figures import row_value
from services.analyst.queries.identifiers import column, literal
from services.analyst.queries.joins import JoinTree, no_path
from services.analyst.queries.time_columns import TimeColumn, part_of, time_column
from services.analyst.questions.intent import Filter, Having, Intent, Period, Related, Time, Value
from services.analyst.semantic.dataset import Dataset, split_column

_COMPARISONS: dict[str, type[exp.Binary]] = {
    ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE, "=": exp.EQ, "!=": exp.NEQ,
}  # fmt: skip


_SHORT_WORD = re.compile(r"[A-Za-z]{2,3}")


@dataclass(frozen=True)
class Scope:
    """What restricts the rows of a query. filters: those that hold for its rows; the others hold for related rows."""

    intent: Intent
    filters: tuple[Filter, ...]
    periods: tuple[Period, ...]


def row_conditions(scope: Scope, tree: JoinTree, defaults: tuple[str, ...], source: object) -> list[exp.Expr]:
    """All conditions on the rows of a base table. source: what gives their time."""
    intent, dataset = scope.intent, tree.dataset
    conditions = [tree.bind(text) for text in defaults]
    conditions += [tree.bind(text) for text in _expressions(intent, dataset)]
    for one in scope.filters:
        if _is_own(one, tree):
            conditions.append(_filter(one, tree))
        elif not any(_belongs(one, related, dataset) for related in intent.related):
            raise no_path(dataset, tree.base, split_column(dataset.layer.dimension(one.dimension).column)[0])
    conditions += [_limit(row_value(each.measure, tree), each) for each in intent.having if each.each_row]
    if not _is_time_of_related(intent, tree):
        conditions += list(time_conditions(scope, lambda: time_column(tree, intent.time, source)))
    conditions += [_exists(related, scope, tree) for related in intent.related]
    conditions += [exp.or_(*(_about(one, tree) for one in topic.filters)) for topic in intent.topics]
    return conditions


def _about(one: Filter, tree: JoinTree) -> exp.Expr:
    """True for rows that meet a filter themselves, or that a row points at which meets it."""
    if _is_own(one, tree):
        return _filter(one, tree)
    owner = tree.dataset.table_of(tree.dataset.layer.dimension(one.dimension))
    pointing = tree.dataset.bridges(tree.base, owner)
    if not pointing:
        raise no_path(tree.dataset, tree.base, owner)
    return _exists(Related(pointing[0]), Scope(Intent(), (one,), ()), tree)


def time_conditions(scope: Scope, column_of: object) -> Iterator[exp.Expr]:
    """The conditions on periods and weekdays. column_of: gives the time column; called only where it is needed."""
    assert callable(column_of)
    if scope.periods:
        time: TimeColumn = column_of()
        yield exp.or_(*(time.during(period) for period in scope.periods))
    if scope.intent.time.weekdays:
        days = [exp.convert(each) for each in sorted(set(scope.intent.time.weekdays))]
        yield exp.In(this=column_of().part("weekday"), expressions=days)
    if scope.intent.time.hours:
        hours = [exp.convert(each) for each in sorted(set(scope.intent.time.hours))]
        yield exp.In(this=column_of().part("hour"), expressions=hours)
    if scope.intent.time.granularity and scope.intent.limit:  # Rows without a time are of no day that may come first.
        yield exp.Not(this=exp.Is(this=column_of().moment(), expression=exp.Null()))
    if scope.intent.time.part and (scope.intent.limit or scope.intent.time.bands):
        part = part_of(scope.intent.time, column_of())
        yield exp.Not(this=exp.Is(this=part, expression=exp.Null()))


def compared(left: exp.Expr, operator: str, values: list[exp.Expr]) -> exp.Expr:
    """A comparison; `between` has two values."""
    if operator == "between":
        return exp.Between(this=left, low=values[0], high=values[1])
    return _COMPARISONS[operator](this=left, expression=values[0])


def _limit(left: exp.Expr, having: Having) -> exp.Expr:
    return compared(left, having.operator, [exp.convert(value) for value in having.values])


def _expressions(intent: Intent, dataset: Dataset) -> Iterator[str]:
    for condition in (*dataset.layer.filters, *dataset.layer.exclusions):
        if condition.id in intent.named or condition.id in intent.exclusions:
            yield condition.expr
    for metric in dataset.layer.metrics:
        if metric.id in intent.named:
            yield from metric.default_filters


def _filter(one: Filter, tree: JoinTree) -> exp.Expr:
    dimension = tree.dataset.layer.dimension(one.dimension)
    left, kind = tree.dimension(dimension), tree.dataset.type_of(dimension.column)
    match one.operator:
        case "null":
            return exp.Is(this=left, expression=exp.Null())
        case "not null":
            return exp.Not(this=exp.Is(this=left, expression=exp.Null()))
        case "in":
            return _among(left, one.values, kind)
        case "not in" | "!=":
            # What has no value is not the value that is left out.
            missing = exp.Is(this=left.copy(), expression=exp.Null())
            return exp.or_(exp.not_(_among(left, one.values, kind)), missing)
        case "says":
            return _says(left, str(one.values[0]))
        case "says not":
            return exp.or_(exp.not_(_says(left, str(one.values[0]))), exp.Is(this=left.copy(), expression=exp.Null()))
    return compared(left, one.operator, [literal(value, kind) for value in one.values])


def _says(left: exp.Expr, text: str) -> exp.Expr:
    """True for texts that have a part, in any case of letters; a short word only as a whole one: "oom", no "room"."""
    if _SHORT_WORD.fullmatch(text):
        pattern = exp.convert(f"(?i)(^|[^a-z]){text}s?([^a-z]|$)")
        return exp.func("regexp_matches", left, pattern, dialect="duckdb")
    escaped = re.sub(r"[\\%_]", r"\\\g<0>", text)
    match = exp.ILike(this=left, expression=exp.convert(f"%{escaped}%"))
    return match if escaped == text else exp.Escape(this=match, expression=exp.convert("\\"))


def _among(left: exp.Expr, values: tuple[Value, ...], kind: str) -> exp.Expr:
    if len(values) == 1:
        return exp.EQ(this=left, expression=literal(values[0], kind))
    return exp.In(this=left, expressions=[literal(value, kind) for value in values])


def _is_own(one: Filter, tree: JoinTree) -> bool:
    dimension = tree.dataset.layer.dimension(one.dimension)
    alias = split_column(dimension.column)[0]
    return tree.dataset.path(tree.base, alias, dimension.via) is not None or (
        tree.dataset.table_of(dimension) == tree.base
    )


def _belongs(one: Filter, related: Related, dataset: Dataset) -> bool:
    dimension = dataset.layer.dimension(one.dimension)
    return dataset.path(related.table, split_column(dimension.column)[0], dimension.via) is not None


def _is_time_of_related(intent: Intent, tree: JoinTree) -> bool:
    """The time of "customers who ordered in May" is that of the orders, unless a column of the customers is named.

    Of "sessions in May without a check" it is that of the sessions, as they have one.
    """
    dataset = tree.dataset
    timed = dataset.table_time(tree.base) is not None
    related = [one for one in intent.related if not (one.by or one.periods or (one.absent and timed))]
    if not related or intent.time.granularity or intent.time.part:
        return False
    if intent.time.column:
        dimension = dataset.layer.dimension(intent.time.column)
        return any(dataset.table_of(dimension) == one.table for one in related)
    return any(dataset.table_time(one.table) is not None for one in related)


def _exists(related: Related, scope: Scope, tree: JoinTree) -> exp.Expr:
    """True for a row that at least one related row points at, or none."""
    dataset, inner = tree.dataset, JoinTree(tree.dataset, related.table)
    if related.by:
        found = _has_value(related, scope, tree, inner)
        return exp.not_(found) if related.absent else found
    path = dataset.path(related.table, tree.base)
    if not path:
        raise no_path(dataset, tree.base, related.table)
    conditions: list[exp.Expr] = [
        exp.EQ(
            this=column(path[-1].left_column, inner.add(path[:-1])),
            expression=column(path[-1].right_column, tree.base),
        )
    ]
    conditions += _related_conditions(related, scope, tree, inner)
    if related.operator:
        count = inner.select_from(exp.select(exp.Count(this=exp.Star()))).where(exp.and_(*conditions))
        return compared(exp.Subquery(this=count), related.operator, [exp.convert(each) for each in related.values])
    select = inner.select_from(exp.select(exp.convert(1))).where(exp.and_(*conditions))
    exists = exp.Exists(this=select)
    return exp.not_(exists) if related.absent else exists


def _has_value(related: Related, scope: Scope, tree: JoinTree, inner: JoinTree) -> exp.Expr:
    """True for a row with a value that a related row has."""
    dimension = tree.dataset.layer.dimension(related.by)
    own, other = (each.key(dimension) or each.dimension(dimension) for each in (tree, inner))
    conditions: list[exp.Expr] = [exp.Not(this=exp.Is(this=other.copy(), expression=exp.Null()))]
    conditions += _related_conditions(related, scope, tree, inner)
    select = inner.select_from(exp.select(other)).where(exp.and_(*conditions))
    return exp.In(this=own, query=exp.Subquery(this=select))


def _related_conditions(related: Related, scope: Scope, tree: JoinTree, inner: JoinTree) -> list[exp.Expr]:
    dataset = tree.dataset
    conditions = [
        _filter(one, inner) for one in scope.filters if not _is_own(one, tree) and _belongs(one, related, dataset)
    ]
    conditions += [_filter(one, inner) for one in related.filters]
    if related.metric:
        conditions += [inner.bind(text) for text in dataset.layer.metric(related.metric).default_filters]
    source = dataset.table_time(related.table)
    if related.periods:
        moment = time_column(inner, Time(), source)
        conditions.append(exp.or_(*(moment.during(period) for period in related.periods)))
    elif not related.by and _is_time_of_related(scope.intent, tree):
        conditions += list(time_conditions(scope, lambda: time_column(inner, scope.intent.time, source)))
    return conditions
