"""The types of dbdiag/engine/v1/engine.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from dbdiag.frozen import dataclass, set_field

from dbdiag.vocabulary import BeliefChange, CauseQuestion, ListSnapshotsRequest, LocalizedText, ReliefStep, SolutionStep, TicketReference, Verdict

__all__ = [
    "Belief",
    "BeliefChange",
    "CauseQuestion",
    "Conclusion",
    "Contradiction",
    "Contribution",
    "DiagnoseRequest",
    "DiagnoseResponse",
    "DiagnoseStreamRequest",
    "DiagnoseStreamResponse",
    "EvaluateRequest",
    "EvaluateResponse",
    "Evaluation",
    "EvaluationProgress",
    "Evidence",
    "ExpectRequest",
    "ExpectResponse",
    "Expectation",
    "ExplainRequest",
    "ExplainResponse",
    "Figure",
    "Hint",
    "Hypothesis",
    "Likeness",
    "ListPhenomenaRequest",
    "ListPhenomenaResponse",
    "ListRelationsRequest",
    "ListRelationsResponse",
    "ListRootCausesRequest",
    "ListRootCausesResponse",
    "ListSnapshotsRequest",
    "ListSnapshotsResponse",
    "LoadedSnapshot",
    "LocalizedText",
    "Outcome",
    "Overturn",
    "Phenomenon",
    "Recommendation",
    "Refusal",
    "Relation",
    "ReliefStep",
    "RootCause",
    "ScoringRule",
    "SolutionStep",
    "TicketReference",
    "Unchecked",
    "Verdict",
    "WhatIfRequest",
    "WhatIfResponse",
]


class ScoringRule(StrEnum):
    """How evidence is scored."""

    # The model of docs/engine.md.
    BAYES = "bayes"
    # Counted frequencies without smoothing, denials only above one half: a baseline for comparison.
    SEED = "seed"


@dataclass(frozen=True)
class Evidence:
    """One answer. A phenomenon may be named more than once only with the same verdict and score."""

    phenomenon_id: str = ""
    verdict: Verdict | None = None
    # How surely the words meant this phenomenon, in [0, 1]. Absent: 1.
    score: float | None = None

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, verdict=verdict, score=score):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "verdict", verdict)
            set_field(self, "score", score)


@dataclass(frozen=True)
class Hint:
    """A suspicion of the person: lifts what is shown for this request, never the belief."""

    root_cause_id: str = ""
    # Added to the confidence shown, in [0, 0.2].
    boost: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, boost=boost):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "boost", boost)


@dataclass(frozen=True)
class Likeness:
    """How much the words of an incident, taken as a whole, sound like those of incidents of one cause."""

    root_cause_id: str = ""
    # log2 of the likelihood of the words under this cause over that under "something else", in [-16, 16]; causes that
    # are not named have 0.
    bits: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, bits=bits):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "bits", bits)


@dataclass(frozen=True)
class DiagnoseRequest:
    """`dbdiag.engine.v1.DiagnoseRequest`."""

    # `sha256:...`, or empty for the snapshot that is current.
    snapshot_id: str = ""
    evidence: tuple[Evidence, ...] = ()
    hints: tuple[Hint, ...] = ()
    # How many hypotheses to return. 0: 5. At most 100.
    max_hypotheses: int = 0
    # How many recommendations to return. 0: 5. At most 50.
    max_recommendations: int = 0
    # Belief from which a cause is concluded, in (0.5, 1). Absent: the engine's setting (0.95).
    threshold: float | None = None
    rule: ScoringRule | None = None
    # Phenomena that are not to be recommended (besides those in the evidence).
    excluded_phenomenon_ids: tuple[str, ...] = ()
    # Moves the belief, but never concludes: a conclusion must hold without it as well. Each cause at most once.
    likeness: tuple[Likeness, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, evidence=evidence, hints=hints, max_hypotheses=max_hypotheses, max_recommendations=max_recommendations, threshold=threshold, rule=rule, excluded_phenomenon_ids=excluded_phenomenon_ids, likeness=likeness):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "evidence", evidence)
            set_field(self, "hints", hints)
            set_field(self, "max_hypotheses", max_hypotheses)
            set_field(self, "max_recommendations", max_recommendations)
            set_field(self, "threshold", threshold)
            set_field(self, "rule", rule)
            set_field(self, "excluded_phenomenon_ids", excluded_phenomenon_ids)
            set_field(self, "likeness", likeness)


@dataclass(frozen=True)
class Contribution:
    """What one piece of evidence did for one root cause."""

    phenomenon_id: str = ""
    verdict: Verdict | None = None
    score: float = 0.0
    # Weight of evidence in bits against "something else": log2 of the likelihood under this cause over the likelihood
    # under the base rate. Positive speaks for the cause.
    bits: float = 0.0
    # P(phenomenon | cause) and the base rate used, both in (0, 1).
    likelihood: float = 0.0
    base_rate: float = 0.0
    # Of `ticket_count` tickets of this cause, `ticket_hits` recorded the phenomenon.
    ticket_hits: int = 0
    ticket_count: int = 0
    # Tickets of this cause that recorded the phenomenon, in id order, at most five.
    ticket_ids: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, verdict=verdict, score=score, bits=bits, likelihood=likelihood, base_rate=base_rate, ticket_hits=ticket_hits, ticket_count=ticket_count, ticket_ids=ticket_ids):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "verdict", verdict)
            set_field(self, "score", score)
            set_field(self, "bits", bits)
            set_field(self, "likelihood", likelihood)
            set_field(self, "base_rate", base_rate)
            set_field(self, "ticket_hits", ticket_hits)
            set_field(self, "ticket_count", ticket_count)
            set_field(self, "ticket_ids", ticket_ids)


@dataclass(frozen=True)
class Hypothesis:
    """`dbdiag.engine.v1.Hypothesis`."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    # The posterior belief, in [0, 1].
    confidence: float = 0.0
    # confidence plus the boost of a hint, at most 1.
    effective_confidence: float = 0.0
    boost: float = 0.0
    # The belief before any evidence.
    prior: float = 0.0
    # By falling absolute bits, ties by id.
    contributions: tuple[Contribution, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, name=name, confidence=confidence, effective_confidence=effective_confidence, boost=boost, prior=prior, contributions=contributions):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence", confidence)
            set_field(self, "effective_confidence", effective_confidence)
            set_field(self, "boost", boost)
            set_field(self, "prior", prior)
            set_field(self, "contributions", contributions)


