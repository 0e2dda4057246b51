"""How a piece is meant: what is wished, planned, usual, supposed, of another time or another system is no answer."""

from __future__ import annotations

from functools import lru_cache

from lang.cues import cue_terms
from lang.tokens import read_text
from services.planner.understand.text.marks import has_mark

_NO_CLAIM = frozenset(("norm", "wish", "plan", "supposition"))
_NOT_HERE = frozenset(("elsewhere", "past"))
_HERE = frozenset(("here", "now", "began"))


@lru_cache(maxsize=1024)
def cues_in(text: str) -> frozenset[str]:
    """The names of the lists of the lexicon that a normalised text has words of."""
    return frozenset(found.payload for found in cue_terms().find(read_text(text)))


def claims_nothing(text: str) -> bool:
    """True if a normalised clause says nothing of this system as it is now."""
    cues = cues_in(text)
    return bool(cues & _NO_CLAIM) or is_not_here(text)


def is_not_here(text: str) -> bool:
    """True if a normalised clause is of another system or time, and does not say that it is so here and now."""
    cues = cues_in(text)
    return (bool(cues & _NOT_HERE) or has_mark(text, "formerly")) and not cues & _HERE


def supposes(text: str) -> bool:
    """True if a normalised clause supposes something."""
    return "supposition" in cues_in(text)
