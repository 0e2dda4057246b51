"""Reads SQLite databases, which keep any value in any column: a declared type holds where all values fit it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb

from services.analyst.sources.inventory import ForeignKey, Note
from services.analyst.sources.loaded import Loaded
from services.analyst.sources.quoting import quote, usable_names
from services.analyst.sources.written_rows import insert_rows

_MAGIC = b"SQLite format 3\x00"
# By SQLite's own rules of affinity; dates and times are texts in it.
_DECLARED = (
    ("INT", "BIGINT"), ("CHAR", "VARCHAR"), ("CLOB", "VARCHAR"), ("TEXT", "VARCHAR"), ("BOOL", "BOOLEAN"),
    ("TIMESTAMP", "TIMESTAMP"), ("DATETIME", "TIMESTAMP"), ("DATE", "DATE"), ("REAL", "DOUBLE"), ("FLOA", "DOUBLE"),
    ("DOUB", "DOUBLE"), ("DEC", "DOUBLE"), ("NUM", "DOUBLE"),
)  # fmt: skip
_LENGTH = re.compile(r"\(.*")


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