@dataclass(frozen=True)
class Belief:
    """A belief in one root cause."""

    root_cause_id: str = ""
    confidence: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, confidence=confidence):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "confidence", confidence)


@dataclass(frozen=True)
class Outcome:
    """The leading beliefs after an answer."""

    # How likely this answer is now.
    probability: float = 0.0
    # By falling belief, at most three.
    beliefs: tuple[Belief, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, probability=probability, beliefs=beliefs):
            set_field(self, "probability", probability)
            set_field(self, "beliefs", beliefs)


@dataclass(frozen=True)
class Recommendation:
    """`dbdiag.engine.v1.Recommendation`."""

    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    # Expected fall of the entropy of the belief, in bits, in [0, 1].
    information_gain_bits: float = 0.0
    # What the ranking used: the gain less what it costs to look.
    rank_score: float = 0.0
    # 1 a query, 2 a file on the host, 3 other people, 5 an outage.
    cost: int = 0
    # The causes this question tells apart: those among the leading ones that it moves, most moved first.
    related_root_cause_ids: tuple[str, ...] = ()
    # Belief in the leading hypothesis after yes and after no.
    confidence_if_yes: float = 0.0
    confidence_if_no: float = 0.0
    if_yes: Outcome = Outcome()
    if_no: Outcome = Outcome()

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, name=name, information_gain_bits=information_gain_bits, rank_score=rank_score, cost=cost, related_root_cause_ids=related_root_cause_ids, confidence_if_yes=confidence_if_yes, confidence_if_no=confidence_if_no, if_yes=if_yes, if_no=if_no):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "information_gain_bits", information_gain_bits)
            set_field(self, "rank_score", rank_score)
            set_field(self, "cost", cost)
            set_field(self, "related_root_cause_ids", related_root_cause_ids)
            set_field(self, "confidence_if_yes", confidence_if_yes)
            set_field(self, "confidence_if_no", confidence_if_no)
            set_field(self, "if_yes", if_yes)
            set_field(self, "if_no", if_no)


