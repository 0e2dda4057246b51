"""Reads counts of rows: "how many shops", "the most common make", "products by brand"."""

from __future__ import annotations

from collections.abc import Iterable

from services.analyst.questions.counts.classifiers import UNTELLING, count_by_classifier
from services.analyst.questions.counts.commonest import read_commonest
from services.analyst.questions.counts.counting import count_of, has_word, metric_over, own_aggregate
from services.analyst.questions.counts.defaults import count_events, events_of, is_named_entity
from services.analyst.questions.counts.definitions import count_among
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Guess, Measure, Unclear
from services.analyst.questions.value_filters import choose_dimension
from services.analyst.questions.words.items import Item
from services.chassis.messages import Message

_FIGURE_WORDS = ("compare", "how_much", "share", "running", "trend", "growth", "grew", "fell")
_COUNTS = ("count", "counts", "volume")
_MONEY = ("多少钱", "how much")
_MOST = ("busiest", "most", "the most", "fewest", "least", "the least", "最多", "最少", "最容易", "最爱", "最常")


def read_count(draft: Draft, place: int) -> None:
    """ "How many shops": the nearest table or column after it, else before it."""
    before = draft.at(place - 1, "metric")
    if before is not None and before.last == draft.items[place].first:
        draft.use(place)
        return
    if _read_average_count(draft, place) or _count_unit(draft, place):
        return
    behind = range(place + 1, len(draft.items))
    named = draft.items[place].words.lower() in _COUNTS and draft.at(place - 1, "table") is not None
    ahead = place - 2 if draft.at(place - 1, "summed") else place - 1
    if not _count_noun(draft, place, (ahead, *behind) if named else (*behind, ahead)):
        if draft.measures:
            draft.use(place)
        elif _has_own_time(draft) or (
            not count_by_classifier(draft, place) and not _count_noun(draft, place, range(place - 2, -1, -1))
        ):
            _count_owner(draft, place)


def _count_unit(draft: Draft, place: int) -> bool:
    """ "一次会话要多少轮": the figure of the rows before it whose name has the counted unit."""
    step = place - 2 if draft.at(place - 1, "average") else place - 1
    rows, unit = draft.at(step, "table"), draft.items[place].words[-1:]
    if rows is None or unit.isascii() or unit in UNTELLING or draft.at(place + 1, "table", "dimension", "metric"):
        return False
    found = [
        one
        for one in draft.dataset.layer.metrics
        if one.table == rows.id and any(f"{unit}数" in word for word in (*one.name.words, *one.synonyms))
    ]
    if len(found) != 1 or own_aggregate(found[0]) != "avg":
        return False
    draft.measures.append(Measure(metric=found[0].id))
    draft.use(*range(step, place + 1))
    return True


def _read_average_count(draft: Draft, place: int) -> bool:
    """ "平均每张工单有几个现象": the average of the column that counts them."""
    means = next((at for at, _ in draft.of("average")), -1)
    counted = next((at for at in (place + 1, place - 1) if draft.free(at, "table", "metric")), -1)
    column = counting_column(draft, counted) if min(means, counted) >= 0 else ""
    if not column:
        return False
    averaging = metric_over(draft.dataset.layer, column)
    draft.measures.append(Measure(metric=averaging.id) if averaging else Measure(dimension=column, aggregate="avg"))
    draft.use(place, means, counted)
    return True


def _count_noun(draft: Draft, place: int, steps: Iterable[int]) -> bool:
    """Counts the first name of rows, of a count or of a column at these places; False without one."""
    for step in steps:
        if draft.at(step) is None:
            continue
        item = draft.items[step]
        if step > place and item.kind in ("highest", "lowest") and not item.words.isascii():
            return False
        if step in draft.used or item.kind not in ("table", "dimension", "metric") or draft.is_split(step):
            continue
        if item.kind == "dimension" and (draft.number_dimension(item) or draft.time_dimension(item)):
            continue
        if item.kind == "dimension" and step > place and _names_condition(draft, step):
            continue
        draft.use(place, step)
        draft.counted_item = step
        if draft.has("different") and count_among(draft, item):
            return True
        if item.kind == "table":
            draft.measures.append(count_of(draft.dataset.layer, item.id))
        elif item.kind == "metric":
            draft.measures.append(Measure(metric=item.id))
        else:
            _count_dimension(draft, item)
        return True
    return False


