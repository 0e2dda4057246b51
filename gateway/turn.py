"""The working state of one turn: filled by the plan and the tools, read out as its results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gateway.answers import Answer
from gateway.catalog import Catalog
from gateway.language import Language, LocalizedText, ModelUsage, Verdict, absent
from gateway.plan import ClarifyKind, EvidenceView, SmalltalkKind, Tool, ToolOutcome, TurnPlan
from gateway.reasoning import Diagnosis, Evidence
from gateway.results import (
    AppliedCorrection,
    AppliedSuggestion,
    Clarification,
    ClarificationOption,
    NotedEvidence,
    ToolFailure,
    TurnResults,
)
from gateway.session import LedgerEntry, Session
from gateway.views import DiagnosisView, LookOffer, LookView


def _unheard(_: str) -> None:
    """Nobody waits."""


@dataclass
class Turn:
    """One message being worked on."""

    session: Session
    message: str
    catalog: Catalog
    stuck_rounds: int
    threshold: float
    plan: TurnPlan = field(default_factory=TurnPlan)
    language: Language = Language.EN
    evidence_before: tuple[Evidence, ...] = ()
    done: list[ToolOutcome] = field(default_factory=list)
    noted: list[NotedEvidence] = field(default_factory=list)
    corrections: list[AppliedCorrection] = field(default_factory=list)
    suggestions: list[AppliedSuggestion] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    clarification: Clarification | None = None
    # The two statements that a clarification of a contradiction asks about.
    contested: tuple[LedgerEntry, ...] = ()
    # What the session keeps of the clarification, so that it is not asked again.
    asked_as: set[str] = field(default_factory=set)
    # Words that stay unclear although nothing is asked back about them.
    unclear: list[str] = field(default_factory=list)
    diagnosis: Diagnosis | None = None
    diagnosis_view: DiagnosisView | None = None
    answers: list[Answer] = field(default_factory=list)
    failures: list[ToolFailure] = field(default_factory=list)
    smalltalk: list[SmalltalkKind] = field(default_factory=list)
    reset: bool = False
    usage: dict[str, ModelUsage] = field(default_factory=dict)
    # What each tool was asked and answered, for the trace.
    exchanges: list[tuple[str, object, object]] = field(default_factory=list)
    look: LookView | None = None
    look_offer: LookOffer | None = None
    look_declined: bool = False
    # Hears what a step that takes long is at.
    tell: Callable[[str], None] = _unheard

    def active_evidence(self) -> tuple[Evidence, ...]:
        """The whole active evidence as the engine wants it, in id order."""
        active = sorted(self.session.active(), key=lambda entry: entry.phenomenon_id)
        return tuple(Evidence(entry.phenomenon_id, entry.verdict, entry.score) for entry in active)

    def evidence_changed(self) -> bool:
        """Whether this turn changed what counts."""
        return self.active_evidence() != self.evidence_before

    def evidence_views(self) -> tuple[EvidenceView, ...]:
        """The active evidence with names, oldest first."""
        return tuple(self.view_of(entry) for entry in self.session.active())

    def view_of(self, entry: LedgerEntry) -> EvidenceView:
        """One ledger entry with its name."""
        name = self.catalog.phenomenon_name(entry.phenomenon_id)
        return EvidenceView(entry.phenomenon_id, name, entry.verdict, entry.words, entry.turn)

    def evidence_name(self, phenomenon_id: str) -> LocalizedText:
        """A phenomenon as the evidence has it: the absence of one that was denied."""
        name = self.catalog.phenomenon_name(phenomenon_id)
        entry = self.session.active_for(phenomenon_id)
        return absent(name) if entry is not None and entry.verdict is Verdict.DENIED else name

    def note(self, entry: LedgerEntry, also_possible: str = "") -> None:
        """Records an entry and says so; one that replaces another verdict is told as a correction."""
        old = self.session.active_for(entry.phenomenon_id)
        if old is not None and old.verdict == entry.verdict and old.score >= entry.score:
            entry = old
        elif self.session.record(entry) and old is not None and old.verdict != entry.verdict:
            self._correct(old, entry)
            return
        if any(noted.phenomenon_id == entry.phenomenon_id for noted in self.noted):
            return
        name = self.catalog.phenomenon_name(entry.phenomenon_id)
        self.noted.append(
            NotedEvidence(
                entry.phenomenon_id,
                name,
                entry.verdict,
                entry.words,
                entry.score,
                matched_from_words=entry.origin == "words",
                also_possible=self.catalog.phenomenon_name(also_possible) if also_possible else None,
                extracted_value=entry.value,
            )
        )

    def _correct(self, old: LedgerEntry, new: LedgerEntry) -> None:
        name = self.catalog.phenomenon_name(new.phenomenon_id)
        self.corrections.append(AppliedCorrection(name, _own_words(old), _own_words(new), old.verdict, new.verdict))

    def take_back(self, entry: LedgerEntry, corrected: str = "", verdict_after: Verdict | None = None) -> None:
        """Retracts an entry and says so."""
        self.session.retract(entry)
        name = self.catalog.phenomenon_name(entry.phenomenon_id)
        self.corrections.append(AppliedCorrection(name, _own_words(entry), corrected, entry.verdict, verdict_after))

    def has_limit(self, phenomenon_id: str) -> bool:
        """Whether a phenomenon is there from some number on, by its name."""
        return any(map(str.isdigit, self.catalog.phenomenon_name(phenomenon_id).within(self.language)))

    def ask_back(self, kind: ClarifyKind, words: str, phenomenon_ids: list[str]) -> bool:
        """Asks one thing back; False when something else is asked already, or this was asked before.

        Asked before are the same words, and, where the words matter less than the choice, the same choice.
        """
        options = tuple(self._option(ordinal, found) for ordinal, found in enumerate(phenomenon_ids, 1))
        return self.clarification is None and self.ask(Clarification(kind, words, options))

    def ask(self, asked: Clarification) -> bool:
        """Asks this and nothing else; False when it was asked before."""
        keys = _asked_as(asked)
        if not keys.isdisjoint(self.session.clarified):
            return False
        self.clarification, self.asked_as = asked, keys
        return True

    def _option(self, ordinal: int, phenomenon_id: str) -> ClarificationOption:
        found = self.catalog.phenomena.get(phenomenon_id)
        name = self.catalog.phenomenon_name(phenomenon_id)
        return ClarificationOption(ordinal, phenomenon_id, name, found.present_when if found else None)

    def outcome(self, tool: Tool, failed: bool = False) -> ToolOutcome:
        """What a tool came to, for the planner."""
        unclear = self.clarification is not None and not self.evidence_changed()
        return ToolOutcome(tool, failed, unclear and tool is Tool.MATCH_PHENOMENA, self.evidence_changed())

    def results(self) -> TurnResults:
        """Everything the answer may speak of."""
        diagnosis = self.diagnosis_view
        if diagnosis is not None and self.clarification is not None:
            # Two numbered lists in one answer would make "1" ambiguous: what is asked back comes first.
            diagnosis = replace(diagnosis, recommendations=())
        return TurnResults(
            status=self.session.status(self.stuck_rounds),
            noted=tuple(self.noted),
            corrections=tuple(self.corrections),
            suggestions=tuple(self.suggestions),
            unmatched=tuple(self.unmatched),
            clarification=self.clarification,
            diagnosis=diagnosis,
            answers=tuple(self.answers),
            failures=tuple(self.failures),
            smalltalk=tuple(self.smalltalk),
            reset=self.reset,
            turn=self.session.turn,
            unclear=tuple(self.unclear),
            look=self.look,
            look_offer=self.look_offer,
            look_declined=self.look_declined,
        )


def _asked_as(asked: Clarification) -> set[str]:
    """The words asked about, and the choice where it matters more than the words."""
    ids = sorted({option.phenomenon_id for option in asked.options})
    choice = {f"{asked.kind.value}:{' '.join(ids)}"}
    if asked.kind is ClarifyKind.CONTRADICTION:
        return choice
    words = {asked.words} - {""}
    return choice | words if ids and asked.kind is not ClarifyKind.NO_SUCH_ITEM else words


def _own_words(entry: LedgerEntry) -> str:
    """How the person put it; empty when that says nothing by itself, as "1 yes" does."""
    return "" if entry.origin == "answer" or entry.collected else entry.words