@dataclass(frozen=True)
class Conclusion:
    """A root cause that is held certain enough to act on."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence: float = 0.0
    # Phenomena in the evidence that speak for it and against it, strongest first.
    supporting_phenomenon_ids: tuple[str, ...] = ()
    conflicting_phenomenon_ids: tuple[str, ...] = ()
    # Typical phenomena of this cause that are still unchecked, most typical first, at most five.
    unchecked_phenomenon_ids: tuple[str, ...] = ()
    # Confirmed phenomena this cause does not explain, in id order.
    unexplained_phenomenon_ids: tuple[str, ...] = ()
    # Tickets of this cause most like the evidence, at most five.
    ticket_ids: tuple[str, ...] = ()
    # The cause that explains the unexplained phenomena best, where some cause does: two faults at once are common.
    second_root_cause_id: str | None = None
    # The belief in that cause given the unexplained phenomena alone.
    second_confidence: float | None = None

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, name=name, confidence=confidence, supporting_phenomenon_ids=supporting_phenomenon_ids, conflicting_phenomenon_ids=conflicting_phenomenon_ids, unchecked_phenomenon_ids=unchecked_phenomenon_ids, unexplained_phenomenon_ids=unexplained_phenomenon_ids, ticket_ids=ticket_ids, second_root_cause_id=second_root_cause_id, second_confidence=second_confidence):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence", confidence)
            set_field(self, "supporting_phenomenon_ids", supporting_phenomenon_ids)
            set_field(self, "conflicting_phenomenon_ids", conflicting_phenomenon_ids)
            set_field(self, "unchecked_phenomenon_ids", unchecked_phenomenon_ids)
            set_field(self, "unexplained_phenomenon_ids", unexplained_phenomenon_ids)
            set_field(self, "ticket_ids", ticket_ids)
            set_field(self, "second_root_cause_id", second_root_cause_id)
            set_field(self, "second_confidence", second_confidence)


@dataclass(frozen=True)
class Contradiction:
    """Two answers that no cause explains together."""

    # In id order.
    first_phenomenon_id: str = ""
    second_phenomenon_id: str = ""
    # How much even the cause that explains both best falls short of explaining each, in bits.
    bits: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, first_phenomenon_id=first_phenomenon_id, second_phenomenon_id=second_phenomenon_id, bits=bits):
            set_field(self, "first_phenomenon_id", first_phenomenon_id)
            set_field(self, "second_phenomenon_id", second_phenomenon_id)
            set_field(self, "bits", bits)


@dataclass(frozen=True)
class DiagnoseResponse:
    """`dbdiag.engine.v1.DiagnoseResponse`."""

    # The snapshot that answered: pin it in later requests.
    snapshot_id: str = ""
    engine_version: str = ""
    hypotheses: tuple[Hypothesis, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    # Absent until a cause is concluded.
    conclusion: Conclusion | None = None
    # Belief that the cause is not in the library.
    other_confidence: float = 0.0
    # Entropy of the belief in bits.
    entropy_bits: float = 0.0
    # How improbable the evidence is under the best cause, in bits above its expectation; from about 3 it is surprising.
    surprise_bits: float = 0.0
    root_cause_count: int = 0
    # The two answers that contradict each other most; absent where no two do by three bits.
    contradiction: Contradiction | None = None

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, engine_version=engine_version, hypotheses=hypotheses, recommendations=recommendations, conclusion=conclusion, other_confidence=other_confidence, entropy_bits=entropy_bits, surprise_bits=surprise_bits, root_cause_count=root_cause_count, contradiction=contradiction):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "engine_version", engine_version)
            set_field(self, "hypotheses", hypotheses)
            set_field(self, "recommendations", recommendations)
            set_field(self, "conclusion", conclusion)
            set_field(self, "other_confidence", other_confidence)
            set_field(self, "entropy_bits", entropy_bits)
            set_field(self, "surprise_bits", surprise_bits)
            set_field(self, "root_cause_count", root_cause_count)
            set_field(self, "contradiction", contradiction)


@dataclass(frozen=True)
class DiagnoseStreamRequest:
    """`dbdiag.engine.v1.DiagnoseStreamRequest`."""

    # Echoed in the response.
    correlation_id: str = ""
    diagnose: DiagnoseRequest = DiagnoseRequest()

    if not TYPE_CHECKING:

        def __init__(self, correlation_id=correlation_id, diagnose=diagnose):
            set_field(self, "correlation_id", correlation_id)
            set_field(self, "diagnose", diagnose)


@dataclass(frozen=True)
class Refusal:
    """Why a request was refused."""

    # As `error-reason`.
    reason: str = ""
    message: str = ""

    if not TYPE_CHECKING:

        def __init__(self, reason=reason, message=message):
            set_field(self, "reason", reason)
            set_field(self, "message", message)


@dataclass(frozen=True)
class DiagnoseStreamResponse:
    """`dbdiag.engine.v1.DiagnoseStreamResponse`."""

    correlation_id: str = ""
    diagnosis: DiagnoseResponse | None = None
    refusal: Refusal | None = None

    if not TYPE_CHECKING:

        def __init__(self, correlation_id=correlation_id, diagnosis=diagnosis, refusal=refusal):
            set_field(self, "correlation_id", correlation_id)
            set_field(self, "diagnosis", diagnosis)
            set_field(self, "refusal", refusal)


@dataclass(frozen=True)
class ExplainRequest:
    """`dbdiag.engine.v1.ExplainRequest`."""

    snapshot_id: str = ""
    evidence: tuple[Evidence, ...] = ()
    # Empty: the leading cause.
    root_cause_id: str = ""
    rule: ScoringRule | None = None
    # A question whose reason is asked for; empty for none.
    phenomenon_id: str = ""
    likeness: tuple[Likeness, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, evidence=evidence, root_cause_id=root_cause_id, rule=rule, phenomenon_id=phenomenon_id, likeness=likeness):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "evidence", evidence)
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "rule", rule)
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "likeness", likeness)


@dataclass(frozen=True)
class Overturn:
    """A single answer that would change the leader."""

    phenomenon_id: str = ""
    # The answer as it stands (unspecified: not answered yet) and the one that would overturn.
    verdict_now: Verdict | None = None
    verdict_then: Verdict | None = None
    leader_then: str = ""
    confidence_then: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, verdict_now=verdict_now, verdict_then=verdict_then, leader_then=leader_then, confidence_then=confidence_then):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "verdict_now", verdict_now)
            set_field(self, "verdict_then", verdict_then)
            set_field(self, "leader_then", leader_then)
            set_field(self, "confidence_then", confidence_then)


@dataclass(frozen=True)
class Unchecked:
    """A typical phenomenon of the cause that is still open."""

    phenomenon_id: str = ""
    likelihood: float = 0.0
    # Belief in this cause after yes and after no.
    confidence_if_yes: float = 0.0
    confidence_if_no: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, likelihood=likelihood, confidence_if_yes=confidence_if_yes, confidence_if_no=confidence_if_no):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "likelihood", likelihood)
            set_field(self, "confidence_if_yes", confidence_if_yes)
            set_field(self, "confidence_if_no", confidence_if_no)


@dataclass(frozen=True)
class ExplainResponse:
    """`dbdiag.engine.v1.ExplainResponse`."""

    snapshot_id: str = ""
    engine_version: str = ""
    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence: float = 0.0
    other_confidence: float = 0.0
    # Odds against "something else", in bits: prior_odds_bits + likeness_bits + the sum of contributions.bits =
    # posterior_odds_bits, and posterior_odds_bits = log2(confidence / other_confidence).
    prior_odds_bits: float = 0.0
    posterior_odds_bits: float = 0.0
    contributions: tuple[Contribution, ...] = ()
    # Most typical first, at most ten.
    unchecked: tuple[Unchecked, ...] = ()
    # In order of the confidence they would give the new leader, at most five.
    overturns: tuple[Overturn, ...] = ()
    # The question asked about, as Diagnose would recommend it; absent if none was named.
    question: Recommendation | None = None
    rank: int = 0
    likeness_bits: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, engine_version=engine_version, root_cause_id=root_cause_id, name=name, confidence=confidence, other_confidence=other_confidence, prior_odds_bits=prior_odds_bits, posterior_odds_bits=posterior_odds_bits, contributions=contributions, unchecked=unchecked, overturns=overturns, question=question, rank=rank, likeness_bits=likeness_bits):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "engine_version", engine_version)
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence", confidence)
            set_field(self, "other_confidence", other_confidence)
            set_field(self, "prior_odds_bits", prior_odds_bits)
            set_field(self, "posterior_odds_bits", posterior_odds_bits)
            set_field(self, "contributions", contributions)
            set_field(self, "unchecked", unchecked)
            set_field(self, "overturns", overturns)
            set_field(self, "question", question)
            set_field(self, "rank", rank)
            set_field(self, "likeness_bits", likeness_bits)


@dataclass(frozen=True)
class WhatIfRequest:
    """`dbdiag.engine.v1.WhatIfRequest`."""

    snapshot_id: str = ""
    evidence: tuple[Evidence, ...] = ()
    # Answers put in place of those with the same phenomenon, or added.
    replace: tuple[Evidence, ...] = ()
    # Phenomena whose answers are taken out.
    retract_phenomenon_ids: tuple[str, ...] = ()
    rule: ScoringRule | None = None
    # How many changes to return. 0: 5.
    max_changes: int = 0
    likeness: tuple[Likeness, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, evidence=evidence, replace=replace, retract_phenomenon_ids=retract_phenomenon_ids, rule=rule, max_changes=max_changes, likeness=likeness):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "evidence", evidence)
            set_field(self, "replace", replace)
            set_field(self, "retract_phenomenon_ids", retract_phenomenon_ids)
            set_field(self, "rule", rule)
            set_field(self, "max_changes", max_changes)
            set_field(self, "likeness", likeness)


@dataclass(frozen=True)
class ExpectRequest:
    """`dbdiag.engine.v1.ExpectRequest`."""

    snapshot_id: str = ""
    evidence: tuple[Evidence, ...] = ()
    likeness: tuple[Likeness, ...] = ()
    # What the evidence says of these does not count.
    phenomenon_ids: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, evidence=evidence, likeness=likeness, phenomenon_ids=phenomenon_ids):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "evidence", evidence)
            set_field(self, "likeness", likeness)
            set_field(self, "phenomenon_ids", phenomenon_ids)


@dataclass(frozen=True)
class Expectation:
    """`dbdiag.engine.v1.Expectation`."""

    phenomenon_id: str = ""
    # P(yes) given all else, and without anything known; both in (0, 1).
    probability: float = 0.0
    base_rate: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, probability=probability, base_rate=base_rate):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "probability", probability)
            set_field(self, "base_rate", base_rate)


@dataclass(frozen=True)
class ExpectResponse:
    """`dbdiag.engine.v1.ExpectResponse`."""

    snapshot_id: str = ""
    engine_version: str = ""
    # In the order of the request.
    expectations: tuple[Expectation, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, engine_version=engine_version, expectations=expectations):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "engine_version", engine_version)
            set_field(self, "expectations", expectations)


@dataclass(frozen=True)
class WhatIfResponse:
    """`dbdiag.engine.v1.WhatIfResponse`."""

    snapshot_id: str = ""
    engine_version: str = ""
    # By falling absolute change, ties by id.
    changes: tuple[BeliefChange, ...] = ()
    # The leader after the edit.
    leader_after: str = ""
    leader_confidence_after: float = 0.0
    leader_before: str = ""
    leader_confidence_before: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, engine_version=engine_version, changes=changes, leader_after=leader_after, leader_confidence_after=leader_confidence_after, leader_before=leader_before, leader_confidence_before=leader_confidence_before):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "engine_version", engine_version)
            set_field(self, "changes", changes)
            set_field(self, "leader_after", leader_after)
            set_field(self, "leader_confidence_after", leader_confidence_after)
            set_field(self, "leader_before", leader_before)
            set_field(self, "leader_confidence_before", leader_confidence_before)


@dataclass(frozen=True)
class ListPhenomenaRequest:
    """`dbdiag.engine.v1.ListPhenomenaRequest`."""

    snapshot_id: str = ""
    # Only these ids; empty for all.
    phenomenon_ids: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, phenomenon_ids=phenomenon_ids):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "phenomenon_ids", phenomenon_ids)


@dataclass(frozen=True)
class Phenomenon:
    """`dbdiag.engine.v1.Phenomenon`."""

    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    description: LocalizedText = LocalizedText()
    # sql, shell or manual.
    observe_kind: str = ""
    # How to look: `how` in English.
    observation_method: str = ""
    present_when: LocalizedText = LocalizedText()
    versions: str = ""
    cost: int = 0
    base_rate: float = 0.0
    ticket_count: int = 0
    # People open a case with it.
    complaint: bool = False
    # How to check it: a query or command is the same in both languages, instructions to a person need not be.
    how: LocalizedText = LocalizedText()
    # The database whose query it is: postgresql or mysql; empty where it is no query.
    engine: str = ""

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, name=name, description=description, observe_kind=observe_kind, observation_method=observation_method, present_when=present_when, versions=versions, cost=cost, base_rate=base_rate, ticket_count=ticket_count, complaint=complaint, how=how, engine=engine):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "description", description)
            set_field(self, "observe_kind", observe_kind)
            set_field(self, "observation_method", observation_method)
            set_field(self, "present_when", present_when)
            set_field(self, "versions", versions)
            set_field(self, "cost", cost)
            set_field(self, "base_rate", base_rate)
            set_field(self, "ticket_count", ticket_count)
            set_field(self, "complaint", complaint)
            set_field(self, "how", how)
            set_field(self, "engine", engine)


@dataclass(frozen=True)
class ListPhenomenaResponse:
    """`dbdiag.engine.v1.ListPhenomenaResponse`."""

    snapshot_id: str = ""
    phenomena: tuple[Phenomenon, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, phenomena=phenomena):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "phenomena", phenomena)


@dataclass(frozen=True)
class ListRootCausesRequest:
    """`dbdiag.engine.v1.ListRootCausesRequest`."""

    snapshot_id: str = ""
    root_cause_ids: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, root_cause_ids=root_cause_ids):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "root_cause_ids", root_cause_ids)


@dataclass(frozen=True)
class RootCause:
    """`dbdiag.engine.v1.RootCause`."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    category: str = ""
    mechanism: LocalizedText = LocalizedText()
    solution: tuple[SolutionStep, ...] = ()
    verify: LocalizedText = LocalizedText()
    references: tuple[str, ...] = ()
    prior: float = 0.0
    tickets: tuple[TicketReference, ...] = ()
    # The least risky first.
    relief: tuple[ReliefStep, ...] = ()
    # One sentence for somebody who knows no databases; empty where the library has none.
    plain: LocalizedText = LocalizedText()
    questions: tuple[CauseQuestion, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, name=name, category=category, mechanism=mechanism, solution=solution, verify=verify, references=references, prior=prior, tickets=tickets, relief=relief, plain=plain, questions=questions):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "category", category)
            set_field(self, "mechanism", mechanism)
            set_field(self, "solution", solution)
            set_field(self, "verify", verify)
            set_field(self, "references", references)
            set_field(self, "prior", prior)
            set_field(self, "tickets", tickets)
            set_field(self, "relief", relief)
            set_field(self, "plain", plain)
            set_field(self, "questions", questions)


