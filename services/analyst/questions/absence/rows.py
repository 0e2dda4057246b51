"""Reads what is not there: "customers without orders", "causes never seen", 一次检查都没跑的会话."""

from __future__ import annotations

from dataclasses import dataclass, field

from services.analyst.questions.counts.counting import count_of, own_aggregate
from services.analyst.questions.counts.defaults import default_table, events_of
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Having, Period, Related
from services.analyst.questions.value_filters import choose_dimension
from services.analyst.questions.words.items import Item

_REACH, _NEAR, _VERB = 4, 3, 2
_NONE = frozenset(
    {"without", "without any", "without a", "without a single", "with no", "have no", "has no", "having no", "had no",
     "no", "not a single", "never", "nobody", "no one", "none", "does not have", "don't have", "doesn't have",
     "did not have", "didn't have", "never been", "没有", "没有任何", "没", "无", "还没有", "还没", "未", "没有过"}
)  # fmt: skip
_NEVER = ("never", "never been", "没", "没有", "未")
_ALL, _ANY = ("都", "也"), ("一", "任何", "半")
_AFTERWARDS = ("since", "afterwards", "after", "之后", "以后", "此后", "后")


@dataclass
class _Rows:
    """The rows that are not there: their table, the places of their words, the conditions on them."""

    table: str
    metric: str
    places: list[int]
    filters: list[Filter] = field(default_factory=list)


def read_absent(draft: Draft) -> None:
    """Rows, or values of a column, that no row of another table belongs to."""
    for place, item in list(draft.of("lacking", "not", "unseen")):
        if item.kind == "not" and item.words.lower() not in (*_NONE, "not", "not in", "不"):
            continue  # What is left out of a figure is not said to be absent.
        rows = _rows_before(draft, place) or _rows_after(draft, place) or _rows_again(draft, place)
        if rows is not None and place not in draft.used:
            _leave_out(draft, place, rows)
        elif item.words.lower() in _NEVER and place not in draft.used:
            _read_never(draft, place)
    for place, _item in list(draft.of("unseen")):
        seen = {one for table in row_tables(draft) for one in [_seen_in(draft, table)] if one}
        if len(seen) == 1:
            draft.related.append(Related(seen.pop(), absent=True))
            draft.use(place)


def _rows_after(draft: Draft, place: int) -> _Rows | None:
    """ "Without confirmed evidence", 没有失败的检查: the rows after the word, with values between."""
    item, values = draft.items[place], list[int]()
    reach = _REACH if item.words.lower() in _NONE else 1
    for step in range(place + 1, place + 1 + reach):
        other = draft.at(step)
        if other is None or step in draft.used:
            return None
        if rows := _rows_at(draft, step):
            rows.places += values
            return rows if _ends_clause(draft, place, step) and _narrow(draft, rows, values) else None
        if other.kind != "value" and not (other.kind == "dimension" and draft.time_dimension(other)):
            return None
        values.append(step)
    return None


def _rows_before(draft: Draft, place: int) -> _Rows | None:
    """一次检查都没跑: the rows before the word, after 一 or 任何 and a word that counts."""
    rows = _rows_at(draft, place - 1) if place > 0 and place - 1 not in draft.used else None
    if rows is None or not any(one in _ALL for one in _tokens(draft, place - 1, place)):
        return None
    values = [step for step in (place - 3, place - 2) if draft.free(step, "value")]
    first = draft.items[min([place - 1, *values])].first
    if not any(token.text in _ANY for token in draft.text.tokens[max(0, first - _NEAR) : first]):
        return None
    verb = draft.free(place + 1, "word")  # 一个现象都没挂: whatever was not done with them.
    verbs = [place + 1] if verb and verb.first == draft.items[place].last and len(verb.words) <= _VERB else []
    rows.places += [*values, *verbs, *(step for step in (place - 2,) if draft.at(step, "equal"))]
    return rows if _narrow(draft, rows, values) else None


def _rows_again(draft: Draft, place: int) -> _Rows | None:
    """ "At least 3 tickets in 2024 and none since": the rows that were named before."""
    if draft.items[place].words.lower() != "none" and not _follows_period(draft, place):
        return None
    named = [step for step in range(place) if _rows_at(draft, step) and draft.items[step].kind != "dimension"]
    rows = _rows_at(draft, named[-1]) if named else None
    if rows is not None:
        rows.places = []
    return rows


