"""The types of an automatic diagnosis; all of them survive a round trip through JSON.

Glossary: a check is a read-only query or command with an id; a look is its result; a route is a category of faults
with its checks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from dbdiag.vocabulary import LocalizedText, Verdict


class Ending(StrEnum):
    """How a step ended."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True)
class Check:
    """A check that may be planned. cost: 1 is cheapest; phenomenon_ids: the phenomena it can decide."""

    check_id: str
    name: LocalizedText
    phenomenon_ids: tuple[str, ...] = ()
    cost: int = 1


@dataclass(frozen=True)
class Route:
    """A category of faults. minimum: the checks required before a conclusion."""

    category: str
    name: LocalizedText
    checks: tuple[str, ...] = ()
    minimum: tuple[str, ...] = ()
    speaks_for: Mapping[str, float] = field(default_factory=dict)
    speaks_against: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Signal:
    """One value from a check."""

    name: str
    value: float | bool | str
    unit: str = ""


@dataclass(frozen=True)
class Finding:
    """The verdict of a look on a phenomenon; words: the deciding value."""

    phenomenon_id: str
    verdict: Verdict
    words: str = ""


@dataclass(frozen=True)
class CheckRun:
    """One check as it ran. message: the reason as key and details; None in documents without one."""

    check_id: str
    ending: Ending
    reason: str = ""
    signals: tuple[Signal, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence_ref: str = ""
    elapsed_seconds: float = 0.0
    message: Mapping[str, Any] | None = None


def as_document(value: Case | CheckRun | BatchResult) -> dict[str, Any]:
    """A value as it stands in documents. An absent message has no field, as in documents that never had one."""
    return asdict(value, dict_factory=_without_empty_message)


def _without_empty_message(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value for name, value in fields if (name, value) != ("message", None)}


@dataclass(frozen=True)
class Budget:
    """The limits of a diagnosis, and the belief that allows it to stop.

    Rounds and checks are those that are planned; the baseline, and the sweep while nothing stands out, come before.
    """

    max_rounds: int = 3
    max_checks_per_round: int = 3
    max_total_checks: int = 12
    time_budget_seconds: float = 120.0
    confidence_threshold: float = 0.85


@dataclass(frozen=True)
class Case:
    """The input of a diagnosis; together with the results of the checks it determines the outcome.

    told: the meaning of the question, as if it were a look.
    """

    session_id: str
    target_id: str
    snapshot_id: str
    question: str
    budget: Budget
    baseline: tuple[str, ...]
    checks: tuple[Check, ...]
    routes: tuple[Route, ...]
    told: CheckRun | None = None


@dataclass(frozen=True)
class Belief:
    """A cause and the belief in it."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    supporting: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A phenomenon worth checking. after_yes, after_no: the belief in the present leader after each answer."""

    phenomenon_id: str
    gain_bits: float
    after_yes: float
    after_no: float


@dataclass(frozen=True)
class Judgement:
    """The engine's answer: beliefs and questions, each the best first."""

    beliefs: tuple[Belief, ...]
    questions: tuple[Question, ...]
    other: float


@dataclass(frozen=True)
class Standing:
    """The support for a route."""

    category: str
    score: float
    for_it: tuple[str, ...]
    against_it: tuple[str, ...]


@dataclass(frozen=True)
class Batch:
    """The checks of one call, and the category that the gate enforces; empty: any category."""

    category: str
    checks: tuple[str, ...]


@dataclass(frozen=True)
class BatchResult:
    """The results of one call. seconds: from the start of the diagnosis to the end of the call."""

    looks: tuple[CheckRun, ...]
    seconds: float


class Collector(Protocol):
    """Runs checks."""

    async def collect(self, batch: Batch) -> BatchResult:
        """The results of a batch, including failed and refused checks."""


class Reasoner(Protocol):
    """Turns verdicts into beliefs."""

    async def judge(self, evidence: Mapping[str, Verdict], open_phenomena: Collection[str]) -> Judgement:
        """The beliefs under the evidence, and questions about phenomena that can still be checked."""


class Stop(StrEnum):
    """Why a diagnosis ended."""

    CONFIDENT = "confident"
    MAX_ROUNDS = "max_rounds"
    MAX_CHECKS = "max_total_checks"
    TIME = "time_budget"
    EXHAUSTED = "pool_exhausted"
    NOTHING = "nothing_found"
    NO_PROGRESS = "no_progress"
    UNREACHABLE = "target_unreachable"
    PLANNER = "planner_stopped"
    EVIDENCE_ONLY = "evidence_only"


class Verdicts(StrEnum):
    """The verdict of a diagnosis."""

    FOUND = "found"
    SUSPECTED = "suspected"
    HEALTHY = "healthy"
    UNSEEN = "unseen"
