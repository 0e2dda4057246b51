"""What a verdict is of, where a piece names no item: the whole list, or a thing of its own."""

from __future__ import annotations

from collections.abc import Sequence

from services.planner.model import Verdict
from services.planner.reader.labels import Label
from services.planner.reader.lexicon import has_mark
from services.planner.reader.pieces import Piece
from services.planner.understand.judging.subjects import has_own_subject

_STATING = (Label.NO, Label.YES, Label.FACT)


def is_of_own_thing(piece: Piece) -> bool:
    """True if the verdict of a piece is of a thing that is none of the items: "the disks are fine"."""
    return not piece.bare and piece.names is None and not piece.pointed and has_own_subject(piece.text)


def only_opens(pieces: Sequence[Piece], labels: Sequence[Label], at: int) -> bool:
    """True if a bare no only opens the piece after it, which says so of a thing of its own: "no, cpu is fine"."""
    piece = pieces[at]
    if not piece.bare or piece.groups or piece.pointed or piece.verdicts != {Verdict.DENIED}:
        return False
    if at + 1 >= len(pieces) or pieces[at + 1].first or labels[at + 1] not in _STATING:
        return False
    following = pieces[at + 1]
    return is_of_own_thing(following) and not has_mark(following.text, "besides")
