"""Rows of a table, with some of its columns and those of the tables it points at, and the order of rows."""

from __future__ import annotations

from sqlglot import exp

from services.analyst.queries.conditions import Scope, row_conditions
from services.analyst.queries.figures import figure_of, row_value
from services.analyst.queries.identifiers import Column, Impossible, Query, column, literal, named
from services.analyst.queries.joins import JoinTree
from services.analyst.queries.time_columns import time_column
from services.analyst.questions.counts.counting import own_aggregate
from services.analyst.questions.intent import Intent, Measure, Order
from services.analyst.semantic.dataset import Dataset, split_column
from services.chassis.messages import Message

_MOST_COLUMNS = 10
_ROLE_OF = {"measure": "measure", "growth": "growth", "share": "share", "time": "time"}
_BY_MEASURE = Order("measure", True)


def listing_query(intent: Intent, dataset: Dataset) -> Query:
    """The rows of `intent.listing` that meet the conditions."""
    tree = JoinTree(dataset, intent.listing)
    source = dataset.table_time(intent.listing)
    figures = [figure_of(measure, dataset) for measure in intent.measures]
    if figures and figures[0].measure.metric:
        source = dataset.time_of(dataset.layer.metric(figures[0].measure.metric))
    defaults = tuple(dict.fromkeys(each for figure in figures for each in figure.filters))
    figures = [figure for figure in figures if not _counts(figure.measure, dataset)]
    cells: list[tuple[Column, exp.Expr]] = [
        (Column(each, "dimension", each), tree.dimension(dataset.layer.dimension(each)))
        for each in _shown(intent, dataset)
    ] or [
        (Column(name, "cell"), column(name, tree.base))
        for name in list(dataset.columns.get(tree.base, {}))[:_MOST_COLUMNS]
    ]
    by_time = intent.order is not None and intent.order.over == "time" and not intent.distinct
    if (time := _unnamed_time(intent, source, cells)) and (by_time or not intent.dimensions):
        cells.append((Column(time, "cell"), column(time, tree.base)))
    if key := _unnamed_key(intent, dataset):
        cells.insert(0, (Column(key, "cell"), column(key, tree.base)))
    cells += [
        (Column(figure.name, "measure", measure=figure.measure), row_value(figure.measure, tree)) for figure in figures
    ]
    sort = _sort(intent, tree, cells, source)
    scope = Scope(intent, intent.filters, intent.time.periods)
    conditions = row_conditions(scope, tree, defaults, source)
    select = tree.select_from(exp.select(*(named(built, each.name) for each, built in cells)))
    if conditions:
        select = select.where(exp.and_(*conditions))
    if intent.distinct:
        select = select.distinct()
    return Query(
        _cut(select, sort, intent).sql("duckdb", pretty=True),
        tuple(each for each, _ in cells),
        Message("query_form.listing"),
    )


def _counts(measure: Measure, dataset: Dataset) -> bool:
    """True for a count: of a listed row it only says which rows are counted, such as those that failed."""
    metric = dataset.layer.metric(measure.metric) if measure.metric else None
    return bool(measure.table) or (metric is not None and own_aggregate(metric) == "count")


def _shown(intent: Intent, dataset: Dataset) -> list[str]:
    """The dimensions asked for, and the one that rows are sorted by; else those of the table itself."""
    found = list(intent.dimensions)
    if not found:
        own = [one for one in dataset.layer.dimensions if split_column(one.column)[0] == intent.listing]
        key = next((each.key for each in dataset.layer.tables if each.name == intent.listing), "")
        entity = [one.id for one in own if key and split_column(one.key or one.column)[1] == key]
        found = list(dict.fromkeys([*entity, *(one.id for one in own)]))[:_MOST_COLUMNS]
    order = intent.order
    if order and order.over == "dimension" and order.dimension not in found and _shows_sort(intent, found, dataset):
        found.append(order.dimension)
    return found


def _shows_sort(intent: Intent, shown: list[str], dataset: Dataset) -> bool:
    """True where the column that rows are sorted by makes no row of its own."""
    names = [dataset.layer.dimension(one) for one in shown]
    return not intent.distinct or any(one.key and dataset.table_of(one) == intent.listing for one in names)


def _unnamed_time(intent: Intent, source: object, cells: list[tuple[Column, exp.Expr]]) -> str:
    """The column of the rows' own time, where no cell shows it."""
    table, name = split_column(source) if isinstance(source, str) and source else ("", "")
    shown = {each.name for _, cell in cells for each in cell.find_all(exp.Column)}
    return name if table == intent.listing and name not in shown else ""


def _unnamed_key(intent: Intent, dataset: Dataset) -> str:
    """The key of a table that no dimension shows; empty where columns were asked for."""
    key = next((each.key for each in dataset.layer.tables if each.name == intent.listing), "")
    shown = {split_column(place) for one in dataset.layer.dimensions for place in (one.column, one.key) if place}
    is_shown = not key or (intent.listing, key) in shown or key not in dataset.columns.get(intent.listing, {})
    return "" if intent.dimensions or is_shown else key