def _names_condition(draft: Draft, step: int) -> bool:
    """ "多少个严重级别是 critical 的工单": a column whose value follows, before the rows that are counted."""
    value = next((at for at in (step + 1, step + 2) if draft.at(at, "value")), -1)
    same = value > 0 and draft.items[step].id in {one.id for one in draft.items[value].among("value")}
    return same and any(draft.at(at, "table") for at in range(value + 1, len(draft.items)))


def _has_own_time(draft: Draft) -> bool:
    """ "今年入职了多少人": a column of times tells whose rows are counted."""
    return any(draft.time_dimension(item) for _, item in draft.of("dimension"))


def _count_owner(draft: Draft, place: int) -> None:
    """ "各等级会员的人数": the rows that all splits and conditions are columns of."""
    named = {draft.table_of_item(item) for _, item in draft.of("dimension") if item.kind == "dimension"}
    named |= {draft.dataset.table_of(draft.dataset.layer.dimension(one.dimension)) for one in draft.filters}
    path = draft.dataset.path
    rows = [table for table in sorted(named) if all(path(table, other) is not None for other in named)]
    if len(rows) == 1:
        _ask_of_values(draft, rows[0])
        measure = count_events(draft, rows[0]) or count_of(draft.dataset.layer, rows[0])
        draft.measures.append(measure)
        draft.guesses.append(
            Guess(draft.items[place].words, draft.name(measure.metric) or draft.table_name(measure.table))
        )
        draft.use(place)


def _ask_of_values(draft: Draft, rows: str) -> None:
    """ "How many connections", a kind of causes. Raises Unclear: causes of this kind, or what happened by them?"""
    events = events_of(draft, rows)
    names = any(item.kind in ("table", "dimension", "metric") for item in draft.items)
    if not events or names or is_named_entity(draft, rows) or not draft.filters or draft.periods:
        return
    counts = [count_of(draft.dataset.layer, table) for table in (events, rows)]
    options = tuple(draft.name(one.metric) if one.metric else draft.table_name(one.table) for one in counts)
    raise Unclear(Message("unclear.which_figure"), options)


def _counts_names(draft: Draft, place: int, item: Item) -> bool:
    """True for a name beside "how much" that is neither a number nor a time, and splits nothing."""
    beside = draft.at(place - 1, "how_much") or draft.at(place + 1, "how_much")
    if item.kind != "dimension" or not beside or draft.is_split(place):
        return False
    return not draft.number_dimension(item) and not draft.time_dimension(item)


def _count_dimension(draft: Draft, item: Item) -> None:
    tables = item.every_of("table")
    if tables and not draft.has("different"):
        draft.measures.append(count_of(draft.dataset.layer, tables[0].id))
    else:
        draft.measures.append(Measure(dimension=choose_dimension(draft, item), aggregate="count_distinct"))


def _beside_most(draft: Draft, place: int) -> int:
    """0 for a name beside a word for "most", else 1."""
    around = (draft.at(_beyond_values(draft, place, -1)), draft.at(place + 1))
    return 0 if any(item is not None and item.words.lower() in _MOST for item in around) else 1


def _asks(draft: Draft) -> bool:
    """True for a word that asks for a figure; for an amount of money rows are not counted, but "how much evidence"."""
    if draft.has("how_long"):
        return False
    for place, item in enumerate(draft.items):
        if item.kind == "summed" and _has_rows_next(draft, place):
            return True
        if item.kind == "each_value" and ("多少" in item.words or "几" in item.words):
            return True
        if item.kind in _FIGURE_WORDS and (item.words.lower() not in _MONEY or _has_rows_next(draft, place)):
            return True
    return False


