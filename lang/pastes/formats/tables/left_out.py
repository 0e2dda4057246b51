"""Rows that a paste leaves out: dots in their place, or a footer that counts more rows than are shown."""

from __future__ import annotations

import re
from dataclasses import replace

from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
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
    footer = FOOTER.fullmatch(
        lines.lines[last] if block.last < last < len(lines.lines) else lines.lines[block.last - 1]
    )
    last += block.last < last < len(lines.lines) and footer is not None
    counted = int(footer[1] or footer[2] or 0) if footer else 0
    return replace(block, last=last, table=replace(table, left_out=max(counted - len(table.rows), 0)))
