"""What an import did, statement by statement, and as a text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from services.knowledge.importing.review import Ruling
from services.knowledge.importing.settle import Settled
from services.knowledge.model import ImportReport, RejectedTicket

Outcome = Literal["merged", "new", "unclear"]
Language = Literal["zh", "en"]
_HEADINGS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "import": "# {source} 的导入",
        "rejected": "拒收",
        "bare": "没有异常的工单",
        "unclear": "要人看的",
        "new": "新的",
        "merged": "并入已有的",
    },
    "en": {
        "import": "# Import of {source}",
        "rejected": "Rejected",
        "bare": "Tickets without an anomaly",
        "unclear": "To look at",
        "new": "New",
        "merged": "Merged",
    },
}
_OUTCOMES: tuple[Outcome, ...] = ("unclear", "new", "merged")


@dataclass(frozen=True)
class Decision:
    """What became of one statement. kind: phenomenon or root_cause; id: what it is now.

    score: how likely it means that, in [0, 1]; nearest: what else it might have been; seen_in: tickets that say it.
    """

    kind: str
    outcome: Outcome
    statement: str
    id: str
    name: str
    score: float | None
    nearest: str
    nearest_name: str
    nearest_score: float
    seen_in: tuple[str, ...]


@dataclass(frozen=True)
class Imported:
    """The counts, what was decided now, and the tickets in which nothing unusual was found, with their line."""

    report: ImportReport
    decisions: tuple[Decision, ...]
    bare: tuple[RejectedTicket, ...]


def decisions_of(kind: str, settled: Settled, names: Mapping[str, str]) -> Iterator[Decision]:
    """The rulings that were made now, by statement."""
    for ruling in sorted(settled.rulings, key=lambda item: item.key):
        if ruling.key in settled.fresh:
            yield _decision(kind, ruling, names)


def report_text(imported: Imported, source: str, language: Language = "en") -> str:
    """The whole report as Markdown."""
    report, headings = imported.report, _HEADINGS[language]
    lines = [headings["import"].format(source=source), ""]
    for name, chinese in _COUNTS.items():
        lines.append(f"- {chinese if language == 'zh' else name.replace('_', ' ')}: {getattr(report, name)}")
    lines += [f"- {headings['rejected'].lower()}: {len(report.rejected)}", ""]
    lines += _section(headings["rejected"], [rejected_line(item, language) for item in report.rejected])
    lines += _section(headings["bare"], [rejected_line(item, language) for item in imported.bare])
    for outcome in _OUTCOMES:
        found = [decision for decision in imported.decisions if decision.outcome == outcome]
        lines += _section(headings[outcome], [_decision_line(decision, language) for decision in found])
    return "\n".join(lines).rstrip() + "\n"


def rejected_line(item: RejectedTicket, language: Language = "en") -> str:
    """Where a record stands, which it is, and what is wrong; the reason is in English in both."""
    line, record, nameless = (
        ("第 {} 行", "第 {} 条", "没有编号") if language == "zh" else ("line {}", "record {}", "no id")
    )
    place = (line if item.line else record).format(item.line or item.record)
    place += ", " + record.format(item.record) if item.line and item.line != item.record else ""
    return f"{place} ({item.ticket_id or nameless}): {item.field + ': ' if item.field else ''}{item.reason}"


_COUNTS = {
    "tickets": "工单",
    "new_tickets": "新工单",
    "anomalies": "异常",
    "merged_anomalies": "并入的异常",
    "new_phenomena": "新现象",
    "new_root_causes": "新根因",
    "unclear": "要人看的",
    "tickets_without_anomalies": "没有异常的工单",
}


def _section(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"## {heading}", "", *(f"- {line}" for line in lines), ""] if lines else []


def _decision(kind: str, ruling: Ruling, names: Mapping[str, str]) -> Decision:
    outcome: Outcome = "unclear" if ruling.unclear else ("merged" if ruling.decision == "merge" else "new")
    identity, nearest = str(ruling.into), ruling.nearest
    return Decision(
        kind,
        outcome,
        ruling.statement,
        identity,
        names.get(identity, ruling.statement),
        ruling.score,
        nearest.id if nearest else "",
        nearest.name if nearest else "",
        nearest.score if nearest else 0.0,
        ruling.seen_in,
    )


def _decision_line(decision: Decision, language: Language) -> str:
    means, else_, where = (" 即 ", "；或者 ", "；出现在 ") if language == "zh" else (" is ", "; or ", "; in ")
    told = f"{decision.id} {decision.statement!r}"
    if decision.name != decision.statement:
        told += f"{means}{decision.name!r}"
    if decision.score is not None:
        told += f" ({decision.score:.2f})"
    if decision.nearest:
        told += f"{else_}{decision.nearest} {decision.nearest_name!r} ({decision.nearest_score:.2f})"
    return f"{told}{where}{', '.join(decision.seen_in)}"
