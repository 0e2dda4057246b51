"""What a piece answers: by reference, by the words of an item, by a value, or all that was asked at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from services.planner.model import ClarifyKind, ClarifyStep, FeedbackStep, SessionView
from services.planner.reader.labels import Label
from services.planner.reader.pieces import Piece
from services.planner.understand.answers import Segment, pointers_of
from services.planner.understand.feedback import Answers
from services.planner.understand.references import Asked
from services.planner.understand.tokens import Kind


@dataclass
class Answering:
    """Reads the answers of pieces. named: the ordinal of the item that was named last."""

    answers: Answers
    view: SessionView
    named: int | None

    def read(self, piece: Piece, label: Label, words: str, asked: Asked) -> None:
        """Adds what a piece answers; its label gives the verdict that its words leave open."""
        if any(segment.pointed for segment in piece.segments):
            self._by_reference(piece, label, words, asked)
            return
        ordinal = piece.names.item.ordinal if piece.names else None
        if ordinal is None and not piece.bare:
            ordinal = self.named
        groups = tuple(token for token in pointers_of(piece.text) if token.kind in (Kind.ALL, Kind.REST))
        if ordinal is not None and not any(segment.excepted or segment.only for segment in piece.segments):
            value = piece.measured(asked.find(ordinal)) if label in (Label.YES, Label.NO, Label.WEAK) else None
            segment = Segment(
                refs=pointers_of(f"#{ordinal}"), verdict=value or label.verdict, hedged=label is Label.WEAK and not value
            )
            self.answers.answer(segment, words, asked, named=True)
        elif piece.bare and piece.segments:
            for segment in piece.segments:
                self.answers.answer(segment, words, asked)
        else:
            only = asked.items[0] if len(asked.items) == 1 else None
            value = piece.measured(only) if label in (Label.YES, Label.NO) else None
            verdict = value or label.verdict
            if verdict is None:
                self._weakly(words, asked)
            else:
                self.answers.answer(Segment(refs=groups, verdict=verdict), words, asked)

    def _by_reference(self, piece: Piece, label: Label, words: str, asked: Asked) -> None:
        segments = [segment for segment in piece.segments if segment.pointed or not segment.content]
        pointing = [segment for segment in segments if segment.pointed]
        for segment in segments:
            if len(pointing) == 1 and segment is pointing[0]:
                segment = self._judged(segment, piece, label, asked)
            elif segment.pointed and segment.verdict is None and segment.content:
                segment = replace(segment, verdict=label.verdict, hedged=label is Label.WEAK, content="")
            self.answers.answer(segment, words, asked)

    def _judged(self, segment: Segment, piece: Piece, label: Label, asked: Asked) -> Segment:
        """The one segment that points, with the verdict of its value or of the label where its words are not all read."""
        if segment.excepted or segment.only or not segment.refs:
            return segment
        numbers = [number for token in segment.refs for number in token.numbers]
        item = asked.find(numbers[0]) if len(numbers) == 1 else None
        value = piece.measured(item) if label in (Label.YES, Label.NO, Label.WEAK) else None
        if value is not None:
            return replace(segment, verdict=value, hedged=False, content="")
        if label is Label.WEAK:
            return replace(segment, verdict=None, hedged=True, content="")
        if label is Label.UNKNOWN or segment.content or segment.verdict is None and not piece.bare:
            return replace(segment, verdict=label.verdict, hedged=False, content="")
        return segment

    def _weakly(self, words: str, asked: Asked) -> None:
        """A weak yes that points at nothing: of what was answered last, of what waits for its answer, else of all."""
        answers = self.answers
        if answers.steps and isinstance(answers.steps[-1], FeedbackStep) and not answers.held:
            answers.doubt()
            return
        references = answers.held or tuple(asked.at(ordinal) for ordinal in asked.ordinals)
        answers.held = ()
        kind = ClarifyKind.AMBIGUOUS_FEEDBACK if references else ClarifyKind.VAGUE
        answers.steps.append(ClarifyStep(kind, words, references))
