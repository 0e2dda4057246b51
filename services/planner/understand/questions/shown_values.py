"""A value in the person's last output whose meaning is asked, by the column that it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from lang import deferred_re as re
from lang.cues import telling_keys
from lang.modality import is_negated
from lang.objects.named_objects import tables_in
from services.planner.glossary.asking import meanings_in
from services.planner.glossary.known_terms import find_term
from services.planner.model import (
    CorrectionStep,
    FeedbackStep,
    Group,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    Speaker,
    TurnPlan,
)
from services.planner.treatment.actions import read_actions
from services.planner.treatment.shown_actions import POINTING
from services.planner.treatment.wanted.wants import wants_in, without, word_in_question
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.segments import polarity_of

_WORD = re.compile(r"[A-Za-z0-9_.]+", re.ASCII)
# How PostgreSQL shows a yes and a no.
TRUE, FALSE = "t", "f"
# "What does that mean for us".
_FOR_WHOM = frozenset(("us", "me", "我", "们"))


class Cell(NamedTuple):
    """A value, and the name of its column."""

    column: str
    value: str


def cell_meant(asked: str, view: SessionView, message: str = "") -> Cell | None:
    """The cell of the last table that the person showed which a question names; of a column whose meaning is known.

    message: the one that asks, with what is pasted in it.
    """
    if meanings_in(asked):
        return None
    words = {each.lower() for each in _WORD.findall(asked)}
    for cell in _cells_shown(view, message):
        value = cell.value.lower()
        if value in words and (value in (TRUE, FALSE) or find_term(cell.column) is not None):
            return cell
    return None


def of_cell(step: PlanStep, message: str, view: SessionView) -> tuple[PlanStep, ...]:
    """What a value of the person's own table means as a question of its column, with the value; none of another step."""
    asks = isinstance(step, QuestionStep) and step.topic is QuestionTopic.MEANING
    cell = cell_meant(step.text, view, message) if isinstance(step, QuestionStep) and asks else None
    if not isinstance(step, QuestionStep) or cell is None:
        return ()
    asked = f"what is {cell.column}?\n{cell.column} = {cell.value}"
    return (replace(step, subject=Reference(words=cell.column), text=asked),)


def of_what_was_told(step: PlanStep, plan: TurnPlan) -> tuple[PlanStep, ...]:
    """What "this" means, beside an output or a statement, as how the cause works that it bears on.

    A verdict with a question mark beside what is told ("什么叫没有？") protests against it, and asks for no meaning.
    """
    told = plan.pasted or any(isinstance(each, ObservationStep | CorrectionStep | FeedbackStep) for each in plan.steps)
    if not told or not isinstance(step, QuestionStep) or step.topic not in (None, QuestionTopic.MEANING):
        return (step,)
    text = read_actions(step.text)
    rest, wants = without(text, "meaning"), {*wants_in(text)}
    asks = wants & {"meaning", "shows"} and not meanings_in(step.text)
    if asks and (is_negated(rest) or polarity_of(rest) is not None) and not word_in_question(step.text):
        return ()
    words = step.subject.words if step.subject is not None else None
    points = step.subject is None or step.subject.group is Group.JUST_MENTIONED
    for_whom = words is not None and telling_keys(words) <= _FOR_WHOM
    otherwise = "meaning" not in wants and has_wh(without(text, "shows"))  # "Where do you see that?"
    if not asks or otherwise or not (points or for_whom) or len(rest) > POINTING:
        return (step,)
    return (QuestionStep(QuestionKind.HELP, None, step.text, topic=QuestionTopic.MECHANISM),)


def _cells_shown(view: SessionView, message: str) -> Iterator[Cell]:
    """The cells of the last tables that the person showed."""
    said = (message, *(each.text for each in reversed(view.history) if each.speaker is Speaker.USER))
    for table in next(filter(None, map(tables_in, said)), ()):
        for row in table.rows:
            cells = zip(table.columns, row, strict=False)
            yield from (Cell(name.strip(), cell.strip()) for name, cell in cells)
