"""What the rows of a table show by themselves: which has most of what is measured, and what is oldest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from lang.expressions import Moment, Value
from lang.objects import is_object
from lang.pastes.cells import read_duration, read_number, show_value, type_cell
from lang.pastes.judge_rows import NAMES
from lang.pastes.model import Table

# Numbers that measure nothing: of sessions, objects, transactions and ports.
_NUMBERED = ("pid", "oid", "id", "port", "xmin", "xid", "classid", "objid", "datid")
# Columns of any setting or counter: neither its name nor its value tells alone.
_UNNAMED = ("value", "setting", "name", "variable_name")
_COUNTS = ("count", "cnt", "num", "connections", "sessions", "n", "total")
# So many characters of a text, and so many texts, name a row.
_LONGEST_NAME, _NAMES, _FACTS = 40, 2, 3


_VALUE = re.compile(r"(\w+) = ([^,]+)")
# A line of a log begins with its time; what it tells, in so many characters at least, is behind the last of these.
_TIMED = re.compile(r"\W*(?:\d{4}[-/]\d\d[-/]\d\d|[A-Z][a-z]{2} [ \d]\d)[ T]\d\d:\d\d")
_BEHIND, _LEAST_TOLD = re.compile(r": +| - "), 10


class Most(NamedTuple):
    """The row that has most in a column, or the earliest time in it. total: of a column of counts, else empty."""

    column: str
    name: str
    value: str
    total: str = ""
    earliest: bool = False


def cells_telling(row: str, values: str) -> tuple[str, ...]:
    """The columns that decided about a row with their cells as they were printed; none of those that only name it.

    row: its cells, joined; values: what was read in it, as "name = value". A row of a name and a value is told as they
    stand; before a cell that measures nothing stands what the row is of: "idx_orders indisvalid f".
    """
    shown = {show_value(value): cell for cell in row.split(" | ") if (value := type_cell(cell)) is not None}
    read = [(name, shown[value]) for name, value in _VALUE.findall(values) if value in shown]
    called = next((cell for name, cell in read if name in NAMES), "")
    told = [(called or name, cell) for name, cell in read if not is_object(name) and name not in NAMES]
    measured = [(name, cell) for name, cell in told if not isinstance(_typed(cell), str | bool)]
    of = [cell for name, cell in read if is_object(name) and not cell.isdigit()][:1] if not measured else []
    return tuple(" ".join((*of, name, cell)) for name, cell in measured or told if cell != row)


def line_telling(words: str) -> str:
    """What a line of a log tells, without its time and by whom it was written; other words as they are."""
    ends = [found.end() for found in _BEHIND.finditer(words)] if _TIMED.match(words) else []
    return next((words[end:] for end in reversed(ends) if len(words) - end >= _LEAST_TOLD), words)


def most_of(table: Table) -> tuple[Most, ...]:
    """For each column that measures something and differs between rows the row with most; counts first."""
    found = [each for place, _ in enumerate(table.columns) if (each := _most(table, place)) is not None]
    return tuple(sorted(found, key=lambda each: not each.total)[:_FACTS])


def _most(table: Table, place: int) -> Most | None:
    column = table.columns[place].lower()
    cells = [row[place].strip() if place < len(row) else "" for row in table.rows]
    values = [_typed(cell) for cell in cells]
    known = [value for value in values if isinstance(value, float) and not isinstance(value, bool)]
    present = [value for value in values if value is not None]
    if column.endswith(_NUMBERED) or not known or len(known) < len(present) or len({*known}) == 1 < len(table.rows):
        return None
    timed = isinstance(known[0], Moment)
    far = min(known) if timed else max(known)
    at = values.index(far)
    counted = column in _COUNTS and all(read_number(cell) is not None for cell in cells if cell)
    return Most(column, " / ".join(_named(table, at)), cells[at], f"{sum(known):.0f}" if counted else "", timed)


def _named(table: Table, at: int) -> Sequence[str]:
    return list(_texts(table, at))[:_NAMES]


def _texts(table: Table, at: int) -> Iterator[str]:
    """The cells that name a row: texts, and the number of a session."""
    for column, cell in zip(table.columns, map(str.strip, table.rows[at]), strict=False):
        text = isinstance(_typed(cell), str) or column.lower() == "pid"
        if cell and text:
            yield cell if len(cell) <= _LONGEST_NAME else f"{cell[:_LONGEST_NAME].rstrip()}…"


def _typed(cell: str) -> Value:
    """A cell as a value, a length of time with its unit as a number."""
    value = type_cell(cell)
    length = read_duration(cell.replace(" ", ""), None) if isinstance(value, str) else None
    return value if length is None else length
