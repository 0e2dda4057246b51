"""Types that several contracts share. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from dbdiag.frozen import dataclass, set_field


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

    if not TYPE_CHECKING:

        def __init__(self, ticket_id=ticket_id, description=description):
            set_field(self, "ticket_id", ticket_id)
            set_field(self, "description", description)


@dataclass(frozen=True)
class LocalizedText:
    """`dbdiag.analyst.v1.LocalizedText`."""

    zh: str = ""
    en: str = ""

    if not TYPE_CHECKING:

        def __init__(self, zh=zh, en=en):
            set_field(self, "zh", zh)
            set_field(self, "en", en)

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

    if not TYPE_CHECKING:

        def __init__(self, action=action, how=how, risk=risk, costs=costs, not_when=not_when):
            set_field(self, "action", action)
            set_field(self, "how", how)
            set_field(self, "risk", risk)
            set_field(self, "costs", costs)
            set_field(self, "not_when", not_when)


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

    if not TYPE_CHECKING:

        def __init__(self, action=action, how=how, risk=risk, undo=undo, helps=helps, prevents=prevents):
            set_field(self, "action", action)
            set_field(self, "how", how)
            set_field(self, "risk", risk)
            set_field(self, "undo", undo)
            set_field(self, "helps", helps)
            set_field(self, "prevents", prevents)


@dataclass(frozen=True)
class BeliefChange:
    """`dbdiag.engine.v1.BeliefChange`."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence_before: float = 0.0
    confidence_after: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, name=name, confidence_before=confidence_before, confidence_after=confidence_after):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence_before", confidence_before)
            set_field(self, "confidence_after", confidence_after)


@dataclass(frozen=True)
class ModelUsage:
    """`dbdiag.matcher.v1.ModelUsage`."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    # Why the rules answered in place of the model; empty if they did not have to.
    fallback_reason: str = ""

    if not TYPE_CHECKING:

        def __init__(self, calls=calls, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, fallback_reason=fallback_reason):
            set_field(self, "calls", calls)
            set_field(self, "prompt_tokens", prompt_tokens)
            set_field(self, "completion_tokens", completion_tokens)
            set_field(self, "fallback_reason", fallback_reason)


@dataclass(frozen=True)
class CauseQuestion:
    """What people ask about a cause in their own words, and the answer."""

    asked_zh: tuple[str, ...] = ()
    asked_en: tuple[str, ...] = ()
    answer: LocalizedText = LocalizedText()

    if not TYPE_CHECKING:

        def __init__(self, asked_zh=asked_zh, asked_en=asked_en, answer=answer):
            set_field(self, "asked_zh", asked_zh)
            set_field(self, "asked_en", asked_en)
            set_field(self, "answer", answer)


class Verdict(StrEnum):
    """`dbdiag.collector.v1.Verdict`."""

    CONFIRMED = "confirmed"
    DENIED = "denied"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ListSnapshotsRequest:
    """`dbdiag.engine.v1.ListSnapshotsRequest`."""
