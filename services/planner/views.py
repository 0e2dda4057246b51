"""Parts of an answer: causes, checks, conclusion. Confidences and probabilities are in [0, 1]; bits weigh evidence."""

from __future__ import annotations

from dataclasses import dataclass

from services.planner.model import EvidenceView, HypothesisView, Text, Verdict

_NO_EVIDENCE = EvidenceView()
_FLAT = 0.06


@dataclass(frozen=True)
class BeliefChange:
    """A cause's belief before and after."""

    root_cause_id: str = ""
    name: Text = Text()
    confidence_before: float = 0.0
    confidence_after: float = 0.0


@dataclass(frozen=True)
class OutcomeView:
    """The leading beliefs after an answer, and how likely that answer is."""

    probability: float = 0.0
    beliefs: tuple[HypothesisView, ...] = ()


@dataclass(frozen=True)
class RankedHypothesis:
    """A cause with its belief, the hint's boost apart, and the belief of the turn before when there was one."""

    root_cause_id: str = ""
    name: Text = Text()
    confidence: float = 0.0
    effective_confidence: float = 0.0
    boost: float = 0.0
    confidence_before: float | None = None


@dataclass(frozen=True)
class RankedRecommendation:
    """A check worth making, how to make it, and what each answer would do."""

    ordinal: int = 0
    phenomenon_id: str = ""
    name: Text = Text()
    observe_kind: str = ""
    observation_method: str = ""
    present_when: Text = Text()
    information_gain_bits: float = 0.0
    if_yes: OutcomeView = OutcomeView()
    if_no: OutcomeView = OutcomeView()
    related: tuple[HypothesisView, ...] = ()
    cost: int = 0


@dataclass(frozen=True)
class Mover:
    """What moved the leader most in this turn."""

    name: Text = Text()
    bits: float = 0.0
    ticket_hits: int = 0
    ticket_count: int = 0
    verdict: Verdict = Verdict.UNSPECIFIED


@dataclass(frozen=True)
class SolutionStep:
    """One step of a remedy. risk: none, low, medium or high."""

    action: Text = Text()
    how: str = ""
    risk: str = ""
    undo: Text = Text()
    helps: str = ""
    prevents: bool = False


@dataclass(frozen=True)
class TicketReference:
    """A closed case."""

    ticket_id: str = ""
    description: str = ""


@dataclass(frozen=True)
class OverturnView:
    """The answer that would change the leader; `verdict_now` is UNSPECIFIED when it was not given yet."""

    name: Text = Text()
    verdict_then: Verdict = Verdict.UNSPECIFIED
    leader_then: Text = Text()
    confidence_then: float = 0.0
    verdict_now: Verdict = Verdict.UNSPECIFIED


@dataclass(frozen=True)
class ConclusionView:
    """A cause certain enough to act on, with what speaks for and against it and what to do."""

    root_cause_id: str = ""
    name: Text = Text()
    confidence: float = 0.0
    mechanism: Text = Text()
    supporting: tuple[Text, ...] = ()
    conflicting: tuple[Text, ...] = ()
    unchecked: tuple[Text, ...] = ()
    unexplained: tuple[Text, ...] = ()
    solution: tuple[SolutionStep, ...] = ()
    verify: Text = Text()
    tickets: tuple[TicketReference, ...] = ()
    repeated_conclusion: bool = False
    second_cause: HypothesisView | None = None
    overturn: OverturnView | None = None


@dataclass(frozen=True)
class ContradictionView:
    """Two answers that no cause explains together, and the one of them to look at again."""

    first: EvidenceView = _NO_EVIDENCE
    second: EvidenceView = _NO_EVIDENCE
    bits: float = 0.0
    recheck: RankedRecommendation = RankedRecommendation()
    repeated: bool = False


@dataclass(frozen=True)
class SeenView:
    """What a look showed of one phenomenon; `overruled` when the person says otherwise, which counts."""

    phenomenon_id: str = ""
    name: Text = Text()
    verdict: Verdict = Verdict.UNSPECIFIED
    words: str = ""
    check_id: str = ""
    evidence_ref: str = ""
    overruled: bool = False


@dataclass(frozen=True)
class UnseenView:
    """A check that brought nothing, and why."""

    check_id: str = ""
    name: Text = Text()
    reason: str = ""


@dataclass(frozen=True)
class LookView:
    """What the assistant saw on the live system: what is there first, then what is not, then what stayed unknown."""

    target_id: str = ""
    description: str = ""
    seen: tuple[SeenView, ...] = ()
    unseen: tuple[UnseenView, ...] = ()
    check_count: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class LookOffer:
    """The assistant could see `visible_count` of the things it asks about now."""

    target_id: str = ""
    description: str = ""
    visible_count: int = 0


@dataclass(frozen=True)
class DiagnosisView:
    """What the evidence comes to."""

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

    @property
    def flat(self) -> bool:
        """Whether no cause stands out: a list of causes at a few per cent tells a person nothing."""
        return all(item.effective_confidence < _FLAT for item in self.hypotheses)
