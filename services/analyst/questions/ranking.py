"""Reads what a question splits figures by, and how it sorts and cuts them."""

from __future__ import annotations

from services.analyst.questions.counts.counting import column_of, is_plain, metric_over, own_aggregate
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Aggregate, Measure, Order
from services.analyst.questions.reading import Unclear
from services.analyst.questions.scales import scale_of, suits
from services.analyst.questions.words.items import Item
from services.chassis.messages import Message

_UP = ("top", "highest", "latest")
_DOWN = ("bottom", "lowest", "earliest")
_MOST = 10_000
_HAVING = ("with", "having", "whose")


def read_limit(draft: Draft) -> None:
    """ "Top 10", "前十", "10 best", "最高的5个"."""
    for place, item in list(draft.of(*_UP, *_DOWN)):
        if item.kind not in (*_UP, *_DOWN):
            continue
        following = draft.at(place + 1)
        beyond = following is not None and (draft.time_dimension(following) or draft.number_dimension(following))
        for step in (place + 1, place - 1, *((place + 2,) if beyond else ())):
            number = draft.free(step, "number")
            if number is None or number.number is None or number.number.percent or not _is_count(number.number.value):
                continue
            if step < place and draft.at(step - 1, "more", "less", "at_least", "at_most"):
                continue
            _rank(draft, place, step)
            return
        if _limit_before_rows(draft, place):
            return


def _rank(draft: Draft, place: int, step: int) -> None:
    number = draft.items[step].number
    assert number is not None
    draft.limit = int(number.value)
    draft.rank_place, draft.rank_kind = place, draft.items[place].kind
    draft.use(place, step)


def _limit_before_rows(draft: Draft, place: int) -> bool:
    """ "The 3 films with the lowest rating"."""
    for step in range(place):
        if any(draft.is_comma(each) for each in range(step, place)):
            continue
        number, rows = draft.free(step, "number"), draft.at(step + 1)
        if (
            number is None
            or number.number is None
            or rows is None
            or not (rows.every_of("table") or rows.among("dimension"))
        ):
            continue
        if _is_count(number.number.value) and not draft.at(step - 1, "more", "less", "at_least", "at_most", "equal"):
            _rank(draft, place, step)
            return True
    return False


def _is_count(value: float) -> bool:
    return value == int(value) and 0 < value <= _MOST


def read_superlative(draft: Draft) -> None:
    """ "Which region sold most", "the oldest shop"."""
    for place, item in list(draft.of("highest", "lowest", "latest", "earliest", "top", "bottom")):
        if item.kind not in (*_UP, *_DOWN):
            continue
        following = draft.at(place + 1, "top")
        if following is not None and following.words.lower() == "first":
            draft.rank_place, draft.rank_kind, draft.ranks_all = place, item.kind, True
            draft.use(place, place + 1)
        elif draft.limit:
            draft.rank_kind = item.kind if draft.rank_kind in ("top", "bottom") else draft.rank_kind
            draft.use(place)
        elif item.kind in ("top", "bottom"):
            _rank_all(draft, place, item)
        else:
            draft.limit, draft.superlative = 1, True
            draft.rank_place, draft.rank_kind = place, item.kind
            draft.use(place)


def _rank_all(draft: Draft, place: int, item: Item) -> None:
    """ "Top products by revenue" without a number: all, in order."""
    if draft.measures and item.words.lower() != "first":
        draft.rank_place, draft.rank_kind, draft.ranks_all = place, item.kind, True
        draft.use(place)


def read_sort_column(draft: Draft) -> None:
    """The column that rows are sorted or ranked by, where they are listed."""
    if draft.measures or draft.having:
        return
    if draft.limit:
        times = draft.rank_kind in ("latest", "earliest")
        if not _sort_by_scale(draft):
            draft.sort_column = _sort_column(draft, times=times)
        return
    for place, item in list(draft.of("descending", "ascending", "sort")):
        if item.kind in ("descending", "ascending", "sort"):
            draft.rank_place = place
            draft.sort_column = draft.sort_column or _sort_column(draft)