@dataclass(frozen=True)
class ListRootCausesResponse:
    """`dbdiag.engine.v1.ListRootCausesResponse`."""

    snapshot_id: str = ""
    root_causes: tuple[RootCause, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, root_causes=root_causes):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "root_causes", root_causes)


@dataclass(frozen=True)
class ListRelationsRequest:
    """`dbdiag.engine.v1.ListRelationsRequest`."""

    snapshot_id: str = ""
    # At most one of the two.
    phenomenon_id: str = ""
    root_cause_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, phenomenon_id=phenomenon_id, root_cause_id=root_cause_id):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "root_cause_id", root_cause_id)


@dataclass(frozen=True)
class Relation:
    """`dbdiag.engine.v1.Relation`."""

    phenomenon_id: str = ""
    root_cause_id: str = ""
    likelihood: float = 0.0
    # always, usually, sometimes or rarely; empty where only tickets link the two.
    strength: str = ""
    reason: LocalizedText = LocalizedText()
    ticket_hits: int = 0
    ticket_count: int = 0

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, root_cause_id=root_cause_id, likelihood=likelihood, strength=strength, reason=reason, ticket_hits=ticket_hits, ticket_count=ticket_count):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "likelihood", likelihood)
            set_field(self, "strength", strength)
            set_field(self, "reason", reason)
            set_field(self, "ticket_hits", ticket_hits)
            set_field(self, "ticket_count", ticket_count)


