"""Hands out names: ids that stand once, and words that mean one thing in the whole layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

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
)
from services.analyst.semantic.schema import Name


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
