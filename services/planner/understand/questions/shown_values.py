"""A value in the person's last output whose meaning is asked, by the column that it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from lang import deferred_re as re
from lang.objects.named_objects import tables_in
from services.planner.glossary.asking import meanings_in
from services.planner.glossary.known_terms import find_term
from services.planner.model import PlanStep, QuestionStep, QuestionTopic, Reference, SessionView, Speaker

_WORD = re.compile(r"[A-Za-z0-9_.]+", re.ASCII)
# How PostgreSQL shows a yes and a no.
TRUE, FALSE = "t", "f"


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


def _cells_shown(view: SessionView, message: str) -> Iterator[Cell]:
    """The cells of the last tables that the person showed."""
    said = (message, *(each.text for each in reversed(view.history) if each.speaker is Speaker.USER))
    for table in next(filter(None, map(tables_in, said)), ()):
        for row in table.rows:
            cells = zip(table.columns, row, strict=False)
            yield from (Cell(name.strip(), cell.strip()) for name, cell in cells)
