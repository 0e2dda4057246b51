"""What follows from the parts of a question together."""

from __future__ import annotations

from dataclasses import replace

from services.analyst.questions.counts.counting import own_aggregate
from services.analyst.questions.counts.groups import count_groups
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Having, Operator, Order, Unclear
from services.analyst.questions.words.items import Item
from services.analyst.semantic.dataset import split_column
from services.chassis.messages import Message

_BY = {"by", "per", "in", "for", "within"}
_AMONG = ("among", "amongst", "within")


def settle(draft: Draft) -> None:
    """What follows from the parts together."""
    if draft.sorted_by and draft.order is None:
        draft.order = Order("dimension", False, draft.sorted_by)
    count_groups(draft)
    _share_of_dated(draft)
    _share_within(draft)
    _share_in_groups(draft)
    shown = {measure.metric for measure in draft.measures}
    for at, limit in enumerate(draft.having):
        metric = limit.measure.metric
        if not metric or metric in shown or limit.share or limit.growth:
            continue
        if not draft.measures:
            draft.measures.append(limit.measure)
        elif own_aggregate(draft.dataset.layer.metric(metric)) not in ("count", "") and not draft.counted:
            draft.having[at] = replace(limit, each_row=True)
    _drop_own_rows(draft)
    _check_open_ended(draft)
    if draft.grown_only and draft.measures and (draft.dimensions or draft.granularity):
        operator: Operator = "<" if draft.grown_only == "fell" else ">"
        draft.having.append(Having(draft.measures[0], operator, (0.0,), growth=True))
    if draft.limit and draft.dimensions and draft.order is not None and draft.order.over in ("measure", "growth"):
        _leave_out_unknown(draft)
    if draft.granularity and draft.limit and draft.order is None and draft.measures:
        draft.order = Order("measure", True)


def _share_of_dated(draft: Draft) -> None:
    """ "What share of the tickets in May was resolved": the part is of those that have the date."""
    if not draft.share or draft.dimensions or draft.granularity or draft.part or not draft.column:
        return
    if draft.weekdays or draft.hours:
        return  # "What share starts on a weekend": the day is the part.
    if all(one.operator != "in" for one in draft.filters):
        draft.filters.append(Filter(draft.column, "not null"))
        draft.column = ""


def _share_within(draft: Draft) -> None:
    """ "What share of the lock tickets is critical": of the values the last is the part, after the name of the rows."""
    if not draft.share or draft.dimensions or len(draft.filters) < 2:
        return
    among = {one.id for item in draft.items if _is_whole(draft, item) for one in item.among("value")}
    if among:
        draft.within = tuple(dict.fromkeys(one.dimension for one in draft.filters if one.dimension in among))
        return
    rows = [place for place, item in enumerate(draft.items) if item.every_of("table") and item.kind != "value"]
    values = [place for place, item in enumerate(draft.items) if item.kind == "value"]
    if not rows or not values or values[-1] < rows[0] or draft.at(values[-1] - 1, "and"):
        return
    part = {one.id for one in draft.items[values[-1]].among("value")}
    draft.within = tuple(dict.fromkeys(one.dimension for one in draft.filters if one.dimension not in part))


def _share_in_groups(draft: Draft) -> None:
    """ "各类别里严重工单的占比", "share of tickets on weekends by module": the part of each group is of that group.

    "2025年严重工单各类别占比" and "share of each topic in urgent tickets" are shares of all.
    """
    if not draft.share or len(draft.dimensions) != 1 or draft.granularity or draft.part or draft.limit:
        return
    splits = [at for at, item in enumerate(draft.items) if any(one.id in draft.dimensions for one in item.every)]
    shares = [at for at, item in enumerate(draft.items) if item.kind == "share"]
    parts = [at for at, item in enumerate(draft.items) if item.kind == "value" and not item.every_of("dimension")]
    parts += [at for at, item in enumerate(draft.items) if item.time and item.time.kind in ("days", "hours")]
    narrowed = any(one.dimension not in draft.dimensions for one in draft.filters) or draft.weekdays or draft.hours
    if not (splits and shares and parts and narrowed):
        return
    first = draft.items[splits[0]].first
    before = {token.text for token in draft.text.tokens[max(0, first - 2) : first]}
    rows = draft.at(splits[0] + 1)
    of_all = shares[0] + 1 == splits[0] - 1 and not (rows and rows.every_of("table"))
    of_group = splits[0] < parts[0] and not of_all
    if of_group or (shares[0] < parts[0] and before & _BY):
        draft.within = (*draft.within, *draft.dimensions)


def _is_whole(draft: Draft, item: Item) -> bool:
    """ "Among urgent ones": a value directly after such a word says of what the share is."""
    return item.kind == "value" and item.first > 0 and draft.text.tokens[item.first - 1].text in _AMONG


def _check_open_ended(draft: Draft) -> None:
    """A length of time that ends at an empty column has no length: "open for over 48 hours" cannot be read so."""
    empty = {
        split_column(draft.dataset.layer.dimension(one.dimension).column)[1]
        for one in draft.filters
        if one.operator == "null"
    }
    for limit in draft.having:
        if limit.measure.metric and any(
            column in draft.dataset.layer.metric(limit.measure.metric).expr for column in empty
        ):
            raise Unclear(Message("unclear.limit_of_open", {"figure": draft.name(limit.measure.metric)}))


def _drop_own_rows(draft: Draft) -> None:
    """The average of a column over each of its own rows is that of all: "每家门店平均面积"."""
    if len(draft.measures) != 1 or len(draft.dimensions) != 1 or draft.measures[0].aggregate != "avg":
        return
    split = draft.dataset.layer.dimension(draft.dimensions[0])
    if (
        split.key
        and draft.measures[0].dimension
        and draft.tables_of(draft.measures[0]) == draft.dataset.table_of(split)
    ):
        draft.dimensions = []


def _leave_out_unknown(draft: Draft) -> None:
    """A ranking has no place for rows that belong to nothing."""
    draft.filters += [Filter(dimension, "not null") for dimension in draft.dimensions]
