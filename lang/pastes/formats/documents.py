"""JSON in a paste: rows of a query, a plan, or an alert of Alertmanager or CloudWatch."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from lang.pastes.formats.alarms import alert_of
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.formats.plan_rows import plan_from_json
from lang.pastes.model import Block, Table

_LEVELS = frozenset(("error_severity", "severity", "level", "prio"))
# What collectors of logs write beside a line as it came.
_COLLECTED = frozenset(("stream", "time", "timestamp", "@timestamp", "kubernetes"))
_LINES = ("log", "message", "msg", "line")
_SAID = ("error_severity", "message", "detail", "hint", "context")
_DECODER = json.JSONDecoder()


def read_document(lines: PastedLines, at: int) -> Block | None:
    """The JSON that begins with line `at`; rows one object a line are read together."""
    values: list[Any] = []
    last = at
    while last < len(lines.lines) and lines.lines[last].lstrip().startswith(("{", "[")):
        found = _decode(lines, last)
        if found is None:
            break
        values.append(found[0])
        last = found[1]
    if not values:
        return None
    value = values[0] if len(values) == 1 else values
    alert = alert_of(value) if isinstance(value, dict) else None
    log = _log(value)
    if log is not None:
        return Block("log", at, last, log)
    if alert is not None:
        return Block("alert", at, last, alert)
    return Block("table", at, last, _table(value))


def begins_document(line: str) -> bool:
    """True for a bracket that opens no log's time and no shell's prompt."""
    text = line.strip()
    return text.startswith(("{", "[{", "[ {")) or text in ("[", "[]")


def _decode(lines: PastedLines, at: int) -> tuple[Any, int] | None:
    start = lines.starts[at] + len(lines.lines[at]) - len(lines.lines[at].lstrip())
    try:
        value, end = _DECODER.raw_decode(lines.text, start)
    except (ValueError, RecursionError):
        return None
    # What follows on the last line of the document is left out with it.
    return (value, bisect_left(lines.starts, end)) if isinstance(value, dict | list) else None


def _table(value: Any) -> Table:
    plan = plan_from_json(value)
    if plan is not None:
        return plan
    objects = value if isinstance(value, list) else [value]
    rows: Sequence[Mapping[str, Any]] = [item for item in objects if isinstance(item, dict)]
    columns = tuple(dict.fromkeys(str(name) for row in rows for name in row))
    return Table(columns, tuple(tuple(_cell(row.get(name)) for name in columns) for row in rows))


def _log(value: Any) -> Table | None:
    """A server's log in JSON, one entry a line."""
    entries = value if isinstance(value, list) else [value]
    if entries and all(isinstance(entry, dict) and _line_of(entry) for entry in entries):
        return Table(("time", "line"), tuple(("", _line_of(entry)) for entry in entries), "log")
    if not all(isinstance(entry, dict) and "message" in entry and not _LEVELS.isdisjoint(entry) for entry in entries):
        return None
    rows = tuple(("", "\n".join(str(entry[name]) for name in _SAID if entry.get(name))) for entry in entries)
    return Table(("time", "line"), rows, "log")


def _line_of(entry: Mapping[str, Any]) -> str:
    """The server's line in an entry of a collector; empty for another document."""
    if _COLLECTED.isdisjoint(entry) or not _LEVELS.isdisjoint(entry):
        return ""
    return next((found.strip() for name in _LINES if isinstance(found := entry.get(name), str)), "")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
