"""Results without a heading, right below the query or command that printed them: of `psql -At`, of `du -sh`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lang.pastes.cells import type_cell
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.formats.tables.grids import skip_footer
from lang.pastes.model import Block, Table
from lang.pastes.select_list import list_items, name_item, split_statements

# So many cells in a line tell that it is a row, whatever is in them.
_CELLS_OF_A_ROW = 3
_UNNAMED = "?column?"
_SHOW = re.compile(r"show\s+([\w.]+)\s*;?\s*", re.IGNORECASE)
_SETTING = re.compile(r"[\w./$-]{1,40}")
_SIZE_OF_PATH = re.compile(r"(\d+(?:\.\d+)?[KMGTP]?)\s+(\S*?([\w.-]+)/?)")


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
