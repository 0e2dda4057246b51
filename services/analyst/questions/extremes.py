"""Reads superlatives without anything ranked: "最高工资是多少", "when did the first shop open"."""

from __future__ import annotations

from services.analyst.questions.counts.counting import column_of, is_plain, metric_over, own_aggregate
from services.analyst.questions.counts.defaults import default_table
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Aggregate, Measure, Unclear
from services.analyst.questions.ranking import nearest_number, sort_by_scale, sort_column_of
from services.analyst.questions.scales import suits
from services.chassis.messages import Message

_HAVING = ("with", "having", "whose")


def _read_when(draft: Draft) -> None:
    """ "When did the first shop open": the first or last time of rows."""
    places = [
        place for place, item in draft.of("top", "earliest", "latest", "bottom", "highest")
        if item.words.lower() in ("first", "last", "最早", "earliest", "latest", "最近", "最后", "第一")
    ]  # fmt: skip
    tables = [item.every_of("table")[0].id for item in draft.items if item.every_of("table")]
    tables = tables or ([default_table(draft)] if draft.filters or draft.topics else [])
    times = [
        one for one in draft.dataset.layer.dimensions if tables and one.column == draft.dataset.table_time(tables[0])
    ]
    places = places or ([draft.rank_place] if draft.rank_kind in ("latest", "earliest") else [])
    if places and times:
        last = draft.items[places[0]].kind in ("latest", "bottom")
        draft.measures = [Measure(dimension=times[0].id, aggregate="max" if last else "min")]
        draft.use(*places)
        draft.unrank()


def read_extreme(draft: Draft) -> None:
    """ "最高工资是多少": a superlative over a number without anything ranked is an aggregate."""
    if draft.has("when") and not draft.dimensions:
        _read_when(draft)
    if not draft.superlative or draft.dimensions or draft.granularity or draft.part:
        return
    if draft.rank_kind in ("latest", "earliest"):
        _read_extreme_time(draft)
        return
    if _names_ranked(draft):
        return
    if len(draft.measures) == 1 and not draft.has("which", "list") and not _has_split(draft):
        _take_extreme_figure(draft)
    elif not draft.measures and (not _ranks_rows(draft) or _is_column_extreme(draft)):
        _take_extreme_column(draft)


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
