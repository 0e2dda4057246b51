"""Types that several contracts share. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "BeliefChange",
    "CauseQuestion",
    "ListSnapshotsRequest",
    "LocalizedText",
    "ModelUsage",
    "ReliefStep",
    "SolutionStep",
    "TicketReference",
    "Verdict",
]


@dataclass(frozen=True)
class TicketReference:
    """`dbdiag.engine.v1.TicketReference`."""

    ticket_id: str = ""
    description: str = ""


@dataclass(frozen=True)
class LocalizedText:
    """`dbdiag.analyst.v1.LocalizedText`."""

    zh: str = ""
    en: str = ""

    def say(self, language: str | None) -> str:
        """The text in `language`, English where it is None; in the other one where that is missing."""
        return (self.zh or self.en) if language == "zh" else (self.en or self.zh)


@dataclass(frozen=True)
class ReliefStep:
    """What stops the bleeding before the cure."""

    action: LocalizedText = LocalizedText()
    how: str = ""
    # none, low, medium or high.
    risk: str = ""
    # Its price, and when it must not be done; empty where there is none.
    costs: LocalizedText = LocalizedText()
    not_when: LocalizedText = LocalizedText()


@dataclass(frozen=True)
class SolutionStep:
    """`dbdiag.engine.v1.SolutionStep`."""

    action: LocalizedText = LocalizedText()
    how: str = ""
    # none, low, medium or high.
    risk: str = ""
    undo: LocalizedText = LocalizedText()
    helps: str = ""
    prevents: bool = False


@dataclass(frozen=True)
class BeliefChange:
    """`dbdiag.engine.v1.BeliefChange`."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence_before: float = 0.0
    confidence_after: float = 0.0


@dataclass(frozen=True)
class ModelUsage:
    """`dbdiag.matcher.v1.ModelUsage`."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    # Why the rules answered in place of the model; empty if they did not have to.
    fallback_reason: str = ""


@dataclass(frozen=True)
class CauseQuestion:
    """What people ask about a cause in their own words, and the answer."""

    asked_zh: tuple[str, ...] = ()
    asked_en: tuple[str, ...] = ()
    answer: LocalizedText = LocalizedText()


class Verdict(StrEnum):
    """`dbdiag.collector.v1.Verdict`."""

    CONFIRMED = "confirmed"
    DENIED = "denied"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ListSnapshotsRequest:
    """`dbdiag.engine.v1.ListSnapshotsRequest`."""