@dataclass(frozen=True)
class ListRelationsResponse:
    """`dbdiag.engine.v1.ListRelationsResponse`."""

    snapshot_id: str = ""
    relations: tuple[Relation, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, relations=relations):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "relations", relations)


@dataclass(frozen=True)
class LoadedSnapshot:
    """`dbdiag.engine.v1.LoadedSnapshot`."""

    snapshot_id: str = ""
    current: bool = False
    phenomenon_count: int = 0
    root_cause_count: int = 0
    link_count: int = 0
    ticket_count: int = 0
    # The numbers in use, chosen by the snapshot's tickets where there are enough: how often an answer is wrong, the power
    # of an answer's odds, and how far rates that only tickets speak of tell links from background.
    answer_noise: float = 0.0
    temper: float = 0.0
    told_apart: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, current=current, phenomenon_count=phenomenon_count, root_cause_count=root_cause_count, link_count=link_count, ticket_count=ticket_count, answer_noise=answer_noise, temper=temper, told_apart=told_apart):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "current", current)
            set_field(self, "phenomenon_count", phenomenon_count)
            set_field(self, "root_cause_count", root_cause_count)
            set_field(self, "link_count", link_count)
            set_field(self, "ticket_count", ticket_count)
            set_field(self, "answer_noise", answer_noise)
            set_field(self, "temper", temper)
            set_field(self, "told_apart", told_apart)


