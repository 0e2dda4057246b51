"""Which of the queries that a person was given printed a table: the one that has its columns."""

from __future__ import annotations

from collections.abc import Iterable

from lang.pastes.model import Table
from lang.pastes.select_list import name_columns, split_statements

# So much of a query's columns tells it: people leave some out.
_ENOUGH = 0.5


def query_printing(table: Table, shown: Iterable[str]) -> str:
    """The statement of the queries shown that prints these columns; empty if none does."""
    columns = {name.lower() for name in table.columns}
    for statement in (statement for text in shown for statement in split_statements(text)):
        names = name_columns(statement)
        if columns and columns.issubset(names) and len(columns) >= _ENOUGH * len(names):
            return " ".join(statement)
    return ""
