"""Segments made into steps: references resolved against what was asked, unclear ones asked back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lang.judging.out_of_reach import out_of_reach_in
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    ItemList,
    ObservationStep,
    PlanStep,
    Reference,
    SessionView,
    Verdict,
)
from services.planner.understand.answers.shown import AT_HOST, last_answer, shown_check
from services.planner.understand.answers.wording import HEDGED, names_the_list, says_alike, says_likewise
from services.planner.understand.items.amounts import verdict_on
from services.planner.understand.items.references import Asked, ordinals_of, others_of
from services.planner.understand.text.messages import read
from services.planner.understand.text.numerals import canonical_id, number_of
from services.planner.understand.text.segments import Segment, masked, without_items
from services.planner.understand.text.tokens import Kind, Token

_OPPOSITE = {Verdict.CONFIRMED: Verdict.DENIED, Verdict.DENIED: Verdict.CONFIRMED}


@dataclass
class Answers:
    """Collects the answers of one message.

    held: references that wait for their verdict. pointing: the message points at items one by one.
    """

    view: SessionView
    steps: list[PlanStep] = field(default_factory=list)
    held: tuple[Reference, ...] = ()
    held_words: str = ""
    excepted: tuple[Reference, ...] = ()
    last_verdict: Verdict | None = None
    last_refs: tuple[Reference, ...] = ()
    last_verdict_first: bool = False
    apart: Segment | None = None
    taken_out: tuple[Reference, ...] = ()
    unclear: PlanStep | None = None
    pointing: bool = False

    def answer(self, segment: Segment, words: str, asked: Asked, named: bool = False) -> None:
        """One segment that points at items, or holds groups, or is a bare verdict; `named` when it points by words."""
        refs = self._resolve(segment.refs, asked, words)
        excepted = self._resolve(segment.excepted, asked, words)
        if segment.excepted and segment.verdict is None:
            if segment.refs or "all but" in words.lower():
                segment = replace(segment, verdict=Verdict.CONFIRMED)
            else:
                self._take_out(excepted, words)
                return
        if segment.pointed and self.last_verdict is not None and says_alike(words):
            segment = replace(segment, verdict=self.last_verdict, hedged=False)
        if self._gives_apart(segment, words, asked):
            return
        self.apart = segment if segment.excepted and segment.verdict and not segment.refs else None
        if segment.only and refs:
            excepted, refs = refs, others_of(refs, asked)
            self._only(segment, words, excepted, refs, asked)
            return
        if segment.excepted:
            refs = others_of(excepted, asked)
            self._record(excepted, _OPPOSITE.get(segment.verdict or Verdict.CONFIRMED), words, segment)
        whole = bool(segment.refs) and all(token.kind is Kind.ALL for token in segment.refs)
        if self.excepted and (whole or (segment.verdict is not None and not segment.pointed)):
            segment = replace(segment, verdict=segment.verdict or Verdict.CONFIRMED)
            refs = others_of(self.excepted, asked)
            self._record(self.excepted, _OPPOSITE.get(segment.verdict or Verdict.CONFIRMED), words, segment)
            self.excepted = ()
        if not refs and segment.pointed:
            return
        if self.held and whole:
            refs, self.held = self.held, ()  # "9 and 2, both yes".
        verdict = segment.verdict
        if verdict is None and segment.content:
            item = asked.find(refs[0].ordinal or 0) if len(refs) == 1 else None
            verdict = verdict_on(without_items(masked(read(words).normal)), item) if item else None
        self._settle(segment, words, refs, verdict, asked, named)
        self.taken_out = excepted

    def _settle(
        self,
        segment: Segment,
        words: str,
        refs: tuple[Reference, ...],
        verdict: Verdict | None,
        asked: Asked,
        named: bool,
    ) -> None:
        if not refs and segment.verdict is not None:
            self._bare(segment, words, asked)
        elif verdict is None and not segment.hedged and not segment.content:
            self._hold(refs, words)
        elif named and verdict is None and not segment.hedged and asked.list is ItemList.PENDING:
            # Named by its words, and what is said of it is no verdict: it is passed on as what was seen.
            self.steps += [] if refs == self.last_refs else [ObservationStep(words)]
        else:
            refs = self._apart_from_rest(segment, words, refs, verdict, asked)
            if self.held and not segment.verdict_first and not named:
                refs = (*self.held, *refs)
                self.held = ()
            self._record(refs, verdict, words, segment)

    def _gives_apart(self, segment: Segment, words: str, asked: Asked) -> bool:
        """ "Apart from 3, which is there, the others are not": the verdict beside the exception was of it, not of the others."""
        apart, self.apart = self.apart, None
        rest = any(token.kind is Kind.REST for token in segment.refs) and not segment.pointed
        others = Verdict.UNKNOWN if apart is None else _OPPOSITE.get(apart.verdict or Verdict.UNKNOWN, segment.verdict)
        if apart is None or not rest or segment.verdict is not others or segment.verdict is apart.verdict:
            return False
        self.steps = [step for step in self.steps if not isinstance(step, FeedbackStep)]
        refs = self._resolve(apart.excepted, asked, words)
        self._record(refs, apart.verdict, words, apart)
        self._record(others_of(refs, asked), segment.verdict, words, segment)
        return True

    def _apart_from_rest(
        self, segment: Segment, words: str, refs: tuple[Reference, ...], verdict: Verdict | None, asked: Asked
    ) -> tuple[Reference, ...]:
        """ "The first, the rest no": what stands apart from a rest that is denied is a yes."""
        if not self.held or verdict is not Verdict.DENIED or all(token.kind is not Kind.REST for token in segment.refs):
            return refs
        held, self.held = self.held, ()
        self._record(held, Verdict.CONFIRMED, words, replace(segment, hedged=False))
        return tuple(ref for ref in refs if ref not in held)

    def _hold(self, refs: tuple[Reference, ...], words: str) -> None:
        """References without a verdict: more of a list that began with its verdict, else waiting for one."""
        if self.last_verdict is not None and says_likewise(words, self.last_verdict_first):
            self.steps += [FeedbackStep(ref, self.last_verdict, words) for ref in refs]
            return
        self.held, self.held_words = (*self.held, *refs), words

    def _bare(self, segment: Segment, words: str, asked: Asked) -> None:
        verdict = segment.verdict
        if isinstance(self.unclear, ClarifyStep) and self.steps[-1:] == [self.unclear]:
            # "The second I tried, psql gets in at once, not slow": the verdict comes after what was told.
            self.held = (*self.held, *self.unclear.references)
            self.steps.pop()
        if self.held:
            refs, self.held = self.held, ()
            self._record(refs, verdict, words, segment)
        elif self.last_verdict is Verdict.UNKNOWN and segment.hedged and verdict is Verdict.CONFIRMED:
            self.steps[-1:] = [ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, words, self.last_refs)]
        elif self.last_verdict is not None:
            self._restate(verdict, words)
        elif not asked.items:
            self.steps.append(ClarifyStep(ClarifyKind.VAGUE, words))
        elif len(asked.items) == 1:
            self._record((asked.at(asked.items[0].ordinal),), verdict, words, segment)
        elif verdict is Verdict.CONFIRMED and any(isinstance(step, ObservationStep) for step in self.steps):
            return
        elif verdict is Verdict.CONFIRMED or (self.pointing and not names_the_list(words)):
            references = tuple(asked.at(ordinal) for ordinal in asked.ordinals)
            self.steps.append(ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, words, references))
        else:
            self._record(self._meant(asked, verdict, words), verdict, words, segment)

    def _meant(self, asked: Asked, verdict: Verdict | None, words: str) -> list[Reference]:
        """What a verdict that points at nothing is of: "can't look" of what was shown to be run, any other of all.

        "Can't get on the box" is of the box: it answers no check that is a query.
        """
        if verdict is Verdict.UNKNOWN and out_of_reach_in(words) and AT_HOST not in last_answer(self.view):
            return []
        shown = asked.items[0] if self.view.look_shown else shown_check(self.view)
        if verdict is Verdict.UNKNOWN and shown is not None and asked.list is ItemList.PENDING:
            return [Reference(id=shown.phenomenon_id)]
        return self._all(asked)

    def _restate(self, verdict: Verdict | None, words: str) -> None:
        """A bare verdict after an answer: a reason or an emphasis, unless it turns a yes into a no or back."""
        if verdict is not Verdict.UNKNOWN and self.last_verdict is not Verdict.UNKNOWN:
            self.steps += [FeedbackStep(ref, verdict, words) for ref in self.last_refs if verdict != self.last_verdict]
            self.last_verdict = verdict

    def _record(self, refs: Sequence[Reference], verdict: Verdict | None, words: str, segment: Segment) -> None:
        if not refs or (verdict is None and not segment.hedged and not segment.content):
            return
        chooses = refs[0].list is ItemList.OPTIONS and segment.refs and not segment.content
        if segment.hedged and verdict is None and chooses:
            verdict = Verdict.CONFIRMED  # "1 i guess" chooses.
        if verdict is None:
            self.steps.append(ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, words, tuple(refs)))
            self.unclear = None if segment.hedged else self.steps[-1]
        else:
            certainty = HEDGED if segment.hedged and verdict is not Verdict.UNKNOWN else None
            self.steps += [FeedbackStep(ref, verdict, words, certainty) for ref in refs]
        self.held = tuple(ref for ref in self.held if ref not in refs)
        self.last_refs, self.last_verdict = tuple(refs), verdict
        self.last_verdict_first = segment.verdict_first

    def _only(
        self, segment: Segment, words: str, named: tuple[Reference, ...], others: tuple[Reference, ...], asked: Asked
    ) -> None:
        verdict = segment.verdict or Verdict.CONFIRMED
        self._record(named, verdict, words, segment)
        if segment.hedged or asked.list is ItemList.OPTIONS:
            return
        self._record(others, _OPPOSITE.get(verdict), words, replace(segment, hedged=False, content=""))

    def _take_out(self, excepted: tuple[Reference, ...], words: str) -> None:
        opposite = _OPPOSITE.get(self.last_verdict) if self.last_verdict else None
        if opposite is not None:
            self.steps += [FeedbackStep(ref, opposite, words) for ref in excepted]
        elif self.last_verdict is None:
            self.excepted = excepted

    def _resolve(self, tokens: Sequence[Token], asked: Asked, words: str) -> tuple[Reference, ...]:
        pointed = any(token.kind not in (Kind.ALL, Kind.REST) for token in tokens)
        if any(token.kind not in (Kind.ALL, Kind.REST, Kind.JUST) for token in tokens):
            tokens = [token for token in tokens if token.kind is not Kind.JUST]
        found: list[Reference] = []
        for token in tokens:
            if token.kind is Kind.ALL and (pointed or any(other.kind is Kind.REST for other in tokens)):
                continue
            found += self._point(token, asked, words)
        return tuple(dict.fromkeys(found))

    def _point(self, token: Token, asked: Asked, words: str) -> list[Reference]:
        if token.kind is Kind.ID:
            return [Reference(id=canonical_id(token.text))]
        if token.kind is Kind.JUST:
            return self._just_mentioned(asked, words)
        if token.kind is Kind.ALL:
            return self._counted(token, asked, words) if asked.items else self._missing((), words)
        if token.kind is Kind.REST:
            return self._rest(asked)
        ordinals = ordinals_of(token, asked)
        existing = [asked.at(ordinal) for ordinal in ordinals if asked.find(ordinal)]
        missing = [ordinal for ordinal in ordinals if not asked.find(ordinal)]
        if missing or not ordinals:
            self._missing(tuple(asked.at(ordinal) for ordinal in missing), words)
        return existing

    def _counted(self, token: Token, asked: Asked, words: str) -> list[Reference]:
        """All of a list; where a count is told that it does not have, its rest or what was just named: "both" of three."""
        count = 2 if token.text.startswith("both") else number_of(token.text, cardinal=True)
        rest = self._rest(asked)
        if not 1 < count < len(asked.items) or self.held:
            return self._all(asked)
        return rest if count == len(rest) else self._just_mentioned(asked, words)

    def _all(self, asked: Asked) -> list[Reference]:
        if asked.by_id:
            return [asked.at(ordinal) for ordinal in asked.ordinals]
        return [Reference(group=Group.ALL, list=asked.list)]

    def _missing(self, references: tuple[Reference, ...], words: str) -> list[Reference]:
        self.steps.append(ClarifyStep(ClarifyKind.NO_SUCH_ITEM, words, references))
        return []

    def _just_mentioned(self, asked: Asked, words: str) -> list[Reference]:
        if self.taken_out:
            return list(self.taken_out)
        if self.last_refs:
            return list(self.last_refs)
        if len(asked.items) == 1:
            return [asked.at(asked.items[0].ordinal)]
        references = tuple(asked.at(ordinal) for ordinal in asked.ordinals)
        self.steps.append(ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, words, references))
        return []

    def _rest(self, asked: Asked) -> list[Reference]:
        named: set[int] = set()
        for step in self.steps:
            references = step.references if isinstance(step, ClarifyStep) else ()
            references = (step.reference,) if isinstance(step, FeedbackStep) else references
            for ref in references:
                item = next((item for item in asked.items if ref.id and item.phenomenon_id == ref.id), None)
                named.add(item.ordinal if item else ref.ordinal or 0)
        return [asked.at(ordinal) for ordinal in asked.ordinals if ordinal not in named]

    def doubt(self) -> None:
        """What was said last is not sworn to: a yes has to be asked back."""
        last = self.steps[-1]
        if isinstance(last, FeedbackStep) and last.verdict is Verdict.CONFIRMED:
            self.steps[-1] = ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, last.words, (last.reference,))

    def finish(self, whole_message: bool) -> None:
        """The end of the message: references still held mean yes when they are all there is or an option is chosen."""
        if not self.held:
            return
        chosen = any(ref.list is ItemList.OPTIONS for ref in self.held)
        if whole_message or chosen:
            self.steps += [FeedbackStep(ref, Verdict.CONFIRMED, self.held_words) for ref in self.held]
        else:
            self.steps.append(ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, self.held_words, self.held))
        self.held = ()
