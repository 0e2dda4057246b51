"""Joins names that stand as one: "customer tier", "商品的品牌", "names of shops", and values with what they are."""

from __future__ import annotations

from dataclasses import replace

from services.analyst.questions.words.items import Item
from services.analyst.questions.words.names import Meaning, Names
from services.analyst.semantic.dataset import Dataset

_NEAR = 2
_OF_REACH = 3
_COLUMNS = ("metric", "dimension")


def qualify(items: list[Item], dataset: Dataset, names: Names) -> list[Item]:
    """The items without names of rows that only say whose column the next name is."""
    narrowed = _narrow_by_owner(_narrow_by_rows(_share_ends(items, names), dataset, names), dataset)
    joined: list[Item] = []
    for at, item in enumerate(narrowed):
        following = narrowed[at + 1] if at + 1 < len(narrowed) else None
        counted = at > 0 and items[at - 1].kind == "number" and narrowed[at - 1].last == item.first
        if following is not None and not counted and _is_owner(item, following, dataset):
            narrowed[at + 1] = _of_owner(following, _tables(item, dataset), dataset)
            continue
        joined.append(item)
    return joined


def _share_ends(items: list[Item], names: Names) -> list[Item]:
    """ "First and last names": the end of the second name is also that of the first."""
    shared = list(items)
    for at, item in enumerate(items[:-2]):
        last = items[at + 2]
        if (
            (item.meanings and item.among("dimension", "metric"))
            or items[at + 1].kind != "and"
            or not last.among("dimension")
        ):
            continue
        end = last.words.lower().rpartition(" ")[2]
        for word in (f"{item.words.lower()} {end}", f"{item.words.lower()} {end.removesuffix('s')}"):
            meanings = tuple(one for one in names.words.get(word, ()) if one.kind == "dimension")
            if meanings:
                shared[at] = replace(item, kind="dimension", meanings=meanings, every=meanings)
                break
    return shared


def _tables(item: Item, dataset: Dataset) -> set[str]:
    """The tables whose rows an item may name; a column that is no name of rows has none."""
    tables = {meaning.id for meaning in item.meanings if meaning.kind == "table"}
    keyed = [dataset.layer.dimension(one.id) for one in item.among("dimension")]
    return tables | {dataset.table_of(one) for one in keyed if one.key}


def _is_owner(item: Item, following: Item, dataset: Dataset) -> bool:
    is_plural = item.words.isascii() and item.words.lower().endswith("s")
    times = any(dataset.is_time(dataset.layer.dimension(one.id)) for one in following.among("dimension"))
    if (
        is_plural
        or times
        or following.first - item.last > _NEAR
        or not following.among("dimension")
        or following.among("table")
    ):
        return False
    tables = _tables(item, dataset)
    return bool(tables) and bool(_of_tables(following, tables, dataset)) and not _names_same(item, following)


def _names_same(item: Item, following: Item) -> bool:
    return bool(set(item.meanings) & set(following.meanings))


def _of_tables(item: Item, tables: set[str], dataset: Dataset) -> tuple[Meaning, ...]:
    return tuple(one for one in item.among("dimension") if dataset.table_of(dataset.layer.dimension(one.id)) in tables)


def _of_owner(item: Item, tables: set[str], dataset: Dataset) -> Item:
    kept = _of_tables(item, tables, dataset)
    return replace(item, kind="dimension", meanings=kept, every=kept)


def _narrow_by_rows(items: list[Item], dataset: Dataset, names: Names) -> list[Item]:
    """ "会话平均时长": a short name of a column of several rows is that of the rows which the question names."""
    rows = {meaning.id for item in items for meaning in item.meanings if meaning.kind == "table"}
    narrowed = []
    for item in items:
        kept = tuple(one for one in item.meanings if one.kind in _COLUMNS and _table_of(one, dataset) in rows)
        short = item.words.lower() not in names.words and all(one.kind in _COLUMNS for one in item.meanings)
        fits = short and 0 < len(kept) < len(item.meanings)
        narrowed.append(replace(item, kind=kept[0].kind, meanings=kept, every=kept) if fits else item)
    return narrowed


def _table_of(meaning: Meaning, dataset: Dataset) -> str:
    if meaning.kind == "metric":
        return dataset.layer.metric(meaning.id).table
    return dataset.table_of(dataset.layer.dimension(meaning.id))


def _narrow_by_owner(items: list[Item], dataset: Dataset) -> list[Item]:
    """ "Names of shops": of several columns of one name that of the rows named after it."""
    narrowed = list(items)
    for at, item in enumerate(items):
        if len(item.among("dimension")) < 2:
            continue
        for other in items[at + 1 : at + 1 + _OF_REACH]:
            tables = _tables(other, dataset)
            if tables and _of_tables(item, tables, dataset):
                narrowed[at] = _of_owner(item, tables, dataset)
                break
            if other.kind not in ("dimension", "and", "break", "group"):
                break
    return narrowed
