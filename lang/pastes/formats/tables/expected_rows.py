"""Rows without a heading below the query or command that printed them: each cell is of its column's kind.

The last column, which terminals cut off, may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lang.pastes.cells import read_duration, read_lsn, read_number, type_cell
from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.formats.tables.grids import skip_footer
from lang.pastes.model import Block, Column, Table
from lang.pastes.select_list import list_items, name_item, split_statements

_LEAST = 3
_SIGNS = ("|", "\t")
# So many cells in a line tell that it is a row, whatever is in them.
_CELLS_OF_A_ROW = 3
_UNNAMED = "?column?"
_SHOW = re.compile(r"show\s+([\w.]+)\s*;?\s*", re.IGNORECASE)
_SETTING = re.compile(r"[\w./$-]{1,40}")
_SIZE_OF_PATH = re.compile(r"(\d+(?:\.\d+)?[KMGTP]?)\s+(\S*?([\w.-]+)/?)")


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


def read_bare_result(lines: PastedLines, at: int, echo: Block) -> Block | None:
    """The rows from line `at` on as what the query or command above them printed; None if they cannot be that."""
    if shown := _SHOW.fullmatch(echo.words.strip()):
        value = lines.lines[at].strip()
        table = Table((shown[1],), ((value,),)) if _SETTING.fullmatch(value) else None
        return Block("table", at, skip_footer(lines, at + 1), table) if table else None
    statements = split_statements(echo.words)
    names = [name_item(item) or _UNNAMED for item in list_items(statements[-1])] if statements else []
    rows: list[tuple[str, ...]] = []
    last = at
    while names and last < len(lines.lines):
        cells = [cell.strip() for cell in lines.lines[last].split("|")]
        if len(cells) != len(names) or cells == names or not _is_row(cells):
            break
        rows.append(tuple(cells))
        last += 1
    return Block("table", at, skip_footer(lines, last), Table(tuple(names), tuple(rows))) if rows else None


def _is_row(cells: Sequence[str]) -> bool:
    return len(cells) >= _CELLS_OF_A_ROW or any(isinstance(type_cell(cell), bool | float) for cell in cells)


def read_sizes(lines: PastedLines, at: int, echo: Block | None) -> Block | None:
    """Lines of `du`: the size of each directory, named by the last part of its path.

    Without the command above, a path or a tab in the first line tells that it is one.
    """
    sizes: dict[str, str] = {}
    last = at
    while last < len(lines.lines) and (found := _SIZE_OF_PATH.fullmatch(lines.lines[last].strip())):
        named = bool(sizes) or "\t" in lines.lines[last] or "/" in found[2]
        if not (named or (echo and echo.words.startswith("du "))):
            break
        sizes[found[3]] = found[1]
        last += 1
    return Block("table", at, last, Table(tuple(sizes), (tuple(sizes.values()),), "sizes")) if sizes else None
