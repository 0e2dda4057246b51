"""The coverage rule: each content word of a question is used, declared as ignored, or asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lang.tokens import stem
from services.analyst.questions.counts.counting import count_of, is_lasting, own_aggregate
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Guess, Measure, Refused, Related, Unclear
from services.analyst.questions.words.items import Item
from services.analyst.semantic.schema import Dimension, Metric
from services.chassis.messages import Message

# Words that change nothing where what they lean on was understood.
_LEANING = frozenset(
    {"and", "how_much", "list", "equal", "total_words", "summed", "compare", "follow", "break", "group", "which",
     "how_many", "different", "present", "change", "descending", "handle", "naming", "sort", "ties", "what", "vague",
     "when", "including", "drawing"}
)  # fmt: skip
_NAMES = ("metric", "dimension", "table")
_ROOT = 5
_SAME_ROOT = {"born": "birth"}
_FACT_JOINS = 2


def check_coverage(draft: Draft) -> None:
    """Raises Unclear or Refused for words that the intent leaves out."""
    for place, item in enumerate(draft.items):
        if place in draft.used or item.kind in _LEANING:
            continue
        if item.kind == "each_value" or (item.kind == "event" and _is_event(draft)):
            continue
        if _is_explained(draft, place, item) or (item.kind == "added" and draft.periods and not draft.column):
            continue
        if item.kind in _NAMES and _goes_without_saying(draft, item):
            draft.ignored.append(item.words)
            continue
        if _is_own_time(draft, item):
            draft.ignored.append(item.words)
            continue
        if item.kind == "table" and _is_of_figure(draft, place):
            draft.guesses.append(Guess(item.words, draft.table_name(draft.tables()[0])))
            continue
        _object(draft, item)


def _is_own_time(draft: Draft, item: Item) -> bool:
    """ "At which hour do most incidents start": a column of other rows' times, said of rows that have their own."""
    asked = bool(draft.periods or draft.granularity or draft.part or draft.hours or draft.weekdays)
    timed = any(draft.dataset.table_time(table) is not None for table in draft.tables())
    return asked and timed and bool(draft.time_dimension(item)) and not draft.reaches(item)


def _is_of_figure(draft: Draft, place: int) -> bool:
    """ "Time to resolve for lock tickets", where sessions have that time: a value of both before a name of rows."""
    before = draft.at(place - 1)
    tables = draft.tables()
    return before is not None and bool(tables) and any(
        all(draft.dataset.reaches(table, one.id) for table in (*tables, draft.items[place].id))
        for one in before.among("value")
    )  # fmt: skip


def _is_event(draft: Draft) -> bool:
    """Selling and buying are said of what happened: of figures, and of tables that point at several others."""
    layer = draft.dataset.layer
    for measure in draft.measures:
        metric = layer.metric(measure.metric) if measure.metric else None
        if metric is None or own_aggregate(metric) == "count":
            table = draft.tables_of(measure)
            if sum(join.left.startswith(f"{table}.") for join in layer.joins) < _FACT_JOINS:
                return False
    return bool(draft.measures)


def _is_explained(draft: Draft, place: int, item: Item) -> bool:
    """A word that repeats a part of a name that is used, of the column of times, or of a value's dimension."""
    if item.kind == "number":
        return _counts_values(draft, item) or _is_last_rank(draft, item)
    if item.words == "第" and draft.has("ties"):
        return True
    if item.kind == "average":
        return bool(draft.measures) and all(_is_average(draft, one) for one in draft.measures)
    if item.kind == "how_long":
        return bool(draft.measures) and all(_is_lasting(draft, one) for one in draft.measures)
    if item.kind not in ("word", "dimension"):
        return False
    words = item.words.lower()
    names = {word.lower() for word in (*_used_names(draft), *_title(draft, words))}
    if words in _SAME_ROOT:
        return any(_SAME_ROOT[words] in name for name in names)
    if not words.isascii():
        before = draft.at(place - 2 if draft.at(place - 1, "number") else place - 1)
        if len(words) == 1 and any(words in name for name in (*_time_names(draft), *_row_names(draft))):
            return True
        return (len(words) >= 2 or (before is not None and before.kind == "value")) and any(
            words in name for name in names
        )
    keys = {stem(part) for name in names for part in re.findall(r"[a-z]+", name)}
    said = stem(words)
    return stem(said) in keys or any(said == key or (len(key) > _ROOT and said[:_ROOT] == key[:_ROOT]) for key in keys)


