"""Reads the figures that a question asks for: metrics, aggregates over columns, and counts."""

from __future__ import annotations

from itertools import pairwise

from lang.tokens import Kind
from services.analyst.questions.counts.averages import read_average_rows
from services.analyst.questions.counts.counting import has_word, is_lasting, is_plain, metric_over, own_aggregate
from services.analyst.questions.counts.definitions import average_per_row
from services.analyst.questions.counts.row_counts import read_count
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Aggregate, Guess, Measure, Unclear
from services.analyst.questions.value_filters import choose_dimension
from services.analyst.questions.words.items import Item
from services.analyst.semantic.schema import Metric
from services.chassis.messages import Message

_AGGREGATES: dict[str, Aggregate] = {
    "average": "avg", "median": "median", "maximum": "max", "minimum": "min", "summed": "sum", "quantile": "quantile",
}  # fmt: skip
_BETWEEN = ("and", "break", "group", "different", "how_much", "equal")
_REACH = 3
_GOALS = {"find", "get", "reach", "identify", "determine", "locate", "know"}
_TELLING = 4
_ASKING = ("how_long", "average", "which", "highest", "lowest", "lengthier")
_LASTING = ("最花时间", "花时间最多", "最耗时", "most time", "the most time",
            "longest", "shortest", "slowest", "fastest", "quickest", "最久", "最长", "最短", "最慢", "最快",
            "时间最长", "时间最久", "时间最短", "耗时最长", "用时最长", "耗时最久")  # fmt: skip


def read_measures(draft: Draft) -> None:
    """Aggregates with what they are over, then other metrics, then counts."""
    if not average_per_row(draft):
        read_average_rows(draft)
    for place, item in list(draft.of(*_AGGREGATES)):
        if place not in draft.used and item.kind in _AGGREGATES:
            _read_aggregates(draft, place)
    for place, _ in list(draft.of("how_many")):
        read_count(draft, place)
    _read_metrics(draft)


def _read_metrics(draft: Draft) -> None:
    """Metrics that stand alone; a plain count of the rows that another figure is about anyway is no figure."""
    found = [(place, item) for place, item in draft.of("metric") if item.kind == "metric"]
    layer = draft.dataset.layer
    limited = {one.measure.metric for one in draft.having}
    asked = [layer.metric(item.id) for _, item in found if item.id not in limited]
    asked += [layer.metric(one.metric) for one in draft.measures if one.metric]
    for place, item in found:
        metric = layer.metric(item.id)
        others = [one for one in asked if one.id != metric.id]
        joined = (
            draft.at(place - 1, "and")
            or draft.at(place + 1, "and")
            or draft.is_comma(place - 1)
            or draft.is_comma(place + 1)
        )
        if (others and metric.id in limited) or _narrows(draft, place, metric):
            draft.use(place)
            continue
        about = _is_about(draft, metric, others) if others else _is_column_of(draft, metric)
        if not joined and own_aggregate(metric) == "count" and about:
            draft.ignored.append(item.words)
        else:
            draft.measures.append(Measure(metric=item.id))
        draft.use(place)


def _narrows(draft: Draft, place: int, metric: Metric) -> bool:
    """ "Only gold members" after another question: the rows of a value, and no figure."""
    if not draft.may_continue or not draft.has("follow") or own_aggregate(metric) != "count":
        return False
    before = draft.at(place - 1, "value")
    owners = {draft.dataset.table_of(draft.dimension(one)) for one in before.among("value")} if before else set()
    return metric.table in owners


def _is_column_of(draft: Draft, metric: Metric) -> bool:
    """ "Median weight of a shipment": another figure is taken from a column of the rows that a metric counts."""
    return any(one.dimension and one.aggregate != "count_distinct" and draft.tables_of(one) == metric.table
               for one in draft.measures)  # fmt: skip


def _is_about(draft: Draft, metric: Metric, others: list[Metric]) -> bool:
    return any(
        draft.dataset.path(one.table, metric.table) is not None
        and set(metric.default_filters) <= set(one.default_filters)
        for one in others
    )


