"""Rows whose heading was not copied (what a cell can only be tells its column), and rows that were left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lang.pastes.cells import type_cell
from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.formats.tables.delimited import KnownColumns, KnownView
from lang.pastes.formats.tables.grids import is_ruler, skip_footer
from lang.pastes.model import Block, Table

_GAP = re.compile(r"\s*\|\s*|\t|\s{2,}")
_LEAST = 3
_DURATION = re.compile(r"(?:\d+ (?:years?|mons?|days?) ?)*-?\d+:\d\d:\d\d(?:\.\d+)?|\d+ (?:days?|mons?|years?)")
_STATEMENT = re.compile(
    r"(?:select|insert|update|delete|with|alter|create|drop|truncate|vacuum|autovacuum:|copy|begin|commit|rollback|lock"
    r"|reindex|refresh|analyze|merge|base_backup|start_replication)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"\d+")
# What pg_blocking_pids() gives: the numbers of sessions, which are not so low as those of columns.
_PIDS = re.compile(r"\{(?:\d{3,8}(?:,\d{3,8})*)?\}")
_DOTS = re.compile(r"[\s|]*(?:\.{2,}|…+|⋯+|⋮+)[\s|.…⋯⋮]*")


def read_headless_rows(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """The rows from line `at` on, all of one width, if their values make them rows of a view."""
    first = {cell.strip() for cell in _cells(lines.lines[at])}
    if len(first) < _LEAST - 1 or all(
        first.isdisjoint(values) for view in known.views for values in view.values.values()
    ):
        return None
    rows: list[tuple[str, ...]] = []
    last = at
    while last < len(lines.lines) and not lines.blank[last] and not FOOTER.fullmatch(lines.lines[last]):
        cells = _cells(lines.lines[last])
        if len(cells) < _LEAST or (rows and len(cells) != len(rows[0])):
            break
        rows.append(cells)
        last += 1
    for view in known.views if rows else ():
        names = [_name(column, place, view) for place, column in enumerate(zip(*rows, strict=True))]
        found = [name for name in names if name]
        if len(set(found)) == len(found) and not view.values.keys().isdisjoint(found) and view.has(found):
            columns = tuple(name or f"column_{place}" for place, name in enumerate(names, 1))
            return Block("table", at, skip_footer(lines, last), Table(columns, tuple(rows)))
    return None


def read_rows_again(lines: PastedLines, at: int, before: Table | None) -> Block | None:
    """The rows from line `at` on that go on with the columns of a table above, as a second reading is mostly pasted.

    Each has as many cells, and below a number stands a number or nothing.
    """
    if before is None or before.form != "rows" or len(before.columns) < _LEAST or not before.rows:
        return None
    rows = _rows_below(lines, at, len(before.columns))
    kinds = [{_kind(cell) for cell in column} for column in zip(*before.rows, strict=False)]
    alike = [_kind(cell) in ("", *kind) or kind == {""} for row in rows for cell, kind in zip(row, kinds, strict=False)]
    table = replace(before, rows=rows, told=(), left_out=0)
    return Block("table", at, skip_footer(lines, at + len(rows)), table) if rows and all(alike) else None


def _kind(cell: str) -> str:
    """What a cell is, as far as one column has only one kind."""
    value = type_cell(cell)
    return "" if value is None else type(value).__name__


def _cells(line: str) -> tuple[str, ...]:
    text = line.strip()
    parts = text.strip("|").split("|") if text.count("|") > 1 else _GAP.split(text)
    return tuple(part.strip() for part in parts)


def _name(cells: Sequence[str], place: int, view: KnownView) -> str:
    """The view's column that all cells can be of; empty where that cannot be told."""
    present = [cell.strip() for cell in cells if cell.strip()]
    if not present:
        return ""
    if named := [name for name, values in view.values.items() if values.issuperset(present)]:
        return named[0] if len(named) == 1 else ""
    if all(map(_DURATION.fullmatch, present)):
        return view.named("age")
    if all(map(_PIDS.fullmatch, present)) and any(len(cell) > _LEAST for cell in present):
        return view.named("blocked_by")
    if all(map(_STATEMENT.fullmatch, present)):
        return view.named("query")
    return view.named("pid") if place == 0 and all(map(_NUMBER.fullmatch, present)) else ""


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
