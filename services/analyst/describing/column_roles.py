"""What each column of a table is for: a key, a time, a figure, a category, a name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from services.analyst.describing.plain_words import ends_with, english, has_word, lexicon, singular, words_of
from services.analyst.describing.profile import FRACTIONS, ColumnProfile, TableProfile
from services.analyst.semantic.schema import TimeParts

_FEW = 12
_LONG_TEXT = 80
_YEARS = (1900, 2100)
_KEY_NAMES = ("id", "code", "no", "number", "key", "uuid", "sku", "isbn", "编号", "代码", "编码", "主键", "号")
_PARTS_OF_TIME = {
    "year": (("year",), ("年", "年份", "年度"), _YEARS),
    "quarter": (("quarter",), ("季度", "季"), (1, 4)),
    "month": (("month",), ("月", "月份"), (1, 12)),
}


class Role(StrEnum):
    """What a column is for."""

    KEY = "key"
    REFERENCE = "reference"
    TIME = "time"
    FIGURE = "figure"
    FLAG = "flag"
    CATEGORY = "category"
    TEXT = "text"


def key_of(table: TableProfile) -> str:
    """The column that tells the rows of a table apart: the declared key, else a unique one that is named like one."""
    declared = table.facts.key
    if len(declared) == 1:
        return declared[0]
    if declared:
        return ""
    unique = [column for column in table.columns.values() if column.is_unique and (column.is_whole or column.is_text)]
    first = next(iter(table.columns), "")
    likely = [column for column in unique if _key_likeness(table.name, column)[0]]
    likely = likely or [column for column in unique if column.name == first and column.is_text]
    return max(likely, key=lambda column: _key_likeness(table.name, column)).name if likely else ""


def _key_likeness(table: str, column: ColumnProfile) -> tuple[int, int]:
    words = words_of(column.name)
    own = singular(english(table) or table)
    named = column.name.lower() == "id" or english(column.name) in (f"{own} id", f"{own} code", f"{own} number", own)
    ends = words[-1] in _KEY_NAMES or column.name.endswith(_KEY_NAMES[-5:])
    return (2 if named else 1 if ends else 0), -len(column.name)


def roles_of(table: TableProfile, references: Iterable[str]) -> dict[str, Role]:
    """The role of each column. references: columns that lead to other tables."""
    key, foreign = key_of(table), set(references)
    parts = time_parts_of(table)
    in_parts = {parts.year, parts.quarter, parts.month} if parts else set()
    return {
        name: Role.CATEGORY if name in in_parts else _role(column, name == key, name in foreign)
        for name, column in table.columns.items()
    }


def _role(column: ColumnProfile, is_key: bool, is_reference: bool) -> Role:
    if is_key:
        return Role.KEY
    if is_reference:
        return Role.REFERENCE
    if column.is_time:
        return Role.TIME
    if is_flag(column):
        return Role.FLAG
    if column.is_number:
        return Role.CATEGORY if _is_naming(column) else Role.FIGURE
    return Role.TEXT if column.length > _LONG_TEXT else Role.CATEGORY


def is_flag(column: ColumnProfile) -> bool:
    """True for truth values, and for whole numbers that are only 0 and 1."""
    if column.type == "BOOLEAN":
        return True
    return column.is_whole and column.distinct == 2 and (column.least, column.most) == (0, 1)


def _is_naming(column: ColumnProfile) -> bool:
    """True for numbers that name something rather than measure it."""
    if column.type.startswith(FRACTIONS):
        return ends_with(column.name, "naming") and not ends_with(column.name, "averaged")
    if ends_with(column.name, "naming"):
        # "number of test takers" is a figure, "house number" is none.
        return " number of " not in f" {english(column.name)} "
    return False


def is_averaged(column: ColumnProfile) -> bool:
    """True for a figure whose sum means nothing."""
    return has_word(column.name, "averaged") or bool(re.search(r"(率|比|价|龄|分|均|温|重|高|度)$", column.name))


def time_of(table: TableProfile) -> str | TimeParts | None:
    """What says when a row came to be: a column of times, or columns with year and month; None without either."""
    times = [column for column in table.columns.values() if column.is_time and column.filled]
    usable = [column for column in times if not has_word(column.name, "other_times") and not _is_other(column.name)]
    if usable:
        return max(usable, key=lambda column: (column.filled >= column.rows * 0.5, -_place(column.name))).name
    return time_parts_of(table)


def _is_other(name: str) -> bool:
    return any(part in name for part in ("出生", "生日", "更新", "修改", "到期", "截止", "结束", "离职"))


def _place(name: str) -> int:
    """The place of a name's best word among those of main times."""
    order: list[str] = lexicon()["usage"]["main_times"]
    words = set(words_of(english(name) or name))
    return min((order.index(word) for word in words if word in order), default=len(order))


def time_parts_of(table: TableProfile) -> TimeParts | None:
    """The columns with the year, quarter and month of a row as numbers; None without a year."""
    found: dict[str, str] = {}
    for part, (names, chinese_names, (least, most)) in _PARTS_OF_TIME.items():
        for column in table.columns.values():
            named = english(column.name) in names or column.name in chinese_names
            if named and column.is_whole and column.filled and _within(column, least, most):
                found.setdefault(part, column.name)
    return TimeParts(**found) if "year" in found else None


def _within(column: ColumnProfile, least: int, most: int) -> bool:
    return (
        isinstance(column.least, int) and isinstance(column.most, int) and least <= column.least <= column.most <= most
    )


def label_of(table: TableProfile) -> str:
    """The column with the name of what a row is about; empty for a table of events."""
    key = key_of(table)
    own = singular(english(table.name) or table.name)
    best, score = "", 0
    for column in table.columns.values():
        if not column.is_text or column.name == key or not column.filled or column.length > _LONG_TEXT:
            continue
        name = english(column.name) or column.name
        found = (
            4 if name == "name" else 3 if name in (f"{own} name", own) else 2 if name in ("title", "full name") else 0
        )
        if not found and (column.name in ("名称", "名字", "姓名") or column.name.endswith(("名称", "名"))):
            found = 3
        if not found and name.endswith(" name") and column.distinct > column.rows * 0.5:
            found = 1
        if found > score and column.distinct > min(_FEW, column.rows * 0.5):
            best, score = column.name, found
    return best
