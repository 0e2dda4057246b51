"""The figure that is meant where a question ranks, counts, compares or names a value, and names no figure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lang.tokens import stem
from services.analyst.questions.counts.counting import count_of
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Guess, Measure, Value
from services.analyst.questions.words.spelling import has_in_order
from services.analyst.semantic.schema import Dimension

_ASKING = ("how_many", "how_much", "compare", "growth", "grew", "fell", "trend", "share", "each_value")
_SPREAD = ("distribution of", "distributed by", "breakdown by", "分布", "构成")
_JUDGING = ("worst", "best", "最差", "最好", "最糟", "最糟糕", "最惨")
_RANKS = ("highest", "lowest", "top", "bottom")
_MOST = 30
_SHORTEST, _SHORTEST_HAN = 3, 2
_WORDS = re.compile(r"[a-z0-9_]+")


def default_table(draft: Draft) -> str:
    """The table that the layer's default metric is taken from; empty without one."""
    layer = draft.dataset.layer
    return layer.metric(layer.default_metric).table if layer.default_metric else ""


def events_of(draft: Draft, table: str) -> str:
    """The rows of the default figure, where they or rows of theirs point at those of a table; else empty."""
    rows = default_table(draft)
    if not rows or rows == table:
        return ""
    points = draft.points_at(rows, table) or len(draft.dataset.bridges(rows, table)) == 1
    return rows if points else ""


def is_named_entity(draft: Draft, table: str) -> bool:
    """True if rows are narrowed to those of some names: one cause is one row, and what is meant happened to it."""
    return any(
        one.operator == "in" and draft.dataset.layer.dimension(one.dimension).key
        for one in draft.filters
        if draft.dataset.table_of(draft.dataset.layer.dimension(one.dimension)) == table
    )


def count_events(draft: Draft, table: str) -> Measure | None:
    """ "How often did we have deadlocks this year": what is counted in place of the named rows of a table."""
    timed = (draft.periods or draft.hours or draft.weekdays) and draft.dataset.table_time(table) is None
    if not (timed or is_named_entity(draft, table)) or not events_of(draft, table):
        return None
    return Measure(metric=draft.dataset.layer.default_metric)


def read_default(draft: Draft) -> None:
    """The default figure of a question that asks for one and whose every other word is understood."""
    if draft.measures or draft.having or draft.listing or not default_table(draft) or not _asks(draft):
        return
    if draft.has("list", "naming", "vague") or any(True for _ in draft.of("word")) or _judges(draft):
        return
    measure = _fitting(draft)
    if measure is None:
        return
    draft.measures.append(measure)
    draft.use(*(place for place, _ in draft.of("how_many", "how_much")))
    draft.guesses.append(Guess(_asking_words(draft), draft.name(measure.metric) or draft.table_name(measure.table)))


def _asks(draft: Draft) -> bool:
    times = draft.granularity or draft.part or draft.comparison or draft.averaged
    ranks = draft.limit and draft.rank_kind in _RANKS and not draft.sort_column
    spread = any(item.kind == "group" and item.words.lower() in _SPREAD for item in draft.items)
    return bool(ranks or times or spread or any(draft.has(kind) for kind in _ASKING))


def _judges(draft: Draft) -> bool:
    """The worst and the best have no default figure where the layer does not say what is bad."""
    is_known = bool(draft.dataset.layer.metric(draft.dataset.layer.default_metric).better)
    return bool(draft.limit) and is_judging(draft.items[draft.rank_place].words) and not is_known


def is_judging(words: str) -> bool:
    """True for "the worst" and "the best"."""
    return words.lower() in _JUDGING


def _asking_words(draft: Draft) -> str:
    if draft.limit:
        return draft.items[draft.rank_place].words
    return next((item.words for item in draft.items if item.kind in _ASKING), draft.text.normal)


def _fitting(draft: Draft) -> Measure | None:
    """The default figure where it has all conditions and splits, else the count of the rows with the conditions."""
    layer, dataset = draft.dataset.layer, draft.dataset
    splits = [
        item.every_of("dimension")[0].id for _, item in draft.of("dimension", "table") if item.every_of("dimension")
    ]
    needed = [one.dimension for one in draft.filters] + splits
    owners = [_owner(draft, one.dimension) for one in draft.filters]
    table = default_table(draft)
    if all(dataset.reaches(table, one) or len(dataset.bridges(table, _owner(draft, one))) == 1 for one in needed):
        return Measure(metric=layer.default_metric)
    found = [owner for owner in dict.fromkeys(owners) if all(dataset.reaches(owner, one) for one in needed)]
    return count_of(layer, found[0]) if len(found) == 1 and splits else None


def _owner(draft: Draft, dimension: str) -> str:
    return draft.dataset.table_of(draft.dataset.layer.dimension(dimension))


def rows_about(draft: Draft) -> str:
    """The table whose rows a question is about: the first that it names, else that of the default figure."""
    return next((one.id for item in draft.items for one in item.every_of("table")), "") or default_table(draft)


def named_by(draft: Draft, words: list[str]) -> Iterator[Filter]:
    """For each dimension with listed values those that have all words in one of their names."""
    shortest = _SHORTEST if words[0].isascii() else _SHORTEST_HAN
    rows = rows_about(draft)
    if len("".join(words)) < shortest or not rows:
        return
    for dimension in draft.dataset.layer.dimensions:
        owner = draft.dataset.table_of(dimension)
        if draft.dataset.reaches(rows, dimension.id) or len(draft.dataset.bridges(rows, owner)) == 1:
            values = tuple(_values(dimension, words))
            if 0 < len(values) <= _MOST and len(values) < len(dimension.values):  # All values would be no condition.
                yield Filter(dimension.id, "in", values)


def _values(dimension: Dimension, words: list[str]) -> Iterator[Value]:
    for stored, others in dimension.values.items():
        if any(_has_all(str(name).lower(), words) for name in (stored, *others)):
            yield stored


def _has_all(name: str, words: list[str]) -> bool:
    keys = {stem(part) for part in _WORDS.findall(name)}
    return all(stem(word) in keys if word.isascii() else has_in_order(name, word) for word in words)
