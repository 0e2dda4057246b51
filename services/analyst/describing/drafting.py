"""Drafts a whole layer from the data: profile, links, roles, then names, figures and dimensions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Iterator, Mapping, Sequence

from services.analyst.describing.column_roles import key_of, label_of, roles_of, time_of
from services.analyst.describing.dimension_drafts import draft_dimensions
from services.analyst.describing.join_search import Link, find_links
from services.analyst.describing.metric_drafts import draft_counts, draft_figures
from services.analyst.describing.naming import Naming, table_name
from services.analyst.describing.profile import TableProfile, profile_tables
from services.analyst.execution.runner import Runner
from services.analyst.semantic.dataset import write_column
from services.analyst.semantic.schema import Hierarchy, Join, Layer, Name, Table, TimeParts

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
