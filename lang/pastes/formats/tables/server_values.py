"""Settings and counters of a server by their names: rows that lost their heading, and `SELECT @@name`."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.formats.tables.delimited import KnownColumns
from lang.pastes.formats.tables.grids import skip_footer
from lang.pastes.model import Block, Table

COLUMNS = ("Variable_name", "Value")
_LINE = re.compile(
    r"\s*\|?\s*(?:@@)?(?:global\.)?(?P<name>[A-Za-z]\w*)\s*(?:\||\t|:|：|=|->|=>|\s)\s*(?P<value>-?\d[\d.]*|ON|OFF)\s*\|?;?\s*",
    re.ASCII,
)
_SELECTED = "@@"


def read_server_values(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """The rows from line `at` on, the first of which has a name that checks ask for, with their footer."""
    first = _LINE.fullmatch(lines.lines[at])
    if first is None or first["name"].lower() not in known.variables:
        return None
    rows: list[tuple[str, str]] = []
    last = at
    while last < len(lines.lines) and not FOOTER.fullmatch(lines.lines[last]):
        found = _LINE.fullmatch(lines.lines[last])
        if found is None:
            break
        rows.append((found["name"], found["value"]))
        last += 1
    return Block("table", at, skip_footer(lines, last), Table(COLUMNS, tuple(rows)))


def as_named_values(table: Table) -> Table:
    """One row of `@@name` columns as a row for each name; any other table as it is."""
    names = [name.removeprefix(_SELECTED).removeprefix("global.") for name in table.columns]
    if len(table.rows) != 1 or not _are_variables(table.columns):
        return table
    return Table(COLUMNS, tuple(zip(names, table.rows[0], strict=False)))


def _are_variables(names: Sequence[str]) -> bool:
    return bool(names) and all(re.fullmatch(r"@@[\w.]+", name) for name in names)
