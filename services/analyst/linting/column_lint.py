"""Tables, columns and ids that a layer names and that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from services.analyst.linting.finding import Finding
from services.analyst.semantic.dataset import Dataset, split_column
from services.analyst.semantic.schema import Layer, TimeParts
from services.chassis.messages import Message


def lint_columns(dataset: Dataset) -> Iterator[Finding]:
    """Errors in tables, joins, dimensions and hierarchies."""
    yield from _tables(dataset)
    for at, join in enumerate(dataset.layer.joins):
        for side in ("left", "right"):
            yield from _column(dataset, getattr(join, side), ("joins", at, side), with_table=True)
    for at, dimension in enumerate(dataset.layer.dimensions):
        yield from _column(dataset, dimension.column, ("dimensions", at, "column"), with_table=True)
        if dimension.key:
            yield from _column(dataset, dimension.key, ("dimensions", at, "key"), with_table=True)
        if dimension.via and dimension.via not in dataset.aliases:
            yield _error("lint.unknown_table", ("dimensions", at, "via"), name=dimension.via)
    yield from _hierarchies(dataset.layer)


def is_known_table(dataset: Dataset, name: str) -> bool:
    """True if the data has a table."""
    return name in dataset.columns


def _tables(dataset: Dataset) -> Iterator[Finding]:
    for at, table in enumerate(dataset.layer.tables):
        if not is_known_table(dataset, table.name):
            yield _error("lint.unknown_table", ("tables", at, "name"), name=table.name)
            continue
        if table.key:
            yield from _column(dataset, f'{table.name}."{table.key}"', ("tables", at, "key"))
        if table.hour:
            yield from _column(dataset, f'{table.name}."{table.hour}"', ("tables", at, "hour"))
        times = table.time.model_dump() if isinstance(table.time, TimeParts) else {"": table.time}
        for part, column in times.items():
            if column:
                place = ("tables", at, "time", *((part,) if part else ()))
                whole = column if "." in column else f'{table.name}."{column}"'
                found = list(_column(dataset, whole, place))
                yield from found
                if not found and not part and not dataset.type_of(whole).startswith(("DATE", "TIMESTAMP")):
                    yield _error("lint.no_time", place, column=column, type=dataset.type_of(whole))


def _column(
    dataset: Dataset, column: str, place: tuple[str | int, ...], *, with_table: bool = False
) -> Iterator[Finding]:
    alias, name = split_column(column)
    table = dataset.aliases.get(alias, alias)
    if with_table and not alias:
        yield _error("lint.no_table", place, column=column)
    elif not is_known_table(dataset, table):
        yield _error("lint.unknown_table", place, name=alias)
    elif not dataset.type_of(column):
        yield _error(
            "lint.unknown_column", place, name=name, table=table, columns=tuple(list(dataset.columns[table])[:30])
        )


def _hierarchies(layer: Layer) -> Iterator[Finding]:
    known = {dimension.id for dimension in layer.dimensions}
    for at, hierarchy in enumerate(layer.hierarchies):
        for place, level in enumerate(hierarchy.levels):
            if level not in known:
                yield _error("lint.unknown_dimension", ("hierarchies", at, "levels", place), id=level)


def _error(key: str, place: tuple[str | int, ...], **details: str | tuple[str, ...]) -> Finding:
    return Finding("error", place, Message(key, details))
