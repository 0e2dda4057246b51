"""Reads the figures that a question asks for: metrics, aggregates over columns, and counts."""

from __future__ import annotations

from collections.abc import Iterable

from lang.tokens import Kind, stem
from services.analyst.questions.conditions import choose_dimension
from services.analyst.questions.counting import count_of, is_lasting, is_plain, metric_over, own_aggregate
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Aggregate, Measure
from services.analyst.questions.items import Item
from services.analyst.questions.reading import Guess, Unclear
from services.analyst.semantic.schema import Metric
from services.chassis.messages import Message

_AGGREGATES: dict[str, Aggregate] = {
    "average": "avg", "median": "median", "maximum": "max", "minimum": "min", "summed": "sum", "quantile": "quantile",
}  # fmt: skip
_BETWEEN = ("and", "break", "group", "different", "how_much", "equal")
_REACH = 3
_TELLING = 4
_LASTING = ("longest", "shortest", "slowest", "fastest", "quickest", "最久", "最长", "最短", "最慢", "最快")
_FIGURE_WORDS = ("compare", "how_much", "share", "running", "trend", "growth", "grew", "fell")
_MONEY = ("多少钱", "how much")
_MOST = ("busiest", "most", "the most", "fewest", "least", "the least", "最多", "最少")
_UNTELLING = "个些数量目少"


def read_measures(draft: Draft) -> None:
    """Aggregates with what they are over, then other metrics, then counts."""
    for place, item in list(draft.of(*_AGGREGATES)):
        if place not in draft.used and item.kind in _AGGREGATES:
            _read_aggregates(draft, place)
    for place, _ in list(draft.of("how_many")):
        _read_count(draft, place)
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
        if others and metric.id in limited:
            draft.use(place)
            continue
        if others and not joined and own_aggregate(metric) == "count" and _is_about(draft, metric, others):
            draft.ignored.append(item.words)
        else:
            draft.measures.append(Measure(metric=item.id))
        draft.use(place)


def _is_about(draft: Draft, metric: Metric, others: list[Metric]) -> bool:
    return any(
        draft.dataset.path(one.table, metric.table) is not None
        and set(metric.default_filters) <= set(one.default_filters)
        for one in others
    )


def _read_aggregates(draft: Draft, place: int) -> None:
    """One aggregate or several in a row, over the column or metric beside them."""
    last = place
    run = [place]
    while last + 1 < len(draft.items) and draft.items[last + 1].kind in (*_AGGREGATES, "and", "break"):
        last += 1
        if draft.items[last].kind in _AGGREGATES:
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
        if own_aggregate(metric) in ("count", "sum") and aggregates[0][0] == "avg":
            _average(draft, item)
        if _names_own(metric, item) and all(aggregate != own_aggregate(metric) for aggregate, _ in aggregates):
            aggregates.append((own_aggregate(metric), 0.0))
        for aggregate, fraction in aggregates:
            own = aggregate in ("sum", own_aggregate(metric)) or draft.averaged
            draft.measures.append(Measure(metric=item.id, aggregate="" if own else aggregate, fraction=fraction))
    else:
        dimension = choose_dimension(draft, item)
        metric = metric_over(draft.dataset.layer, dimension)
        for kind, part in aggregates:
            own = metric is not None and kind == own_aggregate(metric)
            name = metric.id if metric is not None else ""
            draft.measures.append(
                Measure(name, "" if name else dimension, aggregate="" if own else kind, fraction=part)
            )
    draft.use(target)


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
        Message("unclear.average_of_what", {"words": item.words}), draft.texts("average_day", "average_month")
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


