"""Pieces whose label their words leave no doubt about: leave to act, orders to the assistant, pasted output."""

from __future__ import annotations

from collections.abc import Sequence

from lang.modality import admits_mistake
from lang.outcomes import tells_recovery
from lang.tokens import read_text
from services.planner.model import SessionView, SmalltalkKind, Verdict
from services.planner.understand.acts.labels import ANSWERS, Label
from services.planner.understand.acts.meaning import cues_in, supposes
from services.planner.understand.acts.safety import asks_permission
from services.planner.understand.answers.subjects import is_of_own_thing
from services.planner.understand.pieces import Piece
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text import smalltalk
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.marks import has_mark, is_only, opening_of, without_marks
from services.planner.understand.text.segments import pointers_of
from services.planner.understand.text.tokens import Kind
from services.planner.understand.text.word_lists import names

# So much of a piece the words of an item make up that only bring it up: "deadlocks?".
_NAMES = 0.8
# What became of what somebody did, by the cues of `lang`.
_OUTCOMES = frozenset(("no_help", "not_recovered", "helped_for_a_while"))
_LEVELS = frozenset(("fine", "bad", "high", "low"))
_BAD = frozenset(("bad", "high", "large"))
# What words about an item may be taken for.
_STATED = (Label.YES, Label.NO, Label.WEAK)
# What "is it ...?" may be taken for.
_GUESSED = (
    Label.HYPOTHESES, Label.VAGUE, Label.UNKNOWN, Label.ASIDE, Label.HELP, Label.REASONING, Label.MORE, Label.NO,
    Label.WHAT_IF, Label.FACT, Label.YES,
)  # fmt: skip
# What the news of a release may be taken for: "昨天就发了个版", "we shipped yesterday".
_SAID_BESIDE = (Label.YES, Label.NO, Label.ASIDE, Label.VAGUE, Label.SMALLTALK)
_VERDICTS = (Label.YES, Label.NO, Label.UNKNOWN)
_LABELS = {label.verdict: label for label in _VERDICTS}
# What words that take something back may be taken for.
_DENYING = (Label.NO, Label.FACT, Label.MORE, Label.ASIDE)
# A choice in own words is short.
_CHOICE = 30


def certain_labels(
    pieces: Sequence[Piece], labels: Sequence[Label], view: SessionView, following: Piece | None = None
) -> list[Label | None]:
    """The labels that the pieces of a sentence get whatever the classifier says; None for any other.

    following: the piece after the sentence, which may answer what the sentence brings up: "1? yes".
    """
    if any(piece.clause.pasted for piece in pieces):
        return [Label.FACT] * len(pieces)
    if _tells_recovery(pieces) or _is_talk(pieces):
        return [Label.SMALLTALK] * len(pieces)
    answered = (
        following is not None
        and not following.clause.pasted
        and following.bare
        and bool(following.verdicts)
        and not following.pointed
    )
    found = [_certain(piece, label, view) for piece, label in zip(pieces, labels, strict=True)]
    for at in range(1, len(pieces)):
        before = found[at - 1] or labels[at - 1]
        if labels[at] is Label.MORE and before in _VERDICTS and _only_points(pieces[at]):
            found[at] = before
        if labels[at] in (*_VERDICTS, Label.MORE) and _stands_between(pieces[at - 1 : at + 2]):
            found[at] = Label.ASIDE
    if len(pieces) > 1 and pieces[0].turns and not (pieces[0].pointed or pieces[0].names):
        found[0] = Label.ASIDE
    if not answered and _asks_of_item(pieces[-1]):
        found[-1] = Label.HELP
    if len(pieces) == 1 and labels[0] is Label.MORE and is_technical(pieces[0].text):
        found[0] = found[0] or Label.FACT
    supposed = next((at for at, piece in enumerate(pieces) if labels[at] in _VERDICTS and supposes(piece.text)), None)
    if supposed is not None:
        found[supposed:] = [Label.WHAT_IF, *(Label.MORE for _ in pieces[supposed + 1 :])]
    return found


