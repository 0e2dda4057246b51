"""Reads the conditions of a question: exclusions, named filters, and limits on numbers."""

from __future__ import annotations

from dataclasses import replace

from services.analyst.questions.counts.classifiers import column_of_unit
from services.analyst.questions.counts.counting import UNIT_WORDS, count_of, is_lasting, own_aggregate
from services.analyst.questions.counts.row_counts import counting_column, is_countable
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Having, Measure, Operator, Unclear, Value
from services.analyst.questions.lengths import no_length
from services.analyst.questions.scales import is_scaled, scale_of
from services.analyst.questions.words.items import Item, Number
from services.chassis.messages import Message

_COMPARATORS: dict[str, Operator] = {"more": ">", "at_least": ">=", "less": "<", "at_most": "<=", "equal": "="}
_AFTER: dict[str, Operator] = {"or_more": ">=", "or_less": "<="}
_TURNED: dict[Operator, Operator] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "!="}
_SECONDS = {
    "second": 1,
    "minute": 60,
    "hour": 3_600,
    "day": 86_400,
    "week": 604_800,
    "month": 2_592_000,
    "year": 31_536_000,
}
_SCOPE = 6
_HAVING = ("with", "having", "has", "have", "had", "ran", "有", "了", "过")


def read_named(draft: Draft) -> None:
    """Exclusions and named filters."""
    for place, item in list(draft.of("exclusion", "filter")):
        if item.among("exclusion"):
            draft.exclusions.append(item.among("exclusion")[0].id)
        else:
            draft.named.append(item.among("filter")[0].id)
        draft.use(place)
        if draft.free(place - 1, "not"):
            draft.use(place - 1)


def read_limits(draft: Draft) -> None:
    """Limits on metrics and numbers: "流水超过100万", "more than 5 tickets", "between 10 and 20", "3天以上"."""
    for place, item in list(draft.of(*_COMPARATORS, "between")):
        found = _numbers_after(draft, place)
        if found:
            _bind(draft, place, item, *found)
    for place, item in list(draft.of(*_AFTER)):
        number = draft.free(place - 1, "number")
        if number is not None and number.number is not None:
            operator = _AFTER[item.kind]
            draft.use(place, place - 1)
            _add(draft, place - 1, place + 1, operator, (number.number,))
    for place, _ in list(draft.of("between")):
        first, last = draft.free(place - 2, "number"), draft.free(place - 1, "number")
        first = first or draft.free(place - 3, "number")
        if first and last and first.number and last.number:
            start = place - 2 if draft.free(place - 2, "number") else place - 3
            draft.use(*range(start, place + 1))
            _add(draft, start, place + 1, "between", (_scaled(first.number, last.number), last.number))


def read_equal_numbers(draft: Draft) -> None:
    """ "Courses with 4 credits", "评分 5": a number beside a column of numbers."""
    for place, item in list(draft.of("number")):
        if item.number is None or item.number.percent or item.number.unit:
            continue
        if _limits_related(draft, place, item.number):
            continue
        for step in (place + 1, place - 1):
            dimension = draft.number_dimension(draft.free(step, "dimension"))
            beside = draft.items[max(step, place)].first == draft.items[min(step, place)].last if dimension else False
            if dimension and beside:
                draft.filters.append(Filter(dimension, "in", (item.number.value,)))
                draft.use(place, step)
                break


def _limits_related(draft: Draft, place: int, number: Number) -> bool:
    """ "Sessions with 3 checks", 跑了 3 次检查的会话: so many rows that point at others which are named."""
    item, counted = draft.items[place], draft.at(place + 1, "table", "metric")
    before = draft.text.tokens[item.first - 1].text if item.first else ""
    if counted is None or number.ordinal or before not in _HAVING or draft.limit or not is_countable(draft, counted):
        return False
    table = draft.table_of_item(counted)
    if not any(
        draft.points_at(table, one.id)
        for other in draft.items
        if other is not counted
        for one in other.every_of("table")
    ):
        return False
    draft.use(place)
    _add(draft, place, place + 1, "=", (number,))
    return True


