"""Reads limits on how many rows others have: "sessions with exactly 3 checks", "出现在 10 张以上工单里的现象"."""

from __future__ import annotations

from dataclasses import replace

from services.analyst.questions.absence.rows import names_table
from services.analyst.questions.counts.counting import count_of, own_aggregate
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Having, Measure, Related
from services.analyst.questions.listing import naming_of


def count_groups(draft: Draft) -> None:
    """Groups that pass a limit on a count are listed, and counted where their number is asked for.

    The groups are the values of a column that is counted ("how many modules have more than 20 tickets"), or the rows
    that those which are limited point at.
    """
    plain = [one for one in draft.having if not (one.each_row or one.share or one.growth) and one.measure != Measure()]
    limit = plain[0] if plain else None
    if limit is None or draft.granularity or draft.part or len(draft.measures) > 1:
        return
    measure, table = limit.measure, draft.tables_of(limit.measure)
    counted = draft.measures[0] if draft.measures else None
    if counted is not None and draft.tables_of(counted) in draft.dataset.bridges(table, _named(draft, table)):
        counted = measure  # "Symptoms that occur in 10 tickets": an occurrence is a row of both.
    asked = counted is not None and counted != measure
    if not asked and not _is_count(draft, measure):
        return
    if counted is not None and counted.aggregate == "count_distinct":
        group, owner = counted.dimension, draft.dataset.table_of(draft.dataset.layer.dimension(counted.dimension))
    else:
        if asked and draft.counted_item < 0:
            return
        owner = draft.tables_of(counted) if asked and counted is not None else _named(draft, table)
        group = _group_of(draft, owner) if owner and owner != table else ""
    if draft.dimensions and not asked and draft.dataset.reaches(table, draft.dimensions[0]):
        return
    if not group:
        if owner and draft.points_at(table, owner):
            _relate(draft, limit, owner, table)
        return
    if not draft.dataset.reaches(table, group):
        pointing = draft.dataset.bridges(table, owner)
        if len(pointing) != 1:
            return
        measure = count_of(draft.dataset.layer, pointing[0])
        draft.having = [replace(one, measure=measure) if one == limit else one for one in draft.having]
    draft.measures, draft.listing = [measure], ""
    draft.counted = draft.counted or asked or draft.has("how_many")
    limited = {one.id for item in draft.items if names_table(draft, item, table) for one in item.every_of("dimension")}
    draft.dimensions = list(dict.fromkeys([group, *(one for one in draft.dimensions if one not in limited)]))
    _keep_conditions(draft, counted if asked else None)
    draft.use(*(place for place, item in enumerate(draft.items) if names_table(draft, item, owner)))


def _relate(draft: Draft, limit: Having, owner: str, table: str) -> None:
    """Rows that no column names: as a condition of each, how many others point at it."""
    related = Related(table, metric=limit.measure.metric, operator=limit.operator, values=limit.values)
    draft.having = [one for one in draft.having if one != limit]
    draft.related.append(related)
    if draft.measures == [limit.measure] or not draft.measures:
        draft.measures = []
        draft.listing = owner
    draft.use(*(place for place, item in enumerate(draft.items) if names_table(draft, item, owner)))


def _is_count(draft: Draft, one: Measure) -> bool:
    return bool(one.table) or (
        bool(one.metric) and not one.aggregate and own_aggregate(draft.dataset.layer.metric(one.metric)) == "count"
    )


def _named(draft: Draft, table: str) -> str:
    """The table that is named beside the limited rows, and that they or rows of a third one point at."""
    found = [
        one.name
        for one in draft.dataset.layer.tables
        if one.name != table
        and any(item.kind != "value" and names_table(draft, item, one.name) for item in draft.items)
        and (draft.points_at(table, one.name) or len(draft.dataset.bridges(table, one.name)) == 1)
    ]
    return found[0] if len(found) == 1 else ""


def _group_of(draft: Draft, table: str) -> str:
    """The column that names the rows of a table."""
    named = [
        one.id
        for item in draft.items
        for one in item.every_of("dimension")
        if draft.dimension(one).key and draft.dataset.table_of(draft.dimension(one)) == table
    ]
    return next(iter(named), "") or naming_of(draft, table)


def _keep_conditions(draft: Draft, counted: Measure | None) -> None:
    """ "Closed sessions with 3 checks": the conditions of a figure whose rows are now the groups."""
    metric = draft.dataset.layer.metric(counted.metric) if counted is not None and counted.metric else None
    if metric is not None and metric.default_filters:
        draft.named.append(metric.id)
