"""Reads superlatives without anything ranked: "最高工资是多少", "when did the first shop open"."""

from __future__ import annotations

from services.analyst.questions.counts.counting import column_of, is_plain, metric_over, own_aggregate
from services.analyst.questions.counts.defaults import default_table
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Aggregate, Measure, Unclear
from services.analyst.questions.listing import name_rows
from services.analyst.questions.ranking import nearest_number, sort_by_scale, sort_column_of
from services.analyst.questions.scales import is_of_time, suits
from services.analyst.questions.value_filters import choose_dimension
from services.analyst.questions.words.names import Meaning
from services.chassis.messages import Message

_LATEST = ("latest", "bottom")
_HAVING = ("with", "having", "whose")
_ENDS = ("first", "last", "最早", "earliest", "latest", "最近", "最后", "第一")


def _read_when(draft: Draft) -> None:
    """ "When did the first shop open": the first or last time of rows, or that row where more of it is asked for."""
    places = [
        place for place, item in enumerate(draft.items)
        if item.kind in ("earliest", "latest")
        or (item.kind in ("top", "bottom", "highest") and item.words.lower() in _ENDS)
    ]  # fmt: skip
    tables = [item.every_of("table")[0].id for item in draft.items if item.every_of("table")]
    tables += [draft.tables_of(one) for one in draft.measures if _narrows(draft, one)]
    tables = tables or ([default_table(draft)] if draft.filters or draft.topics else [])
    times = [
        one for one in draft.dataset.layer.dimensions if tables and one.column == draft.dataset.table_time(tables[0])
    ]
    places = places or ([draft.rank_place] if draft.rank_kind in ("latest", "earliest") else [])
    if not (places and times):
        return
    ends = list(dict.fromkeys(draft.items[each].kind in _LATEST for each in places))
    last = ends[0]
    draft.use(*places)
    more = len(ends) == 1 and _asks_more(draft, tables[0])
    if more or any(_narrows(draft, one) for one in draft.measures):
        _take_row(draft, tables[0], times[0].id, last)
        return
    draft.measures = [Measure(dimension=times[0].id, aggregate="max" if end else "min") for end in ends]
    draft.ranks_all = False
    draft.unrank()


def _narrows(draft: Draft, measure: Measure) -> bool:
    """True for a count whose own conditions say which rows are meant: failed checks."""
    metric = draft.dataset.layer.metric(measure.metric) if measure.metric else None
    return metric is not None and own_aggregate(metric) == "count" and bool(metric.default_filters)


def _asks_more(draft: Draft, table: str) -> bool:
    """ "When was the last deadlock, and which ticket was it": columns of the row beside its time."""
    others = [item for _, item in draft.of("dimension") if not draft.time_dimension(item)]
    rows = [place for place, item in enumerate(draft.items) if item.every_of("table")[:1] == (Meaning("table", table),)]
    return any(draft.dataset.reaches(table, one.id) for item in others for one in item.among("dimension")) or any(
        draft.at(place - 1, "which") for place in rows[1:]
    )


def _take_row(draft: Draft, table: str, time: str, last: bool) -> None:
    """The first or last row itself: its name, its time and the columns that are asked for."""
    draft.listing, draft.limit, draft.superlative, draft.ranks_all = table, 1, True, False
    draft.rank_kind = "latest" if last else "earliest"
    draft.measures = [one for one in draft.measures if _narrows(draft, one)]
    name_rows(draft, table)
    draft.dimensions.append(time)
    for place, item in list(draft.of("dimension", "table")):
        named = item.kind == "dimension" or draft.at(place - 1, "which") is not None
        if named and any(draft.dataset.reaches(table, one.id) for one in item.every_of("dimension")):
            draft.dimensions.append(choose_dimension(draft, item))
            draft.use(place)
    draft.use(*(place for place, item in draft.of("table") if item.id == table))


def read_extreme(draft: Draft) -> None:
    """ "最高工资是多少": a superlative over a number without anything ranked is an aggregate."""
    if _asks_when(draft) and not draft.dimensions:
        _read_when(draft)
    if not draft.superlative or draft.dimensions or draft.granularity or draft.part:
        return
    if draft.rank_kind in ("latest", "earliest"):
        _read_extreme_time(draft)
        return
    if _names_ranked(draft) or _ranks_averages(draft):
        return
    if len(draft.measures) == 1 and not draft.has("which", "list") and not _has_split(draft):
        _take_extreme_figure(draft)
    elif not draft.measures and (not _ranks_rows(draft) or _is_column_extreme(draft)):
        _take_extreme_column(draft)


