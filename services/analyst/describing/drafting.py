"""Drafts a whole layer from the data: profile, links, roles, then names, figures and dimensions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Iterator, Mapping, Sequence

from services.analyst.describing.column_roles import Role, is_averaged, key_of, label_of, roles_of, time_of
from services.analyst.describing.dimension_drafts import (
    Naming,
    column_words,
    draft_dimensions,
    flag_words,
    id_words,
    table_name,
    table_words,
)
from services.analyst.describing.join_search import Link, find_links
from services.analyst.describing.plain_words import plural, slug
from services.analyst.describing.profile import ColumnProfile, TableProfile, profile_tables
from services.analyst.execution.runner import Runner
from services.analyst.semantic.dataset import write_column
from services.analyst.semantic.schema import Hierarchy, Join, Layer, Metric, Name, Table, TimeParts

# Data that ended longer ago is asked about as of its last day.
_FRESH = dt.timedelta(days=31)
_HIERARCHIES = (("country", "region", "province", "city"), ("division", "department", "team"), ("category", "product"))


async def draft_layer(runner: Runner, name: str, today: dt.date) -> Layer:
    """The layer of what a runner holds. name: of the dataset. Raises InvalidInput where a source cannot be read."""
    catalog = await runner.open()
    tables = await profile_tables(runner, catalog)
    links = await find_links(runner, catalog, tables)
    roles = {
        table.name: roles_of(table, [link.column for link in links if link.table == table.name])
        for table in tables.values()
    }
    naming = Naming(column for table in tables.values() for column in table.columns)
    counts = draft_counts(tables, naming)
    labels = _labels(tables, links)
    attached = {link.table for link in links if link.one_to_one}
    events = [name for name in tables if name not in labels and name not in attached]
    # Events' figures have the first choice of names, columns of things come after them.
    figures = draft_figures({name: tables[name] for name in events}, roles, events, naming)
    dimensions = draft_dimensions(_without_names(tables, attached), links, labels, naming)
    figures += draft_figures({name: one for name, one in tables.items() if name not in events}, roles, events, naming)
    times = _times(tables, links)
    ids = [dimension.id for dimension in dimensions]
    return Layer(
        version=1,
        dataset=name,
        title=Name(en=name),
        as_of=_as_of(tables, {name: time for name, time in times.items() if name not in labels}, today),
        tables=tuple(_table(table, times.get(table.name)) for table in tables.values()),
        joins=tuple(_join(link) for link in links),
        metrics=(*counts, *figures),
        dimensions=tuple(dimensions),
        hierarchies=tuple(_hierarchies(ids)),
    )


def _without_names(tables: Mapping[str, TableProfile], attached: Container[str]) -> dict[str, TableProfile]:
    """The tables; those with further columns of a thing without the name that it has in its own table."""
    return {
        name: TableProfile(one.facts, {key: column for key, column in one.columns.items() if key != label_of(one)})
        if name in attached
        else one
        for name, one in tables.items()
    }


def _labels(tables: Mapping[str, TableProfile], links: Sequence[Link]) -> dict[str, str]:
    """The column with the name of a row, of tables of things; further columns of a thing are no things themselves."""
    found = {name: label for name, table in tables.items() if (label := label_of(table))}
    above = {link.table: link.to_table for link in links if link.one_to_one}
    return {name: label for name, label in found.items() if above.get(name) not in found}


def _table(table: TableProfile, time: str | TimeParts | None) -> Table:
    return Table(name=table.name, key=key_of(table), time=time, description=table_name(table.name))


def _join(link: Link) -> Join:
    return Join(
        left=write_column(link.table, link.column),
        right=write_column(link.to_table, link.to_column),
        type="one_to_one" if link.one_to_one else "many_to_one",
        optional=link.optional,
        role=link.role,
    )


def _times(tables: Mapping[str, TableProfile], links: Sequence[Link]) -> dict[str, str | TimeParts]:
    """The time of each table: its own, else that of the one table with a time that its rows belong to."""
    own = {name: time for name, table in tables.items() if (time := time_of(table)) is not None}
    inherited: dict[str, str | TimeParts] = {}
    for name in tables.keys() - own.keys():
        above = [
            link.to_table
            for link in links
            if link.table == name and not link.role and not link.one_to_one and link.to_table in own
        ]
        times = [time for table in above if isinstance(time := own[table], str)]
        if len(times) == len(above) == 1:
            inherited[name] = write_column(above[0], times[0])
    return own | inherited


def _as_of(tables: Mapping[str, TableProfile], times: Mapping[str, str | TimeParts], today: dt.date) -> dt.date | None:
    """The last day of the data, if that is long ago; None for data that goes on.

    times: of tables of events; when customers came or schools opened says nothing about how far the data goes.
    """
    days = []
    for name, time in times.items():
        column = tables[name].columns.get(time) if isinstance(time, str) else None
        if column is not None and isinstance(column.most, str):
            days.append(dt.date.fromisoformat(column.most[:10]))
    last = max((day for day in days if day <= today), default=None)
    return last if last and today - last > _FRESH else None


def _hierarchies(ids: Sequence[str]) -> Iterator[Hierarchy]:
    for levels in _HIERARCHIES:
        found = tuple(level for level in levels if level in ids)
        if len(found) > 1:
            yield Hierarchy(id=f"by_{found[0]}", levels=found)


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