def _sort(intent: Intent, tree: JoinTree, cells: list[tuple[Column, exp.Expr]], source: object) -> exp.Expr | None:
    order = intent.order
    if order is None:
        return None
    if order.over == "time":
        target = time_column(tree, intent.time, source).moment()
    elif order.over == "dimension":
        target = tree.dimension(tree.dataset.layer.dimension(order.dimension))
    else:
        target = next((built.copy() for each, built in cells if each.role == "measure"), cells[0][1].copy())
    return exp.Ordered(this=target, desc=order.descending, nulls_first=False)


def _cut(select: exp.Select, sort: exp.Expr | None, intent: Intent) -> exp.Select:
    """Sorted, and of the first rows those that tie with the last one too."""
    if sort is None:
        return select.limit(intent.limit) if intent.limit else select
    if intent.limit:
        window = exp.Window(this=exp.func("rank", dialect="duckdb"), order=exp.Order(expressions=[sort.copy()]))
        select.set("qualify", exp.Qualify(this=exp.LTE(this=window, expression=exp.convert(intent.limit))))
    return select if intent.distinct and intent.limit else select.order_by(sort)


class Ordering:
    """Of the columns of a result."""

    def __init__(self, intent: Intent, dataset: Dataset, columns: tuple[Column, ...]) -> None:
        self._intent, self._dataset, self._columns = intent, dataset, columns
        self._order = intent.order or (_BY_MEASURE if intent.limit else None)

    def rank(self) -> exp.Expr | None:
        """True for the first rows of each part, ties included; None without a limit."""
        if not self._intent.limit or self._order is None:
            return None
        window = exp.Window(
            this=exp.func("rank", dialect="duckdb"),
            partition_by=[column(name) for name in self.partition()],
            order=exp.Order(expressions=[self._target(self._order)]),
        )
        return exp.LTE(this=window, expression=exp.convert(self._intent.limit))

    def partition(self) -> list[str]:
        """What the ranking begins anew in: the periods, and of two dimensions the one with fewer values."""
        if not self._intent.limit or self._order is None or self._order.over == "time":
            return []
        times = [each.name for each in self._columns if each.role in ("time", "part")]
        dimensions = [each.id for each in self._columns if each.role == "dimension"]
        if len(dimensions) == 2:
            counts = {each: len(self._dataset.values.get(each, ())) or 10**9 for each in dimensions}
            if counts[dimensions[0]] != counts[dimensions[1]]:
                return [*times, min(dimensions, key=counts.__getitem__)]
        return times if dimensions else []

    def terms(self) -> list[exp.Expr]:
        """What ORDER BY has; the dimensions come last, so that the order is always the same."""
        times: list[exp.Expr] = [_sorted(each.name) for each in self._columns if each.role in ("time", "part")]
        dimensions = [each for each in self._columns if each.role == "dimension"]
        names: list[exp.Expr] = [_sorted(each.name) for each in dimensions]
        if self._order is not None:
            return [*map(_sorted, self.partition()), self._target(self._order), *times, *names]
        if not dimensions:
            return times
        fixed = [each for one in dimensions for each in self._declared(one.id)]
        first = next((each for each in self._columns if each.role == "measure"), None)
        measure = [_sorted(first.name, True)] if first is not None and len(fixed) < len(dimensions) else []
        return [*times, *fixed, *measure, *names]

    def _target(self, order: Order) -> exp.Expr:
        if order.over == "dimension":
            declared = self._declared(order.dimension, order.descending)
            return declared[0] if declared else _sorted(order.dimension, order.descending)
        role = _ROLE_OF[order.over]
        roles = ("time", "part") if role == "time" else ("share", "measure") if role == "share" else (role,)
        for wanted in roles:
            for each in self._columns:
                if each.role == wanted:
                    return _sorted(each.name, order.descending)
        raise Impossible("query_impossible.no_order", over=order.over)

    def _declared(self, dimension_id: str, descending: bool = False) -> list[exp.Expr]:
        """The order of values that the layer declares."""
        dimension = self._dataset.layer.dimension(dimension_id)
        if not dimension.order:
            return []
        kind = self._dataset.type_of(dimension.column)
        ifs = [
            exp.If(this=exp.EQ(this=column(dimension_id), expression=literal(value, kind)), true=exp.convert(at))
            for at, value in enumerate(dimension.order)
        ]
        return [exp.Ordered(this=exp.Case(ifs=ifs), desc=descending, nulls_first=False)]


def _sorted(name: str, descending: bool = False) -> exp.Expr:
    return exp.Ordered(this=column(name), desc=descending, nulls_first=False)
