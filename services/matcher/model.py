"""The matcher's domain types: requests, candidates, outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Language = Literal["zh", "en"]


class Verdict(StrEnum):
    """Presence of a phenomenon according to the text."""

    CONFIRMED = "confirmed"
    DENIED = "denied"
    UNKNOWN = "unknown"


class Doubt(StrEnum):
    """Why a similar text is not a match: it leaves presence open, or it describes another system or object."""

    NONE = "none"
    UNDECIDED = "undecided"
    ELSEWHERE = "elsewhere"


class ClarificationKind(StrEnum):
    """Why a clarification is needed."""

    VAGUE = "vague"
    MULTIPLE_MATCHES = "multiple_matches"


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """The same statement in both languages."""

    zh: str = ""
    en: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """A person's words; `certainty` in (0, 1] is lower for hedged statements."""

    text: str
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class MatchContext:
    """The dialogue's state as ids: pending items, recorded evidence, options of an open clarification."""

    pending: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    language: Language = "en"
    max_candidates: int = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A recalled phenomenon: calibrated score and its dense and sparse parts, each in [0, 1]."""

    phenomenon_id: str
    name: LocalizedText
    score: float
    dense_score: float
    sparse_score: float


@dataclass(frozen=True, slots=True)
class Match:
    """The text means this phenomenon. `score` in [0, 1] is the match probability times the certainty."""

    phenomenon_id: str
    verdict: Verdict
    score: float
    extracted_value: str = ""
    also_possible_id: str = ""


@dataclass(frozen=True, slots=True)
class Clarification:
    """The text is ambiguous or vague: at most four options by descending score."""

    kind: ClarificationKind
    options: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class NoMatch:
    """No phenomenon of the snapshot fits the text."""


Outcome = Match | Clarification | NoMatch


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One observation's outcome and its candidates by descending score, ties by id."""

    observation_index: int
    outcome: Outcome
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Cost of the language model; `fallback_reason` is set if the rules answered in its place."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    fallback_reason: str = ""


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """Observations to match; an empty `snapshot_id` means the current snapshot."""

    snapshot_id: str
    observations: tuple[Observation, ...]
    context: MatchContext = field(default_factory=MatchContext)


@dataclass(frozen=True, slots=True)
class MatchAnswer:
    """Exactly one interpretation per observation, in the request's order."""

    snapshot_id: str
    interpretations: tuple[Interpretation, ...]
    usage: ModelUsage = field(default_factory=ModelUsage)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A text to search for. `limit` is 1 to 50; `include_root_causes` searches root causes too."""

    snapshot_id: str
    text: str
    limit: int = 5
    include_root_causes: bool = False


@dataclass(frozen=True, slots=True)
class RootCauseHit:
    """A root cause that the text may name."""

    root_cause_id: str
    name: LocalizedText
    score: float


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Hits by descending score, ties by id."""

    snapshot_id: str
    candidates: tuple[Candidate, ...]
    root_causes: tuple[RootCauseHit, ...] = ()