@dataclass(frozen=True)
class ListSnapshotsResponse:
    """`dbdiag.engine.v1.ListSnapshotsResponse`."""

    snapshots: tuple[LoadedSnapshot, ...] = ()
    engine_version: str = ""

    if not TYPE_CHECKING:

        def __init__(self, snapshots=snapshots, engine_version=engine_version):
            set_field(self, "snapshots", snapshots)
            set_field(self, "engine_version", engine_version)


@dataclass(frozen=True)
class EvaluateRequest:
    """`dbdiag.engine.v1.EvaluateRequest`."""

    # What to learn from: this snapshot, or the tickets below. Empty for the current snapshot.
    snapshot_id: str = ""
    # Tickets as JSON Lines, where they have a name; else the snapshot's.
    tickets: bytes = b""
    # The name of their file.
    tickets_name: str = ""
    # Cases to play, as JSON Lines.
    cases: bytes = b""
    cases_name: str = ""
    # Plays the cases above; else each ticket, left out while it is played.
    plays_cases: bool = False
    max_questions: int = 0
    # Belief from which a cause is concluded.
    threshold: float = 0.0
    # Shares of answers that are wrong, and that cannot be had; in [0, 1].
    flip: float = 0.0
    unknown: float = 0.0
    # Which answers those are.
    seed: int = 0
    rule: ScoringRule | None = None
    # Numbers of the model by name, in place of the defaults.
    parameters: Mapping[str, float] = field(default_factory=dict)
    # Also draw the reliability and the number of questions.
    plots: bool = False

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, tickets=tickets, tickets_name=tickets_name, cases=cases, cases_name=cases_name, plays_cases=plays_cases, max_questions=max_questions, threshold=threshold, flip=flip, unknown=unknown, seed=seed, rule=rule, parameters=None, plots=plots):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "tickets", tickets)
            set_field(self, "tickets_name", tickets_name)
            set_field(self, "cases", cases)
            set_field(self, "cases_name", cases_name)
            set_field(self, "plays_cases", plays_cases)
            set_field(self, "max_questions", max_questions)
            set_field(self, "threshold", threshold)
            set_field(self, "flip", flip)
            set_field(self, "unknown", unknown)
            set_field(self, "seed", seed)
            set_field(self, "rule", rule)
            set_field(self, "parameters", {} if parameters is None else parameters)
            set_field(self, "plots", plots)


