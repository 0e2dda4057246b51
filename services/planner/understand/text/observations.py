"""Facts in the person's own words: what is passed on, and how sure it was said."""

from __future__ import annotations

from services.planner.understand.text.word_lists import compile_words, listed

_HEDGE = compile_words(
    "text.hedge",
    r"(?:要|你)?说(?:没有?|有|是|不是)(?:吧|呢)?也(?:没有?|有|算|行|对|是|不是)",
    r"半[有真信是在][^,，\s]?半[没疑假不无]\S{0,2}",
    r"[^,，\s]{0,4}(?:也行|也可以|也对|也成)[^,，\s]{0,6}(?:也行|也可以|也对|也成)",
)
_OPENING = listed("observations.opening")


def fact_span(clause: str) -> tuple[int, int]:
    """Where in a normalised clause the fact stands, without openings such as "and also"."""
    opening = _OPENING.match(clause)
    start = opening.end() if opening else 0
    end = len(clause)
    return (start, end) if start < end else (0, len(clause))


def certainty_of(clause: str) -> float | None:
    """How surely a fact was said, in (0, 1]; None when it was not hedged."""
    return 0.7 if _HEDGE.search(clause) else None
