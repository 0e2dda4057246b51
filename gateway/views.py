"""Parts of an answer: causes, questions, a conclusion, with names; dbdiag.planner.v1 as the gateway holds it."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.language import LocalizedText, Verdict
from gateway.plan import EvidenceView, HypothesisView


@dataclass(frozen=True)
class BeliefChange:
    """A belief before and after."""

    root_cause_id: str
    name: LocalizedText
    confidence_before: float
    confidence_after: float


@dataclass(frozen=True)
class OutcomeView:
    """Leading beliefs after an answer, and how likely that answer is."""

    probability: float
    beliefs: tuple[HypothesisView, ...] = ()


@dataclass(frozen=True)
class RankedHypothesis:
    """A cause as it stands now, with its belief in the turn before."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    effective_confidence: float
    boost: float = 0.0
    confidence_before: float | None = None


@dataclass(frozen=True)
class RankedRecommendation:
    """A question worth asking."""

    ordinal: int
    phenomenon_id: str
    name: LocalizedText
    observe_kind: str = ""
    observation_method: str = ""
    present_when: LocalizedText | None = None
    information_gain_bits: float = 0.0
    if_yes: OutcomeView | None = None
    if_no: OutcomeView | None = None
    related: tuple[HypothesisView, ...] = ()
    cost: int = 1


@dataclass(frozen=True)
class Mover:
    """New evidence that moved the leader, in bits."""

    name: LocalizedText
    bits: float
    ticket_hits: int = 0
    ticket_count: int = 0
    verdict: Verdict | None = None


@dataclass(frozen=True)
class SolutionStep:
    """One step of a remedy."""

    action: LocalizedText
    how: str = ""
    risk: str = ""
    undo: LocalizedText | None = None
    helps: str = ""
    prevents: bool = False


@dataclass(frozen=True)
class TicketReference:
    """A past case."""

    ticket_id: str
    description: str = ""


@dataclass(frozen=True)
class OverturnView:
    """A single answer that would change the leader; `verdict_now` is None when it was not given yet."""

    name: LocalizedText
    verdict_then: Verdict
    leader_then: LocalizedText
    confidence_then: float
    verdict_now: Verdict | None = None


@dataclass(frozen=True)
class ConclusionView:
    """The concluded cause with what a person needs to act."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    mechanism: LocalizedText | None = None
    supporting: tuple[LocalizedText, ...] = ()
    conflicting: tuple[LocalizedText, ...] = ()
    unchecked: tuple[LocalizedText, ...] = ()
    unexplained: tuple[LocalizedText, ...] = ()
    solution: tuple[SolutionStep, ...] = ()
    verify: LocalizedText | None = None
    tickets: tuple[TicketReference, ...] = ()
    repeated_conclusion: bool = False
    second_cause: HypothesisView | None = None
    overturn: OverturnView | None = None


@dataclass(frozen=True)
class ContradictionView:
    """Two answers that no cause explains together, and the one of them to look at again."""

    first: EvidenceView
    second: EvidenceView
    bits: float
    recheck: RankedRecommendation
    repeated: bool = False


@dataclass(frozen=True)
class SeenView:
    """What a look showed of one phenomenon; overruled: the person says otherwise, and that counts."""

    phenomenon_id: str
    name: LocalizedText
    verdict: Verdict
    words: str = ""
    check_id: str = ""
    evidence_ref: str = ""
    overruled: bool = False


@dataclass(frozen=True)
class UnseenView:
    """A check that brought nothing."""

    check_id: str
    name: LocalizedText
    reason: str = ""


@dataclass(frozen=True)
class LookView:
    """What was seen on the live system: what is there, then what is not, then what stayed unknown."""

    target_id: str
    description: str = ""
    seen: tuple[SeenView, ...] = ()
    unseen: tuple[UnseenView, ...] = ()
    check_count: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class LookOffer:
    """Some of what is asked could be seen on a target."""

    target_id: str
    description: str = ""
    visible_count: int = 0


@dataclass(frozen=True)
class DiagnosisView:
    """The evaluated evidence."""

    hypotheses: tuple[RankedHypothesis, ...] = ()
    recommendations: tuple[RankedRecommendation, ...] = ()
    conclusion: ConclusionView | None = None
    other_confidence: float = 0.0
    surprise_bits: float = 0.0
    movers: tuple[Mover, ...] = ()
    root_cause_count: int = 0
    idle_turns: int = 0
    contradiction: ContradictionView | None = None
    surprise_bits_before: float | None = None
