"""The room's types: targets, checks, their results and what these mean. Frozen, and free of any transport.

Glossary: a check is a read-only query with an id in the catalogue; a signal is one named value that it yields; a
finding is what the signals say about a phenomenon of the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from services.chassis.messages import Message


class Verdict(IntEnum):
    """The verdict of a check about a phenomenon; numbered as on the wire."""

    UNSPECIFIED = 0
    CONFIRMED = 1
    DENIED = 2
    UNKNOWN = 3


class CheckOutcome(IntEnum):
    """The outcome of a step; numbered as on the wire."""

    UNSPECIFIED = 0
    DONE = 1
    REFUSED = 2
    FAILED = 3


class TargetKind(StrEnum):
    """The kinds of targets."""

    POSTGRES = "postgres"
    HOST = "host"
    SSH = "ssh"
    PROMETHEUS = "prometheus"
    MYSQL = "mysql"


class Risk(StrEnum):
    """How much load or intrusion a check means for a target."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """The same statement in both languages."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Target:
    """A configured system. Secrets stand in the targets file's own record and never here."""

    target_id: str
    kind: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class CheckParameter:
    """One typed parameter. pattern: a regular expression that the whole value must match."""

    name: str
    pattern: str
    required: bool = False
    default_value: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A check as others see it. versions: what it runs on, as ">=14,<17"; cost: 1 is cheapest; risk: see Risk."""

    check_id: str
    name: LocalizedText
    engine: str
    versions: str = ""
    categories: tuple[str, ...] = ()
    parameters: tuple[CheckParameter, ...] = ()
    phenomenon_ids: tuple[str, ...] = ()
    timeout_seconds: float = 0.0
    cost: int = 1
    risk: str = Risk.NONE


@dataclass(frozen=True, slots=True)
class Route:
    """A kind of trouble as others see it. minimum: checks that must run before a conclusion."""

    category: str
    name: LocalizedText
    checks: tuple[str, ...] = ()
    minimum: tuple[str, ...] = ()
    speaks_for: Mapping[str, float] = field(default_factory=dict)
    speaks_against: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CheckCall:
    """One check to run, by its id, with its parameters."""

    check_id: str
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CollectRequest:
    """Checks to run on a target, in this order. category: others are refused; time_budget_seconds 0: the setting.

    look_id: the investigation that several calls belong to, so that it can resume if its caller is killed.
    """

    session_id: str
    target_id: str
    snapshot_id: str = ""
    checks: tuple[CheckCall, ...] = ()
    category: str = ""
    time_budget_seconds: float = 0.0
    look_id: str = ""


@dataclass(frozen=True, slots=True)
class Signal:
    """One value that a check yielded."""

    name: str
    value: float | bool | str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict of a check about a phenomenon. words: the decisive values, or why it says nothing."""

    phenomenon_id: str
    verdict: Verdict
    words: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one step. reason: why it was refused or failed; evidence_ref: its stored output and audit entry.

    message: the same reason as key and details; None for a completed check. sha256: of the stored output, or empty.
    """

    check_id: str
    outcome: CheckOutcome
    reason: str = ""
    signals: tuple[Signal, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence_ref: str = ""
    elapsed_seconds: float = 0.0
    sha256: str = ""
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """One stored, redacted output. collected_at: seconds since 1970, UTC."""

    check_id: str
    redacted_output: str
    sha256: str
    collected_at_unix_seconds: int
