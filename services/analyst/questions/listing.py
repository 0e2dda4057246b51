"""Reads questions for rows: "list the open tickets", "哪些门店在上海", "names and ages of all singers"."""

from __future__ import annotations

from services.analyst.questions.counts.counting import column_of, count_of, own_aggregate
from services.analyst.questions.counts.defaults import events_of, is_named_entity
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Order, Related
from services.analyst.questions.value_filters import choose_dimension
from services.analyst.questions.words.items import Item

Columns = list[tuple[int, Item]]  # With their places.
_LENGTH = 24  # Values longer than this are texts, and no names.
_LIMITS = (">", ">=", "<", "<=", "between")
_ENDS = ("latest", "earliest")
_FIGURES = ("number", "count", "total", "volume", "share", "数", "量")
_PERSONS = ("who", "whose", "whom", "谁")
_WITH = {"with", "plus", "including", "及", "带", "连", "附", "上"}


def read_listing(draft: Draft) -> None:
    """The table whose rows are listed, with the columns that were asked for."""
    _limit_rows(draft)
    if _lists_counted(draft):
        return
    if draft.measures or draft.having or draft.share or draft.listing:
        return
    columns = [(place, item) for place, item in draft.of("dimension") if item.kind == "dimension"]
    table = _table(draft, columns)
    if not (table and _asks_for_rows(draft, columns)):
        return
    draft.listing = table
    _take_columns(draft, columns)
    if _counts_through(draft):
        return
    ends = draft.rank_kind in _ENDS
    if draft.dimensions and columns and (ends or _adds_columns(draft, columns[0][1])):
        name_rows(draft, table)
    if draft.take("naming") or _joins_columns(draft, table) or _shows_texts(draft, table):
        name_rows(draft, table)
        _show_limits(draft, table)
    alone = bool(columns) and not (draft.has("table") or ends)
    valued = any(one.by for one in draft.related)
    draft.distinct = draft.take("different") or alone or valued or draft.distinct
    for place, item in list(draft.of("table")):
        _use_table(draft, place, item)
    for word in ("list", "which"):
        draft.take(word)


def _lists_counted(draft: Draft) -> bool:
    """ "List the closed sessions", "which failed checks": rows that a figure counts, and no count of them."""
    if len(draft.measures) != 1 or draft.share or draft.granularity or draft.part or draft.limit or draft.comparison:
        return False
    named = [place for place, item in enumerate(draft.items) if item.kind == "metric"]
    asks = bool(named) and (draft.has("list") or draft.at(named[0] - 1, "which") is not None)
    figure = draft.measures[0].metric
    if len(named) != 1 or not asks or draft.measures[0].aggregate or draft.has("group", "how_many", "how_much"):
        return False
    metric, words = draft.dataset.layer.metric(figure), draft.items[named[0]].words.lower()
    if not figure or own_aggregate(metric) != "count" or any(word in words for word in _FIGURES):
        return False
    draft.listing = metric.table
    columns = [(place, item) for place, item in draft.of("dimension") if item.kind == "dimension"]
    _take_columns(draft, columns)
    if columns:
        name_rows(draft, metric.table)
    draft.measures = draft.measures if metric.default_filters else []
    draft.use(*(place for place, _ in draft.of("list", "which")))
    draft.use(*(place for place, item in draft.of("table") if item.id == metric.table))
    return True


def _asks_for_rows(draft: Draft, columns: Columns) -> bool:
    """Whether rows are asked for, and not who somebody is or something vague."""
    persons = any(item.kind == "which" and item.words.lower() in _PERSONS for item in draft.items)
    if draft.has("vague") or (persons and not columns and not any(item.every_of("table") for item in draft.items)):
        return False
    listed = draft.has("list", "which", *_ENDS) or draft.rank_kind in _ENDS
    return bool(listed or columns or draft.sort_column or _is_only_rows(draft))


def _take_columns(draft: Draft, columns: Columns) -> None:
    """The columns that are asked for; one after a word for groups is what the rows are sorted by."""
    for place, item in columns:
        if draft.at(place - 1, "group") and place - 1 not in draft.used:
            draft.sorted_by = choose_dimension(draft, item)
            draft.use(place, place - 1)
            continue
        draft.dimensions.append(choose_dimension(draft, item))
        draft.use(place)


def _counts_through(draft: Draft) -> bool:
    """ "What symptoms do these tickets show": a name of rows that others join to those listed is counted by these."""
    dataset, table = draft.dataset, draft.listing
    if len(draft.dimensions) != 1 or dataset.reaches(table, draft.dimensions[0]):
        return False
    dimension = dataset.layer.dimension(draft.dimensions[0])
    pointing = dataset.bridges(table, dataset.table_of(dimension)) if dimension.key else []
    if len(pointing) != 1:
        return False
    draft.measures, draft.listing = [count_of(dataset.layer, pointing[0])], ""
    draft.order = Order("measure", True)
    draft.use(*(place for place, item in draft.of("table", "list", "which", "what") if item.id in ("", table)))
    return True


