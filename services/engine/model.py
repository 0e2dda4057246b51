"""The engine's requests and replies.

Glossary: cause (root cause) r; OTHER, the cause that no library has; phenomenon p; theta_pr = P(p | r); q_p, the base
rate of p; belief, the posterior over causes and OTHER; bits, a weight of evidence or an entropy to base 2; gain, the
expected fall of the belief's entropy.

Ids are `P-...` and `RC-...` as in the snapshot. Fields are named as on the wire. Parts that a reply contains many times
are named tuples, not the contract's types: creating one takes a seventh of the time of a frozen dataclass.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from dbdiag.engine.v1.engine_types import BeliefChange as BeliefChange
from dbdiag.engine.v1.engine_types import Expectation as Expectation
from dbdiag.engine.v1.engine_types import ExpectResponse as ExpectResponse
from dbdiag.engine.v1.engine_types import Hint as Hint
from dbdiag.engine.v1.engine_types import Likeness as Likeness
from dbdiag.engine.v1.engine_types import LocalizedText as LocalizedText
from dbdiag.engine.v1.engine_types import Refusal as Refusal
from dbdiag.engine.v1.engine_types import Unchecked as Unchecked
from dbdiag.engine.v1.engine_types import WhatIfResponse as WhatIfResponse

ENGINE_VERSION = "1.5.0"

DEFAULT_COUNT = 5
MAX_HYPOTHESES = 100
MAX_RECOMMENDATIONS = 50
MAX_BOOST = 0.2
MAX_LIKENESS_BITS = 16.0


class Verdict(IntEnum):
    """The answer about a phenomenon; numbered as on the wire."""

    UNSPECIFIED = 0
    CONFIRMED = 1
    DENIED = 2
    UNKNOWN = 3


class ScoringRule(IntEnum):
    """The rule that scores evidence; numbered as on the wire. UNSPECIFIED means BAYES."""

    UNSPECIFIED = 0
    BAYES = 1
    SEED = 2


class Evidence(NamedTuple):
    """One answer. `score` in [0, 1] is the probability that the user meant this phenomenon."""

    phenomenon_id: str
    verdict: Verdict
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class DiagnoseRequest:
    """One complete evaluation. A count of 0 means the default of five; no threshold means the engine's setting."""

    snapshot_id: str = ""
    evidence: tuple[Evidence, ...] = ()
    hints: tuple[Hint, ...] = ()
    max_hypotheses: int = 0
    max_recommendations: int = 0
    threshold: float | None = None
    rule: ScoringRule = ScoringRule.UNSPECIFIED
    excluded_phenomenon_ids: tuple[str, ...] = ()
    likeness: tuple[Likeness, ...] = ()


class Contribution(NamedTuple):
    """The effect of one answer on one cause, in bits against OTHER, with the rates used and the supporting tickets."""

    phenomenon_id: str
    verdict: Verdict
    score: float
    bits: float
    likelihood: float
    base_rate: float
    ticket_hits: int
    ticket_count: int
    ticket_ids: tuple[str, ...]


class Hypothesis(NamedTuple):
    """A cause with its belief; contributions by falling absolute bits, ties by id."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    effective_confidence: float
    boost: float
    prior: float
    contributions: tuple[Contribution, ...]


class Belief(NamedTuple):
    """The belief in one cause."""

    root_cause_id: str
    confidence: float


class Outcome(NamedTuple):
    """The probability of an answer, and the three leading beliefs after it."""

    probability: float
    beliefs: tuple[Belief, ...]


class Recommendation(NamedTuple):
    """A question worth asking, and the effect of either answer."""

    phenomenon_id: str
    name: LocalizedText
    information_gain_bits: float
    rank_score: float
    cost: int
    related_root_cause_ids: tuple[str, ...]
    confidence_if_yes: float
    confidence_if_no: float
    if_yes: Outcome
    if_no: Outcome


class Conclusion(NamedTuple):
    """A cause certain enough to act on, with its supporting, conflicting, unchecked and unexplained phenomena.

    second_*: the cause that explains the unexplained phenomena best, and the belief in it given only those.
    """

    root_cause_id: str
    name: LocalizedText
    confidence: float
    supporting_phenomenon_ids: tuple[str, ...]
    conflicting_phenomenon_ids: tuple[str, ...]
    unchecked_phenomenon_ids: tuple[str, ...]
    unexplained_phenomenon_ids: tuple[str, ...]
    ticket_ids: tuple[str, ...]
    second_root_cause_id: str | None
    second_confidence: float | None


class Contradiction(NamedTuple):
    """Two answers, in id order, that no cause explains together: even the best one falls short by `bits`."""

    first_phenomenon_id: str
    second_phenomenon_id: str
    bits: float


class Diagnosis(NamedTuple):
    """The reply to a DiagnoseRequest."""

    snapshot_id: str
    engine_version: str
    hypotheses: tuple[Hypothesis, ...]
    recommendations: tuple[Recommendation, ...]
    conclusion: Conclusion | None
    other_confidence: float
    entropy_bits: float
    surprise_bits: float
    root_cause_count: int
    contradiction: Contradiction | None


@dataclass(frozen=True, slots=True)
class DiagnoseStreamResponse:
    """A diagnosis or a refusal, never both."""

    correlation_id: str
    diagnosis: Diagnosis | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """Without a cause, the leading one is explained; without a phenomenon, no question is."""

    snapshot_id: str = ""
    evidence: tuple[Evidence, ...] = ()
    root_cause_id: str = ""
    rule: ScoringRule = ScoringRule.UNSPECIFIED
    phenomenon_id: str = ""
    likeness: tuple[Likeness, ...] = ()


@dataclass(frozen=True, slots=True)
class Overturn:
    """One changed or added answer that would make another cause the leader."""

    phenomenon_id: str
    verdict_now: Verdict
    verdict_then: Verdict
    leader_then: str
    confidence_then: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The belief in one cause: posterior_odds_bits = prior_odds_bits + likeness_bits + the contributions' bits."""

    snapshot_id: str
    engine_version: str
    root_cause_id: str
    name: LocalizedText
    confidence: float
    other_confidence: float
    prior_odds_bits: float
    posterior_odds_bits: float
    contributions: tuple[Contribution, ...]
    unchecked: tuple[Unchecked, ...]
    overturns: tuple[Overturn, ...]
    question: Recommendation | None
    rank: int
    likeness_bits: float = 0.0


@dataclass(frozen=True, slots=True)
class ExpectRequest:
    """Phenomena, and what is known beside them."""

    snapshot_id: str = ""
    evidence: tuple[Evidence, ...] = ()
    likeness: tuple[Likeness, ...] = ()
    phenomenon_ids: tuple[str, ...] = ()
    rule: ScoringRule = ScoringRule.UNSPECIFIED


@dataclass(frozen=True, slots=True)
class WhatIfRequest:
    """The evidence and an edit of it: retractions apply first, then replacements."""

    snapshot_id: str = ""
    evidence: tuple[Evidence, ...] = ()
    replace: tuple[Evidence, ...] = ()
    retract_phenomenon_ids: tuple[str, ...] = ()
    rule: ScoringRule = ScoringRule.UNSPECIFIED
    max_changes: int = 0
    likeness: tuple[Likeness, ...] = ()
