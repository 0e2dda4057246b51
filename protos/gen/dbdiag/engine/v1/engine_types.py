"""The types of dbdiag/engine/v1/engine.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

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
    "ExplainRequest",
    "ExplainResponse",
    "Figure",
    "Hint",
    "Hypothesis",
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


@dataclass(frozen=True)
class Hint:
    """A suspicion of the person: lifts what is shown for this request, never the belief."""

    root_cause_id: str = ""
    # Added to the confidence shown, in [0, 0.2].
    boost: float = 0.0


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


@dataclass(frozen=True)
class Belief:
    """A belief in one root cause."""

    root_cause_id: str = ""
    confidence: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """The leading beliefs after an answer."""

    # How likely this answer is now.
    probability: float = 0.0
    # By falling belief, at most three.
    beliefs: tuple[Belief, ...] = ()


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


@dataclass(frozen=True)
class Contradiction:
    """Two answers that no cause explains together."""

    # In id order.
    first_phenomenon_id: str = ""
    second_phenomenon_id: str = ""
    # How much even the cause that explains both best falls short of explaining each, in bits.
    bits: float = 0.0


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


@dataclass(frozen=True)
class DiagnoseStreamRequest:
    """`dbdiag.engine.v1.DiagnoseStreamRequest`."""

    # Echoed in the response.
    correlation_id: str = ""
    diagnose: DiagnoseRequest = DiagnoseRequest()


@dataclass(frozen=True)
class Refusal:
    """Why a request was refused."""

    # As `error-reason`.
    reason: str = ""
    message: str = ""


@dataclass(frozen=True)
class DiagnoseStreamResponse:
    """`dbdiag.engine.v1.DiagnoseStreamResponse`."""

    correlation_id: str = ""
    diagnosis: DiagnoseResponse | None = None
    refusal: Refusal | None = None


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


@dataclass(frozen=True)
class Overturn:
    """A single answer that would change the leader."""

    phenomenon_id: str = ""
    # The answer as it stands (unspecified: not answered yet) and the one that would overturn.
    verdict_now: Verdict | None = None
    verdict_then: Verdict | None = None
    leader_then: str = ""
    confidence_then: float = 0.0


@dataclass(frozen=True)
class Unchecked:
    """A typical phenomenon of the cause that is still open."""

    phenomenon_id: str = ""
    likelihood: float = 0.0
    # Belief in this cause after yes and after no.
    confidence_if_yes: float = 0.0
    confidence_if_no: float = 0.0


@dataclass(frozen=True)
class ExplainResponse:
    """`dbdiag.engine.v1.ExplainResponse`."""

    snapshot_id: str = ""
    engine_version: str = ""
    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence: float = 0.0
    other_confidence: float = 0.0
    # Odds against "something else", in bits: prior_odds_bits + the sum of contributions.bits = posterior_odds_bits,
    # and posterior_odds_bits = log2(confidence / other_confidence).
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


@dataclass(frozen=True)
class ListPhenomenaRequest:
    """`dbdiag.engine.v1.ListPhenomenaRequest`."""

    snapshot_id: str = ""
    # Only these ids; empty for all.
    phenomenon_ids: tuple[str, ...] = ()


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


@dataclass(frozen=True)
class ListPhenomenaResponse:
    """`dbdiag.engine.v1.ListPhenomenaResponse`."""

    snapshot_id: str = ""
    phenomena: tuple[Phenomenon, ...] = ()


@dataclass(frozen=True)
class ListRootCausesRequest:
    """`dbdiag.engine.v1.ListRootCausesRequest`."""

    snapshot_id: str = ""
    root_cause_ids: tuple[str, ...] = ()


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


@dataclass(frozen=True)
class ListRootCausesResponse:
    """`dbdiag.engine.v1.ListRootCausesResponse`."""

    snapshot_id: str = ""
    root_causes: tuple[RootCause, ...] = ()


@dataclass(frozen=True)
class ListRelationsRequest:
    """`dbdiag.engine.v1.ListRelationsRequest`."""

    snapshot_id: str = ""
    # At most one of the two.
    phenomenon_id: str = ""
    root_cause_id: str = ""


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


@dataclass(frozen=True)
class ListRelationsResponse:
    """`dbdiag.engine.v1.ListRelationsResponse`."""

    snapshot_id: str = ""
    relations: tuple[Relation, ...] = ()


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


@dataclass(frozen=True)
class ListSnapshotsResponse:
    """`dbdiag.engine.v1.ListSnapshotsResponse`."""

    snapshots: tuple[LoadedSnapshot, ...] = ()
    engine_version: str = ""


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


@dataclass(frozen=True)
class EvaluationProgress:
    """`dbdiag.engine.v1.EvaluationProgress`."""

    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Figure:
    """`dbdiag.engine.v1.Figure`."""

    name: str = ""
    value: float = 0.0


@dataclass(frozen=True)
class Evaluation:
    """`dbdiag.engine.v1.Evaluation`."""

    case_count: int = 0
    # The metrics, then what was learned, by name and in this order.
    figures: tuple[Figure, ...] = ()
    # SVG; empty unless plots are asked for.
    reliability_plot: str = ""
    questions_plot: str = ""


EvaluateResponse = EvaluationProgress | Evaluation