def _numbers_after(draft: Draft, place: int) -> tuple[int, tuple[Number, ...]] | None:
    """The place after the numbers that follow a comparator, and the numbers."""
    first = draft.free(place + 1, "number")
    if first is None or first.number is None:
        return None
    if draft.items[place].kind != "between":
        return place + 2, (first.number,)
    step = place + 3 if draft.free(place + 2, "and") else place + 2
    last = draft.free(step, "number")
    if last is None or last.number is None:
        return None
    end = step + 2 if draft.free(step + 1, "between") else step + 1
    return end, (_scaled(first.number, last.number), last.number)


def _scaled(first: Number, last: Number) -> Number:
    """ "Between 30 and 60 million": the magnitude and unit of the second are those of the first too."""
    if first.scale == 1.0 and last.scale > 1.0 and first.value * last.scale < last.value:
        first = replace(first, value=first.value * last.scale)
    return replace(first, unit=first.unit or last.unit, percent=first.percent or last.percent)


def _bind(draft: Draft, place: int, item: Item, end: int, numbers: tuple[Number, ...]) -> None:
    operator: Operator = "between" if item.kind == "between" else _COMPARATORS[item.kind]
    if item.kind == "equal" and _target(draft, place, end) is None:
        return
    if draft.free(place - 1, "not"):
        draft.use(place - 1)
        operator = _TURNED.get(operator, operator)
    draft.use(*range(place, end))
    _add(draft, place, end, operator, numbers)


def _target(draft: Draft, start: int, end: int) -> int | None:
    """The place of the metric or number that a limit is on: the nearest before it, else the first after it."""
    counted, before = draft.at(end), draft.at(start - 1)
    closed = draft.items[end - 1].kind in _AFTER and before is not None and before.last == draft.items[start].first
    adjacent = counted is not None and not closed and counted.first == draft.items[end - 1].last
    if counted is not None and adjacent and _is_counted(draft, counted):
        return end
    for step in range(start - 1, max(-1, start - _SCOPE), -1):
        item = draft.at(step)
        if item is None:
            break
        if item.kind == "metric" or draft.number_dimension(item) or item.kind == "share" or draft.time_dimension(item):
            return step
        if item.kind in ("which", "group"):
            break
    for step in range(end, min(len(draft.items), end + 3)):
        item = draft.at(step)
        if item is not None and draft.number_dimension(item):
            return step
    return None


def _is_counted(draft: Draft, item: Item) -> bool:
    return item.kind == "metric" or is_countable(draft, item) or bool(item.every_of("table"))


def _lasting(draft: Draft, numbers: tuple[Number, ...]) -> Measure | None:
    """ "Took over 3 days": the one metric of a length of time, where a limit is on nothing else."""
    if not all(number.unit in _SECONDS for number in numbers):
        return None
    layer = draft.dataset.layer
    named = {item.id for item in draft.items if item.kind == "table"}
    named |= {layer.metric(item.id).table for item in draft.items if item.kind == "metric"}
    owners = [draft.dimension(one) for item in draft.items if item.kind == "value" for one in item.among("value")]
    named = named or {draft.dataset.table_of(one) for one in owners}
    lasting = [one for one in layer.metrics if is_lasting(one) and (one.table in named or not named)]
    return Measure(metric=lasting[0].id) if len(lasting) == 1 else None


