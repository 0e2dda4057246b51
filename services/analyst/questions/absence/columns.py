"""Reads columns that are empty or not: "负责人为空", "without a manager", "has a known cause"."""

from __future__ import annotations

from services.analyst.questions.counts.counting import has_word
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Operator
from services.analyst.questions.value_filters import choose_dimension
from services.analyst.questions.words.items import Item

_FILLED = ("留", "填", "写")


def read_nulls(draft: Draft) -> None:
    """ "负责人为空", "without a manager", "with no city"."""
    for place, item in list(draft.of("missing", "lacking", "present", "not")):
        operator: Operator = "not null" if item.kind == "present" else "null"
        after_only = item.kind in ("lacking", "not") or _is_verb(item)
        after = place + 2 if draft.at(place + 1, "which") else place + 1
        leads = item.words.isascii() and draft.free(after, "dimension") is not None
        beside = (after,) if after_only or leads else (place - 1, after)
        if item.kind == "lacking" and item.words[-1:] in _FILLED and _null_value(draft, place):
            continue
        for other in beside:
            named = draft.free(other, "dimension")
            if named is not None and item.kind != "missing" and _is_pointing(draft, named, other):
                continue
            if named is not None and item.kind == "lacking" and _is_apart(item, named):
                continue
            if named is None or (
                item.kind == "not"
                and not draft.time_dimension(named)
                and not item.words.lower().startswith(("without", "没"))
            ):
                continue
            limit = draft.free(other + 1, "value", "more", "less", "at_least", "at_most", "missing")
            if other > place and limit and (not limit.among("value") or _share_entry(limit, named)):
                continue
            if item.kind == "missing" and draft.free(place - 2, "not", "lacking"):
                operator = "not null"
                draft.use(place - 2)
            draft.filters.append(Filter(choose_dimension(draft, named), operator))
            draft.use(*range(min(place, other), max(place, other) + 1))
            break


def _null_value(draft: Draft, place: int) -> bool:
    """ "没有留电话": a value that is also a word of the one column that may be left empty."""
    value = draft.free(place + 1, "value")
    if value is None:
        return False
    found = [
        one.id
        for one in draft.dataset.layer.dimensions
        if any(has_word(name, value.words) for name in (*one.name.words, *one.synonyms))
    ]
    if len(found) == 1:
        draft.filters.append(Filter(found[0], "null"))
        draft.use(place, place + 1)
    return len(found) == 1


def _is_apart(item: Item, named: Item) -> bool:
    """没有到店 is not without a shop: a word stands between."""
    return not item.words.isascii() and named.first > item.last


def _is_verb(item: Item) -> bool:
    """ "用了优惠券": words for "has" stand before what is there."""
    return item.kind == "present" and item.words[:1] in "用使带留填已有"


def _is_pointing(draft: Draft, item: Item, place: int) -> bool:
    """True if an item names rows, and other rows that are named are no part of them: "students in no course"."""
    tables = [one.id for one in item.every_of("table")]
    rows = [one.id for at, each in enumerate(draft.items) if at != place for one in each.every_of("table")]
    return bool(tables) and any(draft.dataset.path(row, tables[0]) is None for row in rows)


def _share_entry(one: Item, other: Item) -> bool:
    return bool({meaning.id for meaning in one.meanings} & {meaning.id for meaning in other.meanings})
