"""The report of an import, statement by statement, and its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from services.knowledge.importing.deciding.assign_ids import Settled
from services.knowledge.importing.deciding.review import Ruling
from services.knowledge.library.yaml_text import read_yaml
from services.knowledge.model import ImportReport, RejectedTicket

Outcome = Literal["merged", "new", "unclear"]
Language = Literal["zh", "en"]
_TEXTS = Path(__file__).with_name("import_report.yaml")
_OUTCOMES: tuple[Outcome, ...] = ("unclear", "new", "merged")
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


@dataclass(frozen=True)
class Decision:
    """The decision on a statement. kind: phenomenon or root_cause; id: the entry it belongs to now.

    score: the probability of that, in [0, 1]; nearest: the best alternative; seen_in: tickets that mention it.
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
    """The counts, the new decisions, and the tickets without any anomaly (`bare`)."""

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
    report = imported.report
    lines = [_text(language, "heading.import", source=source), ""]
    lines += [f"- {_text(language, f'count.{name}')}: {getattr(report, name)}" for name in _COUNTS]
    lines += [f"- {_text(language, 'count.rejected')}: {len(report.rejected)}", ""]
    sections = {
        "rejected": [rejected_line(item, language) for item in report.rejected],
        "bare": [rejected_line(item, language) for item in imported.bare],
    }
    for outcome in _OUTCOMES:
        found = [decision for decision in imported.decisions if decision.outcome == outcome]
        sections[outcome] = [_decision_line(decision, language) for decision in found]
    for name, entries in sections.items():
        lines += _section(_text(language, f"heading.{name}"), entries)
    return "\n".join(lines).rstrip() + "\n"


def rejected_line(item: RejectedTicket, language: Language = "en") -> str:
    """A rejected record: its place, its id and the reason."""
    places = [_text(language, "place.line" if item.line else "place.record", number=item.line or item.record)]
    if item.line and item.line != item.record:
        places.append(_text(language, "place.record", number=item.record))
    name = item.ticket_id or _text(language, "ticket.nameless")
    return f"{', '.join(places)} ({name}): {item.field + ': ' if item.field else ''}{item.reason.text(language)}"


@cache
def report_texts() -> Mapping[str, Mapping[Language, str]]:
    """All texts of a report: key -> language -> text."""
    texts: dict[str, dict[Language, str]] = read_yaml(_TEXTS.read_text(encoding="utf-8"))
    return texts


def _text(language: Language, key: str, **details: object) -> str:
    return report_texts()[key][language].format(**details)


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
    parts = [f"{decision.id} {decision.statement!r}"]
    if decision.name != decision.statement:
        parts.append(_text(language, "decision.name", name=repr(decision.name)))
    if decision.score is not None:
        parts.append(_text(language, "decision.score", score=f"{decision.score:.2f}"))
    if decision.nearest:
        name, score = repr(decision.nearest_name), f"{decision.nearest_score:.2f}"
        parts.append(_text(language, "decision.nearest", id=decision.nearest, name=name, score=score))
    parts.append(_text(language, "decision.seen_in", tickets=", ".join(decision.seen_in)))
    return "".join(parts)
