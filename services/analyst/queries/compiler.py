"""Compiles an intent to SQL: one query, or for trends and special questions several that must agree."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from sqlglot import exp
from sqlglot.errors import SqlglotError

from services.analyst.queries.comparison import compare, compared_periods, comparison_columns
from services.analyst.queries.conditions import Scope, compared
from services.analyst.queries.facts import Facts
from services.analyst.queries.figures import base_of, is_additive
from services.analyst.queries.identifiers import Column, Impossible, Query, column, literal, named
from services.analyst.queries.listing import Ordering, listing_query
from services.analyst.questions.intent import Filter, Having, Intent, Measure, Time
from services.analyst.semantic.dataset import Dataset
from services.chassis.messages import Message

_DAY, _WEEK = 24, 7  # Hours, days.


def compile_intent(intent: Intent, dataset: Dataset, today: dt.date) -> tuple[Query, ...]:
    """The candidates, best first, at most two. today: the last day of periods that are not over.

    With a limit and two splits the first of each value of the smaller one are taken; with a granularity and a split,
    those of each period. With a share, filters on what is split choose the rows shown and do not change the total.

    Raises Impossible where no query gives the right figure: rows would be multiplied, a figure has no such time.
    """
    try:
        if intent.listing:
            return (listing_query(intent, dataset),)
        if not intent.measures and not any(one.measure != Measure() for one in intent.having):
            return (listing_query(_as_listing(intent, dataset), dataset),)
        compiler = _Compiler(intent, dataset, today)
        first = compiler.query(conditional=False)
        assert first is not None
        second = compiler.query(conditional=True) if intent.kind in ("trend", "complex") else None
    except SqlglotError as error:
        raise Impossible("query_impossible.layer_expression", words=" ".join(str(error).split())[:300]) from None
    except KeyError as error:
        raise Impossible("query_impossible.unknown_id", id=str(error.args[0])) from None
    return (first, second) if second is not None else (first,)


def _as_listing(intent: Intent, dataset: Dataset) -> Intent:
    """Values of dimensions without a figure, each once."""
    if not intent.dimensions:
        raise Impossible("query_impossible.no_measure")
    table = dataset.table_of(dataset.layer.dimension(intent.dimensions[0]))
    return replace(intent, listing=table, distinct=True)


class _Compiler:
    def __init__(self, intent: Intent, dataset: Dataset, today: dt.date) -> None:
        self._intent, self._dataset, self._today = intent, dataset, today
        self._facts = Facts(intent, dataset, intent.averaged)
        own = {key.name for key in self._facts.keys if key.name != intent.averaged or intent.time.granularity}
        self._keys = [key for key in self._facts.keys if key.name in own]
        self._facts_shown = [key.column for key in self._keys if key.column is not None]

    def query(self, conditional: bool) -> Query | None:
        """conditional: the conditions stand in the aggregates; None where that is not possible."""
        figures = self._figures(conditional)
        if figures is None:
            return None
        select, columns = figures
        select, columns = self._windows(select, columns)
        select = self._finish(select, columns)
        if self._intent.counted:
            select, columns = self._count(select)
        return Query(select.sql("duckdb", pretty=True), tuple(columns), Message(self._form(conditional)))

    def _form(self, conditional: bool) -> str:
        if conditional:
            return "query_form.conditional"
        if self._intent.time.comparison:
            return "query_form.compared"
        return "query_form.windowed" if self._intent.share or self._intent.running else "query_form.grouped"

    # Figures of groups

    def _figures(self, conditional: bool) -> tuple[exp.Select, list[Column]] | None:
        time = self._intent.time
        columns = [*self._facts_shown, *self._facts.measures()]
        if any(figure.measure.per for figure in self._facts.figures):
            self._check_by_rows()
        if time.comparison:
            compared_ = compared_periods(time, self._today)
            current = self._grouped(Scope(self._intent, self._filters(), compared_.current), conditional)
            previous = self._grouped(Scope(self._intent, self._filters(), compared_.previous), conditional)
            if current is None or previous is None:
                return None
            return compare(self._facts, current, previous, compared_.step), [
                *self._facts_shown,
                *comparison_columns(self._facts),
            ]
        part = self._grouped(Scope(self._intent, self._filters(), time.periods), conditional)
        if part is None:
            return None
        if any(figure.measure.per for figure in self._facts.figures):
            return self._by_rows(part), columns
        if self._is_part_of_whole():
            whole = self._grouped(self._whole(), False)
            assert whole is not None
            return self._part_of_whole(part, whole), [*columns, *self._shares()]
        return part, columns

    def _grouped(self, scope: Scope, conditional: bool) -> exp.Select | None:
        select = self._facts.select(scope, conditional)
        if select is None or not self._intent.averaged:
            return select
        keys = [column(key.name) for key in self._keys]
        means = [named(exp.Avg(this=column(each.name)), each.name) for each in self._facts.figures]
        averaged = exp.select(*keys, *means).from_(select.subquery("steps"))
        return averaged.group_by(*(key.copy() for key in keys)) if keys else averaged

    def _filters(self) -> tuple[Filter, ...]:
        """The filters on rows: with a share, those on what is split choose among its results."""
        if not self._intent.share:
            return self._intent.filters
        return tuple(one for one in self._intent.filters if one.dimension not in self._intent.dimensions)

    def _check_by_rows(self) -> None:
        intent = self._intent
        if len(self._facts.figures) > 1 or intent.time.comparison or intent.share or intent.running or intent.averaged:
            raise Impossible("query_impossible.not_additive", metric=self._facts.figures[0].name)

    def _by_rows(self, part: exp.Select) -> exp.Select:
        """The figures divided by the number of rows of the table that they are the average over."""
        intent, dataset, figure = self._intent, self._dataset, self._facts.figures[0]
        owner = figure.measure.per
        own = tuple(one for one in intent.filters if dataset.reaches(owner, one.dimension))
        time = intent.time if dataset.is_part(base_of(figure.measure, dataset, []), owner) else Time()
        counted = Facts(replace(intent, measures=(Measure(table=owner),), time=time, filters=own), dataset)
        rows = counted.select(Scope(replace(counted.intent, related=(), topics=()), own, time.periods))
        assert rows is not None
        below = column(counted.figures[0].name, "whole")
        names = [key.name for key in self._keys]
        select = exp.select(*(column(name, "whole") for name in names))
        above = exp.func("coalesce", column(figure.name, "part"), exp.convert(0))
        select = select.select(named(_quotient(above, below), figure.name))
        return self._joined(select, part, rows)

    # Shares and running sums

    def _is_part_of_whole(self) -> bool:
        intent = self._intent
        narrowed = intent.filters or intent.topics or intent.time.hours or intent.time.weekdays
        grouped = set(intent.dimensions) <= set(intent.within)
        return intent.share and grouped and bool(narrowed)

    def _whole(self) -> Scope:
        """What a share is of: without filters that are of the part, else without topics, hours and weekdays."""
        intent, time = self._intent, self._intent.time
        kept = tuple(one for one in intent.filters if one.dimension in intent.within)
        if not intent.filters:
            # Rows of which no day or hour is known are no part either.
            hours = tuple(range(_DAY)) if time.hours else ()
            days = tuple(range(1, _WEEK + 1)) if time.weekdays else ()
            intent = replace(intent, topics=(), time=replace(time, weekdays=days, hours=hours))
        return Scope(intent, kept, time.periods)

    def _part_of_whole(self, part: exp.Select, whole: exp.Select) -> exp.Select:
        names = [key.name for key in self._keys]
        select = exp.select(*(column(name, "whole") for name in names))
        select = select.select(*(column(each.name, "part") for each in self._facts.figures))
        for each in self._facts.figures:
            select = select.select(
                named(_quotient(column(each.name, "part"), column(each.name, "whole")), f"{each.name}_share")
            )
        return self._joined(select, part, whole)

    def _joined(self, select: exp.Select, part: exp.Select, whole: exp.Select) -> exp.Select:
        names = [key.name for key in self._keys]
        same = [exp.NullSafeEQ(this=column(name, "part"), expression=column(name, "whole")) for name in names]
        select = select.from_("whole")
        select = (
            select.join("part", on=exp.and_(*same), join_type="left")
            if same
            else select.join("part", join_type="cross")
        )
        return select.with_("part", as_=part).with_("whole", as_=whole)

    def _shares(self) -> list[Column]:
        return [Column(f"{each.name}_share", "share", measure=each.measure) for each in self._facts.figures]

    def _windows(self, select: exp.Select, columns: list[Column]) -> tuple[exp.Select, list[Column]]:
        """The select with shares of the total and running sums beside its figures."""
        shares = self._intent.share and not self._is_part_of_whole()
        if not (shares or self._intent.running):
            return select, columns
        times = [key.name for key in self._keys if key.column is not None and key.column.role in ("time", "part")]
        others = [key.name for key in self._keys if key.name not in times]
        if shares and not (times or others):
            raise Impossible("query_impossible.share_of_what")
        if self._intent.running and not times:
            raise Impossible("query_impossible.running_over_what")
        wrapped = _over(select, [column(key.name) for key in self._keys])
        wrapped = wrapped.select(*(column(each.name) for each in columns if each.measure is not None))
        columns = list(columns)
        for figure in self._facts.figures:
            if not is_additive(figure.measure, self._dataset):
                raise Impossible("query_impossible.not_additive", metric=figure.name)
            total = exp.Sum(this=column(figure.name))
            if shares:
                window = exp.Window(this=total.copy(), partition_by=[column(name) for name in times if others])
                name = f"{figure.name}_share"
                wrapped = wrapped.select(named(_quotient(column(figure.name), window), name))
                columns.append(Column(name, "share", measure=figure.measure))
            if self._intent.running:
                order = exp.Order(expressions=[exp.Ordered(this=column(name), nulls_first=False) for name in times])
                window = exp.Window(this=total, partition_by=[column(name) for name in others], order=order)
                name = f"running_{figure.name}"
                wrapped = wrapped.select(named(window, name))
                columns.append(Column(name, "running", measure=figure.measure))
        return wrapped, columns

    # Conditions on groups, ranks and order

    def _finish(self, select: exp.Select, columns: list[Column]) -> exp.Select:
        ordering = Ordering(self._intent, self._dataset, tuple(columns))
        rank, conditions = ordering.rank(), list(self._group_conditions(columns))
        terms = [] if self._intent.counted else ordering.terms()
        hidden = any(key.hidden for key in self._keys)
        plain = all(isinstance(term, exp.Ordered) and isinstance(term.this, exp.Column) for term in terms)
        simple = plain and not (terms and select.args.get("with_"))
        if rank is None and not conditions and not hidden and simple:
            return select.order_by(*terms) if terms else select
        wrapped = _over(select, [column(each.name) for each in columns])
        if conditions:
            wrapped = wrapped.where(exp.and_(*conditions))
        if rank is not None:
            wrapped.set("qualify", exp.Qualify(this=rank))
        return wrapped.order_by(*terms) if terms else wrapped

    def _group_conditions(self, columns: list[Column]) -> list[exp.Expr]:
        conditions = [
            compared(column(self._name_of(one, columns)), one.operator, [exp.convert(value) for value in one.values])
            for one in self._intent.having
            if not one.each_row
        ]
        chosen = set(self._intent.filters) - set(self._filters()) if not self._is_part_of_whole() else set()
        for one in self._intent.filters:
            if one in chosen:
                conditions.append(_chosen(one, self._dataset))
        if self._intent.counted:
            conditions += [
                exp.Not(this=exp.Is(this=column(each), expression=exp.Null())) for each in self._intent.dimensions
            ]
        return conditions

    def _name_of(self, having: Having, columns: list[Column]) -> str:
        role = "share" if having.share else "growth" if having.growth else "measure"
        wanted = having.measure if having.measure != Measure() else self._facts.figures[0].measure
        for each in columns:
            if each.role == role and each.measure == wanted:
                return each.name
        raise Impossible("query_impossible.condition_without_column", role=role)

    def _count(self, select: exp.Select) -> tuple[exp.Select, list[Column]]:
        name = f"{self._intent.dimensions[0]}_count" if self._intent.dimensions else "count"
        measure = Measure(
            dimension=self._intent.dimensions[0] if self._intent.dimensions else "", aggregate="count_distinct"
        )
        counted = exp.select(named(exp.Count(this=exp.Star()), name)).from_(select.subquery("groups"))
        return counted, [Column(name, "measure", measure=measure)]


def _over(select: exp.Select, cells: list[exp.Expr]) -> exp.Select:
    """A select of some columns of another."""
    return exp.select(*cells).from_(select.subquery("figures"))


def _quotient(above: exp.Expr, below: exp.Expr) -> exp.Expr:
    return exp.Div(
        this=exp.cast(above, "DOUBLE"), expression=exp.Nullif(this=below, expression=exp.convert(0)), typed=False
    )


def _chosen(one: Filter, dataset: Dataset) -> exp.Expr:
    kind = dataset.type_of(dataset.layer.dimension(one.dimension).column)
    among = exp.In(this=column(one.dimension), expressions=[literal(value, kind) for value in one.values])
    match one.operator:
        case "in":
            return among
        case "not in" | "!=":
            return exp.not_(among)
        case "null" | "not null":
            missing = exp.Is(this=column(one.dimension), expression=exp.Null())
            return missing if one.operator == "null" else exp.Not(this=missing)
    return compared(column(one.dimension), one.operator, [literal(value, kind) for value in one.values])
