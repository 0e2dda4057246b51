"""Reads questions for rows: "list the open tickets", "哪些门店在上海", "names and ages of all singers"."""

from __future__ import annotations

from services.analyst.questions.counts.counting import column_of
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Related
from services.analyst.questions.value_filters import choose_dimension
from services.analyst.questions.words.items import Item

_PERSONS = ("who", "whose", "whom", "谁")
_WITH = {"with", "plus", "及", "带", "连", "附"}


def read_listing(draft: Draft) -> None:
    """The table whose rows are listed, with the columns that were asked for."""
    _limit_rows(draft)
    if draft.measures or draft.having or draft.share:
        return
    columns = [
        (place, item)
        for place, item in draft.of("dimension")
        if item.kind == "dimension"
    ]  # fmt: skip
    table = _table(draft, columns)
    rows = any(item.every_of("table") for item in draft.items)
    persons = any(item.kind == "which" and item.words.lower() in _PERSONS for item in draft.items)
    if persons and not rows and not columns:
        return
    if (
        not table
        or draft.has("vague")
        or not (
            draft.has("list", "which", "latest", "earliest") or columns or draft.sort_column or _is_only_rows(draft)
        )
    ):
        return
    draft.listing = table
    for place, item in columns:
        before = draft.at(place - 1)
        if before is not None and before.kind == "group" and place - 1 not in draft.used:
            draft.sorted_by = choose_dimension(draft, item)
            draft.use(place, place - 1)
            continue
        draft.dimensions.append(choose_dimension(draft, item))
        draft.use(place)
    if draft.dimensions and columns and _adds_columns(draft, columns[0][1]):
        _name_rows(draft, table)
    if draft.take("naming"):
        _name_rows(draft, table)
    if columns and not draft.has("table"):
        draft.distinct = True
    draft.distinct = draft.take("different") or draft.distinct
    for place, item in list(draft.of("table")):
        _use_table(draft, place, item)
    for word in ("list", "which"):
        draft.take(word)


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


def _name_rows(draft: Draft, table: str) -> None:
    """The dimension that names the rows of a table, as the first column."""
    for item in draft.items:
        for one in item.every_of("dimension"):
            names_rows = item.every_of("table") and item.every_of("table")[0].id == table
            if names_rows and one.id not in draft.dimensions:
                draft.dimensions.insert(0, one.id)
                return
    naming = [
        one.id
        for one in draft.dataset.layer.dimensions
        if one.key and draft.dataset.table_of(one) == table and not one.via
    ]
    if len(naming) == 1 and naming[0] not in draft.dimensions:
        draft.dimensions.insert(0, naming[0])


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


def _table(draft: Draft, columns: list[tuple[int, Item]]) -> str:
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
    for table in tables:
        if all(draft.dataset.path(table, other) is not None for other in tables):
            return table
    return tables[0] if tables else ""


def _is_only_rows(draft: Draft) -> bool:
    """Rows with a condition, and no word for a figure."""
    asks = ("how_much", "average", "maximum", "minimum", "median", "share", "growth", "trend", "highest", "lowest")
    rows = any(item.every_of("table") for item in draft.items)
    narrowed = bool(draft.filters) and not draft.has("what", "how_much", "how_many")
    return (
        (rows or narrowed)
        and bool(draft.filters or draft.named or draft.related or draft.periods)
        and not draft.has(*asks)
    )


def read_absent(draft: Draft) -> None:
    """ "Customers without orders": rows that no row of another table points at."""
    for place, _item in list(draft.of("lacking", "not")):
        other = draft.free(place + 1, "table", "metric", "dimension")
        if other is None or not other.every_of("table"):
            continue
        table = other.every_of("table")[0].id
        named = {
            draft.table_of_item(named)
            for at, named in enumerate(draft.items)
            if named.every_of("table") and at != place + 1
        }
        pointing = [table] if any(draft.points_at(table, each) for each in named) else []
        pointing = pointing or [bridge for each in named for bridge in draft.bridges(each, table) if each != table]
        if len(pointing) == 1:
            draft.related.append(Related(pointing[0], absent=True))
            draft.use(place, place + 1)
