"""What an import did, statement by statement, and as a text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from services.knowledge.importing.review import Ruling
from services.knowledge.importing.settle import Settled
from services.knowledge.model import ImportReport, RejectedTicket

Outcome = Literal["merged", "new", "unclear"]
_HEADINGS: tuple[tuple[Outcome, str], ...] = (
    ("unclear", "To look at"),
    ("new", "New"),
    ("merged", "Merged"),
)


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


def report_text(imported: Imported, source: str) -> str:
    """The whole report as Markdown."""
    report = imported.report
    lines = [f"# Import of {source}", ""]
    lines += [f"- {name.replace('_', ' ')}: {getattr(report, name)}" for name in _COUNTS]
    lines += [f"- rejected: {len(report.rejected)}", ""]
    lines += _section("Rejected", [rejected_line(item) for item in report.rejected])
    lines += _section("Tickets without an anomaly", [rejected_line(item) for item in imported.bare])
    for outcome, heading in _HEADINGS:
        found = [decision for decision in imported.decisions if decision.outcome == outcome]
        lines += _section(heading, [_decision_line(decision) for decision in found])
    return "\n".join(lines).rstrip() + "\n"


def rejected_line(item: RejectedTicket) -> str:
    """Where a record stands, which it is, and what is wrong."""
    place = f"line {item.line}" if item.line else f"record {item.record}"
    place += f", record {item.record}" if item.line and item.line != item.record else ""
    return f"{place} ({item.ticket_id or 'no id'}): {item.field + ': ' if item.field else ''}{item.reason}"


_COUNTS = (
    "tickets",
    "new_tickets",
    "anomalies",
    "merged_anomalies",
    "new_phenomena",
    "new_root_causes",
    "unclear",
    "tickets_without_anomalies",
)


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


def _decision_line(decision: Decision) -> str:
    told = f"{decision.id} {decision.statement!r}"
    if decision.name != decision.statement:
        told += f" is {decision.name!r}"
    if decision.score is not None:
        told += f" ({decision.score:.2f})"
    if decision.nearest:
        told += f"; or {decision.nearest} {decision.nearest_name!r} ({decision.nearest_score:.2f})"
    return f"{told}; in {', '.join(decision.seen_in)}"
