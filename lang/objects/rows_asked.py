"""What the rows of an output tell where the query that they answer was shown: who waits for the session in it.

Rows of such a query name who waits, and not for whom: that stands in the query alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from lang.objects.lock_queue import BLOCKED_BY, blockers_in, is_blockers, session_of, wait_named
from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.pasted_lines import split_lines
from lang.pastes.formats.tables.delimited import KnownColumns

_ASKED = re.compile(r"(?<![\d.])(\d+)\s*=\s*ANY\s*\(\s*pg_blocking_pids\(pid\)", re.IGNORECASE)
_COLUMNS = frozenset(("pid", "left", "query", "state"))
_PID = "pid"
_NO_COLUMNS = KnownColumns.of((), frozenset((*_COLUMNS, *BLOCKED_BY)))


class RowsAsked(NamedTuple):
    """A session that a query asked about, and who waits for it by its rows: nobody where there are none."""

    blocker: str
    waiters: tuple[str, ...]

    def names(self) -> tuple[str, ...]:
        """The waits as names of objects; one without a waiter tells that nobody waits."""
        return tuple(wait_named(each, self.blocker) for each in self.waiters or ("",))


def rows_asked(shown: Iterable[str], message: str) -> RowsAsked | None:
    """What the last output of a message tells of the session in the query shown last; None if it answers no such."""
    blocker = next((found[-1] for text in shown if (found := _ASKED.findall(text))), "")
    if not blocker:
        return None
    tables = [block.table for block in find_blocks(split_lines(message), _NO_COLUMNS) if block.table is not None]
    for table in reversed(tables):
        columns = [name.lower() for name in table.columns]
        if _PID in columns and (any(map(is_blockers, columns)) or _COLUMNS.issuperset(columns)):
            rows = [dict(zip(columns, map(str.strip, row), strict=False)) for row in table.rows]
            return RowsAsked(blocker, tuple(_waiters(blocker, columns, rows)))
    return None


def _waiters(blocker: str, columns: Sequence[str], rows: Sequence[dict[str, str]]) -> Iterable[str]:
    """The sessions of the rows; where a column tells whom they wait for, those that wait for this one."""
    told = any(map(is_blockers, columns))
    behind = (session_of(row) for row in rows if not told or blocker in blockers_in(row))
    return dict.fromkeys(each for each in behind if each and each != blocker)
