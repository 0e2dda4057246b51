"""Opens the sources of a dataset as one read-only DuckDB database, and reads what its catalog holds."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias

import duckdb

from services.analyst.sources.inventory import Catalog, ForeignKey, Note, TableFacts, literal, quote
from services.analyst.sources.postgres import load_postgres
from services.analyst.sources.source import Source
from services.analyst.sources.sqlite_files import is_sqlite, load_sqlite, load_workbook_file
from services.analyst.sources.text_files import load_text_file
from services.analyst.sources.written_rows import Loaded, from_plain, insert_rows

KINDS = {".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson", ".xlsx", ".sqlite", ".sqlite3", ".db", ".duckdb"}
_READERS = {
    ".parquet": "read_parquet({place})",
    ".json": "read_json({place}, format = 'auto', sample_size = -1, maximum_object_size = 268435456)",
    ".jsonl": "read_json({place}, format = 'newline_delimited', sample_size = -1)",
    ".ndjson": "read_json({place}, format = 'newline_delimited', sample_size = -1)",
}
_DATABASE = "dataset.duckdb"
_DECLARATIONS = "declared.json"
Config: TypeAlias = "dict[str, str | bool | int | float | list[str]]"
MOST_TABLES = 500


def open_sources(sources: Sequence[Source], folder: Path, spill: str) -> tuple[duckdb.DuckDBPyConnection, Loaded]:
    """The database, and what its sources declared. One DuckDB file is opened in place, others are copied once.

    folder: where the copy lies; a later process finds it there. spill: the folder for what exceeds the memory.
    Raises OSError for a file that cannot be read, ValueError for an unknown or damaged one, duckdb.Error for content
    that DuckDB cannot read.
    """
    config: Config = {"temp_directory": spill}
    files = [file for source in sources if source.path for file in _files(source.path)]
    if len(files) == 1 and len(sources) == 1 and _is_duckdb(files[0]):
        database = duckdb.connect(str(files[0]), read_only=True, config=config)
        return database, _declared(database)
    copy, noted = folder / _DATABASE, folder / _DECLARATIONS
    if not noted.exists():
        # Another process may make the same copy: the one that is done first does not change under the other.
        made = folder / f"{os.getpid()}.duckdb"
        declared = json.dumps(asdict(_load(sources, files, made, config)))
        made.replace(copy)
        made.write_text(declared, "utf-8")
        made.replace(noted)
    return duckdb.connect(str(copy), read_only=True, config=config), from_plain(json.loads(noted.read_text("utf-8")))


def _load(sources: Sequence[Source], files: Sequence[Path], copy: Path, config: Config) -> Loaded:
    copy.unlink(missing_ok=True)
    loaded = Loaded()
    with duckdb.connect(str(copy), config=config) as database:
        for file in files:
            loaded.add(_load_file(file, database))
        for source in sources:
            if source.url:
                loaded.add(load_postgres(source.url, source.tables, database))
            elif source.rows:
                rows = source.rows
                loaded.notes += insert_rows(database, rows.name, list(rows.types), rows.rows, rows.types)
                loaded.keys[rows.name] = (rows.key,) if rows.key else ()
    return loaded


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if one.suffix.lower() in KINDS and one.is_file())
        if not found:
            raise ValueError(f"{path.name}: no data file in this folder; known are {', '.join(sorted(KINDS))}")
        yield from found
    elif path.is_file():
        yield path
    else:
        raise FileNotFoundError(f"{path}: no such file")


def _is_duckdb(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(12)[8:12] == b"DUCK"


def _load_file(file: Path, database: duckdb.DuckDBPyConnection) -> Loaded:
    ending, table = file.suffix.lower(), file.stem.strip()
    if _is_duckdb(file):
        return _copy_duckdb(file, database)
    if is_sqlite(file):
        return load_sqlite(file, database)
    if ending == ".xlsx":
        return load_workbook_file(file, database)
    if ending in (".csv", ".tsv"):
        return Loaded(notes=load_text_file(file, table, database))
    if ending not in _READERS:
        raise ValueError(f"{file.name}: none of DuckDB, SQLite, CSV, TSV, Parquet, JSON and Excel (.xlsx)")
    database.execute(f"CREATE TABLE {quote(table)} AS FROM {_READERS[ending].format(place=literal(str(file)))}")
    return Loaded()


def _copy_duckdb(file: Path, database: duckdb.DuckDBPyConnection) -> Loaded:
    database.execute(f"ATTACH {literal(str(file))} AS dbdiag_source (READ_ONLY)")
    names = database.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'dbdiag_source' AND schema_name = 'main'"
    ).fetchall()
    for (name,) in names:
        database.execute(f"CREATE TABLE {quote(name)} AS FROM dbdiag_source.{quote(name)}")
    database.execute("DETACH dbdiag_source")
    return Loaded()


def _declared(database: duckdb.DuckDBPyConnection) -> Loaded:
    """The keys of a DuckDB file."""
    loaded = Loaded()
    constraints = database.execute(
        "SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names"
        " FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')"
    ).fetchall()
    for table, kind, columns, to_table, to_columns in constraints:
        if kind == "PRIMARY KEY":
            loaded.keys[table] = tuple(columns)
        elif len(columns) == 1:
            loaded.foreign_keys.append(ForeignKey(table, columns[0], to_table, to_columns[0]))
    return loaded


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
