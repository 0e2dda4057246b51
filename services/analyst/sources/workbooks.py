"""Reads Excel files: each sheet is a table, whose header is its first row with several cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import duckdb

from services.analyst.sources.inventory import Note
from services.analyst.sources.loaded import Loaded
from services.analyst.sources.written_rows import insert_rows

# Titles and blank rows above a header.
_MOST_ABOVE = 20


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
