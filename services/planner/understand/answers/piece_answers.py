"""What a piece answers: by reference, by the words of an item, by a value, or all that was asked at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.planner.model import ClarifyKind, ClarifyStep, FeedbackStep, ObservationStep, Verdict
from services.planner.understand.acts.labels import Label
from services.planner.understand.answers.feedback import Answers
from services.planner.understand.answers.subjects import has_own_subject, is_of_own_thing, without_state
from services.planner.understand.items.item_names import near_evidence, stated_verdict
from services.planner.understand.items.references import Asked
from services.planner.understand.pieces import Piece
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.marks import has_mark
from services.planner.understand.text.segments import Segment, pointers_of
from services.planner.understand.text.tokens import Kind, content_of, tokens_of

# So sure a label has to be to give a verdict that no word and no value gives: to an item that is pointed at, that is
# named by most of its words, that is named, and that is named and is a lack of something; to a whole list that no word names; to agree with a word on one that is named; to overrule a word.
SURE, CLEAR, NAMED, LACKING, WHOLE, AGREES, OVERRULES = 0.75, 0.7, 0.85, 0.97, 0.95, 0.75, 0.95
# More content than this beside a value tells what else it is of.
_VALUE_ALONE = 6
# So much of a clause the words of an item make up that say by themselves how it is.
_MOSTLY = 0.7
# An amount by itself is as short.
_AMOUNT = 16


def measures(piece: Piece) -> bool:
    """True if the value in a piece is one of the item that it names, or of the only one, and of nothing beside it."""
    names = piece.names
    if has_wh(piece.text):
        return False
    if names is None:
        only = piece.asked.items[0] if len(piece.asked.items) == 1 else None
        rest = without_state(piece.text)
        short = len(content_of(tokens_of(rest)).replace(" ", "")) <= _VALUE_ALONE
        return short and not has_own_subject(rest) and piece.measured(only) is not None
    if piece.measured(names.item) is None:
        return False
    beside = f"{piece.text[: names.start]} {piece.text[names.end :]}"
    return not has_own_subject(without_state(beside))


def tells_amount(piece: Piece, ordinal: int) -> bool:
    """True if a piece is little more than an amount of an item: "the hit ratio? 99.2"."""
    if piece.clause.pasted or piece.names or piece.pointed or len(piece.text) > _AMOUNT:
        return False
    return not has_own_subject(without_state(piece.text)) and piece.measured(piece.asked.find(ordinal)) is not None


@dataclass
class Answering:
    """Reads the answer of a piece. named: the ordinal of the item that was named last; share: how sure the label is."""

    answers: Answers
    named: int | None
    piece: Piece
    label: Label
    share: float
    words: str

    @property
    def asked(self) -> Asked:
        """The list that the piece counts in."""
        return self.piece.asked

    def read(self) -> None:
        """Adds what the piece answers."""
        piece = self.piece
        if self.label is Label.WEAK and measures(piece):
            self.label = Label.YES
        if any(segment.pointed for segment in piece.segments) and not (piece.names and piece.points_back):
            self._by_reference()
            return
        ordinal = piece.names.item.ordinal if piece.names else piece.only
        if ordinal is None and (not piece.bare or not self.answers.held) and not piece.groups:
            ordinal = self.named
        if ordinal is not None:
            self._by_name(ordinal)
        elif piece.bare and piece.segments:
            self._barely(piece.segments)
        else:
            self._as_a_whole()

    def _by_name(self, ordinal: int) -> None:
        names = self.piece.names
        lacks = names is not None and names.lacks
        value = self._value(ordinal)
        if (
            names is not None
            and lacks
            and value is None
            and names.covered >= _MOSTLY
            and self.label.verdict is not Verdict.UNKNOWN
        ):
            value = stated_verdict(self.piece.text, names.item)
        clear = names is not None and names.own and names.covered >= _MOSTLY
        verdict = value or self._verdict(self._plain(), LACKING if lacks else CLEAR if clear else NAMED)
        likened = verdict is Verdict.UNKNOWN and names is not None and not names.own
        if likened and near_evidence(self.piece.text, self.answers.view) is not None:
            verdict = None  # It is of what is on record, and only like what is asked.
        if verdict is None and self.label is not Label.WEAK and not self.piece.bare:
            self.answers.steps.append(ObservationStep(self.words))
            return
        segment = Segment(refs=pointers_of(f"#{ordinal}"), verdict=verdict, hedged=verdict is None)
        self.answers.answer(segment, self.words, self.asked, named=True)

    def _barely(self, segments: Sequence[Segment]) -> None:
        of_it = self.answers.pointing and has_mark(self.piece.text, "none_of_it")
        for segment in segments:
            said = replace(segment, refs=()) if of_it and not segment.pointed else segment
            if self.label is Label.UNKNOWN and len(segments) == 1:
                said = replace(segment, verdict=Verdict.UNKNOWN, hedged=False)
            if self.label is Label.WEAK and segment.verdict is Verdict.CONFIRMED:
                self._weakly()
            else:
                self.answers.answer(said, self.words, self.asked)

    def _as_a_whole(self) -> None:
        could_not_look = self.label is Label.UNKNOWN and len(self.asked.items) == 1
        if is_of_own_thing(self.piece) and not (could_not_look or measures(self.piece)):
            self.answers.steps.append(ObservationStep(self.words))
            return
        groups = tuple(token for token in pointers_of(self.piece.text) if token.kind in (Kind.ALL, Kind.REST))
        only = self.asked.items[0].ordinal if len(self.asked.items) == 1 else None
        told = bool(only or groups or self.answers.held or self._plain())
        verdict = (self._value(only) if only else None) or self._verdict(self._plain(), SURE if told else WHOLE)
        if verdict is None:
            self._weakly()
        else:
            self.answers.answer(Segment(refs=groups, verdict=verdict), self.words, self.asked)

    def _plain(self) -> Verdict | None:
        """The one verdict that the words give."""
        return next(iter(self.piece.verdicts)) if len(self.piece.verdicts) == 1 else None

    def _value(self, ordinal: int) -> Verdict | None:
        return (
            None
            if self.label is Label.UNKNOWN or has_wh(self.piece.text)
            else self.piece.measured(self.asked.find(ordinal))
        )

    def _verdict(self, told: Verdict | None, least: float = SURE) -> Verdict | None:
        """The label's verdict; None where it is weak, less sure than `least`, or speaks against the words."""
        verdict = self.label.verdict
        if verdict is None or verdict is Verdict.UNKNOWN:
            return verdict
        if verdict is told:
            return verdict if self.share >= AGREES or least < NAMED else None
        return verdict if self.share >= (least if told in (None, Verdict.UNKNOWN) else OVERRULES) else None

    def _by_reference(self) -> None:
        segments = [segment for segment in self.piece.segments if segment.pointed or not segment.content]
        pointing = [segment for segment in segments if segment.pointed]
        for segment in segments:
            said = segment
            if len(pointing) == 1 and segment is pointing[0]:
                said = self._judged(segment)
            elif segment.pointed and segment.verdict is None and segment.content:
                verdict = self._verdict(None)
                said = replace(segment, verdict=verdict, hedged=verdict is None, content="")
            self.answers.answer(said, self.words, self.asked)

    def _judged(self, segment: Segment) -> Segment:
        """The one segment that points, judged by its value, or by the label where its words are not all read."""
        if segment.excepted or segment.only or not segment.refs:
            return segment
        numbers = [number for token in segment.refs for number in token.numbers]
        value = self._value(numbers[0]) if len(numbers) == 1 else None
        if value is not None:
            return replace(segment, verdict=value, hedged=False, content="")
        if self.label is Label.WEAK:
            return replace(segment, verdict=None, hedged=True, content="")
        if self.label is Label.UNKNOWN or segment.content or (segment.verdict is None and self.piece.says_more):
            verdict = self._verdict(segment.verdict)
            return replace(segment, verdict=verdict, hedged=verdict is None, content="")
        return segment

    def _weakly(self) -> None:
        """A weak yes that points at nothing: of what was answered last, of what waits for its answer, else of all."""
        answers = self.answers
        if answers.steps and isinstance(answers.steps[-1], FeedbackStep) and not answers.held:
            if self.label is Label.WEAK or self.piece.bare:
                answers.doubt()
            return
        if not answers.held and len(self.asked.items) > 1 and not (self.piece.bare or self.piece.groups):
            answers.steps.append(ObservationStep(self.words))  # It says something of its own: "a bit slow maybe".
            return
        references = answers.held or tuple(self.asked.at(ordinal) for ordinal in self.asked.ordinals)
        answers.held = ()
        kind = ClarifyKind.AMBIGUOUS_FEEDBACK if references else ClarifyKind.VAGUE
        answers.steps.append(ClarifyStep(kind, self.words, references))
