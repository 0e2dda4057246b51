"""A session: an append-only ledger of evidence, the snapshot it is pinned to, and the dialogue.

Everything that can be derived is derived: the active evidence, the status, what the planner may see.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gateway.language import Language, Status, Verdict
from gateway.plan import EvidenceView, HypothesisView, Item, SessionView, Utterance

# A belief below which a leader is only a guess, and from which one more answer may settle it.
NARROWING_FROM = 0.5
CONFIRMING_FROM = 0.8
# Turns that change no belief by more than this moved nothing.
IDLE_BELOW = 0.02
_VIEWED_UTTERANCES = 6
COLLECTED = "collected"
_KEPT_BELIEFS = 20


@dataclass(frozen=True)
class LedgerEntry:
    """One thing that was said. It is never removed; `retracted_turn` says when it stopped counting."""

    entry_id: int
    case: int
    turn: int
    phenomenon_id: str
    verdict: Verdict
    score: float
    words: str
    value: str = ""
    # answer: a verdict on something named; words: matched from free words; correction: words in place of other words;
    # import: taken from an import; collected: seen by a check of the collector. Neither was said by a person.
    origin: str = "answer"
    retracted_turn: int | None = None
    corrected_from: int | None = None
    # Of what was collected: the check, its stored output, and the SHA-256 of that.
    check_id: str = ""
    evidence_ref: str = ""
    output_sha256: str = ""

    @property
    def collected(self) -> bool:
        """Whether a check saw it."""
        return self.origin == COLLECTED


@dataclass(frozen=True)
class BeliefPoint:
    """The leading beliefs of one evaluated turn, by falling belief."""

    case: int
    turn: int
    beliefs: tuple[HypothesisView, ...]
    evidence_changed: bool
    concluded: str = ""
    surprise_bits: float = 0.0
    # The two phenomena whose answers contradict each other; empty when none do.
    contradiction: tuple[str, ...] = ()


@dataclass(frozen=True)
class Closing:
    """A case that a person closed, and the proposal it became. Seconds since 1970, UTC."""

    case: int
    turn: int
    root_cause_id: str
    proposal_id: str
    closed_at: float


@dataclass(frozen=True)
class OpenClarification:
    """What was asked back and not answered yet."""

    words: str
    options: tuple[Item, ...]
    # When two statements contradict each other, what each option would put on record: the earlier one, the later one.
    contested: tuple[LedgerEntry, ...] = ()


@dataclass
class Session:
    """One conversation. Times are seconds since 1970, UTC."""

    session_id: str
    created_at: float
    updated_at: float
    snapshot_id: str = ""
    language: Language | None = None
    case: int = 1
    turn: int = 0
    ledger: list[LedgerEntry] = field(default_factory=list)
    pending: tuple[Item, ...] = ()
    earlier: tuple[Item, ...] = ()
    clarification: OpenClarification | None = None
    # What was already asked back in this case, see `Turn.ask_back`: never twice.
    clarified: tuple[str, ...] = ()
    points: list[BeliefPoint] = field(default_factory=list)
    dialogue: list[Utterance] = field(default_factory=list)
    closings: list[Closing] = field(default_factory=list)
    # The target that was chosen by name; empty: the one that is configured.
    target_id: str = ""
    # Turns of this case in which looking was offered and done; 0: in none.
    look_offered: int = 0
    looked: int = 0
    # What checks that the last look did not make could see: nobody is asked for it.
    unlooked: tuple[str, ...] = ()

    def active(self) -> list[LedgerEntry]:
        """The entries of this case that count, oldest first."""
        return [entry for entry in self.ledger if entry.case == self.case and entry.retracted_turn is None]

    def active_for(self, phenomenon_id: str) -> LedgerEntry | None:
        """The active entry about a phenomenon; there is at most one."""
        return next((entry for entry in self.active() if entry.phenomenon_id == phenomenon_id), None)

    def record(self, entry: LedgerEntry) -> bool:
        """Adds an entry; an active one on the same phenomenon is retracted. False when it says nothing new."""
        old = self.active_for(entry.phenomenon_id)
        if old is not None:
            if (old.verdict, old.score) == (entry.verdict, entry.score):
                return False
            self.retract(old)
        corrected_from = old.entry_id if old is not None else entry.corrected_from
        self.ledger.append(replace(entry, entry_id=len(self.ledger), corrected_from=corrected_from))
        return True

    def retract(self, entry: LedgerEntry) -> None:
        """Marks an entry as taken back in this turn."""
        self.ledger[entry.entry_id] = replace(entry, retracted_turn=self.turn)

    def entry(self, phenomenon_id: str, verdict: Verdict, score: float, words: str, origin: str) -> LedgerEntry:
        """A new entry of this turn; `record` numbers it."""
        return LedgerEntry(-1, self.case, self.turn, phenomenon_id, verdict, score, words, origin=origin)

    def start_case(self) -> None:
        """Begins anew: what was said stays in the ledger and no longer counts."""
        self.case += 1
        self.snapshot_id = ""
        self.pending = self.earlier = ()
        self.clarification = None
        self.clarified = ()
        self.look_offered = self.looked = 0
        self.unlooked = ()

    def case_points(self) -> list[BeliefPoint]:
        """The belief history of this case, oldest first."""
        return [point for point in self.points if point.case == self.case]

    def add_point(self, beliefs: tuple[HypothesisView, ...], evidence_changed: bool, concluded: str) -> None:
        """Keeps the leading beliefs of this turn."""
        self.points.append(BeliefPoint(self.case, self.turn, beliefs[:_KEPT_BELIEFS], evidence_changed, concluded))

    def keep_doubts(self, surprise_bits: float, contradiction: tuple[str, ...]) -> None:
        """Adds to this turn's beliefs how well the evidence fits them, so that it is not said twice."""
        self.points[-1] = replace(self.points[-1], surprise_bits=surprise_bits, contradiction=contradiction)

    def beliefs(self) -> tuple[HypothesisView, ...]:
        """The leading beliefs as last evaluated in this case."""
        points = self.case_points()
        return points[-1].beliefs if points else ()

    def idle_turns(self) -> int:
        """How many evaluated turns in a row brought evidence and moved no leading belief."""
        points = [point for point in self.case_points() if point.evidence_changed]
        count = 0
        for before, after in zip(reversed(points[:-1]), reversed(points[1:]), strict=True):
            if _largest_move(before, after) > IDLE_BELOW:
                break
            count += 1
        return count

    def status(self, stuck_rounds: int) -> Status:
        """Where the diagnosis stands."""
        points = self.case_points()
        if not points or not points[-1].beliefs:
            return Status.EXPLORING
        if points[-1].concluded:
            return Status.CONCLUDED
        if self.idle_turns() >= stuck_rounds:
            return Status.STUCK
        leader = points[-1].beliefs[0].confidence
        if leader >= CONFIRMING_FROM:
            return Status.CONFIRMING
        return Status.NARROWING if leader >= NARROWING_FROM else Status.EXPLORING


def _largest_move(before: BeliefPoint, after: BeliefPoint) -> float:
    old = {belief.root_cause_id: belief.confidence for belief in before.beliefs}
    # A cause that was not kept stood below all that were.
    unkept = min(old.values()) if len(old) >= _KEPT_BELIEFS else 0.0
    return max((abs(new.confidence - old.get(new.root_cause_id, unkept)) for new in after.beliefs), default=0.0)


def view_of(session: Session, evidence: tuple[EvidenceView, ...], stuck_rounds: int) -> SessionView:
    """What the planner may see: names instead of numbers, the last three exchanges, no scores."""
    clarification = session.clarification
    return SessionView(
        language=session.language,
        turn=session.turn,
        pending=session.pending,
        options=clarification.options if clarification else (),
        clarified_words=clarification.words if clarification else "",
        evidence=evidence,
        hypotheses=session.beliefs()[:5],
        history=tuple(session.dialogue[-_VIEWED_UTTERANCES:]),
        status=session.status(stuck_rounds),
        look_offered=session.look_offered > 0 and session.look_offered == session.turn - 1,
    )
