"""Reads what figures are split by."""

from __future__ import annotations

from services.analyst.questions.counts.counting import has_word
from services.analyst.questions.draft import Draft
from services.analyst.questions.value_filters import choose_dimension
from services.analyst.questions.words.items import Item
from services.analyst.semantic.dataset import split_column

_OF_KIND = ("哪类", "哪种", "哪一类", "哪一种", "which kind of", "what kind of", "which type of", "what type of")
_KINDS = ("类别", "类型", "分类", "种类", "category", "kind", "type")


def read_splits(draft: Draft) -> None:
    """Dimensions after "by", "each" and "which", then those that stand alone."""
    for place, item in list(draft.of("dimension")):
        if item.kind == "dimension" and draft.is_split(place) and not _is_measured(draft, item):
            _split(draft, place, item)
    for place, item in list(draft.of("table")):
        if item.kind == "table" and draft.is_split(place) and item.every_of("dimension"):
            _split(draft, place, item)
    for place, item in enumerate(draft.items):
        if item.kind == "metric" and not item.words.isascii() and draft.at(place - 1, "group") and not draft.dimensions:
            _split_by_name_of(draft, item)
    if (draft.measures or draft.having) and not draft.listing:
        for place, item in list(draft.of("dimension")):
            if item.kind == "dimension" and not _is_measured(draft, item) and not draft.time_dimension(item):
                if not _is_noise(draft, item):
                    _split(draft, place, item)
                else:
                    draft.use(place)
        ranked = (
            draft.limit
            or draft.ranks_all
            or draft.having
            or draft.share
            or draft.has("descending", "ascending", "compare", "lengthier")
        )
        if ranked and not draft.dimensions:
            _split_entity(draft)


def read_compared(draft: Draft) -> None:
    """ "Compare phones and laptops": values that are compared are split by their dimension."""
    compares = draft.granularity or draft.has("compare", "each_value", "lengthier") or _asks_which(draft)
    if draft.dimensions or not compares:
        return
    for one in draft.filters:
        if one.operator == "in" and len(one.values) > 1:
            draft.dimensions.append(one.dimension)
            return


def _asks_which(draft: Draft) -> bool:
    """ "Phones or laptops, which ...": a word for "which" that stands before no name."""
    return any(
        item.kind == "which" and not draft.at(place + 1, "dimension", "table", "metric", "value")
        for place, item in enumerate(draft.items)
    )


def _kind_of(draft: Draft, place: int, item: Item) -> str:
    """ "哪类根因", "what kind of product": the one column of the named rows that says of what kind they are."""
    before, keyed = (
        draft.at(place - 1, "which"),
        [one for one in item.every_of("dimension") if draft.dimension(one).key],
    )
    if before is None or before.words.lower() not in _OF_KIND or not keyed:
        return ""
    table = draft.dataset.table_of(draft.dimension(keyed[0]))
    found = [
        one.id
        for one in draft.dataset.layer.dimensions
        if draft.dataset.table_of(one) == table
        and any(has_word(name, word) for name in (*one.name.words, *one.synonyms) for word in _KINDS)
    ]
    return found[0] if len(found) == 1 else ""


def _split(draft: Draft, place: int, item: Item) -> None:
    draft.dimensions.append(_kind_of(draft, place, item) or choose_dimension(draft, item))
    draft.use(place)
    before = draft.at(place - 1)
    if before is not None and before.kind in ("group", "which"):
        draft.use(place - 1)


def _split_entity(draft: Draft) -> None:
    """Ranked figures without a split are split by the rows that the question names."""
    if draft.granularity or draft.part:
        return
    for place, item in enumerate(draft.items):
        if item.every_of("dimension") and item.kind == "table" and place != draft.counted_item:
            draft.dimensions.append(choose_dimension(draft, item))
            draft.use(place)
            return
        key = _key_of(draft, item) if item.kind == "table" and draft.at(place - 1, "which") else ""
        if key and all(draft.dataset.reaches(table, key) for table in draft.tables()):
            draft.dimensions.append(key)
            draft.use(place, place - 1)
            return


def _key_of(draft: Draft, item: Item) -> str:
    """ "Which session has the most evidence": the column that tells the named rows apart; empty without one."""
    key = next((one.key for one in draft.dataset.layer.tables if one.name == item.id), "")
    found = [one.id for one in draft.dataset.layer.dimensions if split_column(one.column) == (item.id, key)]
    return found[0] if found else ""


def split_by_name(draft: Draft) -> None:
    """ "哪个现象出现次数最多": what is ranked stands in the name of the figure."""
    for place, item in enumerate(draft.items):
        if item.kind == "metric" and draft.at(place - 1, "which"):
            _split_by_name_of(draft, item)


def _split_by_name_of(draft: Draft, item: Item) -> None:
    """ "各检查的失败次数": the figure's name begins with the one column that it is split by."""
    found = [
        one.id
        for one in draft.dataset.layer.dimensions
        if any(item.words.lower().startswith(word.lower()) for word in (*one.name.words, *one.synonyms))
    ]
    if len(found) == 1 and draft.dataset.reaches(draft.dataset.layer.metric(item.id).table, found[0]):
        draft.dimensions.append(found[0])


def _is_measured(draft: Draft, item: Item) -> bool:
    return bool(draft.number_dimension(item)) and not any(m.id in draft.dimensions for m in item.meanings)


def _is_noise(draft: Draft, item: Item) -> bool:
    """ "The revenue of shops in Shanghai": rows that a filter narrows, or that are counted, are no split."""
    dataset = draft.dataset
    tables = {dataset.table_of(dataset.layer.dimension(one.id)) for one in item.among("dimension")}
    filtered = {dataset.table_of(dataset.layer.dimension(one.dimension)) for one in draft.filters}
    if any(one.id in {each.dimension for each in draft.filters} for one in item.among("dimension")):
        return not draft.has("compare", "descending", "ascending", "lengthier") and not draft.limit
    names_rows = bool(item.every_of("table")) or any(
        dataset.layer.dimension(one.id).key for one in item.among("dimension")
    )
    return bool(tables & filtered) and names_rows and not draft.limit