def _read_count(draft: Draft, place: int) -> None:
    """ "How many shops": the nearest table or column after it, else before it."""
    before = draft.at(place - 1, "metric")
    if before is not None and before.last == draft.items[place].first:
        draft.use(place)
        return
    if not _count_noun(draft, place, (*range(place + 1, len(draft.items)), place - 1)):
        if draft.measures:
            draft.use(place)
        elif _has_own_time(draft):
            _count_owner(draft, place)
        elif not _count_by_classifier(draft, place):
            if not _count_noun(draft, place, range(place - 2, -1, -1)):
                _count_owner(draft, place)


def _count_noun(draft: Draft, place: int, steps: Iterable[int]) -> bool:
    """Counts the first name of rows, of a count or of a column at these places; False without one."""
    for step in steps:
        if draft.at(step) is None:
            continue
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
        return True
    return False


def _has_own_time(draft: Draft) -> bool:
    """ "今年入职了多少人": a column of times tells whose rows are counted."""
    return any(draft.time_dimension(item) for _, item in draft.of("dimension"))


def _count_owner(draft: Draft, place: int) -> None:
    """ "各等级会员的人数": the rows that all splits and conditions are columns of."""
    named = {draft.table_of_item(item) for _, item in draft.of("dimension") if item.kind == "dimension"}
    named |= {draft.dataset.table_of(draft.dataset.layer.dimension(one.dimension)) for one in draft.filters}
    if len(named) == 1:
        measure = count_of(draft.dataset.layer, named.pop())
        draft.measures.append(measure)
        draft.guesses.append(
            Guess(draft.items[place].words, draft.name(measure.metric) or draft.table_name(measure.table))
        )
        draft.use(place)


def _count_by_classifier(draft: Draft, place: int) -> bool:
    """ "卖了多少件": the metric whose name has the counted unit."""
    unit = draft.items[place].words[-1:]
    layer = draft.dataset.layer
    if unit.isascii() or unit in _UNTELLING:
        return False
    exact = [one for one in layer.metrics if {unit + "量", unit + "数"} & {*one.name.words, *one.synonyms}]
    found = exact or [
        one
        for one in layer.metrics
        if own_aggregate(one) and any(unit in word for word in (*one.name.words, *one.synonyms))
    ]
    if len(found) == 1:
        draft.measures.append(Measure(metric=found[0].id))
        draft.guesses.append(Guess(draft.items[place].words, found[0].name.text(draft.language)))
        draft.use(place)
        return True
    if found:
        raise Unclear(Message("unclear.which_figure"), tuple(one.name.text(draft.language) for one in found[:6]))
    return False


def _count_dimension(draft: Draft, item: Item, place: int) -> None:
    tables = item.every_of("table")
    if tables and not draft.has("different"):
        draft.measures.append(count_of(draft.dataset.layer, tables[0].id))
    else:
        draft.measures.append(Measure(dimension=choose_dimension(draft, item), aggregate="count_distinct"))


def _beside_most(draft: Draft, place: int) -> int:
    """0 for a name beside a word for "most", else 1."""
    around = (draft.at(place - 1), draft.at(place + 1))
    return 0 if any(item is not None and item.words.lower() in _MOST for item in around) else 1


def read_lasting(draft: Draft) -> None:
    """ "Which cause took longest to find": the metric of a length of time that the other words are about."""
    places = [place for place, item in enumerate(draft.items) if item.words.lower() in _LASTING]
    if draft.measures or not places or not draft.limit or any(draft.number_dimension(item) for item in draft.items):
        return
    layer, dataset = draft.dataset.layer, draft.dataset
    splits = [one.id for item in draft.items for one in item.every_of("dimension")[:1]]
    found = [
        one
        for one in layer.metrics
        if is_lasting(one) and splits and all(dataset.reaches(one.table, split) for split in splits)
    ]
    words = [token.text for token in draft.text.tokens if token.kind is Kind.WORD]
    words += [item.words for item in draft.items if item.kind == "word"]
    if len(found) > 1:
        found = [one for one in found if any(_says(one, word) for word in words)]
    if len(found) == 1:
        draft.measures.append(Measure(metric=found[0].id))
        draft.guesses.append(Guess(draft.items[places[0]].words, found[0].name.text(draft.language)))


