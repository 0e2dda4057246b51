"""Rows of an export, and of a CSV text whatever its encoding; a row with broken quotes is reported by its line."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message

DELIMITERS = (",", "\t", ";", "|")
_SEPARATOR_LINE = re.compile(r"sep=(.)[\r\n]+")
# No limit while parsing: fields that are too long are rejected by name later.
_LONGEST_FIELD = 2**31 - 1
# An unclosed quote makes the parser read to the end of the file; this many abort the import.
_MOST_UNCLOSED = 50
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# Real Chinese text consists almost entirely of GB 2312 characters; other bytes decoded as GB18030 do not.
_LEAST_COMMON = 0.9
_MOST_BAD_LINES = 0.5


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


def decode_export(content: bytes, encoding: str | None = None) -> str:
    """The text; undecodable bytes of single lines become surrogates, so that only their records are rejected.

    Raises InvalidInput if most lines are undecodable, or if the text does not fit the encoding given.
    """
    if encoding is not None:
        return _as_named(content, encoding)
    named = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(named)
    except UnicodeDecodeError as error:
        if named == "utf-16":
            raise InvalidInput("invalid_tickets.not_utf16", byte=error.start) from error
        return _chinese(content) or _mostly(content, error.start)


def _as_named(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except LookupError as error:
        raise InvalidInput("invalid_tickets.unknown_encoding", encoding=encoding[:40]) from error
    except UnicodeDecodeError as error:
        raise InvalidInput("invalid_tickets.other_encoding", byte=error.start, encoding=encoding) from error


def _chinese(content: bytes) -> str | None:
    try:
        text = content.decode("gb18030")
    except UnicodeDecodeError:
        return None
    foreign = "".join(sign for sign in text if ord(sign) > 127)
    common = len(foreign.encode("gb2312", "ignore")) / 2
    return text if foreign and common / len(foreign) >= _LEAST_COMMON else None


def _mostly(content: bytes, start: int) -> str:
    text = content.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    lines = [line for line in text.split("\n") if line.strip()]
    bad = sum(any(unicodedata.category(sign) == "Cs" for sign in line) for line in lines)
    if bad > _MOST_BAD_LINES * len(lines):
        raise InvalidInput("invalid_tickets.no_encoding", byte=start)
    return text


@dataclass(frozen=True)
class Row:
    """number: its line in a CSV file or its row in a sheet, from 1. joined: columns whose cell spans the row before."""

    number: int
    cells: tuple[str, ...]
    joined: frozenset[int] = frozenset()

    @property
    def empty(self) -> bool:
        """True if all cells are blank."""
        return not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True)
class BrokenRow:
    """A line that could not be read as a row, and why."""

    number: int
    reason: Message


@dataclass(frozen=True)
class Table:
    """Rows in their order. name: the sheet's, or empty."""

    name: str
    rows: tuple[Row | BrokenRow, ...]