def _has_rows_next(draft: Draft, place: int) -> bool:
    following = draft.at(place + 1, "table")
    return following is not None and following.first == draft.items[place].last


def _count_ranked(draft: Draft) -> None:
    """ "Top 5 modules by tickets", "top 3 phenomena by confirmed evidence": the rows after "by" are counted."""
    if draft.measures or not draft.limit or draft.rank_kind not in ("top", "bottom"):
        return
    for place, _ in list(draft.of("group")):
        step = place + 1
        while draft.at(step, "value") or (draft.at(step) and step in draft.used):
            step += 1
        rows = draft.free(step, "table")
        if rows is not None and place > draft.rank_place:
            draft.measures.append(count_of(draft.dataset.layer, rows.id))
            draft.counted_item = step
            draft.use(place, step)
            return


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
        for place in (
            range(len(draft.items))
            if draft.items[each].words.lower() == "busiest"
            else (each - 1, _beyond_values(draft, each))
        )
        if (item := draft.at(place)) is not None
    )


def _beyond_values(draft: Draft, place: int, way: int = 1) -> int:
    """The place beyond the values on one side: "the most confirmed evidence"."""
    return next(at for at in range(place + way, place + way * (len(draft.items) + 2), way) if not draft.at(at, "value"))


def _ranks_by_column(draft: Draft) -> bool:
    """ "The ticket with the most phenomena": a column of the tickets counts them, and nothing else is counted."""
    beside = [place + step for place, _ in draft.of("highest", "lowest") for step in (-1, 1)]
    return any(draft.free(place, "table") and counting_column(draft, place) for place in beside)


def read_plain_count(draft: Draft) -> None:
    """ "上个月解决的工单有多少": rows with a word for "how much" and no figure are counted."""
    read_commonest(draft)
    _count_ranked(draft)
    if _ranks_by_column(draft) or draft.has("how_long", "lengthier") or any(True for _ in draft.of("average")):
        return
    asks = _asks(draft) or draft.granularity or draft.averaged or draft.comparison or draft.part
    if (
        draft.measures
        or (draft.having and not draft.has("how_much"))
        or not (asks or _counts_most(draft) or _counts_by(draft))
    ):
        return
    if draft.has("how_long"):
        return
    nearest = (
        sorted(draft.of("table", "dimension"), key=lambda one: _beside_most(draft, one[0]))
        if draft.has("highest", "lowest")
        else draft.of("table", "dimension")
    )
    for place, item in list(nearest):
        if _counts_names(draft, place, item):
            draft.counted_item = place
            draft.use(place)
            _count_dimension(draft, item)
            return
        if item.kind == "table" and not draft.is_split(place):
            draft.measures.append(count_of(draft.dataset.layer, item.id))
            draft.counted_item = place
            draft.use(place)
            return
    for place, item in list(draft.of("each_value")):
        if not item.words.isascii() and item.words[-1] not in "别自少" and not count_by_classifier(draft, place):
            _count_owner(draft, place)


def is_countable(draft: Draft, item: Item) -> bool:
    """ "More than 12 orders": rows that a number counts."""
    if item.kind == "metric":
        return own_aggregate(draft.dataset.layer.metric(item.id)) == "count"
    return item.kind == "table" or bool(draft.number_dimension(item)) or draft.names_rows(item)


def counting_column(draft: Draft, place: int) -> str:
    """ "Tickets with at least 5 phenomena", where a column of the tickets counts them; empty without one."""
    item, dataset = draft.items[place], draft.dataset
    if not is_countable(draft, item) or draft.number_dimension(item):
        return ""
    counted = {one.id for one in item.every_of("table")}
    rows = {one.id for at, other in enumerate(draft.items) if at != place for one in other.every_of("table")} - counted
    found = [
        one.id
        for one in dataset.layer.dimensions
        if dataset.is_number(one)
        and dataset.table_of(one) in rows
        and not dataset.is_key(one)
        and any(has_word(name, item.words) for name in (*one.name.words, *one.synonyms))
    ]
    return found[0] if len(found) == 1 else ""
