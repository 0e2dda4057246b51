"""Pieces whose label their words leave no doubt about: leave to act, orders to the assistant, pasted output."""

from __future__ import annotations

from lang.outcomes import tells_recovery
from lang.tokens import read_text
from services.planner.model import SessionView
from services.planner.reader.labels import Label
from services.planner.reader.pieces import Piece
from services.planner.understand import smalltalk
from services.planner.understand.domain import is_technical
from services.planner.understand.questions import has_wh
from services.planner.understand.safety import asks_permission


# A choice in own words is short.
_CHOICE = 30


def certain_label(piece: Piece, view: SessionView) -> Label | None:
    """The label of a piece that needs no classifier; None for any other."""
    if piece.clause.pasted:
        return Label.FACT
    if smalltalk.commands_assistant(piece.clause.text):
        return Label.ORDER
    if asks_permission(piece.clause.text):
        return Label.HELP
    if view.options and _chooses(piece):
        return Label.YES
    if tells_recovery(read_text(piece.text)) and not (piece.pointed or piece.names or is_technical(piece.text)):
        return Label.SMALLTALK
    return None


def _chooses(piece: Piece) -> bool:
    """True if a piece only names an option: "when we commit", "the writing side"."""
    if piece.names is None or piece.pointed or piece.clause.asks or has_wh(piece.text) or len(piece.text) > _CHOICE:
        return False
    said = any(segment.verdict or segment.hedged or segment.excepted for segment in piece.segments)
    return not said and not any(map(str.isdigit, piece.text))
