"""Alerts of monitoring systems: what they are about, the value now, and whether they still fire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.marks import MARKS, has_mark
from lang.pastes.model import Block, Table

COLUMNS = ("about", "value", "firing")


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
