"""Which words of a text claim nothing: they ask, suppose or plan, or repeat what was said to have it explained."""

from __future__ import annotations

from functools import lru_cache

from lang.modality import Message, Mode, meaning_of
from lang.parts import find_parts
from lang.tokens import read_text

_OPEN = (Mode.ASKED, Mode.SUPPOSED, Mode.PLANNED)
_LONGEST = 4_000


@lru_cache(maxsize=64)
def unclaimed_in(said: str) -> tuple[tuple[int, int], ...]:
    """The spans of the clauses of a text, in order, that claim nothing."""
    text = read_text(said[:_LONGEST])
    parts = find_parts(text, ())
    message = Message(text, [each.clause for each in parts], [each.cues for each in parts])
    return tuple(
        text.span(each.clause.first, each.clause.last)
        for at, each in enumerate(parts)
        if meaning_of(at, message).mode in _OPEN
    )


def claims(said: str, at: int) -> bool:
    """Whether the words at a place of a text stand in a clause that claims something."""
    return not any(first <= at < last for first, last in unclaimed_in(said))
