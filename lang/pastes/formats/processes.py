"""Lines of `top`, `ps` and `pgrep -a` by the titles that the server gives, and MySQL's process list."""

from __future__ import annotations

import re

from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.model import Block, Table

COLUMNS = ("pid", "user", "cpu_pct", "command")
# The title of a server's process: its kind, or who is connected to what from where and does what.
_SERVER = (
    r"postgres: (?:\S+: )?(?:checkpointer|background writer|wal ?writer|autovacuum (?:launcher|worker)|archiver|logger"
    r"|logical replication|startup|walreceiver|wal receiver|wal ?sender|stats collector|io worker|parallel worker"
    r"|bgworker|slotsync|\S+ \S+ (?:\[local\]|\S+\(\d+\))).*"
)
_TOOL = r"\S*(?:pg_dump|pg_dumpall|pg_basebackup|pgbackrest|wal-g)\b.*"
_LINES = tuple(
    re.compile(rf"\s*{columns}(?P<command>{title})")
    for columns, title in (
        # top: pid, user, priority, nice, three sizes, state, CPU, memory, time
        (
            r"(?P<pid>\d+)\s+(?P<user>\S+)\s+(?:-?\d+|rt)\s+-?\d+(?:\s+\S+){3}\s+[RSDZTIt]\s+"
            r"(?P<cpu>\d+(?:\.\d+)?)\s+\S+\s+[\d:.h]+\s+",
            f"{_SERVER}|{_TOOL}",
        ),
        # ps aux: its CPU is an average over the life of a process
        (
            r"(?P<user>\S+)\s+(?P<pid>\d+)\s+\d+\.\d+\s+\d+\.\d+\s+\d+\s+\d+\s+\S+\s+[A-Z]\S*\s+\S+\s+\d+:\d\d\s+",
            f"{_SERVER}|{_TOOL}",
        ),
        # ps -ef
        (r"(?P<user>\S+)\s+(?P<pid>\d+)\s+\d+\s+\d+\s+\S+\s+\S+\s+[\d:-]+\s+", f"{_SERVER}|{_TOOL}"),
        # pgrep -a, or the title alone
        (r"(?P<pid>\d+ +)?", _SERVER),
    )
)
_HEADING = re.compile(r"\s*(?:UID\s+PID|USER\s+PID|PID\s+USER)\b.*(?:CMD|COMMAND)\s*")
PROCESSLIST_COLUMNS = ("Id", "User", "Host", "db", "Command", "Time", "State", "Info")
# What a session does, as the server prints it.
COMMANDS = frozenset(
    (
        *("Sleep", "Query", "Execute", "Prepare", "Fetch", "Connect", "Daemon", "Killed", "Quit", "Init DB", "Ping"),
        *("Binlog Dump", "Binlog Dump GTID", "Field List", "Statistics", "Change user", "Reset stmt", "Close stmt"),
    )
)
_ID, _COMMAND, _TIME = 0, 4, 5


def read_processes(lines: PastedLines, at: int) -> Block | None:
    """The processes in the lines from `at` on; one without a measured CPU has an empty cell there."""
    rows: list[tuple[str, ...]] = []
    last = at + 1 if _HEADING.fullmatch(lines.lines[at]) else at
    while last < len(lines.lines):
        found = next((found for line in _LINES if (found := line.fullmatch(lines.lines[last]))), None)
        if found is None:
            break
        parts = found.groupdict(default="")
        rows.append((parts["pid"].strip(), parts.get("user", ""), parts.get("cpu", ""), parts["command"]))
        last += 1
    return Block("table", at, last, Table(COLUMNS, tuple(rows), "processes")) if rows else None


def read_processlist(lines: PastedLines, at: int) -> Block | None:
    """The sessions in the lines from `at` on, in the order of columns that the server has; a cut end may be missing."""
    rows: list[tuple[str, ...]] = []
    last = at
    while last < len(lines.lines) and (row := _session(lines.lines[last])):
        rows.append(row)
        last += 1
    return Block("table", at, last, Table(PROCESSLIST_COLUMNS, tuple(rows))) if rows else None


def _session(line: str) -> tuple[str, ...]:
    """The cells of a row; empty for any other line."""
    sign = "|" if "|" in line else "\t"
    text = line.strip().removeprefix("|") if sign == "|" else line
    cells = [cell.strip() for cell in text.split(sign, len(PROCESSLIST_COLUMNS) - 1)]
    if len(cells) <= _TIME or cells[_COMMAND] not in COMMANDS or not (cells[_ID] + cells[_TIME]).isdecimal():
        return ()
    cells[-1] = cells[-1].removesuffix("|").rstrip()
    return (*cells, *[""] * (len(PROCESSLIST_COLUMNS) - len(cells)))
