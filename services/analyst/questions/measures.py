"""Reads the figures that a question asks for: metrics, aggregates over columns, and counts."""

from __future__ import annotations

from services.analyst.questions.conditions import choose_dimension
from services.analyst.questions.counting import count_of, own_aggregate
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Aggregate, Measure
from services.analyst.questions.items import Item

_AGGREGATES: dict[str, Aggregate] = {
    "average": "avg", "median": "median", "maximum": "max", "minimum": "min", "summed": "sum", "quantile": "quantile",
}  # fmt: skip
_BETWEEN = ("and", "break", "group", "different", "how_much", "equal")
_REACH = 3


def read_measures(draft: Draft) -> None:
    """Aggregates with what they are over, then other metrics, then counts."""
    for place, item in list(draft.of(*_AGGREGATES)):
        if place not in draft.used and item.kind in _AGGREGATES:
            _read_aggregates(draft, place)
    for place, item in list(draft.of("metric")):
        if item.kind == "metric":
            draft.measures.append(Measure(metric=item.id))
            draft.use(place)
    for place, item in list(draft.of("how_many")):
        _read_count(draft, place)


def _read_aggregates(draft: Draft, place: int) -> None:
    """One aggregate or several in a row, over the column or metric beside them."""
    last = place
    run = [place]
    while (item := draft.at(last + 1)) and (item.kind in _AGGREGATES or item.kind == "and" or draft.is_comma(last + 1)):
        last += 1
        if item.kind in _AGGREGATES:
            run.append(last)
    last = run[-1]
    target = _target(draft, place, last)
    if target is None:
        return
    item = draft.items[target]
    aggregates = [(_AGGREGATES[draft.items[each].kind], _fraction(draft, each)) for each in run]
    draft.use(*run)
    if item.kind == "metric":
        metric = draft.dataset.layer.metric(item.id)
        if own_aggregate(metric) == "count" and aggregates[0][0] == "avg":
            if draft.granularity or draft.take_period_average():
                draft.average()
        for aggregate, fraction in aggregates:
            own = aggregate in ("sum", own_aggregate(metric)) or draft.averaged
            draft.measures.append(Measure(metric=item.id, aggregate="" if own else aggregate, fraction=fraction))
    else:
        dimension = choose_dimension(draft, item)
        draft.measures += [Measure(dimension=dimension, aggregate=kind, fraction=part) for kind, part in aggregates]
    draft.use(target)
    while draft.free(last + 1, "and") and _is_number(draft, draft.at(last + 2)) and last + 1 != target:
        last += 2


def _target(draft: Draft, first: int, last: int) -> int | None:
    """The metric or number that an aggregate is over: after it, else before it."""
    for step in range(last + 1, last + 1 + _REACH):
        item = draft.at(step)
        if item is None or (item.kind not in _BETWEEN and not _is_number(draft, item) and item.kind not in ("table", "value", "dimension")):
            break
        if _is_number(draft, item) and step not in draft.used:
            return step
    for step in range(first - 1, first - 1 - _REACH, -1):
        item = draft.at(step)
        if item is None or (item.kind not in _BETWEEN and not _is_number(draft, item) and item.kind != "number"):
            break
        if _is_number(draft, item) and step not in draft.used:
            return step
    return None


def _is_number(draft: Draft, item: Item | None) -> bool:
    return item is not None and (item.kind == "metric" or bool(draft.number_dimension(item)))


def _fraction(draft: Draft, place: int) -> float:
    if draft.items[place].kind != "quantile":
        return 0.0
    for step in (place - 1, place + 1):
        number = draft.free(step, "number")
        if number is not None and number.number is not None:
            draft.use(step)
            value = number.number.value
            return value / 100 if value > 1 else value
    return 0.0


def _read_count(draft: Draft, place: int) -> None:
    """ "How many shops": the nearest table or column after it, else before it."""
    if draft.measures and draft.at(place - 1, "metric") and place - 1 in draft.used:
        draft.use(place)
        return
    forward = range(place + 1, len(draft.items))
    for step in (*forward, *range(place - 1, -1, -1)):
        item = draft.items[step]
        if step in draft.used or item.kind not in ("table", "dimension", "metric") or draft.is_split(step):
            continue
        if item.kind == "dimension" and (draft.number_dimension(item) or draft.time_dimension(item)):
            continue
        draft.use(place, step)
        draft.counted_item = step
        if item.kind == "table":
            draft.measures.append(count_of(draft.dataset.layer, item.id))
        elif item.kind == "metric":
            draft.measures.append(Measure(metric=item.id))
        else:
            _count_dimension(draft, item, place)
        return
    if draft.measures:
        draft.use(place)


def _count_dimension(draft: Draft, item: Item, place: int) -> None:
    tables = item.every_of("table")
    if tables and not draft.has("different"):
        draft.measures.append(count_of(draft.dataset.layer, tables[0].id))
    else:
        draft.measures.append(Measure(dimension=choose_dimension(draft, item), aggregate="count_distinct"))


def read_plain_count(draft: Draft) -> None:
    """ "上个月解决的工单有多少": rows with a word for "how much" and no figure are counted."""
    if draft.measures or draft.having or not draft.has("how_much"):
        return
    for place, item in list(draft.of("table")):
        if item.kind == "table" and not draft.is_split(place):
            draft.measures.append(count_of(draft.dataset.layer, item.id))
            draft.counted_item = place
            draft.use(place)
            return
