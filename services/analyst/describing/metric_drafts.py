"""Drafts the metrics of a layer: the rows of each table counted, figures added up or averaged, shares of flags."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from services.analyst.describing.column_roles import Role, is_averaged
from services.analyst.describing.naming import Naming, column_words, flag_words, id_words, table_words
from services.analyst.describing.plain_words import plural, slug
from services.analyst.describing.profile import ColumnProfile, TableProfile
from services.analyst.semantic.schema import Metric, Name


def draft_counts(tables: Mapping[str, TableProfile], naming: Naming) -> list[Metric]:
    """The number of rows of each table."""
    return [_count(table, naming) for table in tables.values()]


def draft_figures(
    tables: Mapping[str, TableProfile],
    roles: Mapping[str, Mapping[str, Role]],
    events: Container[str],
    naming: Naming,
) -> list[Metric]:
    """The figures of all tables. events: those whose figures are added up without saying so."""
    drafted: list[Metric] = []
    for table in tables.values():
        for place, column in enumerate(table.columns.values(), 1):
            role = roles[table.name][column.name]
            if role is Role.FIGURE and column.filled:
                drafted += _figure(table, column, place, table.name in events, naming)
            elif role is Role.FLAG and column.filled:
                drafted += _share(table, column, place, naming)
    return drafted


def _count(table: TableProfile, naming: Naming) -> Metric:
    said, in_chinese = table_words(table.name)
    many = plural(said) if said else ""
    en, zh = f"number of {many}" if many else "", f"{in_chinese}数" if in_chinese else ""
    owner = f"count of {table.name}"
    words = naming.take(owner, [en, zh, f"{said} count" if said else "", f"{in_chinese}数量" if in_chinese else ""])
    if not words:
        words = naming.take(owner, [f"rows of {table.name}"])
    return Metric(
        id=naming.new_id(f"{slug(said, 'table')}_count"),
        name=_name(words, en, zh),
        synonyms=tuple(word for word in words if word not in (_name(words, en, zh).en, _name(words, en, zh).zh)),
        table=table.name,
        expr="count(*)",
    )


def _figure(table: TableProfile, column: ColumnProfile, place: int, is_event: bool, naming: Naming) -> Iterator[Metric]:
    """The sum of a figure, or its average where a sum means nothing.

    Of an event the figure's bare name is its sum: "sales by region". Of a thing it is a column: "the enrolment of X".
    """
    said, in_chinese, others = column_words(
        table.name, column.name, shared=naming.is_shared(column.name), repeated=naming.is_repeated(column.name)
    )
    averaged = is_averaged(column)
    word, in_zh = ("average", "平均") if averaged else ("total", "总")
    en = f"{word} {said}" if said and not said.startswith(word) else said
    zh = f"{in_zh}{in_chinese}" if in_chinese and not in_chinese.startswith(in_zh) else in_chinese
    owner = f"total of {column.written}"
    plain = [said, in_chinese, *others] if is_event and not averaged else []
    if not averaged:
        plain += [f"sum of {said}" if said else "", f"{in_chinese}合计" if in_chinese else ""]
    words = naming.take(owner, [en, zh, *plain])
    if not words:
        return
    own, long = id_words(table.name, column.name, place)
    function = "avg" if averaged else "sum"
    yield Metric(
        id=naming.new_id(*(each if each.startswith(word) else f"{word}_{each}" for each in (own, long))),
        name=_name(words, en, zh),
        synonyms=tuple(each for each in words if each not in (_name(words, en, zh).en, _name(words, en, zh).zh)),
        table=table.name,
        expr=f"{function}({column.written})",
    )


def _share(table: TableProfile, column: ColumnProfile, place: int, naming: Naming) -> Iterator[Metric]:
    """The share of the rows that have a flag."""
    bare, in_chinese = flag_words(column.name)
    en, zh = f"{bare} rate" if bare else "", f"{in_chinese}率" if in_chinese else ""
    words = naming.take(f"share of {column.written}", [en, zh, f"share of {bare}" if bare else ""])
    if not words:
        return
    held = column.written if column.type == "BOOLEAN" else f"{column.written} = 1"
    own, long = id_words(table.name, column.name, place)
    yield Metric(
        id=naming.new_id(f"{own}_rate", f"{long}_rate"),
        name=_name(words, en, zh),
        synonyms=tuple(word for word in words if word not in (en, zh)),
        type="ratio",
        table=table.name,
        numerator=f"count(*) FILTER (WHERE {held})",
        denominator=f"count({column.written})",
    )


def _name(words: tuple[str, ...], en: str, zh: str) -> Name:
    """The name in those languages whose words were taken."""
    if en in words or zh in words:
        return Name(en=en if en in words else "", zh=zh if zh in words else "")
    return Name(en=words[0])