def _add(draft: Draft, start: int, end: int, operator: Operator, numbers: tuple[Number, ...]) -> None:
    if unit := column_of_unit(draft, start, end):
        draft.filters.append(Filter(unit, operator, tuple(number.value for number in numbers)))
        return
    place = _target(draft, start, end)
    lasting = _lasting(draft, numbers)
    timed = place is not None and bool(draft.time_dimension(draft.items[place]))
    if lasting is not None and (place is None or timed or is_countable(draft, draft.items[place])):
        if timed and place is not None and not draft.reaches(draft.items[place]):
            draft.use(place)  # "Sessions that ran longer than an hour": a word of other rows' times says nothing here.
        elif timed and place is not None:
            # What took a time must have happened: "closed in under 10 minutes".
            draft.filters.append(Filter(draft.time_dimension(draft.items[place]), "not null"))
            draft.use(place)
        unit = draft.dataset.layer.metric(lasting.metric).unit
        draft.having.append(Having(lasting, operator, tuple(_in_unit(number, unit) for number in numbers)))
        return
    scale = scale_of(draft, draft.items[start].words) if place is None or _counts_rows(draft, place) else None
    if scale is not None:
        limited: tuple[Value, ...] = tuple(number.value for number in numbers)
        draft.filters.append(Filter(scale[0], operator, limited))
        return
    if place is not None and _counts_rows(draft, place) and is_scaled(draft.items[start].words):
        raise Unclear(Message("unclear.limit_of_what", {"words": _said(draft, start, end)}), _number_names(draft))
    if place is None and draft.free(start - 1, "table"):
        place = start - 1
    if place is None:
        raise Unclear(Message("unclear.limit_of_what", {"words": _said(draft, start, end)}), _number_names(draft))
    counting = counting_column(draft, place)
    if counting:
        draft.filters.append(Filter(counting, operator, tuple(number.value for number in numbers)))
    elif draft.items[place].kind in ("metric", "share", "table") or (
        not draft.number_dimension(draft.items[place]) and draft.items[place].every_of("table")
    ):
        _limit_figure(draft, place, operator, numbers)
    elif dimension := draft.number_dimension(draft.items[place]):
        draft.filters.append(Filter(dimension, operator, tuple(_in_unit(number, "") for number in numbers)))
    else:
        raise Unclear(Message("unclear.limit_of_what", {"words": _said(draft, start, end)}), _number_names(draft))
    draft.use(place)


def _counts_rows(draft: Draft, place: int) -> bool:
    """ "Rides that were longer than 10 km": a count is no longer than anything, but each row may be."""
    item = draft.items[place]
    return item.kind in ("metric", "table") and is_countable(draft, item)


def _limit_figure(draft: Draft, place: int, operator: Operator, numbers: tuple[Number, ...]) -> None:
    """Limits the metric, the share or the number of rows at this place. Raises Refused for a time that is none."""
    item, plain = draft.items[place], tuple(number.value for number in numbers)
    figure = draft.dataset.layer.metric(item.id) if item.kind == "metric" else None
    counts = item.kind == "table" or (figure is not None and own_aggregate(figure) == "count")
    if counts and all(number.unit in _SECONDS for number in numbers):
        raise no_length(draft, item.words, figure.table if figure is not None else item.id)
    if item.kind == "metric":
        metric = draft.dataset.layer.metric(item.id)
        values = tuple(_in_unit(number, metric.unit) for number in numbers)
        draft.having.append(Having(Measure(metric=metric.id), operator, values))
    elif item.kind == "share":
        draft.having.append(Having(Measure(), operator, tuple(value / 100 for value in plain), share=True))
        draft.share = True
    else:
        draft.counted_item = place
        counted = next((one.id for one in item.every_of("table")), item.id)
        draft.having.append(Having(count_of(draft.dataset.layer, counted), operator, plain))


def _said(draft: Draft, start: int, end: int) -> str:
    return " ".join(item.words for item in draft.items[start:end])


def _number_names(draft: Draft) -> tuple[str, ...]:
    layer = draft.dataset.layer
    numbers = [one.name.text(draft.language) for one in layer.dimensions if draft.dataset.is_number(one)]
    return tuple((numbers + [one.name.text(draft.language) for one in layer.metrics])[:6])


def _in_unit(number: Number, unit: str) -> float:
    """A number in the unit of a metric: "3 days" is 72 where it is measured in hours; percents are fractions."""
    if number.percent:
        return number.value / 100
    measured = next((name for name, words in UNIT_WORDS.items() if unit.lower() in words), "")
    if number.unit in _SECONDS and measured:
        return number.value * _SECONDS[number.unit] / _SECONDS[measured]
    return number.value