def _is_average(draft: Draft, measure: Measure) -> bool:
    metric = draft.dataset.layer.metric(measure.metric) if measure.metric else None
    return metric is not None and not measure.aggregate and own_aggregate(metric) == "avg"


def _is_lasting(draft: Draft, measure: Measure) -> bool:
    return bool(measure.metric) and is_lasting(draft.dataset.layer.metric(measure.metric))


def _is_last_rank(draft: Draft, item: Item) -> bool:
    """ "The first 10, those of equal rank with the 10th too"."""
    return draft.has("ties") and item.number is not None and item.number.value == draft.limit


def _counts_values(draft: Draft, item: Item) -> bool:
    """ "复制和网络两类": the number of the values that are named."""
    number = item.number
    return number is not None and any(len(one.values) == number.value > 1 for one in draft.filters)


def _title(draft: Draft, words: str) -> tuple[str, ...]:
    """What the whole dataset is called: "how many visits does the hospital have"."""
    title = draft.dataset.layer.title
    return title.words if title is not None and len(words) > 1 else ()


def _used_names(draft: Draft) -> Iterator[str]:
    layer = draft.dataset.layer
    ids = {one.metric for one in draft.measures} | {one.measure.metric for one in draft.having} | {draft.column}
    ids |= {one.dimension for one in draft.filters} | set(draft.dimensions)
    entries: tuple[Metric | Dimension, ...] = (*layer.metrics, *layer.dimensions)
    for entry in entries:
        if entry.id in ids:
            yield from (*entry.name.words, *entry.synonyms)
    yield from _time_names(draft)


def _time_names(draft: Draft) -> Iterator[str]:
    """The names of the column of times of the figures' rows, where no other one is named."""
    if draft.column:
        return
    for table in draft.tables():
        column = draft.dataset.table_time(table)
        if isinstance(column, str):
            yield column.rpartition(".")[2].replace("_", " ").lower()
            for one in draft.dataset.layer.dimensions:
                if one.column == column:
                    yield from (name.lower() for name in (*one.name.words, *one.synonyms))


def _row_names(draft: Draft) -> Iterator[str]:
    """The names of the rows that the figures are taken from or belong to."""
    for table in draft.dataset.layer.tables:
        if table.description and any(draft.dataset.path(each, table.name) is not None for each in draft.tables()):
            yield from table.description.words


def _goes_without_saying(draft: Draft, item: Item) -> bool:
    """A name of rows that the figures are about anyway."""
    tables = {*draft.tables(), *(one.table for one in draft.related)}
    owners = {draft.table_of_item(item)} | {one.id for one in item.every_of("table")}
    if item.kind == "metric":
        return bool(owners & tables) and bool(item.every_of("table"))
    if item.kind == "dimension":
        return bool(item.every_of("table")) and any(
            draft.dataset.path(table, owner) is not None for table in tables for owner in owners
        )
    return any(draft.dataset.path(table, owner) is not None for table in tables for owner in owners)


def _object(draft: Draft, item: Item) -> None:
    said: dict[str, str] = {"words": item.words}
    if item.kind != "word":
        raise Unclear(Message("unclear.left_over", said), draft.choices())
    near = draft.near(item.words)
    if near:
        raise Unclear(Message("unclear.unknown_name", said), near)
    if draft.measures or draft.listing:
        raise Unclear(Message("unclear.unknown_word", said), draft.choices())
    raise Refused(Message("question_unanswerable.unknown", {"words": item.words, "known": draft.choices()}))


