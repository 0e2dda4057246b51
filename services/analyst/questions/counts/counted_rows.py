"""Rows that a question counts, and columns that hold such counts."""

from __future__ import annotations

from services.analyst.questions.counts.counting import has_word, own_aggregate
from services.analyst.questions.draft import Draft
from services.analyst.questions.words.items import Item


def is_countable(draft: Draft, item: Item) -> bool:
    """ "More than 12 orders": rows that a number counts."""
    if item.kind == "metric":
        return own_aggregate(draft.dataset.layer.metric(item.id)) == "count"
    return item.kind == "table" or bool(draft.number_dimension(item))


def counting_column(draft: Draft, place: int) -> str:
    """ "Tickets with at least 5 phenomena", where a column of the tickets counts them; empty without one."""
    item, dataset = draft.items[place], draft.dataset
    if not is_countable(draft, item) or draft.number_dimension(item):
        return ""
    counted = {one.id for one in item.every_of("table")}
    rows = {one.id for at, other in enumerate(draft.items) if at != place for one in other.every_of("table")} - counted
    found = [
        one.id
        for one in dataset.layer.dimensions
        if dataset.is_number(one)
        and dataset.table_of(one) in rows
        and any(has_word(name, item.words) for name in (*one.name.words, *one.synonyms))
    ]
    return found[0] if len(found) == 1 else ""
