"""JSON in a paste, alerts of monitoring systems, and what `\\d` of psql shows of a table."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.formats.plan_rows import plan_from_json
from lang.pastes.marks import MARKS, has_mark
from lang.pastes.model import Block, Table

_LEVELS = frozenset(("error_severity", "severity", "level", "prio"))
# What collectors of logs write beside a line as it came.
_COLLECTED = frozenset(("stream", "time", "timestamp", "@timestamp", "kubernetes"))
_LINES = ("log", "message", "msg", "line")
_SAID = ("error_severity", "message", "detail", "hint", "context")
_DECODER = json.JSONDecoder()
_TITLE = re.compile(r"\s*(?:Unlogged table|Partitioned table|Table|数据表|分区表)\s*[\"“].+[\"”]\s*")
_HEADING = re.compile(r"\s*(?:Indexes|索引)[:：]\s*")
_INDEX = re.compile(
    r"\s*\"(?P<name>[^\"]+)\" (?P<definition>.*\b(?:btree|hash|gin|gist|spgist|brin) \(.+)", re.IGNORECASE
)
_COLUMNS = ("indexname", "indexdef")
COLUMNS = ("about", "value", "firing")


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


def read_described(lines: PastedLines, at: int) -> Block | None:
    """The indexes below line `at`, which heads them or is the first; a title is a note."""
    if _TITLE.fullmatch(lines.lines[at]):
        return Block("note", at, at + 1)
    last = at + (_HEADING.fullmatch(lines.lines[at]) is not None)
    rows: list[tuple[str, ...]] = []
    while last < len(lines.lines) and (found := _INDEX.fullmatch(lines.lines[last])):
        rows.append((found["name"], found["definition"]))
        last += 1
    return Block("table", at, last, Table(_COLUMNS, tuple(rows))) if rows else None


def read_alert(lines: PastedLines, at: int) -> Block | None:
    """A text alert: the lines from `at` to a blank one, if they say that something fires or is resolved."""
    if not has_mark(lines.lines[at], (*MARKS.firing, *MARKS.resolved)):
        return None
    last = at
    while last < len(lines.lines) and not lines.blank[last]:
        last += 1
    words = lines.lines[at:last]
    resolved = any(has_mark(line, MARKS.resolved) for line in words)
    about, value = _about(words)
    return Block("alert", at, last, Table(COLUMNS, ((about, value, "f" if resolved else "t"),), "alert"))


def alert_of(document: Mapping[str, Any]) -> Table | None:
    """The alerts in a JSON document of Alertmanager, Grafana or CloudWatch; None for other documents."""
    if isinstance(document.get("alerts"), list):
        found = [_labelled(alert) for alert in document["alerts"] if isinstance(alert, dict)]
        return Table(COLUMNS, tuple(found), "alert")
    if "AlarmName" in document and "NewStateValue" in document:
        about = " ".join(str(document.get(name) or "") for name in ("AlarmName", "AlarmDescription"))
        metric = document.get("Trigger")
        about += f" {metric.get('MetricName', '')}" if isinstance(metric, dict) else ""
        firing = "t" if document["NewStateValue"] == "ALARM" else "f"
        reason = str(document.get("NewStateReason") or "")
        # Metrics of this name are in percent, and the reason gives the points without a unit.
        point = reason.partition("[")[2].partition(" ")[0] if "Utilization" in about else ""
        return Table(COLUMNS, ((about, f"{point} %" if point else reason, firing),), "alert")
    if "alertname" in str(document.get("labels", "")):
        return Table(COLUMNS, (_labelled(document),), "alert")
    return None


def _labelled(alert: Mapping[str, Any]) -> tuple[str, str, str]:
    labels, notes = alert.get("labels") or {}, alert.get("annotations") or {}
    texts = [str(notes.get(name, "")) for name in ("summary", "description", "message")]
    value = str(notes.get("value") or alert.get("valueString") or " ".join(texts))
    return " ".join([str(labels.get("alertname", "")), *texts]), value, "t" if alert.get("status") == "firing" else "f"


def _about(words: Sequence[str]) -> tuple[str, str]:
    """What an alert is about, and the part that names the value now: limits and times are neither."""
    about: list[str] = []
    value = ""
    for part in _parts(words):
        if has_mark(part, MARKS.value):
            value = part
        elif not has_mark(part, MARKS.beside):
            about.append(part)
    return " ".join(about), value


def _parts(words: Sequence[str]) -> Iterator[str]:
    for line in words:
        yield from (part.strip() for part in line.replace("；", "，").replace(";", "，").split("，"))
