"""A session: an append-only ledger of evidence, its snapshot and the dialogue; status and views are derived from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dbdiag.matcher.v1.matcher_types import CauseLikeness, Untied
from dbdiag.planner.v1.planner_types import (
    Aftermath,
    Brief,
    HypothesisView,
    Item,
    Language,
    Limit,
    NamedObject,
    Status,
    Treatment,
    Utterance,
)
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.belief_points import BeliefPoint, idle_turns
from gateway.session.set_aside import Closing, SetAside

# Beliefs: below the first a leader is a guess; from the second one answer may settle it.
NARROWING_FROM = 0.5
CONFIRMING_FROM = 0.8
COLLECTED = "collected"


@dataclass(frozen=True)
class LedgerEntry:
    """One piece of evidence, never removed. lacking: the facility of the site whose lack rules it out."""

    entry_id: int
    case: int
    turn: int
    phenomenon_id: str
    verdict: Verdict
    score: float
    words: str
    value: str = ""
    # answer: a verdict on something named; words: matched from free words; correction: words in place of other words;
    # import: from an import; collected: from a check. Neither is a person's statement.
    origin: str = "answer"
    retracted_turn: int | None = None
    corrected_from: int | None = None
    lacking: LocalizedText | None = None
    # If collected: the check, its stored output, and the output's SHA-256.
    check_id: str = ""
    evidence_ref: str = ""
    output_sha256: str = ""
    disowned: bool = False  # Taken back because the person never said so.

    @property
    def collected(self) -> bool:
        """True if it came from a check."""
        return self.origin == COLLECTED


@dataclass(frozen=True)
class ProposedReading:
    """A reading without weight until the person confirms it. probability in [0, 1]; why: the matcher's kind of it."""

    case: int
    turn: int
    phenomenon_id: str
    verdict: Verdict
    words: str
    value: str
    probability: float
    why: str


@dataclass(frozen=True)
class OpenClarification:
    """A clarification without an answer yet."""

    words: str
    options: tuple[Item, ...]
    # For a contradiction, the entry that each option would record: the earlier one, the later one.
    contested: tuple[LedgerEntry, ...] = ()
    # The options are readings of the person's words: see `Session.proposed`.
    proposed: bool = False
    # The options are entries, of which the one that is chosen is taken back.
    retracts: bool = False


@dataclass(frozen=True)
class AskedData:
    """The questions about data asked in a row up to a turn, oldest first, and the options of the last answer."""

    turn: int
    questions: tuple[str, ...]
    options: tuple[str, ...] = ()