def _limit_rows(draft: Draft) -> None:
    """ "The tracks of races with more than 50 laps": a limit on a sum is on each listed row's column."""
    if draft.measures or len(draft.having) != 1 or not draft.has("list", "table"):
        return
    limit = draft.having[0]
    metric = draft.dataset.layer.metric(limit.measure.metric) if limit.measure.metric else None
    column = column_of(draft.dataset.layer, metric) if metric else ""
    rows = {item.id for item in draft.items if item.kind == "table"}
    if metric and column and metric.table in rows:
        draft.having = []
        draft.filters.append(Filter(column, limit.operator, limit.values))


def _adds_columns(draft: Draft, first: Item) -> bool:
    """ "List the shops with their area": columns in addition to the rows' own names."""
    before = {token.text for token in draft.text.tokens[max(0, first.first - 2) : first.first]}
    return bool(before & _WITH)


def _joins_columns(draft: Draft, table: str) -> bool:
    """ "The ticket, date and cause", 会话有哪些，分别啥原因: the rows themselves are wanted beside their columns."""
    if not draft.dimensions:
        return False
    rows = [place for place, item in enumerate(draft.items) if item.kind == "table" and item.id == table]
    asked = draft.has("each_value") and draft.has("list", "which")
    return asked or any(
        ((draft.is_comma(place + 1) and draft.items[place + 1].words in ",，、") or draft.at(place + 1, "and"))
        and draft.at(place + 2, "dimension")
        for place in rows
    )


def _shows_texts(draft: Draft, table: str) -> bool:
    """ "What was done about the critical tickets": a text of each row, which says nothing without its row."""
    dataset = draft.dataset
    columns = [dataset.layer.dimension(one) for one in draft.dimensions]
    rows = any(item.kind == "table" and item.id == table for item in draft.items)
    said = [[one for one in dataset.values.get(each.id, ()) if isinstance(one, str)] for each in columns]
    texts = [each for each in said if sum(map(len, each)) > _LENGTH * len(each)]
    own = all(dataset.table_of(each) == table for each in columns)
    return rows and own and not draft.has("different") and 0 < len(texts) == len(columns)


def _show_limits(draft: Draft, table: str) -> None:
    """The numbers that picked the rows are shown with them."""
    for one in draft.filters:
        own = draft.dataset.table_of(draft.dataset.layer.dimension(one.dimension)) == table
        if own and one.operator in _LIMITS and one.dimension not in draft.dimensions:
            draft.dimensions.append(one.dimension)


def name_rows(draft: Draft, table: str) -> None:
    """The dimension that names the rows of a table, as the first column."""
    for item in draft.items:
        for one in item.every_of("dimension"):
            names_rows = item.every_of("table") and item.every_of("table")[0].id == table
            if names_rows and one.id not in draft.dimensions:
                draft.dimensions.insert(0, one.id)
                return
    naming = naming_of(draft, table)
    if naming and naming not in draft.dimensions:
        draft.dimensions.insert(0, naming)


def naming_of(draft: Draft, table: str) -> str:
    """The one column that names the rows of a table; empty where there is none or several."""
    naming = [
        one.id
        for one in draft.dataset.layer.dimensions
        if draft.dataset.table_of(one) == table and not one.via and draft.dataset.is_key(one)
    ]
    return naming[0] if len(naming) == 1 else ""


def _use_table(draft: Draft, place: int, item: Item) -> None:
    if item.id == draft.listing:
        entity = [one for one in item.every_of("dimension") if not draft.dimensions]
        which = draft.at(place - 1)
        if entity and which is not None and which.kind == "which":
            draft.dimensions.append(entity[0].id)
        draft.use(place)
    elif draft.dataset.path(draft.listing, item.id) is not None:
        draft.use(place)
    elif draft.dataset.path(item.id, draft.listing) is not None:
        draft.related.append(Related(item.id))
        draft.use(place)


def _table(draft: Draft, columns: Columns) -> str:
    """The table that a question names, else that of its columns and conditions."""
    for place, item in enumerate(draft.items):
        if item.every_of("table") and draft.at(place - 1, "which"):
            return item.every_of("table")[0].id
    named = [item.id for _, item in draft.of("table") if item.kind == "table"]
    if named:
        reaching = [table for table in named if all(draft.dataset.path(table, other) is not None for other in named)]
        owners = {draft.table_of_item(item) for _, item in columns}
        return next((table for table in named if table in owners), (reaching or named)[0])
    tables = [draft.table_of_item(item) for _, item in columns]
    tables += [draft.dataset.rows_of(draft.dataset.layer.dimension(one.dimension)) for one in draft.filters]
    whole = [table for table in tables if all(draft.dataset.path(table, other) is not None for other in tables)]
    found = next(iter(whole or tables), "")
    if found and not columns and is_named_entity(draft, found):
        return events_of(draft, found) or found
    return found


def _is_only_rows(draft: Draft) -> bool:
    """Rows with a condition, and no word for a figure."""
    asks = ("how_much", "average", "maximum", "minimum", "median", "share", "growth", "trend", "highest", "lowest")
    rows = any(item.every_of("table") for item in draft.items)
    narrowed = bool(draft.filters) and not draft.has("what", "how_much", "how_many")
    return (
        (rows or narrowed)
        and bool(draft.filters or draft.topics or draft.named or draft.related or draft.periods or draft.bands)
        and not draft.has(*asks)
    )
