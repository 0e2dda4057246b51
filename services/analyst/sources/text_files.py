"""Reads CSV and TSV files, of which nobody can be sure how they were written."""

from __future__ import annotations

import codecs
import csv
import re
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

import duckdb

from services.analyst.sources.column_types import make_typed_table
from services.analyst.sources.inventory import Note, literal, quote, usable_names
from services.analyst.sources.written_rows import STAGING, insert_rows

# A file beyond this is typed by DuckDB as it reads it: once, and by a sample.
_LARGE = 200 << 20
# Up to here every row is looked at before the table is made.
_SMALL = 16 << 20
_BLOCK = 1 << 20
_BOMS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# DuckDB pads short rows beside quoted line ends on one thread only.
_QUOTES = "quote = '\"', escape = '\"'"
_LOOSE = "all_varchar = true, null_padding = true, strict_mode = false, parallel = false"
_ENCODINGS = ("utf-8", "gb18030", "cp1252")
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


def load_text_file(file: Path, table: str, database: duckdb.DuckDBPyConnection) -> list[Note]:
    """Makes a table of a CSV or TSV file. Raises duckdb.Error where no way of reading it works."""
    encoding = _encoding(file)
    if encoding == "utf-8":
        return _load(file, table, database)
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8", newline="") as copy:
        with file.open(encoding=encoding, errors="replace", newline="") as opened:
            while block := opened.read(_BLOCK):
                copy.write(block)
        copy.flush()
        note = Note("source_note.encoding", {"file": file.name, "encoding": encoding})
        return [note, *_load(Path(copy.name), table, database)]


def _encoding(file: Path) -> str:
    """The encoding of a file, by the first of the common ones that it is valid in."""
    with file.open("rb") as opened:
        start = opened.read(2)
    if start in _BOMS:
        return _BOMS[start]
    for encoding in _ENCODINGS:
        decoder = codecs.getincrementaldecoder(encoding)()
        with file.open("rb") as opened:
            try:
                while block := opened.read(_BLOCK):
                    decoder.decode(block)
                decoder.decode(b"", final=True)
            except UnicodeDecodeError:
                continue
            return encoding
    return "latin-1"


def _load(file: Path, table: str, database: duckdb.DuckDBPyConnection) -> list[Note]:
    size = file.stat().st_size
    if size <= _SMALL:
        return load_small_text(file, table, database)
    options = _options(file, database)
    if size > _LARGE:
        try:
            database.execute(f"CREATE TABLE {quote(table)} AS FROM read_csv({options}, sample_size = 200000)")
            return []
        except duckdb.Error:
            # A value beyond the sample does not fit the type; the slower way reads it.
            database.execute(f"DROP TABLE IF EXISTS {quote(table)}")
    return _load_as_text(options, table, database)


def _load_as_text(options: str, table: str, database: duckdb.DuckDBPyConnection) -> list[Note]:
    """All columns as texts first; rows that are too short or too long are read rather than refused."""
    notes: list[Note] = []
    strict = f"CREATE TABLE {STAGING} AS FROM read_csv({options}, all_varchar = true)"
    try:
        database.execute(strict)
    except duckdb.Error:
        database.execute(f"DROP TABLE IF EXISTS {STAGING}")
        loose = strict.replace("all_varchar = true", _LOOSE)
        database.execute(loose)
        notes.append(Note("source_note.ragged_large", {"table": table}))
    return notes + make_typed_table(database, STAGING, table, {})


def _options(file: Path, database: duckdb.DuckDBPyConnection) -> str:
    """The arguments of read_csv: the file, and its header where its first row is one."""
    place = literal(str(file))
    tabs = f", {_QUOTES}" + (", delim = '\t'" if file.suffix.lower() == ".tsv" else "")
    first = database.execute(f"FROM read_csv({place}{tabs}, header = false, {_LOOSE}) LIMIT 1").fetchone() or ()
    if not is_header([str(cell or "") for cell in first]):
        return f"{place}{tabs}, header = false"
    names = ", ".join(literal(name) for name in usable_names(first))
    return f"{place}{tabs}, header = true, names = [{names}]"
