"""What a what-if question supposes."""

from __future__ import annotations

from lang.parts import cues_of
from lang.tokens import read_text
from services.planner.model import Assumption, Reference, SessionView, Verdict
from services.planner.understand.items.references import open_list
from services.planner.understand.pieces import Piece
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import segments_of
from services.planner.understand.text.tokens import Kind


def assumed(piece: Piece, words: str, view: SessionView) -> tuple[Assumption, ...]:
    """What a what-if question supposes."""
    asked = open_list(view)
    found: list[Assumption] = []
    for segment in segments_of(_supposed(piece.text)):
        verdict = segment.verdict or Verdict.CONFIRMED
        for token in segment.refs:
            if token.kind is Kind.ID:
                found.append(Assumption(Reference(id=canonical_id(token.text)), verdict))
            elif token.kind is Kind.ORDINALS:
                found += [Assumption(asked.at(number), verdict) for number in token.numbers if asked.find(number)]
    if found:
        return tuple(found)
    verdict = next((segment.verdict for segment in piece.segments if segment.verdict), Verdict.CONFIRMED)
    return (Assumption(Reference(words=words), verdict),)


def _supposed(text: str) -> str:
    """A text without its words for supposing, so that what points begins it: "1 were yes" of "what if 1 were yes"."""
    read = read_text(text)
    for cue in cues_of(read):
        if cue.name == "supposition":
            start, end = read.span(cue.first, cue.last)
            text = text[:start] + " " * (end - start) + text[end:]
    return text
