"""Reads a CSV or TSV file row by row, so that none is lost, however ragged they are."""

from __future__ import annotations

import csv
import re
from collections import Counter
from itertools import islice
from pathlib import Path

import duckdb

from services.analyst.sources.inventory import Note
from services.analyst.sources.written_rows import insert_rows

_DELIMITERS = ",;\t|"
_SAMPLE = 50
_LONGEST_CELL = 16 << 20
_NUMBER = re.compile(r"[-+]?(\d+([.,]\d+)*|\.\d+)%?")
_YEAR = re.compile(r"(19|20)\d\d")


def load_small_text(file: Path, table: str, database: duckdb.DuckDBPyConnection) -> list[Note]:
    """Makes a table of a UTF-8 file. Raises ValueError for an empty one, and for one that is no CSV."""
    csv.field_size_limit(_LONGEST_CELL)
    with file.open(encoding="utf-8-sig", newline="") as opened:
        lines = [line.replace("\0", "") for line in opened]
    try:
        rows = [row for row in csv.reader(lines, delimiter=_delimiter(lines)) if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ValueError(f"{table}: {error}") from None
    if not rows:
        raise ValueError(f"{table}: the file is empty")
    header = rows.pop(0) if is_header(rows[0]) else []
    width = max(map(len, [header, *rows]))
    header += [""] * (width - len(header))
    ragged = sum(len(row) != width for row in rows)
    notes = insert_rows(database, table, header, ([cell or None for cell in row] for row in rows), {})
    return [Note("source_note.ragged", {"table": table, "count": ragged}), *notes] if ragged else notes


def is_header(cells: list[str]) -> bool:
    """A first row with numbers is data, unless they are years."""
    numbers = [cell.strip() for cell in cells if _NUMBER.fullmatch(cell.strip())]
    return all(_YEAR.fullmatch(number) for number in numbers)


def _delimiter(lines: list[str]) -> str:
    """The sign that splits most of the first rows into the same number of cells, more than one."""

    def fitting(sign: str) -> tuple[int, int]:
        widths = Counter(len(row) for row in islice(csv.reader(lines, delimiter=sign), _SAMPLE) if row)
        width, count = max(widths.items(), key=lambda one: (one[0] > 1, one[1]), default=(1, 0))
        return (count, width) if width > 1 else (0, width)

    return max(_DELIMITERS, key=fitting)
