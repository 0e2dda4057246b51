"""Reads what a question splits figures by, and how it sorts and cuts them."""

from __future__ import annotations

from services.analyst.questions.counts.defaults import is_judging
from services.analyst.questions.counts.row_counts import counting_column
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Order, Unclear
from services.analyst.questions.scales import scale_of, suits
from services.analyst.questions.words.items import Item
from services.chassis.messages import Message

_UP = ("top", "highest", "latest")
_DOWN = ("bottom", "lowest", "earliest")
_MOST = 10_000
_ENDS = {"first": "earliest", "last": "latest"}
_OF_TIME = {"oldest": "earliest", "newest": "latest", "最老": "earliest"}


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


def use_ties(draft: Draft) -> None:
    """ "第 10 名并列的也算": the rank that ties are said of is the last of those asked for."""
    for place, _ in list(draft.of("ties")):
        step = place - 2 if draft.free(place - 1, "naming", "word") else place - 1
        number = draft.free(step, "number")
        if number is not None and number.number is not None and number.number.value == draft.limit:
            ordinal = draft.free(step - 1, "word")
            draft.use(*range(step - 1 if ordinal and ordinal.words == "第" else step, place))


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
    """ "Which region sold most", "the oldest shop", "the last 10 tickets"."""
    if draft.limit and not draft.measures and not draft.has("highest", "lowest", "dimension"):
        draft.rank_kind = _ENDS.get(draft.items[draft.rank_place].words.lower(), draft.rank_kind)
    for place, item in list(draft.of("highest", "lowest", "latest", "earliest", "top", "bottom")):
        if item.kind not in (*_UP, *_DOWN) or place in draft.used:
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
    words = item.words.lower()
    if draft.measures and words != "first":
        draft.rank_place, draft.rank_kind, draft.ranks_all = place, item.kind, True
        draft.use(place)
    elif not draft.measures and words in _ENDS and not draft.has("highest", "lowest"):
        draft.limit, draft.superlative, draft.rank_place = 1, True, place
        draft.rank_kind = _ENDS[words]
        draft.use(place)


def read_sort_column(draft: Draft) -> None:
    """The column that rows are sorted or ranked by, where they are listed."""
    if draft.measures or draft.having or draft.listing:
        return
    if draft.limit:
        if not sort_by_scale(draft):
            times = draft.rank_kind in ("latest", "earliest")
            draft.sort_column = _counted_beside(draft) or sort_column_of(draft, times=times)
        return
    for place, item in list(draft.of("descending", "ascending", "sort")):
        if item.kind in ("descending", "ascending", "sort"):
            draft.rank_place = place
            draft.sort_column = draft.sort_column or sort_column_of(draft)


def _counted_beside(draft: Draft) -> str:
    """ "The ticket with the most phenomena", where a column of the tickets counts them."""
    for place in (draft.rank_place - 1, draft.rank_place + 1):
        if draft.rank_kind in ("highest", "lowest") and draft.free(place, "table"):
            column = counting_column(draft, place)
            if column:
                draft.use(place)
                return column
    return ""


def sort_by_scale(draft: Draft) -> bool:
    """ "The youngest singer": the column that an adjective is about, unless another one is named."""
    words, nearest = draft.items[draft.rank_place].words, nearest_number(draft)
    if draft.rank_kind in ("highest", "lowest") and nearest is not None:
        if not suits(draft, words, draft.number_dimension(draft.items[nearest])):
            raise Unclear(Message("unclear.left_over", {"words": words}), draft.splits())
        return False
    scale = scale_of(draft, draft.items[draft.rank_place].words)
    if scale is None:
        draft.rank_kind = _OF_TIME.get(words.lower(), draft.rank_kind)
        return False
    draft.sort_column, draft.rank_kind = scale
    return True


def nearest_number(draft: Draft) -> int | None:
    """The place of the column of numbers that stands nearest to the superlative."""
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


def _is_turned(draft: Draft) -> bool:
    """ "The worst month", where fewer incidents are better: the one with the most."""
    metric = (
        draft.dataset.layer.metric(draft.measures[0].metric) if draft.measures and draft.measures[0].metric else None
    )
    return metric is not None and metric.better == "less" and is_judging(draft.items[draft.rank_place].words)


def _order_ranking(draft: Draft) -> None:
    descending = (draft.rank_kind in _UP) != _is_turned(draft)
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


def sort_column_of(draft: Draft, times: bool = False) -> str:
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
