"""A retailer's warehouse of ten tables, made the same every time, with its semantic layer and its questions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import duckdb

from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Cell, Dataset, split_column
from services.analyst.semantic.loading import load_layer
from services.analyst.semantic.schema import Layer

FOLDER = Path(__file__).parent
LAYER = FOLDER / "layer.yaml"
_MANY = 20_000


def fill(connection: duckdb.DuckDBPyConnection, scale: float = 1.0) -> None:
    """Creates the ten tables; scale 1 is 200,000 rows."""
    script = (FOLDER / "tables.sql").read_text("utf-8")
    connection.execute(script.replace(":scale", str(round(scale * 1_000))))


def write(path: Path, scale: float = 1.0) -> None:
    """The warehouse as a DuckDB file."""
    with duckdb.connect(str(path)) as connection:
        fill(connection, scale)


@cache
def retail() -> Dataset:
    """The layer over a tenth of the rows, as questions are read against it."""
    with duckdb.connect() as connection:
        fill(connection, 0.1)
        return describe(connection)


@cache
def parser() -> Parser:
    """The parser of that layer, for all who only ask."""
    return Parser(retail())


def describe(connection: duckdb.DuckDBPyConnection, layer: Layer | None = None) -> Dataset:
    """The dataset of a filled database; without a layer that of the retailer."""
    layer = layer or load_layer(LAYER)
    columns: dict[str, dict[str, str]] = {}
    for table, column, kind in connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns()"
        " WHERE NOT internal ORDER BY table_oid, column_index"
    ).fetchall():
        columns.setdefault(table, {})[column] = kind
    bare = Dataset(layer, columns)
    values: dict[str, tuple[Cell, ...]] = {}
    for dimension in layer.dimensions:
        if bare.type_of(dimension.column) == "VARCHAR":
            table, column = bare.table_of(dimension), split_column(dimension.column)[1]
            found = connection.execute(
                f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL ORDER BY 1 LIMIT {_MANY}'
            ).fetchall()
            values[dimension.id] = tuple(each for (each,) in found)
    return Dataset(layer, columns, values)