def _asks_when(draft: Draft) -> bool:
    """True for a word for "when", and for the day of the last or first row: "最近一次是哪天"."""
    days = [item for item in draft.items if item.time is not None and item.time.name == "day"]
    asked = any(item.words[:1] in "哪几" or item.words.startswith(("which", "what")) for item in days)
    if not (asked and draft.rank_kind in ("latest", "earliest") and draft.granularity == "day"):
        return draft.has("when")
    draft.granularity, draft.measures = "", [one for one in draft.measures if _narrows(draft, one)]
    return True


def _take_extreme_figure(draft: Draft) -> None:
    """Takes the highest or lowest of the one figure that is asked for, where such a figure can be had."""
    measure = draft.measures[0]
    metric = draft.dataset.layer.metric(measure.metric) if measure.metric else None
    plain = metric is not None and is_plain(metric) and not _ranks_rows(draft)
    column = column_of(draft.dataset.layer, metric) if metric else ""
    if column and not suits(draft, draft.items[draft.rank_place].words, column):
        raise Unclear(Message("unclear.left_over", {"words": draft.items[draft.rank_place].words}), draft.splits())
    if metric and (own_aggregate(metric) in ("avg", "max", "min") or plain):
        draft.measures = [Measure(metric=measure.metric, aggregate="max" if draft.rank_kind == "highest" else "min")]
        draft.unrank()


def _take_extreme_column(draft: Draft) -> None:
    """Takes the highest or lowest value, or both, of the column that would be sorted by."""
    if draft.superlative and nearest_number(draft) is not None:
        sort_by_scale(draft)
    column = sort_column_of(draft)
    if column:
        metric = metric_over(draft.dataset.layer, column)
        name = metric.id if metric is not None else ""
        ends = list(dict.fromkeys(item.kind for item in draft.items if item.kind in ("highest", "lowest")))
        for end in ends or [draft.rank_kind]:
            kind: Aggregate = "max" if end == "highest" else "min"
            draft.measures.append(Measure(name, "" if name else column, aggregate=kind))
        draft.unrank()


def _ranks_averages(draft: Draft) -> bool:
    """ "The slowest check on average": the rows of a name are averaged, and the names are ranked."""
    timed = draft.measures and draft.has("average") and is_of_time(draft.items[draft.rank_place].words)
    return bool(timed) and any(
        item.every_of("dimension") and (item.every_of("table") or draft.is_split(place))
        for place, item in enumerate(draft.items)
    )


def _names_ranked(draft: Draft) -> bool:
    """ "The department with the longest average stay": rows are ranked, and no extreme is asked for."""
    before = draft.at(draft.rank_place - 1)
    if before is None or not draft.measures or not before.every_of("dimension"):
        return False
    between = draft.text.tokens[before.last : draft.items[draft.rank_place].first]
    return any(token.text in _HAVING for token in between)


def _read_extreme_time(draft: Draft) -> None:
    beside = draft.free(draft.rank_place + 1, "dimension") or draft.free(draft.rank_place + 2, "dimension")
    column = draft.time_dimension(beside)
    if column and not draft.has("list", "which", "table"):
        draft.measures.append(Measure(dimension=column, aggregate="max" if draft.rank_kind == "latest" else "min"))
        draft.use(*(place for place, item in draft.of("dimension") if item is beside))
        draft.unrank()


def _has_split(draft: Draft) -> bool:
    """True if something is named that figures can be ranked by."""
    return any(
        item.kind == "dimension" and not draft.number_dimension(item) and not draft.time_dimension(item)
        for _, item in draft.of("dimension")
    )


def _is_column_extreme(draft: Draft) -> bool:
    """ "The highest salary of managers", and not "the manager with the highest salary"."""
    if draft.has("which", "list") or not draft.number_dimension(draft.at(draft.rank_place + 1)):
        return False
    before = draft.at(draft.rank_place - 1)
    return before is None or before.kind not in ("table", "dimension", "value")


def _ranks_rows(draft: Draft) -> bool:
    return draft.has("which", "list", "table") or any(
        item.kind == "dimension" and not draft.number_dimension(item) for _, item in draft.of("dimension")
    )
