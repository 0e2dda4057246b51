"""What the cells of a query's columns can only be, from its text and from what is known of the columns of views."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lang.pastes.model import Column
from lang.pastes.own_queries.views import ColumnType, View
from lang.pastes.select_list import list_items, name_columns

_NUMBERS = frozenset(("bigint", "int", "integer", "numeric", "float", "int8", "int4"))
_COUNTS = frozenset(("count", "round", "row_number", "cardinality"))


def kinds_by_name(views: Iterable[View]) -> dict[str, ColumnType]:
    """The kind of each column's usual name, where all views that have it agree."""
    kinds: dict[str, set[ColumnType]] = {}
    for view in views:
        for column in view.columns:
            kinds.setdefault(column.name, set()).add(column.type)
    return {name: next(iter(found)) for name, found in kinds.items() if len(found) == 1}


def columns_of(statement: Sequence[str], kinds: Mapping[str, ColumnType]) -> tuple[Column, ...]:
    """The columns of a statement in order; empty where its text does not tell all of them."""
    names = name_columns(statement)
    items = list(list_items(statement)) if names else []
    return tuple(Column(name, _kind(item, name, kinds)) for name, item in zip(names, items, strict=True))


def _kind(item: Sequence[str], name: str, kinds: Mapping[str, ColumnType]) -> ColumnType:
    made = item[:-2] if item[-2:-1] == ["as"] else item
    if made[:1] == ["pg_size_pretty"]:
        return "bytes"
    if (made[:1] and made[0] in _COUNTS) or (made[-2:-1] == ["::"] and made[-1] in _NUMBERS):
        return "number"
    if made[:4] == ["now", "(", ")", "-"]:
        return "duration"
    return kinds.get(name, "text") if made[-1:] == [name] else "text"