@dataclass
class Session:
    """One conversation. Times are seconds since 1970, UTC."""

    session_id: str
    created_at: float
    updated_at: float
    snapshot_id: str = ""
    # The database whose library the cases are on, if it is not that of the published snapshot.
    engine: str = ""
    language: Language | None = None
    case: int = 1
    turn: int = 0
    ledger: list[LedgerEntry] = field(default_factory=list)
    pending: tuple[Item, ...] = ()
    earlier: tuple[Item, ...] = ()
    clarification: OpenClarification | None = None
    # Clarifications already asked in this case, see `Turn.ask_back`: never repeated.
    clarified: tuple[str, ...] = ()
    # Readings of this case that wait for the person's yes or no, oldest first; at most one a phenomenon.
    proposed: tuple[ProposedReading, ...] = ()
    points: list[BeliefPoint] = field(default_factory=list)
    dialogue: list[Utterance] = field(default_factory=list)
    closings: list[Closing] = field(default_factory=list)
    # The target chosen by name; empty: the configured one.
    target_id: str = ""
    # The turns of this case with an offer, with the last look to run, and with an investigation; 0: none.
    look_offered: int = 0
    look_shown: int = 0
    looked: int = 0
    # Phenomena for checks that the last investigation left out: not asked of the person.
    unlooked: tuple[str, ...] = ()
    # What was done in this case, what its messages name, what is out of reach, what nothing reads, how things are.
    treatments: tuple[Treatment, ...] = ()
    objects: tuple[NamedObject, ...] = ()
    limits: tuple[Limit, ...] = ()
    untied: tuple[tuple[int, Untied], ...] = ()
    # What all that was told in this case, as a whole, sounds like.
    likeness: tuple[CauseLikeness, ...] = ()
    # The turns of this case by which a person told how it is, and those of them that the likeness is of.
    telling: tuple[int, ...] = ()
    heard: tuple[int, ...] = ()
    aftermath: Aftermath | None = None
    # Since when the trouble is there; the last summary, as it was asked for, and its turn.
    began: str = ""
    brief: Brief | None = None
    briefed: int = 0
    # What the case before left, if it can be gone back to.
    before: SetAside | None = None
    asked_data: AskedData | None = None  # The last questions about data; None: none yet.

    def words_like(self, root_cause_id: str) -> tuple[str, ...]:
        """The words of this case that sound most like incidents of a cause."""
        return next((each.words for each in self.likeness if each.root_cause_id == root_cause_id), ())

    def data_before(self) -> AskedData | None:
        """The questions about data that this turn may continue: those up to the turn before."""
        asked = self.asked_data
        return asked if asked is not None and asked.turn == self.turn - 1 else None

    def active(self) -> list[LedgerEntry]:
        """The active entries of this case, oldest first."""
        return [entry for entry in self.ledger if entry.case == self.case and entry.retracted_turn is None]

    def active_for(self, phenomenon_id: str) -> LedgerEntry | None:
        """The active entry of a phenomenon; at most one exists."""
        return next((entry for entry in self.active() if entry.phenomenon_id == phenomenon_id), None)

    def record(self, entry: LedgerEntry) -> bool:
        """Adds an entry and retracts an active one of the same phenomenon. Returns False if it says nothing new."""
        old = self.active_for(entry.phenomenon_id)
        if old is not None:
            if (old.verdict, old.score) == (entry.verdict, entry.score):
                return False
            self.retract(old)
        corrected_from = old.entry_id if old is not None else entry.corrected_from
        self.withdraw(entry.phenomenon_id)
        self.ledger.append(replace(entry, entry_id=len(self.ledger), corrected_from=corrected_from))
        return True

    def propose(self, reading: ProposedReading) -> None:
        """Keeps a reading until it is confirmed or refused; it replaces an earlier one of the same phenomenon."""
        self.withdraw(reading.phenomenon_id)
        self.proposed += (reading,)

    def proposed_for(self, phenomenon_id: str) -> ProposedReading | None:
        """The reading of a phenomenon that waits for a yes or no."""
        return next((item for item in self.proposed if item.phenomenon_id == phenomenon_id), None)

    def withdraw(self, phenomenon_id: str) -> None:
        """Drops the reading of a phenomenon that waits for a yes or no, if there is one."""
        self.proposed = tuple(item for item in self.proposed if item.phenomenon_id != phenomenon_id)

    def retract(self, entry: LedgerEntry) -> None:
        """Marks an entry as retracted in this turn."""
        self.ledger[entry.entry_id] = replace(entry, retracted_turn=self.turn)

    def entry(self, phenomenon_id: str, verdict: Verdict, score: float, words: str, origin: str) -> LedgerEntry:
        """A new entry of this turn; `record` numbers it."""
        return LedgerEntry(-1, self.case, self.turn, phenomenon_id, verdict, score, words, origin=origin)

    def start_case(self) -> None:
        """Starts a new case; earlier entries stay in the ledger and no longer count."""
        self.before = SetAside(
            self.snapshot_id,
            self.treatments,
            self.objects,
            self.aftermath,
            self.began,
            self.looked,
            self.limits,
            self.likeness,
            self.telling,
            self.heard,
        )
        self.case += 1
        self.snapshot_id, self.clarification, self.began, self.brief = "", None, "", None
        self.pending = self.earlier = ()
        self.clarified = self.proposed = self.unlooked = self.untied = ()
        self.likeness = self.telling = self.heard = ()
        self.look_offered = self.look_shown = self.looked = 0
        self.treatments, self.objects, self.limits, self.aftermath = (), (), (), None

    def reopen_case(self) -> bool:
        """Goes back to the case before, as long as nothing was recorded in the new one. Returns False otherwise."""
        earlier = any(entry.case == self.case - 1 for entry in self.ledger)
        if not earlier or any(entry.case == self.case for entry in self.ledger):
            return False
        self.case -= 1
        self.clarification = None
        self.pending = self.earlier = ()
        left = self.before or SetAside(self.snapshot_id)
        self.snapshot_id, self.began, self.looked, self.before = left.snapshot_id, left.began, left.looked, None
        self.treatments, self.objects, self.limits = left.treatments, left.objects, left.limits
        self.aftermath, self.likeness = left.aftermath, left.likeness
        self.telling, self.heard = left.telling, left.heard
        return True

    def case_points(self) -> list[BeliefPoint]:
        """The belief history of this case, oldest first."""
        return [point for point in self.points if point.case == self.case]

    def ask_next(self, asked: tuple[Item, ...]) -> None:
        """Stores the pending questions of an answer; different previous ones become the earlier list."""
        if asked != self.pending:
            self.earlier, self.pending = self.pending, asked

    def beliefs(self) -> tuple[HypothesisView, ...]:
        """The last evaluated leading beliefs of this case."""
        points = self.case_points()
        return points[-1].beliefs if points else ()

    def concluded(self) -> bool:
        """True if the last evaluation of this case reached a conclusion."""
        points = self.case_points()
        return bool(points) and bool(points[-1].beliefs and points[-1].concluded)

    def idle_turns(self) -> int:
        """The number of consecutive evaluated turns with evidence that moved no leading belief."""
        return idle_turns(self.case_points())

    def status(self, stuck_rounds: int) -> Status:
        """The status of the diagnosis."""
        points = self.case_points()
        if not points or not points[-1].beliefs:
            return Status.EXPLORING
        if self.concluded():
            return Status.CONCLUDED
        if self.idle_turns() >= stuck_rounds:
            return Status.STUCK
        if (leader := points[-1].beliefs[0].confidence) >= CONFIRMING_FROM:
            return Status.CONFIRMING
        return Status.NARROWING if leader >= NARROWING_FROM else Status.EXPLORING
