"""Reads SQLite databases, in which a declared type holds where all values fit it, and Excel workbooks."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import duckdb

from services.analyst.sources.inventory import ForeignKey, Note, quote, usable_names
from services.analyst.sources.written_rows import Loaded, insert_rows

_MAGIC = b"SQLite format 3\x00"
# By SQLite's own rules of affinity; dates and times are texts in it.
_DECLARED = (
    ("INT", "BIGINT"), ("CHAR", "VARCHAR"), ("CLOB", "VARCHAR"), ("TEXT", "VARCHAR"), ("BOOL", "BOOLEAN"),
    ("TIMESTAMP", "TIMESTAMP"), ("DATETIME", "TIMESTAMP"), ("DATE", "DATE"), ("REAL", "DOUBLE"), ("FLOA", "DOUBLE"),
    ("DOUB", "DOUBLE"), ("DEC", "DOUBLE"), ("NUM", "DOUBLE"),
)  # fmt: skip
_LENGTH = re.compile(r"\(.*")
# Titles and blank rows above a header.
_MOST_ABOVE = 20


def is_sqlite(file: Path) -> bool:
    """True if a file is a SQLite database."""
    with file.open("rb") as opened:
        return opened.read(16) == _MAGIC


def load_sqlite(file: Path, database: duckdb.DuckDBPyConnection) -> Loaded:
    """Copies all tables. Raises ValueError where the file is damaged."""
    loaded = Loaded()
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source:
            source.text_factory = lambda raw: raw.decode("utf-8", "replace")
            for table in _tables(source):
                loaded.notes += _load_table(source, table, database, loaded)
    except sqlite3.Error as error:
        raise ValueError(f"{file.name}: {error}") from None
    return loaded


def _tables(source: sqlite3.Connection) -> list[str]:
    found = source.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return sorted(row[0] for row in found)


def _load_table(
    source: sqlite3.Connection, table: str, database: duckdb.DuckDBPyConnection, loaded: Loaded
) -> list[Note]:
    facts = source.execute(f"PRAGMA table_info({quote(table)})").fetchall()
    usable = dict(zip((fact[1] for fact in facts), usable_names(fact[1] for fact in facts), strict=True))
    declared = {usable[name]: kind for _, name, words, *_ in facts if (kind := _declared(words))}
    cursor = source.execute(f"SELECT * FROM {quote(table)}")
    notes = insert_rows(database, table, [column[0] for column in cursor.description], cursor, declared)
    loaded.keys[table] = tuple(usable[fact[1]] for fact in sorted(facts, key=lambda one: one[5]) if fact[5])
    for key in source.execute(f"PRAGMA foreign_key_list({quote(table)})").fetchall():
        target, column, to_column = key[2], key[3], key[4]
        loaded.foreign_keys.append(ForeignKey(table, usable.get(column, column), target, to_column or ""))
    return notes


def _declared(words: str) -> str:
    """The DuckDB type for a declared one; empty for one that says nothing."""
    name = _LENGTH.sub("", words or "").upper()
    return next((kind for part, kind in _DECLARED if part in name), "")


def load_workbook_file(file: Path, database: duckdb.DuckDBPyConnection) -> Loaded:
    """Makes a table of each sheet that has one. Raises ValueError for a file that is no workbook."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(file, read_only=True, data_only=True)
    except (BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise ValueError(f"{file.name}: {error}") from None
    loaded = Loaded()
    sheets = [sheet for sheet in book.worksheets if sheet.max_row]
    for sheet in sheets:
        rows = sheet.iter_rows(values_only=True)
        name = file.stem if len(sheets) == 1 else sheet.title
        loaded.notes += _load_sheet(name, rows, database)
    book.close()
    return loaded


def _load_sheet(name: str, rows: Iterator[Sequence[Any]], database: duckdb.DuckDBPyConnection) -> list[Note]:
    header: list[Any] = []
    skipped = 0
    for row in rows:
        header = _trimmed(row)
        if len(header) > 1 or len(row) == len(header) == 1 or skipped == _MOST_ABOVE:
            break
        skipped += 1
    if not header:
        return []
    filled = (row for row in rows if any(cell is not None for cell in row))
    notes = insert_rows(database, name, header, filled, {})
    if skipped:
        notes.append(Note("source_note.above_header", {"table": name, "count": skipped}))
    return notes


def _trimmed(row: Sequence[Any]) -> list[Any]:
    """The cells up to the last that is filled."""
    cells = list(row)
    while cells and (cells[-1] is None or not str(cells[-1]).strip()):
        cells.pop()
    return cells
