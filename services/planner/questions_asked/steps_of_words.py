"""Which steps of a plan were read in some words."""

from __future__ import annotations

from rapidfuzz import fuzz

from lang import deferred_re as re
from services.planner.model import (
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionStep,
    SessionView,
    SmalltalkStep,
    Speaker,
    SuggestionStep,
)

_LETTER = re.compile(r"\w")
# So many percent of the shorter words stand in the longer ones.
_ALIKE = 80
# An echo has so many letters at most.
_ECHO = 12
_QUOTES = ('"', "'", "“", "”", "「", "」", "『", "』", "`")


def is_of(step: PlanStep, words: str) -> bool:
    """Whether a step was read in these words."""
    match step:
        case QuestionStep(text=own) | SuggestionStep(text=own) | ObservationStep(text=own):
            return _overlaps(own, words)
        case ClarifyStep(words=own) | FeedbackStep(words=own):
            return bool(own) and _overlaps(own, words)
        case CorrectionStep(words=own, original=original):
            return any(_overlaps(each, words) for each in (own, original.words) if each)
        case SmalltalkStep():
            return True
    return False


def echoes(words: str, view: SessionView) -> bool:
    """Whether words with a question mark only say again what the last answer said, or quote: "16GB??" protests."""
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
    said, quoted = plain(words), words.rstrip("?？ ").startswith(_QUOTES) and words.rstrip("?？ ").endswith(_QUOTES)
    return words.rstrip().endswith(("?", "？")) and (quoted or (len(said) <= _ECHO and said in plain(last)))


def _overlaps(own: str, words: str) -> bool:
    """Whether a line of a step's words and the words that ask are nearly the same, or one a part of the other."""
    asked = plain(words)
    return any(fuzz.partial_ratio(line, asked) >= _ALIKE for line in map(plain, own.split("\n")) if line)


def plain(words: str) -> str:
    """Words without signs and spaces, for comparing."""
    return "".join(_LETTER.findall(words.lower()))