def _says(metric: Metric, word: str) -> bool:
    """True if a word that says something is one of a metric's name."""
    if len(word) < _TELLING and word.isascii():
        return False
    names = [name.lower() for name in (*metric.name.words, *metric.synonyms)]
    return any(stem(word) in {stem(part) for part in name.split()} if word.isascii() else word in name for name in names)


def _asks(draft: Draft) -> bool:
    """True for a word that asks for a figure; for an amount of money rows are not counted."""
    return any(item.kind in _FIGURE_WORDS and item.words.lower() not in _MONEY for item in draft.items)


def _count_commonest(draft: Draft) -> None:
    """ "The most common make": the value with the most rows."""
    for place, item in list(draft.of("commonest", "rarest")):
        split = draft.free(place + 1, "dimension")
        if split is None or draft.measures:
            continue
        draft.dimensions.append(choose_dimension(draft, split))
        tables = [other.id for other in draft.items if other.kind == "table"]
        draft.measures.append(count_of(draft.dataset.layer, (tables or [draft.table_of_item(split)])[0]))
        draft.limit, draft.superlative, draft.rank_place = 1, True, place
        draft.rank_kind = "highest" if item.kind == "commonest" else "lowest"
        table = draft.tables_of(draft.measures[0])
        rows = [at for at, other in enumerate(draft.items) if table in {one.id for one in other.every_of("table")}]
        draft.use(place, place + 1, *rows)


def _counts_by(draft: Draft) -> bool:
    """ "Products launched in 2024 by brand": rows, split."""
    if draft.has("list", "which", "sort", "latest", "earliest", "naming"):
        return False
    rows = [item for place, item in draft.of("table") if item.kind == "table" and not draft.is_split(place)]
    splits = [
        place for place, item in draft.of("dimension") if item.kind == "dimension" and not draft.time_dimension(item)
    ]
    by = all(draft.is_split(place) and draft.items[place - 1].kind != "which" for place in splits)
    return bool(rows and splits) and by


def _counts_most(draft: Draft) -> bool:
    """ "Which hour has the most orders": rows beside a word for "most", with something else to rank."""
    others = [item for item in draft.items if item.kind in ("dimension", "table")]
    ranked = draft.granularity or draft.part or draft.has("which") or draft.limit or len(others) > 1
    places = [place for place, item in enumerate(draft.items) if item.words.lower() in _MOST]
    return bool(ranked) and any(
        item.kind == "table" and not draft.is_split(place)
        for each in places
        for place in (range(len(draft.items)) if draft.items[each].words.lower() == "busiest" else (each - 1, each + 1))
        if (item := draft.at(place)) is not None
    )


def read_plain_count(draft: Draft) -> None:
    """ "上个月解决的工单有多少": rows with a word for "how much" and no figure are counted."""
    _count_commonest(draft)
    asks = _asks(draft) or draft.granularity or draft.averaged or draft.comparison or draft.part
    if (
        draft.measures
        or (draft.having and not draft.has("how_much"))
        or not (asks or _counts_most(draft) or _counts_by(draft))
    ):
        return
    nearest = (
        sorted(draft.of("table", "dimension"), key=lambda one: _beside_most(draft, one[0]))
        if draft.has("highest", "lowest")
        else draft.of("table", "dimension")
    )
    for place, item in list(nearest):
        beside = draft.at(place - 1, "how_much") or draft.at(place + 1, "how_much")
        if item.kind == "dimension" and beside and not draft.number_dimension(item) and not draft.time_dimension(item):
            draft.counted_item = place
            draft.use(place)
            _count_dimension(draft, item, place)
            return
        if item.kind == "table" and not draft.is_split(place):
            draft.measures.append(count_of(draft.dataset.layer, item.id))
            draft.counted_item = place
            draft.use(place)
            return
