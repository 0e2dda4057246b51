"""Pieces whose label their words leave no doubt about: leave to act, orders to the assistant, pasted output."""

from __future__ import annotations

from lang.outcomes import tells_recovery
from lang.tokens import read_text
from services.planner.model import SessionView
from services.planner.reader.labels import Label
from services.planner.reader.pieces import Piece
from services.planner.understand.text import smalltalk
from services.planner.understand.text.segments import pointers_of
from services.planner.understand.text.domain import is_technical
from services.planner.understand.questions.safety import asks_permission
from services.planner.understand.text.tokens import Kind

# A choice in own words is short.
_CHOICE = 30


def certain_label(piece: Piece, label: Label, view: SessionView) -> Label | None:
    """The label that a piece gets whatever the classifier says; None for any other. label: what the classifier says."""
    if piece.clause.pasted:
        return Label.FACT
    if smalltalk.commands_assistant(piece.clause.text):
        return Label.ORDER
    if asks_permission(piece.clause.text):
        return Label.HELP
    if view.options and _chooses(piece) and label.question is None:
        return Label.YES
    if tells_recovery(read_text(piece.text)) and not (piece.pointed or piece.names or is_technical(piece.text)):
        return Label.SMALLTALK
    return None


def _chooses(piece: Piece) -> bool:
    """True if a piece only names an option: "when we commit", "the writing side"."""
    if piece.names is None or piece.clause.asks or len(piece.text) > _CHOICE:
        return False
    if any(token.kind is not Kind.JUST for token in pointers_of(piece.text)):
        return False
    said = any(segment.verdict or segment.hedged or segment.excepted for segment in piece.segments)
    return not said and not any(map(str.isdigit, piece.text))
