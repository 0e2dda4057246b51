"""Rows of a CSV text. A row with broken quotes is reported by its line; reading continues after it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from services.knowledge.importing.reading.rows import BrokenRow, Row, Table

DELIMITERS = (",", "\t", ";", "|")
_SEPARATOR_LINE = re.compile(r"sep=(.)[\r\n]+")
# No limit while parsing: fields that are too long are rejected by name later.
_LONGEST_FIELD = 2**31 - 1
# An unclosed quote makes the parser read to the end of the file; this many abort the import.
_MOST_UNCLOSED = 50


def csv_tables(text: str, delimiter: str | None = None) -> Iterator[Table]:
    """The rows for each plausible delimiter, the most likely first; the reader takes the table that fits."""
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
            raise InvalidInput("invalid_tickets.unclosed_quotes", line=start + 1, count=unclosed)


def _in_words(ended: bool, delimiter: str, error: str) -> Message:
    if ended:
        return Message("rejected_ticket.unclosed_quote")
    if "expected after" in error:
        return Message("rejected_ticket.text_after_quote", {"delimiter": repr(delimiter)})
    return Message("rejected_ticket.not_csv", {"why": error})
