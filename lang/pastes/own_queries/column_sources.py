"""What a column of a person's own query is made of, whatever they call it: `now() - xact_start AS t` is a duration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from lang.pastes.own_queries.views import View, ViewColumn
from lang.pastes.select_list import list_items, name_item, split_statements

# Words of an expression whose value is a bare number of seconds, or of bytes.
_PLAIN = frozenset(("epoch", "pg_wal_lsn_diff", "pg_xlog_location_diff", "pg_relation_size", "pg_total_relation_size"))
# What servers call a column that an expression makes.
_UNNAMED = "?column?"
# Functions and forms whose value is another thing than their argument.
_COUNTS = frozenset(("count", "cardinality", "array_length", "length", "sum", "avg", "case", "filter"))


class Source(NamedTuple):
    """The view's column behind a heading. factor: of bare numbers to seconds or bytes; None where it cannot be told."""

    column: ViewColumn
    factor: float | None


def sources_of(query: str, headings: Sequence[str], view: View) -> Mapping[int, Source]:
    """The view's columns that the expressions of a query make, by their place among the headings.

    query: the text above the table; its last statement with as many items as there are headings is meant.
    """
    for statement in reversed(split_statements(query)):
        items = [item for item in list_items(statement) if item]
        if len(items) == len(headings) and all(map(_agrees, items, headings)):
            found = {place: _source(item, view) for place, item in enumerate(items)}
            return {place: source for place, source in found.items() if source is not None}
    # A client may print an expression as its own heading.
    shown = {place: split_statements(heading) for place, heading in enumerate(headings) if "(" in heading}
    found = {place: _source(statements[0], view) for place, statements in shown.items() if statements}
    return {place: source for place, source in found.items() if source is not None}


def fixed_by(query: str, view: View) -> Mapping[str, str]:
    """The columns of which a query's condition leaves just one value, such as state by `state like 'idle in t%'`."""
    values = {column.name: column.values for column in view.columns if column.values}
    found: dict[str, str] = {}
    for statement in split_statements(query)[-1:]:
        words = _condition(statement)
        for name, sign, told in zip(words, words[1:], words[2:], strict=False):
            begins, whole = told.strip("'").rstrip("%"), sign == "="
            fits = [each for each in values.get(name, ()) if (each == begins if whole else each.startswith(begins))]
            if fits and (whole or (sign == "like" and told.endswith("%'"))) and not {"or", "not"} & {*words}:
                found[name] = fits[0] if whole or len(fits) == 1 else min(fits, key=len)
    return found


def _condition(statement: Sequence[str]) -> Sequence[str]:
    """What follows the first WHERE that is not only of a column: `count(*) FILTER (WHERE ...)` counts a part."""
    wheres = (place for place, word in enumerate(statement) if word == "where")
    first = next((place for place in wheres if statement[max(place - 2, 0)] != "filter"), len(statement))
    return statement[first:]


def _agrees(item: Sequence[str], heading: str) -> bool:
    shown = heading.strip().lower()
    return shown == _UNNAMED or name_item(item) in ("", shown)


def _source(item: Sequence[str], view: View) -> Source | None:
    words = frozenset(item)
    if renamed := _renamed(item):
        column = next((column for column in view.columns if renamed in (column.name, *column.aliases)), None)
        return Source(column, None) if column else None
    counts = words & _COUNTS
    fits = [
        (len(parts), column)
        for column in view.columns
        for made in column.made_of
        if words.issuperset(parts := made.split()) and counts.issubset(parts)
    ]
    if not fits:
        return None
    column = max(fits, key=lambda fit: fit[0])[1]
    is_ratio = column.type == "number" and ("/" in words or ("*" in words and "count" not in words))
    return None if is_ratio else Source(column, _factor(item))


def _renamed(item: Sequence[str]) -> str:
    """The column that an item only gives another name (`a.state AS s`); empty for any other item."""
    words = [word.strip('"') for word in item if word != "as"]
    if words[1:2] == ["."]:
        words = words[2:]
    return words[0] if len(words) == 2 and all(word.replace("_", "a").isalnum() for word in words) else ""


def _factor(item: Sequence[str]) -> float | None:
    """What one of the bare number that an expression gives stands for: seconds of an epoch, bytes, divided or not."""
    if "*" in item or _PLAIN.isdisjoint(item):
        return None
    factor = 1.0
    for sign, number in pairwise(item):
        if sign == "/":
            divisor = _number(number)
            if divisor is None:
                return None
            factor *= divisor
    return factor


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None
