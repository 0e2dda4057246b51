"""Plain queries, of one relation under one condition: what they print is all that there is of it, counted or not; and
which of the queries shown printed a table.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from lang.pastes.cells import type_cell
from lang.pastes.model import Table
from lang.pastes.select_list import list_items, name_columns, split_statements

_ENDS = frozenset(("group", "order", "limit"))
_OTHERS = frozenset(("join", ",", "union", "having", "offset", "except", "intersect", "fetch"))
_COUNT = ["count", "(", "*", ")"]
# So much of a query's columns tells it: people leave some out.
_ENOUGH = 0.5


class PlainQuery(NamedTuple):
    """condition: as `normal_condition` gives it, empty without one; limit: so many rows at most, where it names one.

    grouped: its rows count those of the relation.
    """

    condition: str
    limit: float = math.inf
    grouped: bool = False

    def is_whole(self, rows: int) -> bool:
        """True if no limit left out any when so many came."""
        return rows < self.limit


def plain_query_of(query: str, relations: Collection[str]) -> PlainQuery | None:
    """The last statement of a text, if it is a plain query of one of the relations."""
    statements = split_statements(query)
    if not statements or statements[-1][0] != "select" or statements[-1].count("select") > 1:
        return None
    words = statements[-1]
    outer = _outer_places(words)
    start = next((place + 1 for place in reversed(outer) if words[place] == "from"), 0)
    if words[start + 1 : start + 2] == (".",):
        start += 2
    behind = [place for place in outer if place >= start]
    end = next((place for place in behind if words[place] in _ENDS), len(words))
    others = any(words[place] in _OTHERS and (words[place] != "," or place < end) for place in behind)
    if not start or not behind or words[start] not in relations or others:
        return None
    where = next((place + 1 for place in behind if words[place] == "where"), end)
    limits = [words[place + 1] for place in behind[:-1] if words[place] == "limit"]
    least = min((float(each) if each.isdecimal() else 0.0 for each in limits), default=math.inf)
    return PlainQuery(" ".join(_unqualified(words[where:end])), least, words[end : end + 1] == ("group",))


def normal_condition(text: str) -> str:
    """A condition word by word, without the relation's name or alias before a column."""
    return " ".join(word for statement in split_statements(text) for word in _unqualified(statement))


def count_in(table: Table, query: str) -> float | None:
    """The number that a query prints which is nothing but `count(*)`; None for any other output."""
    statements = split_statements(query)
    if len(table.columns) != 1 or len(table.rows) != 1 or not statements:
        return None
    items = list(list_items(statements[-1]))
    number = type_cell(table.rows[0][0]) if len(items) == 1 and items[0][:4] == _COUNT else None
    return number if isinstance(number, float) and "filter" not in items[0] else None


def _outer_places(words: Sequence[str]) -> list[int]:
    """The places of the words that stand in no brackets."""
    depth, places = 0, []
    for place, word in enumerate(words):
        depth -= word in ")]"
        if depth == 0:
            places.append(place)
        depth += word in "(["
    return places


def _unqualified(words: Sequence[str]) -> list[str]:
    dotted = {place for place, word in enumerate(words) if word == "."}
    return [word for place, word in enumerate(words) if place not in dotted and place + 1 not in dotted]


def query_printing(table: Table, shown: Iterable[str]) -> str:
    """The statement of the queries shown that prints these columns; empty if none does."""
    columns = {name.lower() for name in table.columns}
    for statement in (statement for text in shown for statement in split_statements(text)):
        names = name_columns(statement)
        if columns and columns.issubset(names) and len(columns) >= _ENOUGH * len(names):
            return " ".join(statement)
    return ""
