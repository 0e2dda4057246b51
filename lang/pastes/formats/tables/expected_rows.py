"""Rows without a heading that a check printed which was asked for: each cell is of its column's kind.

The last column, which terminals cut off, may be missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from lang.pastes.cells import read_lsn, read_number, type_cell
from lang.pastes.durations import read_duration
from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.formats.tables.grids import skip_footer
from lang.pastes.model import Block, Column, Table

_LEAST = 3
_SIGNS = ("|", "\t")


def read_expected_rows(lines: PastedLines, at: int, expected: Sequence[Sequence[Column]]) -> Block | None:
    """The rows from line `at` on as those of the first of the expected outputs that can have printed them."""
    for whole in expected if any(sign in lines.lines[at] for sign in _SIGNS) else ():
        for columns in (whole, whole[:-1]):
            rows, last = _rows(lines, at, columns)
            if rows:
                names = tuple(column.name for column in columns)
                return Block("table", at, skip_footer(lines, last), Table(names, tuple(rows)))
    return None


def _rows(lines: PastedLines, at: int, columns: Sequence[Column]) -> tuple[list[tuple[str, ...]], int]:
    rows: list[tuple[str, ...]] = []
    while at < len(lines.lines) and not FOOTER.fullmatch(lines.lines[at]):
        cells = _cells(lines.lines[at], len(columns))
        if not _fit(cells, columns):
            break
        rows.append(cells)
        at += 1
    return rows, at


def _cells(line: str, width: int) -> tuple[str, ...]:
    sign = next((sign for sign in _SIGNS if sign in line), "|")
    cells = tuple(cell.strip() for cell in line.split(sign))
    bordered = sign == "|" and len(cells) == width + 2 and not cells[0] and not cells[-1]
    return cells[1:-1] if bordered else cells


def _fit(cells: Sequence[str], columns: Sequence[Column]) -> bool:
    """True if every cell can be one of its column, and some cell is more than a mere text."""
    if len(cells) < _LEAST or len(cells) != len(columns):
        return False
    pairs = [(cell, column) for cell, column in zip(cells, columns, strict=True) if type_cell(cell) is not None]
    return all(_is_of(cell, column) for cell, column in pairs) and any(column.kind != "text" for _, column in pairs)


def _is_of(cell: str, column: Column) -> bool:
    value = type_cell(cell)
    match column.kind:
        case "number" | "percent":
            return read_number(cell) is not None
        case "bool":
            return isinstance(value, bool)
        case "duration":
            return read_duration(cell, 1.0) is not None
        case "lsn":
            return read_lsn(cell) is not None
        case "bytes":
            return isinstance(value, float)
        case "time":
            return isinstance(value, float) and read_number(cell) is None
    return True
