"""Says what is in an open database, with the keys that its sources declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import duckdb

from services.analyst.sources.inventory import Catalog, ForeignKey, Note, TableFacts
from services.analyst.sources.loaded import Loaded
from services.analyst.sources.quoting import quote

MOST_TABLES = 500


def read_catalog(database: duckdb.DuckDBPyConnection, loaded: Loaded) -> Catalog:
    """All tables and views of the main schema; a view that does not run is left out and named.

    Raises ValueError without any table and with too many.
    """
    found = database.execute(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'"
        " AND table_catalog = current_database() ORDER BY table_name"
    ).fetchall()
    if not found:
        raise ValueError("no table in these sources")
    if len(found) > MOST_TABLES:
        raise ValueError(f"{len(found)} tables; at most {MOST_TABLES}")
    tables: dict[str, TableFacts] = {}
    notes = list(loaded.notes)
    for (name,) in found:
        try:
            described = database.execute(f"DESCRIBE {quote(name)}").fetchall()
            counted = database.execute(f"SELECT count(*) FROM {quote(name)}").fetchone()
        except duckdb.Error as error:
            notes.append(Note("source_note.view_fails", {"table": name, "why": str(error).splitlines()[0]}))
            continue
        columns = {row[0]: str(row[1]) for row in described}
        tables[name] = TableFacts(name, columns, counted[0] if counted else 0, loaded.keys.get(name, ()))
    return Catalog(tables, tuple(_complete(loaded.foreign_keys, tables)), tuple(notes))


def _complete(keys: Sequence[ForeignKey], tables: Mapping[str, TableFacts]) -> Iterator[ForeignKey]:
    """The foreign keys as the tables spell their names; one without a column means the key of its table."""
    spelled = {name.lower(): table for name, table in tables.items()}
    for key in keys:
        table, other = spelled.get(key.table.lower()), spelled.get(key.to_table.lower())
        if table is None or other is None:
            continue
        column = _spelled(key.column, table)
        to_column = _spelled(key.to_column, other) if key.to_column else (other.key[0] if len(other.key) == 1 else "")
        if column and to_column:
            yield ForeignKey(table.name, column, other.name, to_column)


def _spelled(name: str, table: TableFacts) -> str:
    return next((column for column in table.columns if column.lower() == name.lower()), "")
