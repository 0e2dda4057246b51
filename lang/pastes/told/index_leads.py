"""Whether an index begins with what the slow statement filters by: a list of indexes alone does not tell."""

from __future__ import annotations

import re

from lang.expressions import Row, Value
from lang.pastes.model import RowRule

# The name by which a rule asks for it, as for a column, and the column that tells what an index is on.
LEADS, _DEFINITION = "leads_filter", "indexdef"
_INDEX = re.compile(
    r"(?:\bON (?:ONLY )?(?P<table>[\w.\"$]+) USING |^|, )(?:btree|hash|gin|gist|spgist|brin) \((?P<columns>.+)",
    re.IGNORECASE,
)
_CAST = re.compile(r"::[a-z ]+")
_NO_NAME = re.compile(r"[^a-z0-9_]+")


def with_leads(rule: RowRule, rows: tuple[Row, ...], key: str) -> tuple[Row, ...]:
    """The rows of indexes with whether each begins with a column of `key`, such as "coupons (coupon_code)"."""
    if not key or not any(LEADS in found.names for found in rule.expressions):
        return rows
    table, _, columns = key.removesuffix(")").partition(" (")
    names = {_plain(column) for column in columns.split(",")}
    return tuple({**row, LEADS: _leads(row.get(_DEFINITION), _plain(table.rpartition(".")[2]), names)} for row in rows)


def _leads(definition: Value, table: str, names: set[str]) -> bool | None:
    """None for an index of another table."""
    found = _INDEX.search(definition) if isinstance(definition, str) else None
    if found is None or (found["table"] and _plain(found["table"].rpartition(".")[2]) != table):
        return None
    return _plain(found["columns"].split(",")[0]) in names


def _plain(name: str) -> str:
    """A column or an expression without brackets, quotes, casts and what orders it."""
    return _NO_NAME.sub("", _CAST.sub("", name.lower()).split(" ")[0] if " " in name.strip() else name.lower())
