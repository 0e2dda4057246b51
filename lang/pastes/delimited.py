"""Unaligned psql output, CSV and TSV: a heading of names, and rows with as many cells."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator

from lang.pastes.grids import FOOTER, skip_footer
from lang.pastes.model import Block, Table
from lang.pastes.pasted_lines import PastedLines

_SIGNS = ("|", "\t", ",", ";")
# A heading is believed without a footer when this share of its names is known from the checks.
_KNOWN = 0.6


def read_delimited(lines: PastedLines, at: int, known: Collection[str]) -> Block | None:
    """The table whose heading is line `at`: its names are known, or a footer counts its rows."""
    line = lines.lines[at]
    sign = next((sign for sign in _SIGNS if sign in line), None)
    if sign is None:
        return None
    names = [name.strip('"') for name in line.split(sign)]
    if len(names) < 2 or not all(map(_is_name, names)):
        return None
    rows, last = _rows(lines, at + 1, sign, len(names))
    trusted = sum(name.lower() in known for name in names) >= _KNOWN * len(names)
    footed = sign == "|" and last < len(lines.lines) and FOOTER.fullmatch(lines.lines[last]) is not None
    if not (trusted or footed or (sign in "|\t" and len(rows) > 1)):
        return None
    return Block("table", at, skip_footer(lines, last), Table(tuple(names), rows))


def _is_name(word: str) -> bool:
    return (
        word.isascii()
        and (word == "?column?" or word.replace("_", "a").replace(".", "a").isalnum())
        and not word[0].isdigit()
    )


def _rows(lines: PastedLines, at: int, sign: str, width: int) -> tuple[tuple[tuple[str, ...], ...], int]:
    """The rows from line `at` on, and the line after them; only CSV quotes, and a quoted cell may hold line breaks."""
    if sign in ",;":
        reader = csv.reader(_to_blank(lines, at), delimiter=sign)
    else:
        reader = csv.reader(_to_blank(lines, at), delimiter=sign, quoting=csv.QUOTE_NONE)
    rows: list[tuple[str, ...]] = []
    last = at
    for row in reader:
        if len(row) > width and sign == "|":
            # The last column is mostly a query, which may hold the sign itself.
            row = [*row[: width - 1], sign.join(row[width - 1 :])]
        if len(row) != width:
            break
        rows.append(tuple(row))
        last = at + reader.line_num
    return tuple(rows), last


def _to_blank(lines: PastedLines, at: int) -> Iterator[str]:
    for place in range(at, len(lines.lines)):
        if lines.blank[place]:
            return
        yield lines.lines[place] + "\n"
