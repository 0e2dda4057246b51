"""A value in the person's last output whose meaning is asked, by the column that it stands in."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from lang.objects.named_objects import tables_in
from services.planner.glossary.asking import meanings_in
from services.planner.glossary.known_terms import find_term
from services.planner.model import SessionView, Speaker

_WORD = re.compile(r"[A-Za-z0-9_.]+", re.ASCII)


def column_meant(asked: str, view: SessionView) -> str:
    """The column, a term of the field, under which the last table that the person showed has a value of the question."""
    if meanings_in(asked):
        return ""
    words = {each.lower() for each in _WORD.findall(asked)}
    for name, cell in _cells_shown(view):
        if cell.lower() in words and find_term(name) is not None:
            return name
    return ""


def _cells_shown(view: SessionView) -> Iterator[tuple[str, str]]:
    """The cells of the last tables that the person showed, each with the name of its column."""
    said = (each.text for each in reversed(view.history) if each.speaker is Speaker.USER)
    for table in next(filter(None, map(tables_in, said)), ()):
        for row in table.rows:
            yield from ((name.strip(), cell.strip()) for name, cell in zip(table.columns, row, strict=False))