def _follows_period(draft: Draft, place: int) -> bool:
    """ "2024 年至少 3 单，之后没有": a word for "since" before the word."""
    return draft.has("at_least", "more") and any(one in _AFTERWARDS for one in _tokens(draft, place - 1, place))


def _rows_at(draft: Draft, place: int) -> _Rows | None:
    item = draft.items[place]
    if item.kind == "metric":
        metric = draft.dataset.layer.metric(item.id)
        return _Rows(metric.table, metric.id, [place]) if own_aggregate(metric) == "count" else None
    table = rows_named(draft, item)
    return _Rows(table, count_of(draft.dataset.layer, table).metric, [place]) if table else None


def _tokens(draft: Draft, first: int, last: int) -> list[str]:
    """The words between two items."""
    if first < 0:
        return []
    return [token.text for token in draft.text.tokens[draft.items[first].last : draft.items[last].first]]


def _ends_clause(draft: Draft, place: int, step: int) -> bool:
    """没有索引的工单 are tickets; 没有确认的证据的会话 are sessions."""
    tokens, item = draft.text.tokens, draft.items[step]
    inside = any(token.text == "的" for token in tokens[draft.items[place].last : item.first])
    after = tokens[item.last].text if item.last < len(tokens) else ""
    return not inside or not after or after in "的了过，,。？?！" or draft.at(step + 1) is None


def _narrow(draft: Draft, rows: _Rows, values: list[int]) -> bool:
    """Takes the values as conditions on these rows; False where one says nothing of them."""
    for step in values:
        if draft.items[step].kind != "value":
            continue
        meant = [one for one in draft.items[step].among("value") if draft.dataset.reaches(rows.table, one.id)]
        if not meant or meant[0].value is None:
            return False
        rows.filters.append(Filter(meant[0].id, "in", (meant[0].value,)))
    return True


def _leave_out(draft: Draft, place: int, rows: _Rows) -> None:
    owner = _owner(draft, rows)
    named = _split_of(draft, rows)
    if owner and rows.places:
        table, by = (rows.table, "") if draft.points_at(rows.table, owner) else (_bridge(draft, rows, owner), "")
    elif named is not None:
        table, by = rows.table, choose_dimension(draft, draft.items[named])
    else:
        return
    periods = _take_periods(draft, place, rows, "" if by else owner)
    metric = rows.metric if table == rows.table else ""
    draft.related.append(Related(table, True, by, tuple(rows.filters), periods, metric))
    draft.use(place, *rows.places)
    if rows.places:
        same = draft.items[rows.places[0]].every_of("table")[:1]
        draft.use(*(at for at, one in enumerate(draft.items) if same and one.every_of("table")[:1] == same))


def _owner(draft: Draft, rows: _Rows) -> str:
    """The table of the rows that lack those, which point at it, or that rows of a third table point at with them."""
    for table in sorted(row_tables(draft, *rows.places) - {rows.table}):
        if draft.dataset.path(table, rows.table) is None and _bridge(draft, rows, table):
            return table
    return ""


def _bridge(draft: Draft, rows: _Rows, owner: str) -> str:
    if draft.points_at(rows.table, owner):
        return rows.table
    pointing = [one for one in draft.dataset.bridges(owner, rows.table) if one != rows.table]
    return pointing[0] if len(pointing) == 1 else ""