def _read_aggregates(draft: Draft, place: int) -> None:
    """One aggregate or several in a row, over the column or metric beside them."""
    run = _run(draft, place)
    target = _target(draft, place, run[-1])
    if target is None:
        return
    item = draft.items[target]
    aggregates = [(_AGGREGATES[draft.items[each].kind], _fraction(draft, each)) for each in run]
    draft.use(*run)
    if item.kind == "metric":
        _aggregate_metric(draft, item, aggregates)
    else:
        _aggregate_column(draft, item, aggregates)
    draft.use(target)


def _run(draft: Draft, place: int) -> list[int]:
    """The places of the aggregates in a row from this one on."""
    run, last = [place], place
    while last + 1 < len(draft.items) and (
        draft.items[last + 1].kind in (*_AGGREGATES, "and", "break")
        or (draft.free(last + 1, "number") and draft.at(last + 2, "quantile"))
    ):
        last += 1
        if draft.items[last].kind in _AGGREGATES:
            run.append(last)
    return run


def _aggregate_metric(draft: Draft, item: Item, aggregates: list[tuple[Aggregate, float]]) -> None:
    metric = draft.dataset.layer.metric(item.id)
    if own_aggregate(metric) in ("count", "sum") and aggregates[0][0] == "avg":
        _average(draft, item)
    if _names_own(metric, item) and all(aggregate != own_aggregate(metric) for aggregate, _ in aggregates):
        aggregates.append((own_aggregate(metric), 0.0))
    for aggregate, fraction in aggregates:
        is_ratio = bool(metric.numerator) and aggregate == "avg"
        own = aggregate in ("sum", own_aggregate(metric)) or is_ratio or bool(draft.averaged)
        draft.measures.append(Measure(metric=item.id, aggregate="" if own else aggregate, fraction=fraction))


def _aggregate_column(draft: Draft, item: Item, aggregates: list[tuple[Aggregate, float]]) -> None:
    dimension = choose_dimension(draft, item)
    averaging = metric_over(draft.dataset.layer, dimension)
    name = averaging.id if averaging is not None else ""
    for kind, part in aggregates:
        own = averaging is not None and kind == own_aggregate(averaging)
        draft.measures.append(Measure(name, "" if name else dimension, aggregate="" if own else kind, fraction=part))


def _names_own(metric: Metric, item: Item) -> bool:
    """ "Minimum and average age", where "average age" is a name."""
    words = {"avg": ("average", "avg", "mean", "平均", "均"), "sum": ("total", "sum", "总", "合计")}
    return any(item.words.lower().startswith(word) for word in words.get(own_aggregate(metric), ()))


def _average(draft: Draft, item: Item) -> None:
    """ "Average daily orders": the mean over periods. Without one, only the person knows over what."""
    if draft.averaged:
        return
    if is_plain(draft.dataset.layer.metric(item.id)) and not draft.granularity:
        return
    if draft.granularity:
        draft.averaged, draft.granularity = draft.granularity, ""
        return
    raise Unclear(
        Message("unclear.average_of_what", {"words": item.words}),
        draft.texts("option.average_day", "option.average_month"),
    )


def _target(draft: Draft, first: int, last: int) -> int | None:
    """The metric or number that an aggregate is over: after it, else before it."""
    for step in range(last + 1, last + 1 + _REACH):
        item = draft.at(step)
        if item is None or (
            item.kind not in _BETWEEN
            and not _is_number(draft, item)
            and item.kind not in ("table", "value", "dimension", "time")
        ):
            break
        if _is_number(draft, item) and step not in draft.used:
            return step
    for step in range(first - 1, first - 1 - _REACH, -1):
        item = draft.at(step)
        if item is None or (
            item.kind not in _BETWEEN and not _is_number(draft, item) and item.kind not in ("number", "time")
        ):
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


