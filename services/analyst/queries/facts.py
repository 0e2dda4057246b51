"""Figures by group: one SELECT for the measures of a table, merged where measures come from several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from services.analyst.queries.conditions import Scope, row_conditions
from services.analyst.queries.figures import Figure, aggregate, base_of, figure_of, restricted
from services.analyst.queries.identifiers import Column, column, named
from services.analyst.queries.joins import JoinTree
from services.analyst.queries.time_columns import TimeColumn, part_of, time_column
from services.analyst.questions.intent import Granularity, Intent, Measure
from services.analyst.semantic.dataset import Dataset, split_column


@dataclass(frozen=True)
class Key:
    """What rows are grouped by. hidden: it only tells groups of one name apart and is not shown."""

    name: str
    build: Callable[[JoinTree, Callable[[], TimeColumn]], exp.Expr]
    column: Column | None

    @property
    def hidden(self) -> bool:
        """True for a key that is not shown."""
        return self.column is None


@dataclass(frozen=True)
class Fact:
    """Measures of one table with the same time and the same default filters."""

    base: str
    source: object
    filters: tuple[str, ...]
    figures: tuple[Figure, ...]


class Facts:
    """The figures of an intent by its groups. extra: a granularity beside that of the intent."""

    def __init__(self, intent: Intent, dataset: Dataset, extra: Granularity = "") -> None:
        self.intent, self.dataset = intent, dataset
        self.keys = _keys(intent, dataset, extra)
        self.figures = tuple(figure_of(measure, dataset) for measure in _measures(intent))
        self.facts = self._grouped()

    def select(self, scope: Scope, conditional: bool = False) -> exp.Select | None:
        """The keys and figures of the rows in a scope.

        conditional: the conditions stand in the aggregates instead of WHERE; None where that is not possible.
        """
        selects = [_fact_select(fact, self, scope, conditional) for fact in self.facts]
        whole = [select for select in selects if select is not None]
        if len(whole) < len(selects):
            return None
        return whole[0] if len(whole) == 1 else self._merged(whole)

    def shown(self) -> list[Column]:
        """The columns of the keys."""
        return [key.column for key in self.keys if key.column is not None]

    def measures(self) -> list[Column]:
        """The columns of the figures."""
        return [Column(figure.name, "measure", measure=figure.measure) for figure in self.figures]

    def _grouped(self) -> tuple[Fact, ...]:
        needed = _needed(self.intent, self.dataset)
        groups: dict[tuple[str, str, tuple[str, ...]], list[Figure]] = {}
        sources: dict[str, object] = {}
        for figure in self.figures:
            base = base_of(figure.measure, self.dataset, needed)
            source = self.dataset.table_time(base)
            if figure.measure.metric:
                source = self.dataset.time_of(self.dataset.layer.metric(figure.measure.metric))
            sources[str(source)] = source
            groups.setdefault((base, str(source), figure.filters), []).append(figure)
        return tuple(
            Fact(base, sources[source], filters, tuple(figures)) for (base, source, filters), figures in groups.items()
        )

    def _merged(self, selects: list[exp.Select]) -> exp.Select:
        """Groups of several facts side by side; a group that one fact lacks has NULL there."""
        parts: list[exp.Select] = []
        for fact, select in zip(self.facts, selects, strict=True):
            own = {figure.name for figure in fact.figures}
            cells: list[exp.Expr] = [column(key.name) for key in self.keys]
            cells += [column(each.name) if each.name in own else named(exp.Null(), each.name) for each in self.figures]
            parts.append(exp.select(*cells).from_(select.subquery(f"fact_{len(parts) + 1}")))
        union: exp.Query = parts[0]
        for part in parts[1:]:
            union = exp.union(union, part, distinct=False)
        figures = [named(exp.AnyValue(this=column(each.name)), each.name) for each in self.figures]
        merged = exp.select(*(column(key.name) for key in self.keys), *figures).from_(union.subquery("facts"))
        return merged.group_by(*(column(key.name) for key in self.keys)) if self.keys else merged


def _measures(intent: Intent) -> list[Measure]:
    """The measures that are shown: those asked for, and those that groups must meet a condition on."""
    conditions = [one.measure for one in intent.having if not one.each_row and one.measure != Measure()]
    return list(dict.fromkeys([*intent.measures, *conditions]))


def _needed(intent: Intent, dataset: Dataset) -> list[tuple[str, str]]:
    related = [one.table for one in intent.related]
    ids = [*intent.dimensions, *(one.dimension for one in intent.filters)]
    if intent.time.column:
        ids.append(intent.time.column)
    dimensions = [dataset.layer.dimension(each) for each in dict.fromkeys(ids)]
    return [
        (split_column(one.column)[0], one.via)
        for one in dimensions
        if not any(dataset.path(table, split_column(one.column)[0], one.via) is not None for table in related)
    ]


def _keys(intent: Intent, dataset: Dataset, extra: Granularity) -> list[Key]:
    keys: list[Key] = []
    week_start = dataset.layer.calendar.week_start
    for granularity in dict.fromkeys(each for each in (intent.time.granularity, extra) if each):
        keys.append(
            Key(
                granularity,
                lambda tree, time, unit=granularity: time().bucket(unit, week_start),  # type: ignore[misc]
                Column(granularity, "time", granularity),
            )
        )
    if part := intent.time.part:
        keys.append(Key(part, lambda tree, time: part_of(intent.time, time()), Column(part, "part", part)))
    for each in intent.dimensions:
        dimension = dataset.layer.dimension(each)
        keys.append(
            Key(each, lambda tree, time, one=dimension: tree.dimension(one), Column(each, "dimension", each))  # type: ignore[misc]
        )
        if dimension.key and dimension.key != dimension.column:
            keys.append(Key(f"{each}_key", lambda tree, time, one=dimension: tree.at(one.key, one.via), None))  # type: ignore[misc]
    return keys


def _fact_select(fact: Fact, facts: Facts, scope: Scope, conditional: bool) -> exp.Select | None:
    tree = JoinTree(facts.dataset, fact.base)

    def time() -> TimeColumn:
        return time_column(tree, facts.intent.time, fact.source)

    keys = [(key, key.build(tree, time)) for key in facts.keys]
    figures = [(figure, aggregate(figure.measure, tree)) for figure in fact.figures]
    conditions = row_conditions(scope, tree, fact.filters, fact.source)
    if conditional:
        return _conditional(tree, keys, figures, conditions)
    select = exp.select(*(named(built, key.name) for key, built in keys))
    select = select.select(*(named(built, figure.name) for figure, built in figures))
    select = tree.select_from(select)
    if conditions:
        select = select.where(exp.and_(*conditions))
    return select.group_by(*(built.copy() for _, built in keys)) if keys else select


def _conditional(
    tree: JoinTree,
    keys: list[tuple[Key, exp.Expr]],
    figures: list[tuple[Figure, exp.Expr]],
    conditions: list[exp.Expr],
) -> exp.Select | None:
    if not conditions:
        return None
    condition = exp.and_(*conditions)
    cells = [(figure, restricted(built, condition)) for figure, built in figures]
    select = exp.select(*(named(built, key.name) for key, built in keys))
    for figure, cell in cells:
        if cell is None:
            return None
        select = select.select(named(cell, figure.name))
    select = tree.select_from(select)
    if not keys:
        return select
    some = exp.Filter(this=exp.Count(this=exp.Star()), expression=exp.Where(this=condition.copy()))
    select = select.group_by(*(built.copy() for _, built in keys))
    return select.having(exp.GT(this=some, expression=exp.convert(0)))
