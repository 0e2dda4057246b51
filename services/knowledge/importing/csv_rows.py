"""Rows of a CSV text. A row with broken quotes is named by its line, and the rows after it are read."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from services.chassis.errors import InvalidInput
from services.knowledge.importing.rows import BrokenRow, Row, Table

DELIMITERS = (",", "\t", ";", "|")
_SEPARATOR_LINE = re.compile(r"sep=(.)[\r\n]+")
# The module refuses longer fields as broken; ours are refused by name, once they are read.
_LONGEST_FIELD = 2**31 - 1
# A quote that is never closed is read to the end of the file; after so many of them the file is given up.
_MOST_UNCLOSED = 50


def csv_tables(text: str, delimiter: str | None = None) -> Iterator[Table]:
    """The rows by each delimiter that may be meant, the likelier first; a reader takes the table that fits."""
    told = _SEPARATOR_LINE.match(text)
    lines = list(io.StringIO(text, newline=""))
    for mark in [delimiter or (told[1] if told else None)] if delimiter or told else _likely(text):
        yield Table("", tuple(_rows(lines, str(mark), 1 if told else 0)))


def _likely(text: str) -> list[str]:
    head = text[:10_000]
    return sorted((mark for mark in DELIMITERS if mark in head), key=lambda mark: -head.count(mark)) or [","]


def _rows(lines: list[str], delimiter: str, first: int) -> Iterator[Row | BrokenRow]:
    csv.field_size_limit(_LONGEST_FIELD)
    position, unclosed = first, 0
    while position < len(lines):
        start = position
        reader = csv.reader((lines[at] for at in range(position, len(lines))), delimiter=delimiter, strict=True)
        try:
            for cells in reader:
                yield Row(start + 1, tuple(cells))
                start = position + reader.line_num
            return
        except csv.Error as error:
            ended = "unexpected end" in str(error)
            unclosed += ended
            yield BrokenRow(start + 1, _in_words(ended, delimiter, str(error)))
            position = start + 1
        if unclosed > _MOST_UNCLOSED:
            why = f"line {start + 1}: {unclosed} quotes are opened and never closed; export it again"
            raise InvalidInput(f"reading the export: {why}", reason="invalid_tickets")


def _in_words(ended: bool, delimiter: str, error: str) -> str:
    if ended:
        return "a quote that opens in this record is never closed"
    if "expected after" in error:
        return (
            f"a quoted field goes on after its closing quote; double the quotes inside it, and set {delimiter!r} after"
        )
    return f"not CSV: {error}"
