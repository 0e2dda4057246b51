"""The plan of a message."""

from __future__ import annotations

from collections.abc import Sequence

from services.planner.model import FeedbackStep, PlanSource, PlanStep, SessionView, TurnPlan
from services.planner.understand.acts.labels import Label
from services.planner.understand.acts.tagger import Tagger, shipped, tag
from services.planner.understand.acts.typos import mended
from services.planner.understand.answers.answer_marks import in_order, marks_of
from services.planner.understand.answers.grounds import grounded
from services.planner.understand.answers.last_word import last_word
from services.planner.understand.items.references import open_list
from services.planner.understand.labelled_steps import steps_of
from services.planner.understand.pieces import Piece, pieces_of
from services.planner.understand.plan_rules import step_for_nothing, tidied, without_posing
from services.planner.understand.questions.data_questions import data_question
from services.planner.understand.text import smalltalk
from services.planner.understand.text.messages import Message, language_of, read

_LIKELY = 0.5
# A list of checks has few items; its answers fit in as many characters.
_SHEET = 120


def prepared(original: str) -> Message:
    """The message normalised, its slips mended, without text that poses as the system."""
    return mended(without_posing(read(original)))


def direct_steps(original: str, message: Message, view: SessionView, pieces: Sequence[Piece]) -> tuple[PlanStep, ...]:
    """The steps of a message that needs no labels: a command, or a list of marks."""
    command = smalltalk.command(original, bool(view.evidence))
    if command is not None:
        return (command,)
    marks = marks_of(message, open_list(view))
    if marks is not None:
        return marks
    counted = data_question(original, view)
    if counted is not None:
        return (counted,)
    if sum(piece.first for piece in pieces) == 1 and not pieces[0].clause.pasted:
        texts = [piece.text for piece in pieces]
        return in_order(texts, message.words(0, len(message.normal)), open_list(view))
    return ()


def read_sheet(original: str, view: SessionView) -> TurnPlan | None:
    """The plan of a message that is nothing but answers to the open list, "1 no, 2 yes": nothing else reads it."""
    asked = open_list(view)
    if not asked.items or len(original) > _SHEET or view.options:
        return None
    marks = marks_of(prepared(original), asked)
    if marks is None or not all(isinstance(step, FeedbackStep) for step in marks):
        return None
    return TurnPlan(marks, language_of(original, view.language), PlanSource.RULES)


def plan_of(
    original: str,
    message: Message,
    view: SessionView,
    pieces: Sequence[Piece],
    labels: Sequence[Label],
    shares: Sequence[float] | None = None,
) -> TurnPlan:
    """The plan of a message whose pieces have these labels, each so sure."""
    said = last_word(steps_of(message, view, pieces, labels, shares), view)
    steps = tidied(grounded(said, pieces, open_list(view))) or (step_for_nothing(message, original),)
    return TurnPlan(steps, language_of(original, view.language), PlanSource.RULES)


def read_by(tagger: Tagger, original: str, view: SessionView) -> tuple[TurnPlan, tuple[str, ...]]:
    """The plan of a message, and the words of the pieces that are only guessed at."""
    message = prepared(original)
    pieces = pieces_of(message, view)
    direct = direct_steps(original, message, view, pieces)
    if direct:
        return TurnPlan(direct, language_of(original, view.language), PlanSource.RULES), ()
    tagged = tag(tagger, pieces, view)
    plan = plan_of(original, message, view, pieces, tagged.labels, tagged.shares)
    unsure = tuple(
        message.words(piece.clause.start, piece.clause.end)
        for piece, share in zip(pieces, tagged.shares, strict=True)
        if share < _LIKELY and not piece.clause.pasted
    )
    return plan, unsure


def read_message(original: str, view: SessionView) -> tuple[TurnPlan, tuple[str, ...]]:
    """The plan of a message by the shipped tagger, and the words of the pieces that are only guessed at."""
    return read_by(shipped(), original, view)


def understand(original: str, view: SessionView) -> TurnPlan:
    """The plan of a message; it has at least one step."""
    return read_message(original, view)[0]