def _sort_by_scale(draft: Draft) -> bool:
    """ "The youngest singer": the column that an adjective is about, unless another one is named."""
    words, nearest = draft.items[draft.rank_place].words, _nearest_number(draft)
    if draft.rank_kind in ("highest", "lowest") and nearest is not None:
        if not suits(draft, words, draft.number_dimension(draft.items[nearest])):
            raise Unclear(Message("unclear.left_over", {"words": words}), draft.splits())
        return False
    scale = scale_of(draft, draft.items[draft.rank_place].words)
    if scale is None:
        return False
    draft.sort_column, draft.rank_kind = scale
    return True


def _nearest_number(draft: Draft) -> int | None:
    found = [
        (abs(place - draft.rank_place), place) for place, item in draft.of("dimension") if draft.number_dimension(item)
    ]
    return min(found)[1] if found else None


def read_order(draft: Draft) -> None:
    """Directions, what is sorted by, and the order of a ranking."""
    explicit = _direction(draft)
    if draft.limit or draft.ranks_all:
        _order_ranking(draft)
        return
    if explicit is None:
        return
    column = draft.sort_column
    if column:
        draft.order = Order("dimension", explicit, column)
    elif draft.measures:
        draft.order = Order("measure", explicit)
    elif draft.dimensions:
        draft.order = Order("dimension", explicit, draft.dimensions[0])


def _direction(draft: Draft) -> bool | None:
    down, up, sort = draft.take("descending"), draft.take("ascending"), draft.take("sort")
    if sort and not down:
        return bool(draft.measures) and not draft.sort_column and not up
    if down and not up:
        return True
    return False if up else None


def _order_ranking(draft: Draft) -> None:
    descending = draft.rank_kind in _UP
    if draft.ordered_by_growth:
        draft.order = Order("growth", descending != draft.shrinks)
        return
    if draft.rank_kind in ("latest", "earliest"):
        column = draft.sort_column
        draft.order = Order("dimension", descending, column) if column else Order("time", descending)
        return
    column = draft.sort_column
    if column and not draft.measures:
        draft.order = Order("dimension", descending, column)
    elif draft.measures:
        draft.order = Order("measure", descending)


def _sort_column(draft: Draft, times: bool = False) -> str:
    """The nearest unused number or time to the word for the ranking."""
    found = [
        (abs(place - draft.rank_place), place)
        for place, item in draft.of("dimension")
        if (draft.time_dimension(item) if times else draft.number_dimension(item) or draft.time_dimension(item))
    ]
    if not found:
        return ""
    place = min(found)[1]
    draft.use(place)
    if draft.free(place - 1, "group"):
        draft.use(place - 1)
    item = draft.items[place]
    return draft.number_dimension(item) or draft.time_dimension(item)


def _read_when(draft: Draft) -> None:
    """ "When did the first shop open": the first or last time of rows."""
    places = [
        place for place, item in draft.of("top", "earliest", "latest", "bottom")
        if item.words.lower() in ("first", "last", "最早", "earliest", "latest", "最近", "最后", "第一")
    ]  # fmt: skip
    tables = [item.every_of("table")[0].id for item in draft.items if item.every_of("table")]
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
        measure = draft.measures[0]
        metric = draft.dataset.layer.metric(measure.metric) if measure.metric else None
        plain = metric is not None and is_plain(metric) and not _ranks_rows(draft)
        column = column_of(draft.dataset.layer, metric) if metric else ""
        if column and not suits(draft, draft.items[draft.rank_place].words, column):
            raise Unclear(Message("unclear.left_over", {"words": draft.items[draft.rank_place].words}), draft.splits())
        if metric and (own_aggregate(metric) in ("avg", "max", "min") or plain):
            draft.measures = [
                Measure(metric=measure.metric, aggregate="max" if draft.rank_kind == "highest" else "min")
            ]
            draft.unrank()
    elif not draft.measures and (not _ranks_rows(draft) or _is_column_extreme(draft)):
        if draft.superlative and _nearest_number(draft) is not None:
            _sort_by_scale(draft)
        column = _sort_column(draft)
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
