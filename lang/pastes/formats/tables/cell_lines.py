"""One cell a line, as a table on a web page is copied: first the headings, then the cells of each row."""

from __future__ import annotations

from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.formats.tables.delimited import KnownColumns
from lang.pastes.model import Block, Table

_LEAST = 3


def read_cell_lines(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """The table whose first heading is line `at`, if the headings make it one of a view and the rows come out even."""
    if lines.lines[at].strip().lower() not in known.names:
        return None
    end = next((place for place in range(at, len(lines.lines)) if lines.blank[place]), len(lines.lines))
    words = [line.strip() for line in lines.lines[at:end]]
    width = next((place for place, word in enumerate(words) if word.lower() not in known.names), 0)
    if width < _LEAST or len(words) % width or len(words) < 2 * width or not known.has_view_with(words[:width]):
        return None
    rows = [tuple(words[place : place + width]) for place in range(width, len(words), width)]
    return Block("table", at, end, Table(tuple(words[:width]), tuple(rows)))
