"""Rows whose values a server hides from the role that asked: what stands empty in them is not shown, not absent."""

from __future__ import annotations

from dataclasses import replace

from lang.pastes.model import Block, Table

HIDDEN = "<insufficient privilege>"


def split_hidden(table: Table) -> tuple[Table, Table]:
    """The rows that are shown, and those of which the server hides values."""
    hidden = [any(cell.strip() == HIDDEN for cell in row) for row in table.rows]
    parts = (
        tuple(row for row, hides in zip(table.rows, hidden, strict=True) if hides is kept) for kept in (False, True)
    )
    shown, unseen = (replace(table, rows=rows, told=()) for rows in parts)
    return replace(shown, left_out=table.left_out + len(unseen.rows)), unseen


def without_hidden(block: Block) -> Block:
    """A block without the rows of which nothing is shown; what has no others decides nothing."""
    if block.table is None or not any(HIDDEN in row for row in block.table.rows):
        return block
    shown, _ = split_hidden(block.table)
    return replace(block, table=shown) if shown.rows else replace(block, kind="note", table=None)