def _split_of(draft: Draft, rows: _Rows) -> int | None:
    """The place of the one column whose values are asked for, which the rows that are not there have too."""
    found = [
        place
        for place, item in enumerate(draft.items)
        if item.among("dimension") and place not in rows.places and not draft.number_dimension(item)
        and not draft.time_dimension(item) and not item.among("value")
        and any(draft.dataset.reaches(rows.table, one.id) for one in item.among("dimension"))
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _read_never(draft: Draft, place: int) -> None:
    """ "Targets that never failed", 从没失败过的检查项: values of a column of which no row is so."""
    value = draft.free(place + 1, "value")
    if value is None:
        return
    owners = {draft.dataset.table_of(draft.dimension(one)) for one in value.among("value")}
    rows = _Rows(owners.pop(), "", [place + 1]) if len(owners) == 1 else None
    never = draft.items[place].words.lower().startswith("never") or "过" in _tokens_after(draft, place + 1)
    named = _split_of(draft, rows) if rows is not None and never else None
    if rows is None or named is None or not _narrow(draft, rows, [place + 1]):
        return
    by = choose_dimension(draft, draft.items[named])
    if not draft.dataset.layer.dimension(by).key:
        periods = _take_periods(draft, place, rows, "")
        draft.related.append(Related(rows.table, True, by, tuple(rows.filters), periods))
        draft.use(place, *rows.places)


def _tokens_after(draft: Draft, place: int) -> list[str]:
    last = draft.items[place].last
    return [token.text for token in draft.text.tokens[last : last + 1]]


def _take_periods(draft: Draft, place: int, rows: _Rows, owner: str) -> tuple[Period, ...]:
    """The periods that are those of the rows that are not there, and no longer of those asked for.

    Rows that are a part of the others have their time; else a period belongs to the name that it stands nearest to.
    """
    timed = draft.dataset.table_time(rows.table) is not None
    owner_timed = bool(owner) and draft.dataset.table_time(owner) is not None
    if not timed or (owner_timed and (draft.dataset.is_part(rows.table, owner) or draft.column)):
        return ()
    marks = [at for at, item in enumerate(draft.items) if item.time and item.time.kind in ("period", "prior")]
    if len(marks) != len(draft.periods):
        return ()
    words = [at for at, item in draft.of("word") if at > place and item.words.lower() in _AFTERWARDS]
    draft.use(*words)
    span = [place, *rows.places]
    others = [at for at, item in enumerate(draft.items) if at not in span and names_table(draft, item, owner)]
    taken = []
    for at in marks:
        near = min(abs(at - each) for each in span)
        apart = min((abs(at - each) for each in others), default=_REACH * _REACH)
        if at > place if not rows.places else not owner_timed or near < apart:
            taken.append(at)
    periods = tuple(draft.periods[marks.index(at)] for at in taken)
    draft.periods = [one for at, one in zip(marks, draft.periods, strict=True) if at not in taken]
    draft.spans = [one for at, one in zip(marks, draft.spans, strict=True) if at not in taken]
    if not periods and not rows.places and draft.periods and draft.periods[-1].end is not None:
        periods = (Period(draft.periods[-1].end, None),)
    return periods


def read_once(draft: Draft) -> None:
    """ "Causes that showed up only once": rows that exactly one row of another table points at."""
    for place, _item in list(draft.of("once")):
        tables = row_tables(draft) - {default_table(draft)}
        found = {(table, one) for table in tables if (one := _seen_in(draft, table)) and one != table}
        named = [
            at for at, item in enumerate(draft.items) for one in item.every_of("dimension") if draft.dimension(one).key
        ]
        if len(found) != 1 or not named or draft.measures:
            continue
        counted = count_of(draft.dataset.layer, found.pop()[1])
        draft.having.append(Having(counted, "=", (1.0,)))
        draft.measures.append(counted)
        draft.dimensions.append(choose_dimension(draft, draft.items[named[0]]))
        draft.counted = draft.has("how_many", "how_much")
        draft.use(place, *named, *(at for at, _ in draft.of("which", "list", "how_many", "how_much", "table")))


def names_table(draft: Draft, item: Item, table: str) -> bool:
    """True if an item names rows of a table, also by the column that names them or the figure that counts them."""
    metrics = [draft.dataset.layer.metric(one.id).table for one in item.among("metric")]
    return table in (*metrics, rows_named(draft, item))


def rows_named(draft: Draft, item: Item) -> str:
    """The table whose rows an item names, also by the column that names them; empty without one."""
    tables = [one.id for one in item.every_of("table")]
    columns = [draft.dimension(one) for one in item.every_of("dimension")]
    return next(iter(tables), "") or next(
        (draft.dataset.table_of(one) for one in columns if draft.dataset.is_key(one)), ""
    )


def row_tables(draft: Draft, *without: int) -> set[str]:
    """The tables whose rows are named, also by the column that names them or the figure that counts them."""
    return {
        rows.table
        for place, item in enumerate(draft.items)
        if place not in without and (rows := _rows_at(draft, place)) and item.kind != "value"
    }


def _seen_in(draft: Draft, table: str) -> str:
    """The table whose rows say that one of a table was seen: of the default figure or its rows, or the only one."""
    rows, dataset = events_of(draft, table), draft.dataset
    if rows:
        return rows if draft.points_at(rows, table) else dataset.bridges(rows, table)[0]
    pointing = [one.name for one in dataset.layer.tables if len(dataset.path(one.name, table) or ()) == 1]
    return pointing[0] if len(pointing) == 1 else ""