def check_reach(draft: Draft) -> None:
    """Raises Refused where a figure has no such split, or no time."""
    dataset = draft.dataset
    for table in draft.tables():
        for dimension in draft.dimensions if not draft.listing else ():
            if not dataset.reaches(table, dimension) and not _count_through(draft, table, dimension):
                _refuse_apart(draft, table, dimension)
        _deny_related(draft, table)
        for dimension in [one.dimension for one in draft.filters] + (draft.dimensions if draft.listing else []):
            if any(dataset.reaches(each, dimension) for each in (table, *draft.tables())):
                continue
            owner = dataset.table_of(dataset.layer.dimension(dimension))
            if draft.is_related(owner) or (draft.may_relate() and dataset.path(owner, table) is not None):
                draft.relate(owner)
                continue
            bridges = draft.dataset.bridges(table, owner) if draft.may_relate() else []
            if bridges and dataset.has_role(table, owner):
                _ask_role(draft, table, owner)
                bridges = []
            if len(bridges) == 1:
                draft.relate(bridges[0])
                continue
            _refuse_apart(draft, table, dimension)
        timed = draft.periods or draft.granularity or draft.part or draft.weekdays or draft.hours or draft.comparison
        if timed and not draft.column and not _has_time(draft) and not _is_of_related(draft):
            raise Refused(Message("question_unanswerable.no_time", {"figure": draft.table_name(table)}))


def _deny_related(draft: Draft, table: str) -> None:
    """ "Sessions without a confirmed finding": no row that points at those asked for may have the value."""
    for one in list(draft.filters):
        owner = draft.dataset.table_of(draft.dataset.layer.dimension(one.dimension))
        reached = any(draft.dataset.reaches(each, one.dimension) for each in draft.tables())
        if one.operator == "not in" and not reached and draft.may_relate() and draft.points_at(owner, table):
            denied = (replace(one, operator="in"),)
            metric = count_of(draft.dataset.layer, owner).metric
            draft.related.append(Related(owner, absent=True, filters=denied, metric=metric))
            draft.filters.remove(one)


def _refuse_apart(draft: Draft, table: str, dimension: str) -> None:
    details = {"figure": draft.table_name(table), "split": draft.name(dimension)}
    raise Refused(Message("question_unanswerable.apart", details))


def _count_through(draft: Draft, table: str, dimension: str) -> bool:
    """ "Students of each course": the rows of the one table that points at both are counted."""
    owner = draft.dataset.table_of(draft.dataset.layer.dimension(dimension))
    _ask_role(draft, table, owner)
    bridges = draft.dataset.bridges(table, owner) if draft.may_relate() and len(draft.measures) == 1 else []
    if len(bridges) != 1:
        return False
    counted = draft.measures[0]
    draft.measures = [Measure(table=bridges[0])]
    draft.having = [replace(one, measure=draft.measures[0]) if one.measure == counted else one for one in draft.having]
    draft.guesses.append(Guess(draft.table_name(table), draft.table_name(bridges[0])))
    return True


def _ask_role(draft: Draft, table: str, owner: str) -> None:
    """Raises Unclear where a table points at the same rows in several roles: by origin or by destination hub?"""
    dataset = draft.dataset
    roles = [
        one
        for one in dataset.layer.dimensions
        if dataset.table_of(one) == owner != dataset.rows_of(one) and dataset.reaches(table, one.id)
    ]
    if len(roles) > 1:
        words = draft.table_name(owner)
        options = tuple(one.name.text(draft.language) for one in roles)
        raise Unclear(Message("unclear.which_name", {"words": words}), options)


def _is_of_related(draft: Draft) -> bool:
    """ "Causes without tickets this year": the time is that of rows that point at those asked for."""
    if draft.granularity or draft.part or draft.comparison:
        return False
    return any(draft.dataset.table_time(one.table) is not None for one in draft.related)


def _has_time(draft: Draft) -> bool:
    dataset = draft.dataset
    metrics = [dataset.layer.metric(one.metric) for one in draft.measures if one.metric]
    if metrics:
        return all(dataset.time_of(metric) is not None for metric in metrics)
    return all(dataset.table_time(table) is not None for table in draft.tables())
