"""Rows that a paste leaves out: dots in their place, or a footer that counts more rows than are shown."""

from __future__ import annotations

import re
from dataclasses import replace

from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.formats.tables.grids import is_ruler
from lang.pastes.model import Block

_DOTS = re.compile(r"[\s|]*(?:\.{2,}|…+|⋯+|⋮+)[\s|.…⋯⋮]*")


def with_rows_left_out(lines: PastedLines, block: Block) -> Block:
    """The block of a table with the dots and the footer below it, and how many rows these tell beside those shown."""
    table = block.table
    if table is None or table.form != "rows" or not table.rows:
        return block
    last = block.last
    while last < len(lines.lines) and _DOTS.fullmatch(lines.lines[last]):
        last += 1
    if last > block.last and (more := _rows_below(lines, last, len(table.columns))):
        last += len(more)
        last += last < len(lines.lines) and is_ruler(lines.lines[last])
        table = replace(table, rows=(*table.rows, *more))
    footer = FOOTER.fullmatch(
        lines.lines[last] if block.last < last < len(lines.lines) else lines.lines[block.last - 1]
    )
    last += block.last < last < len(lines.lines) and footer is not None
    counted = int(footer[1] or footer[2] or 0) if footer else 0
    return replace(block, last=last, table=replace(table, left_out=max(counted - len(table.rows), 0)))


def _rows_below(lines: PastedLines, at: int, width: int) -> tuple[tuple[str, ...], ...]:
    """The rows that a paste goes on with below the dots, of as many cells as those above them."""
    rows: list[tuple[str, ...]] = []
    for line in lines.lines[at:]:
        cells = tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
        if "|" not in line or len(cells) != width or is_ruler(line):
            break
        rows.append(cells)
    return tuple(rows)
