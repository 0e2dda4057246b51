"""Copies tables of a PostgreSQL database in one read-only transaction, so that they fit each other."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from services.analyst.sources.inventory import ForeignKey, quote, usable_names
from services.analyst.sources.written_rows import NULL, Loaded, load_rows

if TYPE_CHECKING:
    import psycopg

_MOST_BYTES = 8 << 30
_SECONDS = 250
_TYPES = {
    "smallint": "BIGINT", "integer": "BIGINT", "bigint": "BIGINT", "numeric": "DOUBLE", "real": "DOUBLE",
    "double precision": "DOUBLE", "boolean": "BOOLEAN", "date": "DATE", "timestamp without time zone": "TIMESTAMP",
    "timestamp with time zone": "TIMESTAMP",
}  # fmt: skip
_RELATIONS = """
SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname <> 'information_schema'
  AND n.nspname NOT LIKE 'pg\\_%' AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
ORDER BY n.nspname <> 'public', n.nspname, c.relname
"""
_COLUMNS = """
SELECT a.attname, pg_catalog.format_type(a.atttypid, NULL) FROM pg_catalog.pg_attribute a
WHERE a.attrelid = %s::pg_catalog.regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""
_KEY = """
SELECT a.attname FROM pg_catalog.pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
WHERE i.indrelid = %s::pg_catalog.regclass AND i.indisprimary ORDER BY k.place
"""
_FOREIGN = """
SELECT a.attname, t.relname, b.attname FROM pg_catalog.pg_constraint f
JOIN pg_catalog.pg_class t ON t.oid = f.confrelid
JOIN pg_catalog.pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
JOIN pg_catalog.pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = f.confkey[1]
WHERE f.contype = 'f' AND f.conrelid = %s::pg_catalog.regclass AND cardinality(f.conkey) = 1
"""


def load_postgres(url: str, tables: Sequence[str], database: duckdb.DuckDBPyConnection) -> Loaded:
    """Copies `tables`, or all that may be read. Raises ValueError where that fails, without the password."""
    try:
        import psycopg
    except ImportError:
        raise ValueError("psycopg is not installed; install dbdiag[postgresql]") from None
    loaded = Loaded()
    try:
        with psycopg.connect(url, connect_timeout=10) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.read_only = True
            connection.execute(f"SET statement_timeout = '{_SECONDS}s'")
            wanted = {table.lower() for table in tables}
            for schema, name in connection.execute(_RELATIONS).fetchall():
                if (not wanted or name.lower() in wanted) and name not in loaded.keys:
                    _copy(connection, f"{quote(schema)}.{quote(name)}", name, database, loaded)
    except psycopg.Error as error:
        raise ValueError(" ".join(str(error).split())) from None
    return loaded


def _copy(
    connection: psycopg.Connection[Any], place: str, table: str, database: duckdb.DuckDBPyConnection, loaded: Loaded
) -> None:
    columns = connection.execute(_COLUMNS, [place]).fetchall()
    names = usable_names(name for name, _ in columns)
    declared = {name: _TYPES.get(kind, "VARCHAR") for name, (_, kind) in zip(names, columns, strict=True)}
    size = 0
    with tempfile.NamedTemporaryFile("wb", suffix=".csv") as file:
        listed = ", ".join(quote(name) for name, _ in columns)
        query = f"COPY (SELECT {listed} FROM {place}) TO STDOUT (FORMAT csv, FORCE_QUOTE *, NULL '{NULL}')"
        with connection.cursor().copy(query.encode()) as rows:
            for block in rows:
                size += file.write(block)
                if size > _MOST_BYTES:
                    raise ValueError(f"{table}: more than {_MOST_BYTES >> 30} GB; name the tables that are needed")
        file.flush()
        loaded.notes += load_rows(database, Path(file.name), table, names, declared)
    loaded.keys[table] = tuple(row[0] for row in connection.execute(_KEY, [place]).fetchall())
    for column, to_table, to_column in connection.execute(_FOREIGN, [place]).fetchall():
        loaded.foreign_keys.append(ForeignKey(table, column, to_table, to_column))