def _is_talk(pieces: Sequence[Piece]) -> bool:
    """True if a sentence is a greeting, thanks or a farewell, and nothing else."""
    text = ",".join(piece.text for piece in pieces)
    return smalltalk.talk(text) is not None and not tells_recovery(read_text(text))


def _tells_recovery(pieces: Sequence[Piece]) -> bool:
    """True if a sentence says that all is well again, of no item and no thing of its own."""
    if any(piece.clause.asks for piece in pieces):
        return False
    said = list(pieces)
    while len(said) > 1 and smalltalk.talk(said[-1].text) is SmalltalkKind.THANKS:
        text = ",".join(piece.text for piece in said)
        if tells_recovery(read_text(text)):
            break
        said.pop()
    if any(piece.clause.pasted or piece.pointed or piece.names or _is_of_a_thing(piece.text) for piece in said):
        return False
    return tells_recovery(read_text(",".join(piece.text for piece in said)))


def _is_of_a_thing(text: str) -> bool:
    """True if a clause names a thing of the field, beside the word that it recovered."""
    return is_technical(without_marks(text, "recovers"))


def _certain(piece: Piece, label: Label, view: SessionView) -> Label | None:
    return _of_the_talk(piece, label) or _of_an_item(piece, label, view) or _of_the_system(piece, label)


def _of_the_talk(piece: Piece, label: Label) -> Label | None:
    """The label of what is said to the assistant, or of its words."""
    if smalltalk.commands_assistant(piece.clause.text):
        return Label.ORDER
    if is_only(piece.text, "undo"):
        return Label.CORRECTION
    if label is Label.CORRECTION and piece.clause.asks and not piece.pointed:
        return Label.HELP
    if has_mark(piece.text, "disagrees"):
        return Label.ASIDE
    return Label.HELP if asks_permission(piece.clause.text) else None


def _of_an_item(piece: Piece, label: Label, view: SessionView) -> Label | None:
    """The label of what answers an item, chooses an option, or takes back an answer."""
    if view.options and _chooses(piece) and label is not Label.UNKNOWN and label.question is None:
        return Label.YES
    if label in _VERDICTS and _contradicts(piece, label):
        return Label.ASIDE
    if label not in ANSWERS and label.question is None and (verdict := _plain_verdict(piece)) is not None:
        return verdict
    if label in _STATED and _states_item(piece):
        return Label.YES
    if label is Label.NO and piece.verdicts == {Verdict.DENIED} and _names_lack_in_part(piece):
        return Label.FACT
    if view.evidence and label in _DENYING and not (piece.clause.asks or piece.pointed) and admits_mistake(piece.text):
        return Label.CORRECTION
    if view.options and label in ANSWERS and _points_softly(piece):
        return Label.YES
    if label not in ANSWERS and not piece.clause.asks and any(segment.excepted for segment in piece.segments):
        return Label.YES
    return Label.ASIDE if _brings_up(piece) and label is not Label.SUSPICION else None


def _of_the_system(piece: Piece, label: Label) -> Label | None:
    """The label of what tells how something else is, or guesses at it."""
    apart = label in ANSWERS and not (piece.pointed or piece.names)
    if apart and (cues_in(piece.text) & _OUTCOMES or has_mark(piece.text, "no_help")):
        return Label.FACT
    if label in (Label.YES, Label.NO) and piece.first and not piece.groups and is_of_own_thing(piece):
        return Label.FACT
    asks = piece.clause.asks or "question" in cues_in(piece.text)
    if label in _SAID_BESIDE and not (asks or piece.pointed or piece.names) and names("named.released", piece.text):
        return Label.FACT
    if label in _GUESSED and asks and not piece.pointed and _guesses(piece.text):
        return Label.SUSPICION
    return Label.FACT if label is Label.HELP and _finds(piece) else None


def _contradicts(piece: Piece, label: Label) -> bool:
    """True if a piece is a bare verdict of nothing in particular, and another one than its label."""
    return piece.bare and not piece.pointed and bool(piece.verdicts) and label.verdict not in piece.verdicts


