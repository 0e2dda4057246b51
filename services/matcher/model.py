"""The matcher's own words: what comes in, what is recalled, what is decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Language = Literal["zh", "en"]


class Verdict(StrEnum):
    """What the words say about a phenomenon."""

    CONFIRMED = "confirmed"
    DENIED = "denied"
    UNKNOWN = "unknown"


class Doubt(StrEnum):
    """Why a text like an entry is not taken for it: it does not decide, or it speaks of something else."""

    NONE = "none"
    UNDECIDED = "undecided"
    ELSEWHERE = "elsewhere"


class ClarificationKind(StrEnum):
    """Why a person has to be asked."""

    VAGUE = "vague"
    MULTIPLE_MATCHES = "multiple_matches"


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """The same statement in both languages."""

    zh: str = ""
    en: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """A person's words; `certainty` in (0, 1] says how surely they were said."""

    text: str
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class MatchContext:
    """What is going on in the dialogue: asked items, evidence, options of an open clarification. Ids only."""

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
    """The words mean this phenomenon. `score` in [0, 1] is likeness times certainty."""

    phenomenon_id: str
    verdict: Verdict
    score: float
    extracted_value: str = ""
    also_possible_id: str = ""


@dataclass(frozen=True, slots=True)
class Clarification:
    """The words could mean one of these, by falling score, at most four."""

    kind: ClarificationKind
    options: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class NoMatch:
    """Nothing in the snapshot is near."""


Outcome = Match | Clarification | NoMatch


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One observation's outcome with the candidates it was chosen from, by falling score, ties by id."""

    observation_index: int
    outcome: Outcome
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What the language model cost; `fallback_reason` says why the rules answered in its place."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    fallback_reason: str = ""


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """`snapshot_id` empty means the current one."""

    snapshot_id: str
    observations: tuple[Observation, ...]
    context: MatchContext = field(default_factory=MatchContext)


@dataclass(frozen=True, slots=True)
class MatchAnswer:
    """Exactly one interpretation an observation, in the request's order."""

    snapshot_id: str
    interpretations: tuple[Interpretation, ...]
    usage: ModelUsage = field(default_factory=ModelUsage)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """`limit` 1 to 50; `include_root_causes` also looks among the causes."""

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
    """Hits by falling score, ties by id."""

    snapshot_id: str
    candidates: tuple[Candidate, ...]
    root_causes: tuple[RootCauseHit, ...] = ()
