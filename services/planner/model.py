"""The planner's words: what it may see of a session, and the turn plan.

Names and numbers mirror `dbdiag.planner.v1`; `wire.py` converts by name. The next move is in `decision.py`, what the
answers speak of in `results.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Verdict(IntEnum):
    """What was answered about a phenomenon."""

    UNSPECIFIED = 0
    CONFIRMED = 1
    DENIED = 2
    UNKNOWN = 3


class Language(IntEnum):
    """The language of a message or an answer."""

    UNSPECIFIED = 0
    ZH = 1
    EN = 2


class Status(IntEnum):
    """Where a diagnosis stands."""

    UNSPECIFIED = 0
    EXPLORING = 1
    NARROWING = 2
    CONFIRMING = 3
    STUCK = 4
    CONCLUDED = 5


@dataclass(frozen=True)
class Text:
    """The same statement in both languages; either may be empty."""

    zh: str = ""
    en: str = ""

    def say(self, language: Language) -> str:
        """The text in `language`, or in the other one when that is missing."""
        return (self.zh or self.en) if language is Language.ZH else (self.en or self.zh)


@dataclass(frozen=True)
class Item:
    """Something the assistant asked about, or an option it offered. `ordinal` counts from 1, as shown.

    `present_when` is the test of its presence, which a stated value decides by.
    """

    ordinal: int = 0
    phenomenon_id: str = ""
    name: Text = Text()
    present_when: Text = Text()


@dataclass(frozen=True)
class EvidenceView:
    """One active piece of evidence with the person's own words."""

    phenomenon_id: str = ""
    name: Text = Text()
    verdict: Verdict = Verdict.UNSPECIFIED
    words: str = ""
    turn: int = 0


@dataclass(frozen=True)
class HypothesisView:
    """A cause and the belief in it, in [0, 1]."""

    root_cause_id: str = ""
    name: Text = Text()
    confidence: float = 0.0


class Speaker(IntEnum):
    """Who said an utterance."""

    UNSPECIFIED = 0
    USER = 1
    ASSISTANT = 2


@dataclass(frozen=True)
class Utterance:
    """One message of the dialogue; `items` is what the assistant asked in it."""

    speaker: Speaker = Speaker.UNSPECIFIED
    text: str = ""
    items: tuple[Item, ...] = ()


@dataclass(frozen=True)
class SessionView:
    """All the planner may know of a session. `history`: the last three turns; `look_offered`: in the last answer."""

    language: Language = Language.UNSPECIFIED
    turn: int = 0
    pending: tuple[Item, ...] = ()
    options: tuple[Item, ...] = ()
    clarified_words: str = ""
    evidence: tuple[EvidenceView, ...] = ()
    hypotheses: tuple[HypothesisView, ...] = ()
    history: tuple[Utterance, ...] = ()
    status: Status = Status.UNSPECIFIED
    look_offered: bool = False


class Group(IntEnum):
    """Several items at once, or one by its place."""

    UNSPECIFIED = 0
    ALL = 1
    REST = 2
    LAST = 3
    JUST_MENTIONED = 4
    LAST_TURN = 5


class ItemList(IntEnum):
    """Which list a reference counts in. UNSPECIFIED: the open options when there are any, else the pending items."""

    UNSPECIFIED = 0
    PENDING = 1
    OPTIONS = 2
    EVIDENCE = 3
    EARLIER = 4
    HYPOTHESES = 5


@dataclass(frozen=True)
class Reference:
    """Points at something the gateway resolves: exactly one of ordinal, id, group and words is set."""

    ordinal: int | None = None
    id: str | None = None
    group: Group | None = None
    words: str | None = None
    list: ItemList = ItemList.UNSPECIFIED


@dataclass(frozen=True)
class FeedbackStep:
    """An answer to something that was asked, or to something named by id. certainty in (0, 1]; None: 1."""

    reference: Reference = Reference()
    verdict: Verdict = Verdict.UNSPECIFIED
    words: str = ""
    certainty: float | None = None


@dataclass(frozen=True)
class ObservationStep:
    """A fact in the person's own words, for the matcher."""

    text: str = ""
    certainty: float | None = None


@dataclass(frozen=True)
class CorrectionStep:
    """Something said before is replaced by a verdict or by words, or only taken back; exactly one of the three."""

    original: Reference = Reference()
    verdict: Verdict | None = None
    words: str | None = None
    retract: bool | None = None


@dataclass(frozen=True)
class SuggestionStep:
    """What the person suspects; never evidence."""

    text: str = ""


class QuestionKind(IntEnum):
    """What a question asks for."""

    UNSPECIFIED = 0
    PROGRESS = 1
    HYPOTHESES = 2
    RELATIONS = 3
    HISTORY = 4
    REASONING = 5
    WHAT_IF = 6
    DATA = 7
    HELP = 8


@dataclass(frozen=True)
class Assumption:
    """One supposition of a what-if question."""

    reference: Reference = Reference()
    verdict: Verdict = Verdict.UNSPECIFIED


@dataclass(frozen=True)
class QuestionStep:
    """A question; `subject` is what it is about, when the person said."""

    kind: QuestionKind = QuestionKind.UNSPECIFIED
    subject: Reference | None = None
    text: str = ""
    assumptions: tuple[Assumption, ...] = ()


class ClarifyKind(IntEnum):
    """Why the assistant has to ask back."""

    UNSPECIFIED = 0
    VAGUE = 1
    AMBIGUOUS_FEEDBACK = 2
    NO_SUCH_ITEM = 3
    MISSING_VALUE = 4
    MULTIPLE_MATCHES = 5
    CONTRADICTION = 6


@dataclass(frozen=True)
class ClarifyStep:
    """Something to ask back, about the items in `references` when they are known."""

    kind: ClarifyKind = ClarifyKind.UNSPECIFIED
    words: str = ""
    references: tuple[Reference, ...] = ()


class SmalltalkKind(IntEnum):
    """Talk beside the diagnosis."""

    UNSPECIFIED = 0
    GREETING = 1
    THANKS = 2
    FAREWELL = 3
    OUT_OF_SCOPE = 4
    ORDERS = 5


@dataclass(frozen=True)
class SmalltalkStep:
    """Talk beside the diagnosis."""

    kind: SmalltalkKind = SmalltalkKind.UNSPECIFIED


@dataclass(frozen=True)
class ResetStep:
    """Start a new case."""


@dataclass(frozen=True)
class LookStep:
    """The assistant is to look for itself at the live system, or is not to; `words` may name a target."""

    declined: bool = False
    words: str = ""


PlanStep = (
    FeedbackStep
    | ObservationStep
    | CorrectionStep
    | SuggestionStep
    | QuestionStep
    | ClarifyStep
    | SmalltalkStep
    | ResetStep
    | LookStep
)


class PlanSource(IntEnum):
    """Who made a plan or a text."""

    UNSPECIFIED = 0
    RULES = 1
    MODEL = 2


@dataclass(frozen=True)
class TurnPlan:
    """What a message asks for, in its order, and the language to answer in."""

    steps: tuple[PlanStep, ...] = ()
    language: Language = Language.UNSPECIFIED
    source: PlanSource = PlanSource.UNSPECIFIED
