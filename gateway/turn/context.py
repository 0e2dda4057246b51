"""The working state of one turn: filled by the plan and the tools, rendered as its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from dbdiag.engine.v1.engine_types import DiagnoseResponse, Evidence, Likeness
from dbdiag.matcher.v1.matcher_types import (
    CauseLikeness,
)
from dbdiag.planner.v1.planner_types import (
    Answer,
    AppliedCorrection,
    AppliedSuggestion,
    Clarification,
    ClarificationOption,
    ClarifyKind,
    DiagnosisView,
    EngineGap,
    EvidenceView,
    Item,
    Language,
    LookOffer,
    LookView,
    NotedEvidence,
    SmalltalkKind,
    Tool,
    ToolFailure,
    TurnPlan,
    TurnResults,
)
from dbdiag.vocabulary import LocalizedText, ModelUsage, Verdict

from gateway.contracts.engine_client import Known
from gateway.session.case_talk import look_waits, restate
from gateway.session.catalog import Catalog, absent
from gateway.session.ledger import LedgerEntry, ProposedReading, Session
from gateway.session.set_aside import keys_of
from gateway.session.taken_back import again, one_a_facility, own_words, replaced_by
from gateway.turn.findings import DataFigure, Exchange
from gateway.turn.transitions import ToolOutcome

# A cause sounds clear from this likeness on: about 22 times the share of an average one. A change of less is none, nor
# one of what sounds like nothing.
_CLEAR_BITS, _MOVED_BITS, _HEARD_BITS = 4.5, 1.0, 2.0
# Kinds of clarification whose meaning is still open.
_OPEN_KINDS = (ClarifyKind.VAGUE, ClarifyKind.MULTIPLE_MATCHES, ClarifyKind.PROPOSED)


@dataclass
class Turn:
    """One message being worked on. tell: receives the progress of a long step."""

    session: Session
    message: str
    catalog: Catalog
    stuck_rounds: int
    threshold: float
    plan: TurnPlan = field(default_factory=TurnPlan)
    language: Language = Language.EN
    evidence_before: tuple[Evidence, ...] = ()
    shown: tuple[Item, ...] = ()  # The checks that the last answer asked for: their numbers are what a question means.
    done: list[ToolOutcome] = field(default_factory=list)
    noted: list[NotedEvidence] = field(default_factory=list)
    # What was on record like this before the turn: reported only where the message says nothing new.
    repeated: set[str] = field(default_factory=set)
    corrections: list[AppliedCorrection] = field(default_factory=list)
    suggestions: list[AppliedSuggestion] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    clarification: Clarification | None = None
    # The two statements of a contradiction under clarification.
    contested: tuple[LedgerEntry, ...] = ()
    # The keys by which the session remembers the clarification and never repeats it.
    asked_as: set[str] = field(default_factory=set)
    # Clauses that only say which thing is meant, and are not read. guessed: something is taken back that nobody names.
    pointing: tuple[str, ...] = ()
    guessed: bool = False
    unclear: list[str] = field(default_factory=list)  # Without a clarification of their own.
    diagnosis: DiagnoseResponse | None = None
    diagnosis_view: DiagnosisView | None = None
    answers: list[Answer] = field(default_factory=list)
    figures: list[DataFigure] = field(default_factory=list)
    failures: list[ToolFailure] = field(default_factory=list)
    smalltalk: list[SmalltalkKind] = field(default_factory=list)
    reset: bool = False
    # The database whose library the case went over to in this turn.
    taken_up: str = ""
    usage: dict[str, ModelUsage] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    bearing: frozenset[str] = frozenset()
    look: LookView | None = None
    look_offer: LookOffer | None = None
    look_declined: bool = False
    likeness_before: tuple[CauseLikeness, ...] = ()
    tell: Callable[[str], None] = lambda _: None

    def active_evidence(self) -> tuple[Evidence, ...]:
        """The whole active evidence for the engine, in id order."""
        active = sorted(self.session.active(), key=attrgetter("phenomenon_id"))
        return tuple([Evidence(entry.phenomenon_id, entry.verdict, entry.score) for entry in active])

    def known(self) -> Known:
        """What the engine is to know of the case."""
        heard = tuple([Likeness(each.root_cause_id, each.bits) for each in self.session.likeness])
        return Known(self.session.snapshot_id, self.active_evidence(), heard)

    def sounds_clear(self) -> bool:
        """True if all that was told sounds so much like one cause that no question need be asked for a direction."""
        return any(each.bits >= _CLEAR_BITS for each in self.session.likeness[:1])

    def heard_more(self) -> bool:
        """True if this turn told something, and the whole sounds now more or less like a cause, or clearly like one.

        While the rows of a look are waited for, only news goes on without them.
        """
        now, before = self.session.likeness[:1], self.likeness_before
        known = {each.root_cause_id: each.bits for each in before}
        kept = [(each.bits, known.get(each.root_cause_id, 0.0)) for each in now]
        moved = any(abs(one - other) >= _MOVED_BITS and max(one, other) >= _HEARD_BITS for one, other in kept)
        clear = self.sounds_clear() and not look_waits(self.session)
        return moved or (self.session.turn in self.session.heard and clear)

    def evidence_changed(self) -> bool:
        """True if this turn changed the active evidence."""
        return self.active_evidence() != self.evidence_before

    def evidence_views(self) -> tuple[EvidenceView, ...]:
        """The active evidence with names, oldest first."""
        return self.views_of(self.session.active())

    def views_of(self, entries: Sequence[LedgerEntry]) -> tuple[EvidenceView, ...]:
        """Ledger entries with their names; what the lack of one facility rules out as that lack."""
        kept = one_a_facility(entries)
        named = zip(kept, self.catalog.describe(kept), strict=True)
        told = [(e.phenomenon_id, e.lacking or name, e.verdict, e.words, e.turn, e.value, c) for e, (name, c) in named]
        return tuple([EvidenceView(*each) for each in told])

    def _name(self, entry: LedgerEntry) -> LocalizedText:
        return entry.lacking or self.catalog.phenomenon_name(entry.phenomenon_id)

    def _proposed_view(self, item: ProposedReading) -> EvidenceView:
        name = self.catalog.phenomenon_name(item.phenomenon_id)
        return EvidenceView(item.phenomenon_id, name, words=item.words, turn=item.turn, value=item.value)

    def evidence_name(self, phenomenon_id: str) -> LocalizedText:
        """The name of a phenomenon as evidence: a denied one is named as its absence, or that of what it needs."""
        entry = self.session.active_for(phenomenon_id)
        if entry is None:
            return self.catalog.phenomenon_name(phenomenon_id)
        return absent(self._name(entry)) if entry.verdict is Verdict.DENIED else self._name(entry)

    def evidence_names(self, phenomenon_ids: Iterable[str], lacks: bool = True) -> tuple[LocalizedText, ...]:
        """The names of several as evidence, each once. lacks: with what is not there, which supports nothing."""
        ruled_out = {entry.phenomenon_id for entry in self.session.active() if entry.lacking and not lacks}
        return tuple(dict.fromkeys(self.evidence_name(each) for each in phenomenon_ids if each not in ruled_out))

    def note(self, entry: LedgerEntry) -> None:
        """Records an entry and reports it; an entry that replaces another verdict is reported as a correction."""
        old = self.session.active_for(entry.phenomenon_id)
        if old is not None and old.verdict == entry.verdict and old.score >= entry.score:
            entry = restate(self.session, old, entry.words, entry.value)
            self.repeated.add(entry.phenomenon_id)
        elif self.session.record(entry) and old is not None and old.verdict not in (entry.verdict, Verdict.UNKNOWN):
            self._correct(old, entry)
            return
        name, lacks = self._name(entry), entry.lacking is not None
        if any(noted.phenomenon_id == entry.phenomenon_id or (lacks and noted.name == name) for noted in self.noted):
            return
        told = (entry.phenomenon_id, name, entry.verdict, entry.words, entry.score, entry.origin == "words")
        self.noted.append(NotedEvidence(*told, extracted_value=entry.value, facility=lacks))

    def _correct(self, old: LedgerEntry, new: LedgerEntry) -> None:
        said = (own_words(old), own_words(new), old.verdict, new.verdict)
        self.corrections.append(AppliedCorrection(self._name(new), *said))

    def take_back(self, entry: LedgerEntry, corrected: str = "") -> None:
        """Retracts an entry and reports it, with the words in its place; what it had replaced holds again."""
        if (before := replaced_by(self.session, entry)) is not None and not corrected:
            self.note(again(self.session, before))
            return
        self.session.retract(entry)
        done = AppliedCorrection(self._name(entry), own_words(entry), corrected, entry.verdict)
        self.corrections += [done] if done not in self.corrections else []

    def has_limit(self, phenomenon_id: str) -> bool:
        """True if the phenomenon's name contains a limit."""
        return any(map(str.isdigit, self.catalog.phenomenon_name(phenomenon_id).say(self.language)))

    def ask_back(self, kind: ClarifyKind, words: str, phenomenon_ids: list[str]) -> bool:
        """Asks for one clarification. Returns False if another one is open, or this one was asked before.

        Asked before means the same words or, where the options matter more, the same options.
        """
        options = tuple(self._option(ordinal, found) for ordinal, found in enumerate(phenomenon_ids, 1))
        return self.clarification is None and self.ask(Clarification(kind, words, options))

    def ask(self, asked: Clarification) -> bool:
        """Asks for this clarification. Returns False if it was asked before."""
        keys = keys_of(asked)
        if not keys.isdisjoint(self.session.clarified):
            return False
        self.clarification, self.asked_as = asked, keys
        return True

    def _option(self, ordinal: int, phenomenon_id: str) -> ClarificationOption:
        name = self.catalog.phenomenon_name(phenomenon_id)
        return ClarificationOption(ordinal, phenomenon_id, name, self.catalog.test_of(phenomenon_id))

    def asked_now(self) -> set[str]:
        """The phenomena that the answer asks about, except those that only the person can decide."""
        asked = self.clarification
        if asked is not None:
            return {option.phenomenon_id for option in asked.options} if asked.kind in _OPEN_KINDS else set()
        found = self.diagnosis_view
        return {item.phenomenon_id for item in found.recommendations} if found else set()

    def _is_taken_up(self, words: str) -> bool:
        """True if these words are on record, or the answer asks what they mean: they are not set aside as well."""
        taken = [item.words for item in self.noted]
        taken += [self.clarification.words] if self.clarification is not None else []
        return any(each in words or words in each for each in taken if each)

    @property
    def engine_gap(self) -> EngineGap | None:
        """Set if the person names a database that the library has no query for."""
        named, covered = self.plan.named_engine, self.catalog.engines
        return EngineGap(named, covered) if named and covered and named not in covered else None

    def outcome(self, tool: Tool, failed: bool = False) -> ToolOutcome:
        """The outcome of a tool, which decides the next one."""
        changed = self.evidence_changed() or (tool is Tool.MATCH_PHENOMENA and self.heard_more())
        unclear = self.clarification is not None and not changed and tool is Tool.MATCH_PHENOMENA
        return ToolOutcome(tool, failed, unclear, changed)

    def results(self) -> TurnResults:
        """All results that the answer may mention."""
        if (diagnosis := self.diagnosis_view) is not None and self.clarification is not None:
            # Two numbered lists in one answer would make "1" ambiguous; the clarification takes precedence.
            beside = diagnosis.recommendations[:1] if self.clarification.kind is ClarifyKind.PROPOSED else ()
            diagnosis = replace(diagnosis, recommendations=tuple(replace(item, ordinal=0) for item in beside))
        return TurnResults(
            status=self.session.status(self.stuck_rounds),
            noted=tuple(item for item in self.noted if item.phenomenon_id not in self.repeated) or tuple(self.noted),
            corrections=tuple(self.corrections),
            suggestions=tuple(self.suggestions),
            unmatched=tuple(words for words in self.unmatched if not self._is_taken_up(words)),
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
            engine_gap=self.engine_gap,
            taken_up=self.taken_up,
            seen=(*self.evidence_views(), *map(self._proposed_view, self.session.proposed)),
            treatments=self.session.treatments,
            objects=self.session.objects,
            limits=self.session.limits,
            aftermath=self.session.aftermath,
            began=self.session.began,
            engine=self.catalog.engine,
        )
