"""What the matcher is asked and what it answers: dbdiag.matcher.v1 as the gateway holds it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateway.language import LocalizedText, ModelUsage, Verdict


@dataclass(frozen=True)
class Observation:
    """A fact in the person's words; certainty in (0, 1]."""

    text: str
    certainty: float | None = None


@dataclass(frozen=True)
class MatchRequest:
    """Facts to interpret, with what was asked and said."""

    snapshot_id: str
    observations: tuple[Observation, ...]
    pending_phenomenon_ids: tuple[str, ...] = ()
    evidence_phenomenon_ids: tuple[str, ...] = ()
    language: str = ""
    option_phenomenon_ids: tuple[str, ...] = ()
    max_candidates: int = 0


@dataclass(frozen=True)
class Candidate:
    """A recalled phenomenon and how near it is."""

    phenomenon_id: str
    name: LocalizedText
    score: float
    dense_score: float = 0.0
    sparse_score: float = 0.0


@dataclass(frozen=True)
class Match:
    """What the words mean."""

    phenomenon_id: str
    verdict: Verdict
    score: float
    extracted_value: str = ""
    also_possible_id: str = ""


class MatchClarificationKind(StrEnum):
    """Why the matcher cannot tell."""

    VAGUE = "vague"
    MULTIPLE_MATCHES = "multiple_matches"


@dataclass(frozen=True)
class MatchClarification:
    """The candidates between which the person has to choose."""

    kind: MatchClarificationKind
    options: tuple[Candidate, ...] = ()


@dataclass(frozen=True)
class NoMatch:
    """Nothing in the snapshot is near."""


@dataclass(frozen=True)
class Interpretation:
    """One an observation; of match, clarification and no_match exactly one is set."""

    observation_index: int
    match: Match | None = None
    clarification: MatchClarification | None = None
    no_match: NoMatch | None = None
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True)
class MatchReply:
    """All interpretations, in the request's order."""

    snapshot_id: str
    interpretations: tuple[Interpretation, ...] = ()
    usage: ModelUsage = ModelUsage()


@dataclass(frozen=True)
class RootCauseHit:
    """A cause the words may name."""

    root_cause_id: str
    name: LocalizedText
    score: float


@dataclass(frozen=True)
class SearchReply:
    """What a text is nearest to."""

    snapshot_id: str
    candidates: tuple[Candidate, ...] = ()
    root_causes: tuple[RootCauseHit, ...] = ()
