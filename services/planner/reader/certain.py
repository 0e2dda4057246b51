"""Pieces whose label their words leave no doubt about: leave to act, orders to the assistant, pasted output."""

from __future__ import annotations

from services.planner.reader.labels import Label
from services.planner.reader.pieces import Piece
from services.planner.understand import smalltalk
from services.planner.understand.safety import asks_permission


def certain_label(piece: Piece) -> Label | None:
    """The label of a piece that needs no classifier; None for any other."""
    if piece.clause.pasted:
        return Label.FACT
    if smalltalk.commands_assistant(piece.clause.text):
        return Label.ORDER
    if asks_permission(piece.clause.text):
        return Label.HELP
    return None
