"""Rows of MySQL's SHOW PROCESSLIST without their heading: eight cells, of which the fifth is a command."""

from __future__ import annotations

from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.model import Block, Table

COLUMNS = ("Id", "User", "Host", "db", "Command", "Time", "State", "Info")
# What a session does, as the server prints it.
COMMANDS = frozenset(
    (
        *("Sleep", "Query", "Execute", "Prepare", "Fetch", "Connect", "Daemon", "Killed", "Quit", "Init DB", "Ping"),
        *("Binlog Dump", "Binlog Dump GTID", "Field List", "Statistics", "Change user", "Reset stmt", "Close stmt"),
    )
)
_ID, _COMMAND, _TIME = 0, 4, 5


def read_processlist(lines: PastedLines, at: int) -> Block | None:
    """The sessions in the lines from `at` on, in the order of columns that the server has; a cut end may be missing."""
    rows: list[tuple[str, ...]] = []
    last = at
    while last < len(lines.lines) and (row := _session(lines.lines[last])):
        rows.append(row)
        last += 1
    return Block("table", at, last, Table(COLUMNS, tuple(rows))) if rows else None


def _session(line: str) -> tuple[str, ...]:
    """The cells of a row; empty for any other line."""
    sign = "|" if "|" in line else "\t"
    text = line.strip().removeprefix("|") if sign == "|" else line
    cells = [cell.strip() for cell in text.split(sign, len(COLUMNS) - 1)]
    if len(cells) <= _TIME or cells[_COMMAND] not in COMMANDS or not (cells[_ID] + cells[_TIME]).isdecimal():
        return ()
    cells[-1] = cells[-1].removesuffix("|").rstrip()
    return (*cells, *[""] * (len(COLUMNS) - len(cells)))
