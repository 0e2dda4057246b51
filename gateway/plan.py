"""The turn plan and what the planner may see of a session: dbdiag.planner.v1, as the gateway holds it.

Of the optional fields of a step, a reference or a correction exactly one is set.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateway.language import Language, LocalizedText, Status, Verdict


@dataclass(frozen=True)
class Item:
    """Something the assistant asked about or offered, numbered from 1, with the test of its presence."""

    ordinal: int
    phenomenon_id: str
    name: LocalizedText = LocalizedText()
    present_when: LocalizedText = LocalizedText()


@dataclass(frozen=True)
class EvidenceView:
    """One piece of active evidence."""

    phenomenon_id: str
    name: LocalizedText
    verdict: Verdict
    words: str = ""
    turn: int = 0


@dataclass(frozen=True)
class HypothesisView:
    """A cause and the belief in it."""

    root_cause_id: str
    name: LocalizedText
    confidence: float


class Speaker(StrEnum):
    """Who said something."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True)
class Utterance:
    """One message of the dialogue, with what the assistant asked in it."""

    speaker: Speaker
    text: str
    items: tuple[Item, ...] = ()


@dataclass(frozen=True)
class SessionView:
    """All the planner may know of a session."""

    language: Language | None = None
    turn: int = 0
    pending: tuple[Item, ...] = ()
    options: tuple[Item, ...] = ()
    clarified_words: str = ""
    evidence: tuple[EvidenceView, ...] = ()
    hypotheses: tuple[HypothesisView, ...] = ()
    history: tuple[Utterance, ...] = ()
    status: Status | None = None
    look_offered: bool = False


class Group(StrEnum):
    """Several items at once."""

    ALL = "all"
    REST = "rest"
    LAST = "last"
    JUST_MENTIONED = "just_mentioned"
    LAST_TURN = "last_turn"


class ItemList(StrEnum):
    """Which list a reference counts in; None: the open options, else what is pending."""

    PENDING = "pending"
    OPTIONS = "options"
    EVIDENCE = "evidence"
    EARLIER = "earlier"
    HYPOTHESES = "hypotheses"


@dataclass(frozen=True)
class Reference:
    """Points at something; `references.py` resolves it."""

    ordinal: int | None = None
    id: str | None = None
    group: Group | None = None
    words: str | None = None
    list: ItemList | None = None


@dataclass(frozen=True)
class FeedbackStep:
    """An answer to something asked or named."""

    reference: Reference
    verdict: Verdict
    words: str = ""
    certainty: float | None = None


@dataclass(frozen=True)
class ObservationStep:
    """A fact in the person's own words."""

    text: str
    certainty: float | None = None


@dataclass(frozen=True)
class CorrectionStep:
    """Something said before is taken back or replaced."""

    original: Reference
    verdict: Verdict | None = None
    words: str | None = None
    retract: bool | None = None


@dataclass(frozen=True)
class SuggestionStep:
    """A suspicion."""

    text: str


class QuestionKind(StrEnum):
    """What a question asks for."""

    PROGRESS = "progress"
    HYPOTHESES = "hypotheses"
    RELATIONS = "relations"
    HISTORY = "history"
    REASONING = "reasoning"
    WHAT_IF = "what_if"
    DATA = "data"
    HELP = "help"


@dataclass(frozen=True)
class Assumption:
    """A supposition of a what-if question."""

    reference: Reference
    verdict: Verdict | None = None


@dataclass(frozen=True)
class QuestionStep:
    """A question, what it is about, and what it supposes."""

    kind: QuestionKind
    subject: Reference | None = None
    text: str = ""
    assumptions: tuple[Assumption, ...] = ()


class ClarifyKind(StrEnum):
    """Why something has to be asked back."""

    VAGUE = "vague"
    AMBIGUOUS_FEEDBACK = "ambiguous_feedback"
    NO_SUCH_ITEM = "no_such_item"
    MISSING_VALUE = "missing_value"
    MULTIPLE_MATCHES = "multiple_matches"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True)
class ClarifyStep:
    """The message is unclear in this way."""

    kind: ClarifyKind
    words: str = ""
    references: tuple[Reference, ...] = ()


class SmalltalkKind(StrEnum):
    """Talk that asks for nothing."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    OUT_OF_SCOPE = "out_of_scope"
    ORDERS = "orders"


@dataclass(frozen=True)
class SmalltalkStep:
    """Small talk."""

    kind: SmalltalkKind


@dataclass(frozen=True)
class ResetStep:
    """Start a new case."""


@dataclass(frozen=True)
class LookStep:
    """The assistant is to look for itself, or is not to; the words may name a target."""

    declined: bool = False
    words: str = ""


@dataclass(frozen=True)
class PlanStep:
    """One step of a turn."""

    feedback: FeedbackStep | None = None
    observation: ObservationStep | None = None
    correction: CorrectionStep | None = None
    suggestion: SuggestionStep | None = None
    question: QuestionStep | None = None
    clarify: ClarifyStep | None = None
    smalltalk: SmalltalkStep | None = None
    reset: ResetStep | None = None
    look: LookStep | None = None


class PlanSource(StrEnum):
    """Who understood, or who worded."""

    RULES = "rules"
    MODEL = "model"


@dataclass(frozen=True)
class TurnPlan:
    """What a message asks for, in its order."""

    steps: tuple[PlanStep, ...] = ()
    language: Language | None = None
    source: PlanSource | None = None


class Tool(StrEnum):
    """What the loop can do between understanding and answering."""

    MATCH_PHENOMENA = "match_phenomena"
    DIAGNOSE = "diagnose"
    QUERY_PROGRESS = "query_progress"
    QUERY_HYPOTHESES = "query_hypotheses"
    QUERY_RELATIONS = "query_relations"
    SHOW_HISTORY = "show_history"
    EXPLAIN_REASONING = "explain_reasoning"
    WHAT_IF = "what_if"
    COLLECT_EVIDENCE = "collect_evidence"


@dataclass(frozen=True)
class ToolOutcome:
    """What a tool of this turn came to."""

    tool: Tool
    failed: bool = False
    needs_clarification: bool = False
    evidence_changed: bool = False