def read_lasting(draft: Draft) -> None:
    """ "Which cause took longest to find": the metric of a length of time that the other words are about."""
    asked = [place for place, _ in draft.of("how_long")]
    compared = [place for place, _ in draft.of("lengthier")]
    places = asked or compared or [place for place, item in enumerate(draft.items) if item.words.lower() in _LASTING]
    if draft.measures and all(_is_length(draft, one) for one in draft.measures):
        draft.use(*asked, *compared, *(place for place, _ in draft.of("dimension") if _is_goal(draft, place)))
    ranks = bool(asked or compared) or draft.limit
    if (
        draft.measures
        or draft.listing
        or not places
        or not ranks
        or any(draft.number_dimension(item) for item in draft.items)
    ):
        return
    layer = draft.dataset.layer
    found = [one for one in layer.metrics if is_lasting(one) and _splits_by_all(draft, one, bool(asked))]
    asking = {at for item in draft.items if item.kind in _ASKING for at in range(item.first, item.last)}
    words = [one.text for at, one in enumerate(draft.text.tokens) if one.kind is Kind.WORD and at not in asking]
    words += [item.words for item in draft.items if item.kind == "word"]
    words += _han_pairs(draft, asking)
    rows = {item.id for item in draft.items if item.kind == "table"}
    joined = [one for one in found if all(draft.dataset.path(one.table, each) is not None for each in rows)]
    found = [one for one in joined if one.table in rows] or joined
    if len(found) > 1:
        found = [one for one in found if any(_says(one, word) for word in words)]
    if len(found) == 1:
        draft.measures.append(Measure(metric=found[0].id))
        draft.guesses.append(Guess(draft.items[places[0]].words, found[0].name.text(draft.language)))
        draft.use(*compared)
        if asked or compared:
            _use_goal(draft, found[0], [*asked, *compared])


def _is_goal(draft: Draft, place: int) -> bool:
    """ "Minutes to find the cause": what a length of time goes on until."""
    first = draft.items[place].first
    before = {token.text for token in draft.text.tokens[max(0, first - _REACH) : first]}
    return "to" in before and bool(before & _GOALS) and not draft.is_split(place)


def _is_length(draft: Draft, measure: Measure) -> bool:
    return bool(measure.metric) and is_lasting(draft.dataset.layer.metric(measure.metric))


def _splits_by_all(draft: Draft, metric: Metric, asked: bool) -> bool:
    """Whether a figure reaches each column named, but for what it is the time until ("how long until it is fixed")."""
    named = [item for item in draft.items if item.every_of("dimension")]
    named = [item for item in named if not (asked and _says(metric, item.words))]
    splits = [item.every_of("dimension")[0].id for item in named] + [one.dimension for one in draft.filters]
    return (bool(splits) or asked) and all(draft.dataset.reaches(metric.table, one) for one in splits)


def _han_pairs(draft: Draft, asking: set[int]) -> list[str]:
    """Chinese words are not parted, so each two characters may be one; without those that ask."""
    tokens = draft.text.tokens
    return [
        first.text + last.text
        for at, (first, last) in enumerate(pairwise(tokens))
        if first.kind is last.kind is Kind.HAN and at not in asking and at + 1 not in asking
    ]


def _use_goal(draft: Draft, metric: Metric, asked: list[int]) -> None:
    """ "How long does it take on average to find the cause": what the time is until is no split."""
    named = [
        place
        for place, item in draft.of("dimension", "table")
        if not draft.is_split(place)
        and any(has_word(name, item.words) for name in (*metric.name.words, *metric.synonyms))
    ]
    averages = own_aggregate(metric) == "avg" and not draft.superlative
    means = [place for place, _ in draft.of("average")] if averages else []
    draft.use(*asked, *named, *means)


def _says(metric: Metric, word: str) -> bool:
    """True if a word that says something is one of a metric's name."""
    if len(word) < _TELLING and word.isascii():
        return False
    return any(has_word(name.lower(), word) for name in (*metric.name.words, *metric.synonyms))
