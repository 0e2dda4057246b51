"""The words of a diagnosis that looks for itself. All of it can be written to JSON and read back the same.

Glossary: a check is a read-only look by its id; a look is what came of one; a route is a kind of trouble and
the checks that serve it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from gateway.language import LocalizedText, Verdict


class Ending(StrEnum):
    """How a step ended."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True)
class Check:
    """A check that may be planned. cost: 1 is cheapest; phenomenon_ids: what it can say something about."""

    check_id: str
    name: LocalizedText
    phenomenon_ids: tuple[str, ...] = ()
    cost: int = 1


@dataclass(frozen=True)
class Route:
    """A kind of trouble. minimum: what must have been looked at before it is concluded."""

    category: str
    name: LocalizedText
    checks: tuple[str, ...] = ()
    minimum: tuple[str, ...] = ()
    speaks_for: Mapping[str, float] = field(default_factory=dict)
    speaks_against: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Signal:
    """One value that a check showed."""

    name: str
    value: float | bool | str
    unit: str = ""


@dataclass(frozen=True)
class Finding:
    """What a look says about a phenomenon; words: the value that decided."""

    phenomenon_id: str
    verdict: Verdict
    words: str = ""


@dataclass(frozen=True)
class Looked:
    """What came of one check."""

    check_id: str
    ending: Ending
    reason: str = ""
    signals: tuple[Signal, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence_ref: str = ""
    elapsed_seconds: float = 0.0


@dataclass(frozen=True)
class Budget:
    """What a diagnosis may use, and the belief from which it may stop.

    Rounds and checks are those that are planned; the baseline, and the sweep while nothing stands out, come before.
    """

    max_rounds: int = 3
    max_checks_per_round: int = 3
    max_total_checks: int = 12
    time_budget_seconds: float = 120.0
    confidence_threshold: float = 0.85


@dataclass(frozen=True)
class Case:
    """All that a diagnosis is given before it begins; with what the checks brought it says the rest.

    told: what the question means, kept as if it were a look.
    """

    session_id: str
    target_id: str
    snapshot_id: str
    question: str
    budget: Budget
    baseline: tuple[str, ...]
    checks: tuple[Check, ...]
    routes: tuple[Route, ...]
    told: Looked | None = None


@dataclass(frozen=True)
class Belief:
    """A cause and how much is believed in it."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    supporting: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A phenomenon worth looking at. after_yes and after_no: belief in the present leader then."""

    phenomenon_id: str
    gain_bits: float
    after_yes: float
    after_no: float


@dataclass(frozen=True)
class Judgement:
    """The engine's answer: beliefs from the best on, questions from the most telling on."""

    beliefs: tuple[Belief, ...]
    questions: tuple[Question, ...]
    other: float


@dataclass(frozen=True)
class Standing:
    """How a route stands after what was found."""

    category: str
    score: float
    for_it: tuple[str, ...]
    against_it: tuple[str, ...]


@dataclass(frozen=True)
class Batch:
    """Checks of one call, and the category under which the gate is to admit them; empty admits every category."""

    category: str
    checks: tuple[str, ...]


@dataclass(frozen=True)
class Collected:
    """What one call brought. seconds: since the diagnosis began, when the call ended."""

    looks: tuple[Looked, ...]
    seconds: float


class Eyes(Protocol):
    """Runs checks."""

    async def collect(self, batch: Batch) -> Collected:
        """What the checks of a batch brought, those that failed or were refused among them."""


class Mind(Protocol):
    """Turns verdicts into beliefs."""

    async def judge(self, evidence: Mapping[str, Verdict], open_phenomena: Collection[str]) -> Judgement:
        """Beliefs under the evidence, and the questions about phenomena that can still be looked at."""


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
    """What a diagnosis says in the end."""

    FOUND = "found"
    SUSPECTED = "suspected"
    HEALTHY = "healthy"
    UNSEEN = "unseen"