def _only_points(piece: Piece) -> bool:
    """True if a piece points at an item and gives no verdict of its own: "2 same"."""
    return piece.bare and piece.pointed and not (piece.verdicts or piece.clause.asks)


def _stands_between(pieces: Sequence[Piece]) -> bool:
    """True if the middle one of three pieces is a verdict of nothing between two answers: "1 yes, ok, 2 yes"."""
    if len(pieces) < 3 or not (pieces[0].pointed and pieces[2].pointed and pieces[0].verdicts):
        return False
    return pieces[1].bare and not (pieces[1].pointed or pieces[1].groups)


def _plain_verdict(piece: Piece) -> Label | None:
    """The label of a piece that is nothing but what it points at and a verdict without a doubt: "3 no"."""
    doubts = any(segment.hedged or segment.excepted or segment.only for segment in piece.segments)
    points = piece.pointed or piece.groups
    if not (piece.bare and points) or piece.clause.asks or doubts or supposes(piece.text):
        return None
    if len(piece.verdicts) != 1:
        return None
    (verdict,) = piece.verdicts
    return _LABELS[verdict]


def _states_item(piece: Piece) -> bool:
    """True if a piece names an item of its own and says no more than that it is bad: "the wal folder is huge"."""
    if piece.names is None or not piece.names.own or piece.clause.asks or piece.verdicts or piece.names.lacks:
        return False
    return bool(cues_in(piece.text) & _BAD) and not any(map(str.isdigit, piece.text))


def _names_lack_in_part(piece: Piece) -> bool:
    """True if an item is the lack of what a piece says is not there: "no index on token" affirms it."""
    return piece.names is not None and piece.names.lacks and piece.names.covered < _NAMES


def _finds(piece: Piece) -> bool:
    """True if a piece asks nothing and tells how a thing of the field stands: "CPU usage is low"."""
    cues = cues_in(piece.text)
    asks = piece.clause.asks or has_wh(piece.text) or "question" in cues
    return not asks and bool(cues & _LEVELS) and is_technical(piece.text)


def _brings_up(piece: Piece) -> bool:
    """True if a piece is the name of an item and a question mark: "deadlocks?"."""
    if piece.names is None or not piece.clause.asks or opening_of(piece.text, "is_it", "may_be_it") > 0:
        return False
    return piece.names.covered >= _NAMES and not (piece.verdicts or has_wh(piece.text))


def _guesses(text: str) -> bool:
    """True if a question is whether "it" is something that is no word of a question: "is it jit?"."""
    start = opening_of(text, "is_it", "may_be_it")
    thing = text[start:]
    return start > 0 and bool(thing) and not has_wh(thing) and not has_mark(thing, "judges")


def _asks_of_item(piece: Piece) -> bool:
    """True if a piece only points at an item and asks: "2?", "and the second?"."""
    if not (piece.pointed and piece.bare) or piece.verdicts or piece.groups:
        return False
    if any(segment.hedged for segment in piece.segments):
        return False  # "2 i guess?" chooses.
    asks = piece.clause.asks or has_mark(piece.text, "and_that")
    return asks and all(token.kind is not Kind.JUST for token in pointers_of(piece.text))


def _chooses(piece: Piece) -> bool:
    """True if a piece only names an option: "when we commit", "the writing side"."""
    if piece.names is None or piece.clause.asks or len(piece.text) > _CHOICE or "retraction" in cues_in(piece.text):
        return False
    if any(token.kind is not Kind.JUST for token in pointers_of(piece.text)):
        return False
    said = any(segment.verdict or segment.hedged or segment.excepted for segment in piece.segments)
    return not said and not any(map(str.isdigit, piece.text))


def _points_softly(piece: Piece) -> bool:
    """True if a piece only points at an option, without a doubt in words: "3吧"."""
    doubts = any(segment.hedged or segment.verdict or segment.excepted for segment in piece.segments)
    return piece.bare and piece.pointed and not piece.clause.asks and not doubts
