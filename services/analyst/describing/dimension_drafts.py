"""Drafts the dimensions of a layer, one a column, with the values of those that have few; and hands out names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from services.analyst.describing.column_roles import is_flag, key_of
from services.analyst.describing.join_search import Link
from services.analyst.describing.plain_words import (
    chinese,
    english,
    is_chinese,
    lexicon,
    plural,
    singular,
    slug,
    synonyms,
    unique,
    words_of,
)
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


class Naming:
    """Words that are taken belong to the column or table that took them; others cannot have them."""

    def __init__(self, columns: Iterable[str]) -> None:
        """columns: the names of the columns of all tables, with their repetitions."""
        self._count = Counter((english(name) or name).lower() for name in columns)
        self._ids: set[str] = set()
        self._owners: dict[str, str] = {}

    def is_shared(self, column: str) -> bool:
        """True if columns of several tables have the same words for a name, or it says nothing without its table."""
        said = (english(column) or column).lower()
        return self.is_repeated(column) or said in lexicon()["usage"]["generic"]

    def is_repeated(self, column: str) -> bool:
        """True if columns of several tables have the same words for a name."""
        return self._count[(english(column) or column).lower()] > 1

    def new_id(self, *wanted: str) -> str:
        """The first of these ids that is free, else the last with a number."""
        for each in wanted:
            if each and each not in self._ids:
                self._ids.add(each)
                return each
        number = 2
        while f"{wanted[-1]}_{number}" in self._ids:
            number += 1
        self._ids.add(f"{wanted[-1]}_{number}")
        return f"{wanted[-1]}_{number}"

    def take(self, owner: str, words: Iterable[str]) -> tuple[str, ...]:
        """Those words that the owner gets: free ones, and its own."""
        return tuple(word for word in unique(words) if self._owners.setdefault(word.lower(), owner) == owner)


def table_words(name: str) -> tuple[str, str]:
    """A table in the singular, in English and in Chinese; empty where it cannot be said."""
    return singular(english(name)), chinese(name).removesuffix("表") or chinese(name)


def table_name(name: str) -> Name:
    """What a table's rows are called."""
    said, in_chinese = table_words(name)
    return Name(en=plural(said) if said else "", zh=in_chinese) if said or in_chinese else Name(zh=name)


def column_words(table: str, column: str, *, shared: bool, repeated: bool = True) -> tuple[str, str, tuple[str, ...]]:
    """A column's name in English and Chinese, and its synonyms.

    shared: other columns have the same words, or they say little; then the name has the table's before it. A Chinese
    name that no other column has is kept beside a table without one.
    """
    said, in_chinese = english(column), chinese(column)
    owner, owner_in_chinese = table_words(table)
    long, long_in_chinese = _before(owner, said, " "), _before(owner_in_chinese, in_chinese, "")
    if shared and not repeated and is_chinese(column):
        long_in_chinese = long_in_chinese or in_chinese
    names = (long, long_in_chinese) if shared else (said, in_chinese)
    others = [] if shared else [long, long_in_chinese]
    for other in synonyms(column):
        prefix, between = (owner_in_chinese, "") if is_chinese(other) else (owner, " ")
        others.append(_before(prefix, other, between) if shared else other)
    if column.lower().replace("_", " ") not in (said, in_chinese):
        # The name as it is written, which may say more: (K-12).
        others.append(" ".join(column.replace("_", " ").split()))
    return names[0], names[1], unique(other for other in others if other not in names)


def _before(owner: str, said: str, between: str) -> str:
    """A name with its owner before it, unless it has that already; empty where either is."""
    if not owner or not said:
        return ""
    return said if said.startswith(owner) else f"{owner}{between}{said}"


def id_words(table: str, column: str, place: int) -> tuple[str, str]:
    """An id for a column, alone and with its table."""
    own = slug(english(column), f"column_{place}")
    return own, f"{slug(english(table), 'table')}_{own}"


def flag_words(column: str) -> tuple[str, str]:
    """What a flag says of a row, in English and Chinese: "charter" for is_charter, 测试 for 是否测试."""
    said = english(column).removeprefix("is ").removeprefix("has ").removesuffix(" flag").removesuffix(" indicator")
    return said, chinese(column).removeprefix("是否").removeprefix("是")
