"""Rows without a heading that a check printed which was asked for: each cell is of its column's kind.

The last column, which terminals cut off, may be missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from lang.pastes.cells import read_duration, read_lsn, read_number, type_cell
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
            if _tell_the_query(rows, columns):
                names = tuple(column.name for column in columns)
                return Block("table", at, skip_footer(lines, last), Table(names, tuple(rows)))
    return None


def _rows(lines: PastedLines, at: int, columns: Sequence[Column]) -> tuple[list[tuple[str, ...]], int]:
    rows: list[tuple[str, ...]] = []
    while at < len(lines.lines) and not FOOTER.fullmatch(lines.lines[at]):
        cells = _cells(lines.lines[at], len(columns))
        if not _fit(cells, columns) or {*cells} <= {column.name for column in columns}:
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
    """True if every cell can be one of its column."""
    if len(cells) < _LEAST or len(cells) != len(columns):
        return False
    return all(can_be(cell, column) for cell, column in _present(cells, columns))


def _tell_the_query(rows: Sequence[Sequence[str]], columns: Sequence[Column]) -> bool:
    """True if some cell is more than a mere text, or if each of several rows has a text that stands in the query."""
    typed = any(column.kind != "text" for row in rows for _, column in _present(row, columns))
    return typed or (len(rows) > 1 and not any(columns[0].literals.isdisjoint(row) for row in rows))


def _present(cells: Sequence[str], columns: Sequence[Column]) -> list[tuple[str, Column]]:
    return [(cell, column) for cell, column in zip(cells, columns, strict=True) if type_cell(cell) is not None]


def can_be(cell: str, column: Column) -> bool:
    """True if a cell can be one of a column."""
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
