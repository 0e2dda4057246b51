"""Corrections: what a message takes back of what was said before it, and what holds instead."""

from __future__ import annotations

from dataclasses import dataclass, field

from lang.cues import cue_terms
from lang.judging.amending import names_a_line
from lang.tokens import read_text
from services.planner.model import CorrectionStep, Group, ItemList, Reference, SessionView, Verdict
from services.planner.understand.answers.subjects import without_state
from services.planner.understand.corrections.marked_corrections import has_words, pointed_at
from services.planner.understand.items.item_names import near_evidence
from services.planner.understand.items.references import terms_of
from services.planner.understand.pieces import Piece
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.marks import marks_in, opening_of
from services.planner.understand.text.messages import Message
from services.planner.understand.text.observations import fact_span
from services.planner.understand.text.segments import is_bare, polarity_of, segments_of

# Words by which what is corrected is looked for are no longer.
_LONGEST = 300


@dataclass
class Correcting:
    """Collects the pieces of one correction."""

    taken: list[Piece] = field(default_factory=list)
    held: list[Piece] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """True while a correction is being read."""
        return bool(self.taken or self.held)

    def take_back(self, piece: Piece) -> None:
        """A piece that says what was wrong."""
        self.taken.append(piece)

    def replace(self, piece: Piece) -> None:
        """A piece that says what holds instead."""
        self.held.append(piece)

    def more(self, piece: Piece) -> None:
        """A piece that goes on with the one before."""
        (self.held or self.taken).append(piece)

    def close(self, message: Message, view: SessionView) -> CorrectionStep | None:
        """The correction that was read, if any; the next one begins."""
        taken, held = self.taken, self.held
        self.taken, self.held = [], []
        if not (taken or held):
            return None
        original = _original(taken, held, message, view)
        if not held and (announced := _announced(taken, message)):
            return CorrectionStep(original, words=announced)
        if not held:
            verdict = _changed_to(taken[-1].text)
            return CorrectionStep(original, verdict=verdict, retract=None if verdict else True)
        text = ",".join(piece.text for piece in held)
        if is_bare(text):
            said = [segment.verdict for segment in segments_of(text) if segment.verdict]
            if said:
                return CorrectionStep(original, verdict=said[-1])
        start, end = held[0].clause.start, held[-1].clause.end
        start += opening_of(message.normal[start:end], "instead")
        span = fact_span(message.normal[start:end])
        return CorrectionStep(original, words=message.words(start + span[0], start + span[1]))


def _announced(taken: list[Piece], message: Message) -> str:
    """What is stated behind words that only announce a correction: "correction: the index is invalid"; "" for none."""
    start, end = taken[0].clause.start, taken[-1].clause.end
    start += opening_of(message.normal[start:end], "announces")
    rest = message.normal[start:end]
    states = start > taken[0].clause.start and is_technical(rest) and not has_words("retracting", rest)
    return message.words(start, end) if states and not names_a_line(rest) else ""


def _original(taken: list[Piece], held: list[Piece], message: Message, view: SessionView) -> Reference:
    """What is corrected: what was pointed at, named or stated; all of the last turn where nothing of the field is named."""
    for group in (taken, held):
        for piece in group:
            pointed, _ = pointed_at(piece.text, view, True)
            if pointed is not None:
                return pointed
    for group in (taken, held, taken + held):
        place = near_evidence(",".join(piece.text for piece in group), view) if group else None
        if place is not None:
            return Reference(ordinal=place + 1, list=ItemList.EVIDENCE)
    place = near_evidence(message.normal, view)
    if place is not None:
        return Reference(ordinal=place + 1, list=ItemList.EVIDENCE)
    said = taken or held
    names = is_technical(without_state(_without_mistake(message.normal))) if view.evidence else terms_of(said[0].text)
    if names:
        return Reference(words=message.words(0, len(message.normal))[:_LONGEST], list=ItemList.EVIDENCE)
    return Reference(group=Group.LAST_TURN)


def _changed_to(text: str) -> Verdict | None:
    """The verdict that a clause changes an answer to: "make the deadlocks a no"; None where it says none."""
    found = [mark for mark in marks_in(text) if mark.payload == "changes"]
    return polarity_of(text[read_text(text).tokens[found[-1].last - 1].end :]) if found else None


def _without_mistake(words: str) -> str:
    """The words without those that say that something was wrong."""
    text = read_text(words)
    found = [each for each in cue_terms().find(text) if each.payload == "mistaken"]
    spans = [(text.tokens[each.first].start, text.tokens[each.last - 1].end) for each in found]
    return "".join(c for at, c in enumerate(words) if not any(start <= at < end for start, end in spans))
