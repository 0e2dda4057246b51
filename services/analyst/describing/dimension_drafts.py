"""Drafts the dimensions of a layer: one a column, with the values of those that have few."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from services.analyst.describing.column_roles import is_flag, key_of
from services.analyst.describing.join_search import Link
from services.analyst.describing.naming import Naming, column_words, flag_words, id_words, table_words
from services.analyst.describing.plain_words import english, lexicon, synonyms, unique, words_of
from services.analyst.describing.profile import ColumnProfile, TableProfile
from services.analyst.semantic.dataset import write_column
from services.analyst.semantic.schema import Dimension, Name
from services.analyst.sources.source import Cell

_LONGEST_VALUE = 60
# Values that stand in fewer rows each are names, which are found in the data.
_REPEATED = 2
_PAIR = 2


def draft_dimensions(
    tables: Mapping[str, TableProfile], links: Sequence[Link], labels: Mapping[str, str], naming: Naming
) -> list[Dimension]:
    """A dimension for each column with a value, and for the names of what a table leads to in a role.

    labels: table -> the column with the name of what its rows are.
    """
    drafted = []
    led = {(link.table, link.column) for link in links}
    _reserve(tables, labels, naming)
    for table in tables.values():
        for place, column in enumerate(table.columns.values(), 1):
            if not column.filled:
                continue
            if column.name == labels.get(table.name):
                drafted.append(_entity(table, column, naming))
            elif _is_mere_key(table, column, labels):
                continue
            elif (table.name, column.name) not in led or not _is_repeated(column, links):
                drafted.append(_dimension(table, column, place, naming))
    in_roles = [link for link in links if link.role and link.to_table in labels]
    return drafted + [one for link in in_roles for one in _in_role(link, labels[link.to_table], naming)]


def _reserve(tables: Mapping[str, TableProfile], labels: Mapping[str, str], naming: Naming) -> None:
    """Every name is taken before any synonym is."""
    for name, label in labels.items():
        naming.take(tables[name].columns[label].written, table_words(name))
    for table in tables.values():
        for column in table.columns.values():
            words = column_words(
                table.name, column.name, shared=naming.is_shared(column.name), repeated=naming.is_repeated(column.name)
            )
            naming.take(column.written, words[:2])


def _is_mere_key(table: TableProfile, column: ColumnProfile, labels: Mapping[str, str]) -> bool:
    """True for the number in a list of names, which says nothing beside the name."""
    return table.name in labels and len(table.columns) == _PAIR and column.name == key_of(table) and column.is_whole


def _is_repeated(column: ColumnProfile, links: Sequence[Link]) -> bool:
    """True for a reference that is called like the key it leads to: one of the two is enough."""
    return any(
        (link.table, link.column) == (column.table, column.name) and link.column.lower() == link.to_column.lower()
        for link in links
    )


def _entity(table: TableProfile, column: ColumnProfile, naming: Naming) -> Dimension:
    """What the rows of a table are, by their name: "shop" for `shop.shop_name`."""
    said, in_chinese = table_words(table.name)
    name, name_in_chinese, others = column_words(
        table.name, column.name, shared=naming.is_shared(column.name), repeated=naming.is_repeated(column.name)
    )
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
        key=write_column(table.name, key) if key else "",
        values=_values(column),
    )


def _entity_ids(table: str, column: str) -> tuple[str, str, str]:
    own, long = id_words(table, column, 0)
    return id_words(table, table, 0)[0], long, own


def _dimension(table: TableProfile, column: ColumnProfile, place: int, naming: Naming) -> Dimension:
    shared = naming.is_shared(column.name)
    said, in_chinese, others = _flag_words(column) or column_words(
        table.name, column.name, shared=shared, repeated=naming.is_repeated(column.name)
    )
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
        values=_flag_values(column) if is_flag(column) else _values(column),
    )


def _flag_words(column: ColumnProfile) -> tuple[str, str, tuple[str, ...]] | None:
    """What a flag is called: its bare words say that it is set, so that "charter schools" are those with a 1."""
    if not is_flag(column):
        return None
    said, in_chinese = flag_words(column.name)
    return f"is {said}" if said else "", f"是否{in_chinese}" if in_chinese else "", ()


def _flag_values(column: ColumnProfile) -> dict[str | int | float | bool, tuple[str, ...]]:
    said, in_chinese = flag_words(column.name)
    yes, no = (True, False) if column.type == "BOOLEAN" else (1, 0)
    held = [said, in_chinese]
    lacked = [f"not {said}", f"non-{said}", f"non {said}"] if said else []
    words = {yes: unique(held), no: unique([*lacked, f"非{in_chinese}" if in_chinese else ""])}
    return {value: others for value, others in words.items() if value in column.values}


def _in_role(link: Link, label: str, naming: Naming) -> Iterator[Dimension]:
    """The name of what a table leads to in a role: "home team"."""
    said = f"{link.role.replace('_', ' ')} {table_words(link.to_table)[0] or link.to_table}"
    column = write_column(f"{link.role}_{link.to_table}", label)
    words = naming.take(column, [said, f"{said} name"])
    if words:
        own = id_words(link.to_table, label, 0)[0]
        yield Dimension(
            id=naming.new_id(f"{link.role}_{own}", f"{link.table}_{link.role}".lower()),
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
