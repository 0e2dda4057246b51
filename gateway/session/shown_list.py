"""Which checks an answer showed: a number counts in the list that a person has seen."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import Item

from gateway.session.ledger import Session


def shown_in(answer: str, session: Session) -> tuple[Item, ...]:
    """What an answer asked: the options of its question, else those of the next checks that it names."""
    if session.clarification is not None:
        return session.clarification.options
    return tuple(item for item in session.pending if _names(answer, item))


def _names(answer: str, item: Item) -> bool:
    name = item.name
    return name is not None and any(text and text in answer for text in (name.zh, name.en))
