"""Drafts the dimensions of a layer: one a column, with the values of those that have few."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from services.analyst.describing.column_roles import key_of, label_of
from services.analyst.describing.join_search import Link
from services.analyst.describing.naming import Naming, column_words, id_words, table_words
from services.analyst.describing.plain_words import english, lexicon, singular, synonyms, unique, words_of
from services.analyst.describing.profile import ColumnProfile, TableProfile
from services.analyst.semantic.dataset import write_column
from services.analyst.semantic.schema import Dimension, Name
from services.analyst.sources.source import Cell

_LONGEST_VALUE = 60
# Values that stand in fewer rows each are names, which are found in the data.
_REPEATED = 2


def draft_dimensions(tables: Mapping[str, TableProfile], links: Sequence[Link], naming: Naming) -> list[Dimension]:
    """A dimension for each column with a value, and for the names of what a table leads to in a role."""
    drafted = []
    led = {(link.table, link.column) for link in links}
    _reserve(tables, naming)
    for table in tables.values():
        label = label_of(table)
        for place, column in enumerate(table.columns.values(), 1):
            if not column.filled:
                continue
            if column.name == label:
                drafted.append(_entity(table, column, naming))
            elif (table.name, column.name) not in led or not _is_repeated(column, links):
                drafted.append(_dimension(table, column, place, naming))
    return drafted + [one for link in links if link.role for one in _in_role(tables[link.to_table], link, naming)]


def _reserve(tables: Mapping[str, TableProfile], naming: Naming) -> None:
    """Every name is taken before any synonym is."""
    for table in tables.values():
        label = label_of(table)
        if label:
            naming.take(table.columns[label].written, table_words(table.name))
    for table in tables.values():
        for column in table.columns.values():
            words = column_words(table.name, column.name, shared=naming.is_shared(column.name))
            naming.take(column.written, words[:2])


def _is_repeated(column: ColumnProfile, links: Sequence[Link]) -> bool:
    """True for a reference that is called like the key it leads to: one of the two is enough."""
    return any(
        (link.table, link.column) == (column.table, column.name) and link.column.lower() == link.to_column.lower()
        for link in links
    )


def _entity(table: TableProfile, column: ColumnProfile, naming: Naming) -> Dimension:
    """What the rows of a table are, by their name: "shop" for `shop.shop_name`."""
    said, in_chinese = table_words(table.name)
    name, name_in_chinese, others = column_words(table.name, column.name, shared=naming.is_shared(column.name))
    owner = column.written
    words = naming.take(owner, [said, in_chinese, name, name_in_chinese, *others, *synonyms(table.name)])
    if not words:
        words = naming.take(owner, [f"{table.name} {column.name}", owner])
    key = key_of(table)
    return Dimension(
        id=naming.new_id(*_entity_ids(table.name, column.name)),
        name=_name(words, (said, name), (in_chinese, name_in_chinese)),
        synonyms=_rest(words, (said, name), (in_chinese, name_in_chinese)),
        column=column.written,
        key=write_column(table.name, key) if key and not column.is_unique else "",
        values=_values(column),
    )


def _entity_ids(table: str, column: str) -> tuple[str, str, str]:
    own, long = id_words(table, column, 0)
    return id_words(table, table, 0)[0], long, own


def _dimension(table: TableProfile, column: ColumnProfile, place: int, naming: Naming) -> Dimension:
    shared = naming.is_shared(column.name)
    said, in_chinese, others = column_words(table.name, column.name, shared=shared)
    owner = column.written
    words = naming.take(owner, [said, in_chinese, *others])
    if not words:
        said, in_chinese, _ = column_words(table.name, column.name, shared=True)
        words = naming.take(owner, [said, in_chinese]) or naming.take(owner, [f"{table.name} {column.name}", owner])
    own, long = id_words(table.name, column.name, place)
    return Dimension(
        id=naming.new_id(own, long) if not shared else naming.new_id(long),
        name=_name(words, (said,), (in_chinese,)),
        synonyms=_rest(words, (said,), (in_chinese,)),
        column=column.written,
        values=_values(column),
    )


def _in_role(table: TableProfile, link: Link, naming: Naming) -> Iterator[Dimension]:
    """The name of what a table leads to in a role: "home team"."""
    label = label_of(table)
    if not label:
        return
    role = link.role.replace("_", " ")
    said = f"{role} {singular(english(table.name) or table.name)}"
    column = write_column(f"{link.role}_{table.name}", label)
    words = naming.take(column, [said, f"{said} name"])
    if words:
        yield Dimension(
            id=naming.new_id(f"{link.role}_{id_words(table.name, label, 0)[0]}", f"{link.table}_{link.role}".lower()),
            name=Name(en=words[0]),
            synonyms=words[1:],
            column=column,
        )


def _name(words: Sequence[str], said: Sequence[str], in_chinese: Sequence[str]) -> Name:
    """The first English and the first Chinese of the words that were taken."""
    en = next((word for word in said if word in words), "")
    zh = next((word for word in in_chinese if word in words), "")
    return Name(en=en, zh=zh) if en or zh else Name(en=words[0])


def _rest(words: Sequence[str], said: Sequence[str], in_chinese: Sequence[str]) -> tuple[str, ...]:
    named = _name(words, said, in_chinese)
    return tuple(word for word in words if word not in (named.en, named.zh))


def _values(column: ColumnProfile) -> dict[str | int | float | bool, tuple[str, ...]]:
    """The values of a column that has few, with their other names; of numbers only those that have any."""
    if column.distinct * _REPEATED > column.filled:
        return {}
    listed: dict[str | int | float | bool, tuple[str, ...]] = {}
    for value in column.values:
        if value is None or len(str(value)) > _LONGEST_VALUE or not str(value).strip():
            continue
        others = _value_words(column.name, value)
        if isinstance(value, str) or others:
            listed[value] = others
    return listed


def _value_words(column: str, value: Cell) -> tuple[str, ...]:
    """Other names of a value: by the last word of its column, else by itself."""
    lists = lexicon()["values"]
    last = words_of(english(column) or column)[-1]
    known = {**lists["any"], **lists.get(last, {})}
    others = known.get(str(value)) or known.get(str(value).lower()) or ()
    return unique(str(other) for other in others)