@dataclass(frozen=True)
class EvaluationProgress:
    """`dbdiag.engine.v1.EvaluationProgress`."""

    done: int = 0
    total: int = 0

    if not TYPE_CHECKING:

        def __init__(self, done=done, total=total):
            set_field(self, "done", done)
            set_field(self, "total", total)


@dataclass(frozen=True)
class Figure:
    """`dbdiag.engine.v1.Figure`."""

    name: str = ""
    value: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, name=name, value=value):
            set_field(self, "name", name)
            set_field(self, "value", value)


@dataclass(frozen=True)
class Evaluation:
    """`dbdiag.engine.v1.Evaluation`."""

    case_count: int = 0
    # The metrics, then what was learned, by name and in this order.
    figures: tuple[Figure, ...] = ()
    # SVG; empty unless plots are asked for.
    reliability_plot: str = ""
    questions_plot: str = ""

    if not TYPE_CHECKING:

        def __init__(self, case_count=case_count, figures=figures, reliability_plot=reliability_plot, questions_plot=questions_plot):
            set_field(self, "case_count", case_count)
            set_field(self, "figures", figures)
            set_field(self, "reliability_plot", reliability_plot)
            set_field(self, "questions_plot", questions_plot)


EvaluateResponse = EvaluationProgress | Evaluation
