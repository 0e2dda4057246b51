"""Finds which columns lead to the keys of other tables: declared ones, and those whose name and values say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from services.analyst.describing.column_roles import key_of
from services.analyst.describing.plain_words import english, singular, slug, words_of
from services.analyst.describing.profile import ColumnProfile, TableProfile
from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import Runner
from services.analyst.sources.inventory import Catalog, quote

_OVERLAP = 0.8
_SAMPLE = 2_000
_LIMITS = Limits(seconds=60.0)
_GENERIC = ("id", "name", "code", "key", "number", "no", "title", "type", "status", "date", "year")
# Endings that a column has for the table it leads to.
_ENDINGS = ("id", "code", "number", "key", "no", "uuid", "编号", "代码", "编码")


@dataclass(frozen=True)
class Link:
    """Rows of `table` belong to one row of `to_table`. role: needed where a table leads twice to the same one."""

    table: str
    column: str
    to_table: str
    to_column: str
    one_to_one: bool = False
    optional: bool = False
    role: str = ""


async def find_links(runner: Runner, catalog: Catalog, tables: Mapping[str, TableProfile]) -> tuple[Link, ...]:
    """All links, in the order of tables and columns."""
    found: dict[tuple[str, str], Link] = {}
    declared: dict[tuple[str, str], tuple[str, str]] = {
        (key.table, key.column): (key.to_table, key.to_column) for key in catalog.foreign_keys
    }
    for (table, column), (to_table, to_column) in declared.items():
        link = await _checked(
            runner,
            tables[table].columns[column],
            tables[to_table].columns[to_column],
            0.01,
            key_of(tables[table]) == column,
        )
        if link:
            found[table, column] = link
    for profile in tables.values():
        for one in profile.columns.values():
            if (one.table, one.name) not in declared:
                link = await _search(runner, one, tables, found.values())
                if link:
                    found[one.table, one.name] = link
    places = [(table, column) for table, profile in tables.items() for column in profile.columns]
    return _with_roles([found[place] for place in places if place in found])


async def _search(
    runner: Runner, column: ColumnProfile, tables: Mapping[str, TableProfile], known: Iterable[Link]
) -> Link | None:
    """The best table that a column's name fits and whose key has its values."""
    linked = {(link.to_table, link.to_column, link.table) for link in known}
    candidates = []
    for other in tables.values():
        key = key_of(other)
        if not key or (other.name == column.table and key == column.name):
            continue
        likeness = _likeness(column, other, key)
        if likeness and (column.table, column.name, other.name) not in linked:
            candidates.append((likeness, other.columns[key]))
    for _, key_column in sorted(candidates, key=lambda one: -one[0]):
        link = await _checked(runner, column, key_column, _OVERLAP, key_of(tables[column.table]) == column.name)
        if link:
            return link
    return None


def _likeness(column: ColumnProfile, other: TableProfile, key: str) -> int:
    """How well a column's name says that it leads to the key of a table; 0: not at all."""
    if not _comparable(column, other.columns[key]) or column.is_time:
        return 0
    name, key_name = english(column.name) or column.name, english(key) or key
    table = singular(english(other.name) or other.name)
    if name == key_name and name not in _GENERIC and column.table != other.name:
        return 4 if name.startswith(table) else 3
    stem = _stem(column.name)
    if not stem or stem in _GENERIC:
        return 0
    if stem in (table, _stem(key)):
        return 3
    if column.table == other.name:
        return 1 if stem in ("parent", "manager", "supervisor", "上级", "reports to") else 0
    return 2 if f" {stem}".endswith(f" {table}") else 0


def _stem(name: str) -> str:
    """A name without the word for a key at its end; empty for one that has no other word."""
    words = list(words_of(name))
    if len(words) > 1 and words[-1] in _ENDINGS:
        return singular(" ".join(words[:-1]))
    for ending in _ENDINGS[-3:]:
        if name.endswith(ending) and name != ending:
            return english(name.removesuffix(ending)) or name.removesuffix(ending)
    return singular(" ".join(words)) if len(words) == 1 else ""


def _comparable(left: ColumnProfile, right: ColumnProfile) -> bool:
    return (
        left.is_text == right.is_text and left.is_whole == right.is_whole and bool(left.filled) and bool(right.filled)
    )


async def _checked(
    runner: Runner, column: ColumnProfile, key: ColumnProfile, least: float, own_key: bool
) -> Link | None:
    """The link, if the values of the key are unique and a good part of the column's values are among them."""
    if key.distinct < key.filled or not column.filled:
        return None
    there = f"SELECT {quote(key.name)} AS v FROM {quote(key.table)}"
    some = (
        f"SELECT DISTINCT {quote(column.name)} AS v FROM {quote(column.table)}"
        f" WHERE {quote(column.name)} IS NOT NULL LIMIT {_SAMPLE}"
    )
    sides = "CAST(v AS VARCHAR)" if column.type != key.type else "v"
    found = await runner.run_own(
        f"SELECT count(*), count(*) FILTER (WHERE {sides} IN (SELECT {sides} FROM ({there}))) FROM ({some})", _LIMITS
    )
    some_count, inside = (int(cell or 0) for cell in found.rows[0])
    if not some_count or inside / some_count < least:
        return None
    return Link(
        column.table, column.name, key.table, key.name,
        one_to_one=own_key and column.table != key.table,
        optional=column.filled < column.rows or inside < some_count,
    )  # fmt: skip


def _with_roles(links: list[Link]) -> tuple[Link, ...]:
    """Links of one table to the same other one get roles out of their column names, and so do those to itself."""
    made: list[Link] = []
    for link in links:
        same = [one for one in links if (one.table, one.to_table) == (link.table, link.to_table)]
        plain = _stem(link.column) == singular(english(link.to_table) or link.to_table)
        if (len(same) > 1 and not plain) or link.table == link.to_table:
            made.append(replace(link, role=slug(_role_words(link), f"via_{len(made)}")))
        else:
            made.append(link)
    return tuple(made)


def _role_words(link: Link) -> str:
    """What tells a link's column from the others: its name without that of the table it leads to."""
    stem = _stem(link.column) or english(link.column) or link.column
    table = singular(english(link.to_table) or link.to_table)
    return stem.removesuffix(f" {table}") or stem
