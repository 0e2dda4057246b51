"""What a verdict is of, where a piece names no item: the whole list, or a thing of its own."""

from __future__ import annotations

from collections.abc import Sequence

from services.planner.model import Verdict
from services.planner.understand.acts.labels import Label
from services.planner.understand.acts.meaning import cues_in
from services.planner.understand.pieces import Piece
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.marks import has_mark
from services.planner.understand.text.segments import pointers_of
from services.planner.understand.text.tokens import Kind, tokens_of
from services.planner.understand.text.word_lists import compile_words, words

# States, and words that stand for anything that was asked: they are no subject.
_STATE = compile_words("answers.no_subject")
# With one of these a no is of the list that was asked, whatever is said after it.
_OF_LIST = compile_words("answers.of_the_list")
STATE = compile_words("answers.state", words(r"\w*ing"), r"\d+(?:\.\d+)?\s*(?:%|ms|[kmgt]b|个|次|秒|分钟|小时|天)?")
# What only points at an item may lead to its verdict.
LEADING = (Label.ASIDE, Label.MORE, Label.WEAK, Label.CORRECTION)
# What may stand between an item and its verdict.
_BETWEEN = (Label.ASIDE, Label.MORE, Label.SMALLTALK)
_VERDICTS = (Label.YES, Label.NO, Label.UNKNOWN)
_STATING = (Label.NO, Label.YES, Label.FACT, Label.MORE)
# The cue of words that call a thing fine: by themselves they may answer, before others they only agree.
_FINE = frozenset(("fine",))


def has_own_subject(text: str) -> bool:
    """True if a clause that names no item is about a thing of the field, so that its verdict is of that thing."""
    return is_technical(_STATE.sub(" ", text))


def without_state(text: str) -> str:
    """A clause without states and amounts, which say how something is and not what."""
    return STATE.sub(" ", text)


def is_of_own_thing(piece: Piece) -> bool:
    """True if the verdict of a piece is of a thing that is none of the items: "the disks are fine"."""
    return not piece.bare and piece.names is None and not piece.pointed and has_own_subject(piece.text)


def only_opens(pieces: Sequence[Piece], labels: Sequence[Label], at: int) -> bool:
    """True if a bare no, or "fine", only opens what is said after it: "no, cpu is fine", "NO. nothing crashed".

    One that names the list is of it: "none of those. the app was restarted".
    Of the only thing that was asked a no is the answer unless the piece after it says so of a thing of its own.
    """
    piece = pieces[at]
    if not piece.bare or piece.groups or piece.pointed or piece.verdicts != {Verdict.DENIED}:
        return False
    if _OF_LIST.search(piece.text) is not None:
        return False
    following = next((each for each in pieces[at + 1 :] if not each.bare), None)
    if following is None or following.pointed or following.groups:
        return False
    if len(piece.asked.items) > 1 or (cues_in(piece.text) & _FINE and following.names is None):
        return at == 0
    goes_on = following is pieces[at + 1] and not following.first and labels[at + 1] in _STATING
    return goes_on and is_of_own_thing(following) and not has_mark(following.text, "besides")


def only_protests(pieces: Sequence[Piece], labels: Sequence[Label], at: int) -> bool:
    """True if a bare no only protests before a correction: "no no, I said the disk is full"."""
    bare = pieces[at].bare and not (pieces[at].pointed or pieces[at].groups)
    return bare and at + 1 < len(labels) and labels[at + 1] in (Label.CORRECTION, Label.INSTEAD)


def points_apart(piece: Piece) -> bool:
    """True if a piece points at items one by one."""
    return not piece.clause.pasted and any(
        token.kind not in (Kind.ALL, Kind.REST, Kind.JUST) for token in pointers_of(piece.text)
    )


def leads_to(piece: Piece, following: Sequence[Piece], labels: Sequence[Label]) -> bool:
    """True if a piece that gives no verdict points at what a piece after it answers: "the third one, I looked: no"."""
    at = next((at for at, label in enumerate(labels) if label not in _BETWEEN), None)
    if at is None or labels[at] not in _VERDICTS or not piece.pointed or piece.verdicts or piece.clause.asks:
        return False
    if any(between.pointed for between in following[:at]):
        return False
    excepts = any(segment.excepted for segment in piece.segments)
    answers = following[at]
    named = answers.names is not None and answers.names.own
    return not (answers.pointed or named) and (answers.groups or not excepts)


def restricts_answer(piece: Piece) -> bool:
    """True if a piece says of the answer before it that it holds elsewhere only: "only on the replica"."""
    only = any(token.kind is Kind.ONLY for token in tokens_of(piece.text))
    return only and has_mark(piece.text, "elsewhere") and not (piece.pointed or piece.names)


def stands_apart(piece: Piece) -> bool:
    """True if a piece speaks of no item that was asked."""
    return not (piece.pointed or piece.names or piece.groups or piece.bare)
