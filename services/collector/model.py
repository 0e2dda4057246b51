"""The room's words: targets, checks, what a check showed and what that says. Frozen, and free of any transport.

Glossary: a check is one read-only look that stands in the catalogue under an id; a signal is one named value that it
yields; a finding is what the signals say about a phenomenon of the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class Verdict(IntEnum):
    """What a check says about a phenomenon; numbered as on the wire."""

    UNSPECIFIED = 0
    CONFIRMED = 1
    DENIED = 2
    UNKNOWN = 3


class CheckOutcome(IntEnum):
    """How a step ended; numbered as on the wire."""

    UNSPECIFIED = 0
    DONE = 1
    REFUSED = 2
    FAILED = 3


class TargetKind(StrEnum):
    """What a target is."""

    POSTGRES = "postgres"
    HOST = "host"
    SSH = "ssh"
    PROMETHEUS = "prometheus"
    MYSQL = "mysql"


class Risk(StrEnum):
    """How much a check may ask of a target."""

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
    """A kind of trouble as others see it. minimum: what must be looked at before it is concluded."""

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

    look_id: names one look over all its calls, so that it can be gone on with where its caller was ended.
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
    """One value that a check showed."""

    name: str
    value: float | bool | str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check says about a phenomenon. words: the value that decided, or why nothing can be said."""

    phenomenon_id: str
    verdict: Verdict
    words: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one step. reason: why it was refused or failed; evidence_ref: its stored output and audit entry.

    sha256: of the stored output; empty when nothing was stored.
    """

    check_id: str
    outcome: CheckOutcome
    reason: str = ""
    signals: tuple[Signal, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence_ref: str = ""
    elapsed_seconds: float = 0.0
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One stored, redacted output. collected_at: seconds since 1970, UTC."""

    check_id: str
    redacted_output: str
    sha256: str
    collected_at_unix_seconds: int
