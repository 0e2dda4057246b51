"""Entries of MySQL's slow query log: how long each took, the rows that it examined and sent, and its statement."""

from __future__ import annotations

from lang import deferred_re as re
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.model import Block, Table

COLUMNS = ("query_time", "lock_time", "rows_sent", "rows_examined", "query")
_HEAD = re.compile(r"# (?:Time|User@Host|Query_time|Thread_id|Schema|Bytes_sent|Tmp_tables|Full_scan)\b.*")
_TIMES = re.compile(
    r"# Query_time: (\d+(?:\.\d+)?)\s+Lock_time: (\d+(?:\.\d+)?)\s+Rows_sent: (\d+)\s+Rows_examined: (\d+)"
)
# Lines between the heading of an entry and its statement.
_BESIDE = re.compile(r"(?:use \w+|SET timestamp=\d+);?\s*", re.IGNORECASE)


def read_slow_log(lines: PastedLines, at: int) -> Block | None:
    """The entries from line `at` on; the heading of one may have lost its first lines."""
    if not _HEAD.match(lines.lines[at]):
        return None
    rows: list[list[str]] = []
    last = at
    while last < len(lines.lines) and not lines.blank[last]:
        line = lines.lines[last].strip()
        if found := _TIMES.match(line):
            rows.append([*found.groups(), ""])
        elif not _HEAD.match(line) and not _BESIDE.fullmatch(line):
            if not rows or rows[-1][-1].endswith(";"):
                break
            rows[-1][-1] = f"{rows[-1][-1]} {line}".strip()
        last += 1
    return Block("table", at, last, Table(COLUMNS, tuple(map(tuple, rows)))) if rows else None
