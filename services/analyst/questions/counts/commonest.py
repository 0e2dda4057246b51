"""Reads "the most common make", "最常见的十个现象", "which symptom shows up most often in tickets"."""

from __future__ import annotations

from services.analyst.questions.counts.counting import count_of
from services.analyst.questions.counts.defaults import default_table, events_of
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Unclear
from services.analyst.questions.value_filters import choose_dimension
from services.analyst.questions.words.items import Item
from services.chassis.messages import Message

_SEVERAL = 10
_HABITS = ("老是", "老", "总是")  # 哪些检查老失败 asks for all of them, the most frequent first.


def read_commonest(draft: Draft) -> None:
    """The values with the most rows, or the fewest. Raises Unclear where rows of several kinds could be counted."""
    for place, item in list(draft.of("commonest", "rarest")):
        step = _ranked(draft, place)
        if step is None or draft.measures:
            continue
        split = choose_dimension(draft, draft.items[step])
        draft.dimensions.append(split)
        draft.measures.append(count_of(draft.dataset.layer, _counted(draft, split, step)))
        beside = [at for at in (place + 1, place - 1) if draft.free(at, "number")] if step > place else []
        number = draft.items[beside[0]] if beside else None
        limit = number.number if number is not None else None
        given = int(limit.value) if limit else draft.limit
        draft.ranks_all = not given and item.words in _HABITS and draft.at(step - 1, "which") is not None
        several = _SEVERAL if _names_several(draft, step) else 1
        draft.limit = 0 if draft.ranks_all else given or several
        draft.superlative, draft.rank_place = not (given or draft.ranks_all), place
        draft.rank_kind = "highest" if item.kind == "commonest" else "lowest"
        table = draft.tables_of(draft.measures[0])
        rows = [at for at, other in enumerate(draft.items) if table in {one.id for one in other.every_of("table")}]
        named = [at for at, other in draft.of("table") if draft.points_at(table, other.id)]
        draft.use(place, step, *rows, *named, *beside[:1])


def _ranked(draft: Draft, place: int) -> int | None:
    """The place of the name that is ranked: after the words, or before them after "which"."""
    step = place + 1
    while draft.free(step, "number") or (draft.at(step, "top", "bottom", "number") and step in draft.used):
        step += 1
    if _names_values(draft.free(step, "dimension", "table")):
        return step
    for each in range(place - 1, -1, -1):
        if draft.at(each - 1, "which") and _names_values(draft.free(each, "dimension", "table")):
            draft.use(each - 1)
            return each
    return None


def _names_several(draft: Draft, step: int) -> bool:
    """ "Which checks fail most often" wants more than the first."""
    before, words = draft.at(step - 1, "which"), draft.items[step].words.lower()
    return before is not None and (
        before.words == "哪些" or (words.isascii() and words.endswith("s") and words[-2:] != "ss")
    )


def _names_values(item: Item | None) -> bool:
    return item is not None and bool(item.every_of("dimension"))


def _counted(draft: Draft, split: str, step: int) -> str:
    """The table whose rows are counted."""
    dimension, dataset = draft.dataset.layer.dimension(split), draft.dataset
    owner = dataset.table_of(dimension)
    named = [other.id for at, other in enumerate(draft.items) if other.kind == "table" and at != step]
    named += [dataset.layer.metric(other.id).table for other in draft.items if other.kind == "metric"]
    for table in named:
        if dataset.reaches(table, split):
            return table
        bridges = draft.dataset.bridges(table, owner)
        if len(bridges) == 1:
            return bridges[0]
    if not dimension.key:
        rows = default_table(draft)
        return rows if rows and dataset.reaches(rows, split) else owner
    pointing = [one.name for one in dataset.layer.tables if len(dataset.path(one.name, owner) or ()) == 1]
    events = events_of(draft, owner)
    meant = [one for one in pointing if one == events or one in draft.dataset.bridges(events, owner)]
    if events and len(meant) == 1:
        return meant[0]
    if len(pointing) > 1:
        counts = [count_of(dataset.layer, table) for table in pointing]
        names = [draft.name(one.metric) if one.metric else draft.table_name(one.table) for one in counts]
        raise Unclear(Message("unclear.ranked_by_figure"), tuple(names))
    return pointing[0] if pointing else owner
