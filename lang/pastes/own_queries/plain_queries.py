"""What a query without rows denies: one of a single relation, under a condition that leaves out only what is fine."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lang.pastes.cells import type_cell
from lang.pastes.model import Table
from lang.pastes.select_list import list_items, split_statements

_ENDS = frozenset(("order", "limit"))
_OTHERS = frozenset(("join", ",", "union", "group", "having", "offset", "except", "intersect", "fetch"))
_COUNT = ["count", "(", "*", ")"]


def condition_of(query: str, relations: Collection[str]) -> str | None:
    """The condition of the last statement; empty without one, None for anything but a plain query of one relation."""
    statements = split_statements(query)
    if not statements or statements[-1][0] != "select" or statements[-1].count("select") > 1:
        return None
    words = list(statements[-1])
    if "from" not in words:
        return None
    behind = words[words.index("from") + 1 :]
    if behind[1:2] == ["."]:
        behind = behind[2:]
    if not behind or behind[0] not in relations or not _OTHERS.isdisjoint(behind):
        return None
    end = next((place for place, word in enumerate(behind) if word in _ENDS), len(behind))
    start = behind.index("where") + 1 if "where" in behind[:end] else end
    return " ".join(_unqualified(behind[start:end]))


def normal_condition(text: str) -> str:
    """A condition as `condition_of` gives it."""
    return " ".join(word for statement in split_statements(text) for word in _unqualified(statement))


def counts_none(table: Table, query: str) -> bool:
    """True for the output of `count(*)` that is zero."""
    statements = split_statements(query)
    if len(table.columns) != 1 or len(table.rows) != 1 or not statements:
        return False
    items = list(list_items(statements[-1]))
    return len(items) == 1 and items[0][:4] == _COUNT and type_cell(table.rows[0][0]) == 0.0


def _unqualified(words: Sequence[str]) -> list[str]:
    """The words without the relation's name or alias before a column."""
    dotted = {place for place, word in enumerate(words) if word == "."}
    return [word for place, word in enumerate(words) if place not in dotted and place + 1 not in dotted]
