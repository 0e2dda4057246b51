"""Opens the files of a dataset in DuckDB: DuckDB, SQLite, CSV, Parquet, JSON and Excel files, or a folder of them."""

from __future__ import annotations

import csv
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

_READERS = {
    ".csv": "read_csv(?, sample_size = 100000, ignore_errors = false)",
    ".tsv": "read_csv(?, delim = '\t', sample_size = 100000)",
    ".parquet": "read_parquet(?)",
    ".json": "read_json(?, auto_detect = true)",
    ".jsonl": "read_json(?, format = 'newline_delimited')",
    ".ndjson": "read_json(?, format = 'newline_delimited')",
}
_SQLITE = b"SQLite format 3\x00"


def open_sources(paths: list[Path], folder: Path) -> duckdb.DuckDBPyConnection:
    """A database with the tables of all files. One DuckDB file is opened in place, read-only; others are copied.

    Raises OSError for a file that cannot be read, ValueError for an unknown kind, duckdb.Error for broken content.
    """
    config = {"temp_directory": str(folder / "spill")}
    files = [file for path in paths for file in _files(path)]
    if len(files) == 1 and _is_duckdb(files[0]):
        return duckdb.connect(str(files[0]), read_only=True, config=config)
    database = duckdb.connect(str(folder / "dataset.duckdb"), config=config)
    for file in files:
        _copy(file, database)
    return database


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(one for one in path.iterdir() if one.suffix.lower() in {*_READERS, *_LOADERS})
    elif path.exists():
        yield path
    else:
        raise FileNotFoundError(f"{path}: no such file")


def _is_duckdb(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(12)[8:12] == b"DUCK"


def _copy(file: Path, database: duckdb.DuckDBPyConnection) -> None:
    ending = file.suffix.lower()
    if _is_duckdb(file):
        _copy_duckdb(file, database)
    elif ending in _READERS:
        database.execute(f"CREATE TABLE {quote(file.stem)} AS FROM {_READERS[ending]}", [str(file)])
    elif ending in _LOADERS or _is_sqlite(file):
        _LOADERS.get(ending, _copy_sqlite)(file, database)
    else:
        raise ValueError(f"{file.name}: not a DuckDB, SQLite, CSV, Parquet, JSON or Excel file")


def _copy_duckdb(file: Path, database: duckdb.DuckDBPyConnection) -> None:
    database.execute(f"ATTACH '{str(file).replace(chr(39), chr(39) * 2)}' AS source (READ_ONLY)")
    tables = database.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'source'").fetchall()
    for (table,) in tables:
        database.execute(f"CREATE TABLE {quote(table)} AS FROM source.{quote(table)}")
    database.execute("DETACH source")


def _is_sqlite(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(16) == _SQLITE


def _copy_sqlite(file: Path, database: duckdb.DuckDBPyConnection) -> None:
    """SQLite checks no types: a column gets the one that all of its values fit."""
    source = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    source.text_factory = lambda raw: raw.decode("utf-8", "replace")
    names = source.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall()
    for (table,) in names:
        cursor = source.execute(f"SELECT * FROM {quote(table)}")
        _insert(database, table, [column[0] for column in cursor.description], cursor)
    source.close()


def _copy_excel(file: Path, database: duckdb.DuckDBPyConnection) -> None:
    import openpyxl

    book = openpyxl.load_workbook(file, read_only=True, data_only=True)
    for sheet in book.worksheets:
        rows = sheet.iter_rows(values_only=True)
        header = [str(cell) if cell is not None else f"column_{at}" for at, cell in enumerate(next(rows, ()), 1)]
        name = file.stem if len(book.worksheets) == 1 else sheet.title
        if header:
            _insert(database, name, header, rows)
    book.close()


def _insert(database: duckdb.DuckDBPyConnection, table: str, header: list[str], rows: Iterable[Sequence[Any]]) -> None:
    """Rows of Python values as a table; DuckDB finds the type of a column in all of its values."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_unique(header))
        writer.writerows([_text(cell) for cell in row] for row in rows)
        file.flush()
        database.execute(
            f"CREATE TABLE {quote(table)} AS FROM read_csv(?, header = true, delim = ',', quote = '\"', escape = '\"',"
            " nullstr = '', sample_size = -1, null_padding = true)",
            [file.name],
        )


def _text(cell: object) -> str | None:
    return cell.hex() if isinstance(cell, bytes) else None if cell is None else str(cell)


def _unique(header: list[str]) -> list[str]:
    """Column names, of equal ones the later with a number."""
    seen: dict[str, int] = {}
    names = []
    for name in header:
        count = seen[name.lower()] = seen.get(name.lower(), 0) + 1
        names.append(name if count == 1 else f"{name}_{count}")
    return names


def quote(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


_LOADERS: dict[str, Callable[[Path, duckdb.DuckDBPyConnection], None]] = {
    ".xlsx": _copy_excel,
    ".sqlite": _copy_sqlite,
    ".sqlite3": _copy_sqlite,
    ".db": _copy_sqlite,
}
