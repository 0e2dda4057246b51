"""The steps that labelled pieces come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    ResetStep,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    Verdict,
)
from services.planner.understand.acts.labels import ANSWERS, Label
from services.planner.understand.acts.meaning import claims_nothing, is_not_here
from services.planner.understand.acts.safety import asks_permission
from services.planner.understand.answers.doubts import DROPS, could_not_look, doubted_label
from services.planner.understand.answers.feedback import Answers
from services.planner.understand.answers.piece_answers import Answering, measures, tells_amount
from services.planner.understand.answers.subjects import is_of_own_thing, stands_apart
from services.planner.understand.corrections.corrections import Correcting
from services.planner.understand.items.item_names import near_evidence
from services.planner.understand.pieces import Piece
from services.planner.understand.questions import questions
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.questions.suppositions import assumed
from services.planner.understand.text import smalltalk
from services.planner.understand.text.domain import is_technical, opens_question
from services.planner.understand.text.marks import has_mark, is_only, opening_of
from services.planner.understand.text.messages import Message, read
from services.planner.understand.text.observations import certainty_of, fact_span

_LONGEST_FACT, _OUTSIDE = 2_000, SmalltalkKind.OUT_OF_SCOPE
# What only restricts what was said before it is short.
_AFTERTHOUGHT = 40


@dataclass
class Steps:
    """Collects the steps of one message.

    start: where the words of the last step begin. lead: where a piece began that belongs to the next step. named: the
    ordinal of the item that was named last. opened: the count of steps before the sentence. ordered: it gives orders.
    agreed: the message opened with a yes to the one thing that is asked, or with the number of an option.
    of_own_thing: the piece before was of a thing that is none of the items. fillers: guesses at statements that name
    nothing of the field, dropped beside anything that says something. grumbles: the message has an aside in it.
    """

    message: Message
    view: SessionView
    answers: Answers
    start: int = 0
    lead: int | None = None
    named: int | None = None
    correcting: Correcting = field(default_factory=Correcting)
    ordered: bool = False
    opened: int = 0
    agreed: bool = False
    of_own_thing: bool = False
    fillers: list[PlanStep] = field(default_factory=list)
    grumbles: bool = False

    @property
    def made(self) -> list[PlanStep]:
        """The steps so far."""
        return self.answers.steps

    def read(self, piece: Piece, label: Label, share: float) -> None:
        """Adds what a piece with this label comes to."""
        if piece.first:
            self.ordered, self.opened = False, len(self.made)
        if self.ordered and not piece.pointed:
            return
        if self.named is not None and label not in ANSWERS and tells_amount(piece, self.named):
            label = Label.YES
        stated = bool(self.made) and isinstance(self.made[-1], ObservationStep | SuggestionStep)
        if piece.first and label in (Label.YES, Label.NO) and self.answers.last_verdict and stands_apart(piece):
            label = Label.FACT  # "1 yes; the network is not saturated": the item was answered.
        if piece.first and label is not Label.MORE and (label not in ANSWERS or stated):
            self.named = None
        if self.correcting.open and label is Label.FACT and near_evidence(piece.text, self.view) is not None:
            label = Label.INSTEAD
        if label not in (Label.CORRECTION, Label.INSTEAD, Label.MORE):
            self.close_correction()
        if not (self.made or piece.clause.pasted) and self._agrees(piece, label):
            return
        answered = len(self.made) > self.opened and isinstance(self.made[-1], FeedbackStep)
        label = doubted_label(piece, label, share, answered)
        self.grumbles = self.grumbles or label is Label.ASIDE
        if self.agreed and label in ANSWERS and not (piece.pointed or (piece.bare and label is not Label.UNKNOWN)):
            label = Label.FACT  # "Yes. No idea about the rest": the yes stands.
        if label in ANSWERS:
            self._answer(piece, label, share)
        elif label.question is not None:
            self._ask(piece, label.question)
        else:
            self._made_by(label, share)(piece)
        self.named = piece.names.item.ordinal if piece.names else self.named
        self.lead = self.lead if label in (Label.MORE,) else None
        answers = piece.clause.pasted or label in (Label.YES, Label.NO, Label.WEAK)
        self.of_own_thing = not answers and is_of_own_thing(piece)

    def chooses(self, sentence: Sequence[Piece]) -> bool:
        """Takes a sentence that opens with the number of an option for choosing it, and returns True if it does."""
        opening, following = sentence[0], sentence[1:2]
        if not self.view.options or not following or any(piece.clause.pasted for piece in sentence):
            return False
        points = opening.bare and opening.pointed and not (opening.verdicts or opening.clause.asks)
        if not points or any(piece.bare or piece.pointed for piece in following):
            return False
        if any(segment.excepted or segment.only or segment.hedged for segment in opening.segments):
            return False
        segment = replace(opening.segments[0], verdict=Verdict.CONFIRMED)
        self.answers.answer(segment, self._words(opening), opening.asked)
        self.agreed = True
        return True

    def point(self, piece: Piece) -> None:
        """Holds what a piece points at for the verdict of the next one."""
        for segment in piece.segments:
            self.answers.answer(replace(segment, content=""), self._words(piece), piece.asked)

    def _made_by(self, label: Label, share: float) -> Callable[[Piece], None]:
        return {
            Label.FACT: lambda piece: self._state(piece, share),
            Label.SUSPICION: self._suspect,
            Label.CORRECTION: lambda piece: self.correcting.take_back(piece),
            Label.INSTEAD: lambda piece: self.correcting.replace(piece),
            Label.VAGUE: lambda piece: self._add(ClarifyStep(ClarifyKind.VAGUE, self._words(piece)), piece),
            Label.ELSEWHERE: self._elsewhere,
            Label.RESET: self._reset,
            Label.SMALLTALK: lambda piece: self._talk(piece, share),
            Label.ORDER: self._refuse,
            Label.MORE: self._more,
        }.get(label, lambda piece: None)

    def _words(self, piece: Piece, span: tuple[int, int] | None = None) -> str:
        start, end = span or (0, len(piece.text))
        begin = self.lead if self.lead is not None else piece.clause.start + start
        return self.message.words(begin, piece.clause.start + end)

    def _add(self, step: PlanStep, piece: Piece, start: int = 0) -> None:
        self.start = self.lead if self.lead is not None else piece.clause.start + start
        self.made.append(step)

    def _state(self, piece: Piece, share: float) -> None:
        if piece.clause.pasted:
            self._add(ObservationStep(self._words(piece)[:_LONGEST_FACT]), piece)
            return
        if not is_not_here(piece.text) and measures(piece):
            self._answer(piece, Label.YES, 1.0)
            return
        span = fact_span(piece.text)
        self._add(step := ObservationStep(self._words(piece, span), certainty_of(piece.text)), piece, span[0])
        if share < DROPS and not is_technical(piece.text):
            self.fillers.append(step)

    def _suspect(self, piece: Piece) -> None:
        first, last = fact_span(piece.text)
        first = max(first, opening_of(piece.text, "is_it", "may_be_it"))  # "Could it be the disk" suspects the disk.
        self._add(SuggestionStep(self._words(piece, (first, last))), piece, first)

    def _reset(self, _: Piece) -> None:
        self.view = SessionView(language=self.view.language)
        self.answers = Answers(self.view, [ResetStep()])

    def _refuse(self, piece: Piece) -> None:
        """An order to the assistant; what goes on with it in its sentence is part of it."""
        self.ordered = True
        self._add(SmalltalkStep(SmalltalkKind.ORDERS), piece)

    def _talk(self, piece: Piece, share: float) -> None:
        kind = smalltalk.talk(piece.text)
        asks = piece.clause.asks or opens_question(piece.text)
        tells = kind is None and (share < DROPS or is_technical(piece.text)) and not asks
        outside = SmalltalkKind.REMARK if self.grumbles and self.view.evidence and not asks else _OUTSIDE
        self._add(ObservationStep(self._words(piece)) if tells else SmalltalkStep(kind or outside), piece)

    def _more(self, piece: Piece) -> None:
        """More of the step before; where there is none in this sentence, the beginning of the next."""
        if self.correcting.open:
            self.correcting.more(piece)
            return
        last = self.made[-1] if self.made else None
        if last is None or isinstance(last, FeedbackStep | SmalltalkStep | ResetStep | ClarifyStep):
            self.lead = self.lead if self.lead is not None else piece.clause.start
            return
        words = self.message.words(self.start, piece.clause.end)
        if isinstance(last, QuestionStep | ObservationStep | SuggestionStep):
            self.made[-1] = replace(last, text=words)

    def _answer(self, piece: Piece, label: Label, share: float) -> None:
        if not (piece.pointed or piece.bare or label is Label.UNKNOWN or self.view.options) and claims_nothing(
            piece.text
        ):
            return
        if piece.bare and not (piece.pointed or piece.groups) and self._is_of_what_was_said(piece):
            return
        if label is Label.UNKNOWN and not self.answers.held and could_not_look(self.made, piece):
            self.answers.last_verdict = Verdict.UNKNOWN
            return
        count = len(self.made)
        Answering(self.answers, self.named, piece, label, share, self._words(piece)).read()
        if len(self.made) > count:
            self.start = piece.clause.start

    def _agrees(self, piece: Piece, label: Label) -> bool:
        """Takes a message that opens with a yes for one to the only thing that is asked, and returns True if it is."""
        opening = opening_of(piece.text, "opens_yes")
        said = piece.text[:opening] if opening else piece.text
        stands = (opening and not piece.pointed) or (piece.bare and is_only(piece.text, "opens_yes"))
        if (
            len(piece.asked.items) != 1
            or (piece.clause.asks or piece.only_asks)
            or label is Label.WEAK
            or not stands
            or not has_mark(said, "opens_yes")
        ):
            return False
        if piece.bare and piece.verdicts != {Verdict.CONFIRMED}:
            return False
        self.agreed = True
        words = self.message.words(piece.clause.start, piece.clause.start + (opening or len(piece.text)))
        self._add(FeedbackStep(piece.asked.at(piece.asked.items[0].ordinal), Verdict.CONFIRMED, words), piece)
        return True

    def _is_of_what_was_said(self, piece: Piece) -> bool:
        """True if a bare verdict is of the statement or the question just before it, and of nothing that was asked."""
        last = self.made[-1] if self.made else None
        if self.answers.held or self.named is not None or len(piece.asked.items) == 1:
            return False
        if isinstance(last, QuestionStep):
            return not piece.first or not has_wh(read(last.text).normal)
        if self.of_own_thing and not piece.first and piece.verdicts <= {Verdict.DENIED, Verdict.UNKNOWN}:
            return True  # "The wal disk is theirs, no access."
        if isinstance(last, SuggestionStep) and piece.verdicts == {Verdict.UNKNOWN}:
            return True
        stated = isinstance(last, ObservationStep | SuggestionStep) and piece.verdicts <= {Verdict.DENIED}
        return stated and not has_mark(piece.text, "names_list")

    def _elsewhere(self, piece: Piece) -> None:
        """What is said of another system or time; that of what was said just before it in the sentence."""
        last = self.made[-1] if len(self.made) > self.opened else None
        restricts = isinstance(last, FeedbackStep | ObservationStep) and not (piece.pointed or piece.names)
        apart = is_not_here(piece.text) or has_mark(piece.text, "elsewhere")
        if not restricts or not apart or len(piece.text) > _AFTERTHOUGHT:
            return
        taken = self.made.pop()
        while isinstance(taken, FeedbackStep) and len(self.made) > self.opened:
            step = self.made[-1]
            if not isinstance(step, FeedbackStep) or step.words != taken.words:
                break
            self.made.pop()
        self.answers.held, self.answers.last_refs, self.answers.last_verdict = (), (), None

    def _ask(self, piece: Piece, kind: QuestionKind) -> None:
        words = self._words(piece)
        if asks_permission(piece.text):
            step = QuestionStep(QuestionKind.HELP, None, words)
        elif kind is QuestionKind.WHAT_IF:
            step = QuestionStep(kind, None, words, assumed(piece, words, self.view))
        else:
            step = questions.question(kind, piece.text, words, self.view)
        self._add(step, piece)

    def close_correction(self) -> None:
        """Adds the correction that is open, if any."""
        step = self.correcting.close(self.message, self.view)
        if step is not None:
            self.made.append(step)

    def add_revisions(self, revised: Sequence[CorrectionStep]) -> None:
        """Adds corrections that stand by themselves."""
        if revised:
            self.close_correction()
            self.made.extend(revised)

    def _state_what_leads_nowhere(self) -> None:
        """Adds what seemed to go on with an answer, and nothing came of, as a statement."""
        words = self.message.words(self.lead, len(self.message.normal)) if self.lead is not None else ""
        if is_technical(read(words).normal):
            self.made.append(ObservationStep(words))

    def finish(self, bare: bool) -> list[PlanStep]:
        """All steps. bare: the message has nothing but references and verdicts."""
        self.close_correction()
        self._state_what_leads_nowhere()
        self.answers.finish(bare)
        says = any(step not in self.fillers and not isinstance(step, ClarifyStep) for step in self.made)
        return [step for step in self.made if not (says and step in self.fillers)]
